"""The lines of a chain: a header, then one row for each accepted command with its events, each naming the hash of the
line before it and carrying its own: SHA-256 over its canonical JSON without the field ``hash``.

Files (`proof.history`) and the store of a house hold the same lines, so that an export is a copy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from crossfelt.proof.canonical import encode, encode_checked, sha256

_ZEROS: Final = 64 * "0"
_PREVIOUS: Final = b',"previous":"'


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line without its end, and its hash."""

    body: bytes
    hash: str


def header_line(header: msgspec.Struct) -> Line:
    """The first line of a chain: whatever says what the chain is of."""
    body = encode(header)
    return Line(body, sha256(body))


def row_start(command: msgspec.Struct, events: Iterable[msgspec.Struct]) -> bytes:
    """A row as far as it is the same wherever it will stand: its command and its events."""
    return b'{"command":%b,"events":%b' % (encode_checked(command), encode_checked(tuple(events)))


def row_line(start: bytes, previous: str, seq: int) -> Line:
    """A row in its place.

    >>> row_line(b'{"command":{},"events":[]', "ab", 7).body[-26:]
    b'","previous":"ab","seq":7}'
    """
    digest = sha256(start + _row_tail(previous, seq))
    return Line(start + _row_tail(previous, seq, digest), digest)


def hash_of(body: bytes, seq: int) -> str:
    """The hash of a line as it stands: of a row the one that it carries, if that is its own.

    A header carries none, and all its bytes are hashed. So are those of a row that was changed, or stands under another
    seq: nothing follows from such a hash.

    >>> line = row_line(b'{"command":{},"events":[]', 64 * "0", 7)
    >>> hash_of(line.body, 7) == line.hash, hash_of(line.body, 8) == line.hash
    (True, False)
    """
    if seq > 0:
        end = len(body) - len(_row_tail(_ZEROS, seq))
        mark = end - len(_mark(_ZEROS))
        digest = sha256(body[:mark] + body[end:])
        previous = body[end:][len(_PREVIOUS) :][: len(_ZEROS)].decode("ascii", "replace")
        if body[mark:] == _row_tail(previous, seq, digest):
            return digest
    return sha256(body)


def carries(body: bytes, seq: int, digest: str) -> bool:
    """Whether a row carries this hash.

    >>> line = row_line(b'{"command":{},"events":[]', 64 * "0", 7)
    >>> carries(line.body, 7, line.hash), carries(line.body, 7, sha256(line.body))
    (True, False)
    """
    return body[-len(_row_tail(_ZEROS, seq, _ZEROS)) :].startswith(_mark(digest))


def row_without_hash(body: bytes, previous: str, seq: int, digest: str) -> bytes:
    """What the hash of a row is taken over, from the row and what it says of itself."""
    return body[: -len(_row_tail(previous, seq, digest))] + _row_tail(previous, seq)


def end_line(rows: int, previous: str, *, goes_on: bool = False) -> Line:
    """The last line of a file, which says how many rows there are, so that a file that was cut shows; and whether they
    are only the first of a stream that goes on."""
    digest = sha256(end_without_hash(rows, previous, goes_on=goes_on))
    return Line(_end(rows, previous, digest, goes_on=goes_on), digest)


def end_without_hash(rows: int, previous: str, *, goes_on: bool = False) -> bytes:
    """What the hash of a last line is taken over."""
    return _end(rows, previous, goes_on=goes_on)


def _row_tail(previous: str, seq: int, digest: str = "") -> bytes:
    return b'%b%b%b","seq":%d}' % (_mark(digest), _PREVIOUS, previous.encode(), seq)


def _end(rows: int, previous: str, digest: str = "", *, goes_on: bool) -> bytes:
    more = b',"goes_on":true' if goes_on else b""
    return b'{"end":%d%b%b,"previous":"%b"}' % (rows, more, _mark(digest), previous.encode())


def _mark(digest: str) -> bytes:
    return b',"hash":"%b"' % digest.encode() if digest else b""
