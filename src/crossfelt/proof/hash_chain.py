"""Canonical JSON and the lines of a chain: one sequence of bytes for each value, so that a hash of the bytes is a hash
of the value.

Keys are sorted by code point, nothing stands between the tokens, text is UTF-8 and only the quotation mark, the reverse
solidus and control characters are escaped, numbers are integers. That is the output of ``json.dumps(value,
sort_keys=True, separators=(",", ":"), ensure_ascii=False)``, here written by msgspec with ``order="sorted"``: it sorts
the fields of structs together with their tag, so that moving a field in the source changes no hash.
(``order="deterministic"`` would leave them in the order of the source.)

Fields at their defaults are left out, and a card is its text. Another spelling of the same value (another order, a
blank, a default written out) is not canonical, and `decode_exactly` refuses it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Final, TypeVar

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.cards.card import HIDDEN, Card, enc_hook
from crossfelt.errors import BadInput

T = TypeVar("T")

_CARDS: Final = {Card(number).text: Card(number) for number in range(HIDDEN + 1)}


def dec_hook(wanted: type, value: object) -> Card:
    """Return a card from its canonical text; other spellings would take ten times as long."""
    card = _CARDS.get(value) if isinstance(value, str) else None
    if card is None:
        raise ValueError(f"not a card: {value!r}")
    return card


_ENCODER: Final = msgspec.json.Encoder(order="sorted", enc_hook=enc_hook)


def encode(value: Any) -> bytes:
    """Return the canonical bytes of plain data, a command, an event, or several of them.

    >>> from crossfelt.cards import Card
    >>> encode({"b": [1, True, None], "a": "Zoë", "card": Card("As")})
    b'{"a":"Zo\\xc3\\xab","b":[1,true,null],"card":"As"}'
    >>> encode({"rate": 0.5})
    Traceback (most recent call last):
    crossfelt.errors.BadInput: not canonical: a fraction of a number: 0.5 (allowed: whole numbers)
    """
    _refuse_floats(value)
    return encode_checked(value)


def encode_checked(value: Any) -> bytes:
    """Encode a decoded value, without the search for floats: a decoder lets none pass."""
    try:
        return _ENCODER.encode(value)
    except (OverflowError, TypeError, ValueError, NotImplementedError) as error:
        raise _not_canonical(str(error)) from None


def sha256(data: bytes) -> str:
    """Return the hash of some bytes, in 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def decode_exactly(decoder: msgspec.json.Decoder[T], data: bytes, what: str) -> T:
    """Decode some bytes; refuse them if they are not canonical."""
    try:
        value = decoder.decode(bounded(data))
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadInput.at("", "canonical.shape", f"not {what}: {error}") from None
    if encode_checked(value) != data:
        raise _not_canonical(f"{what} is spelt in another way")
    return value


_PLAIN: Final = frozenset((str, int, bool, type(None), Card))


def _refuse_floats(value: Any) -> None:
    """Refuse floats: they have many spellings, and NaN would even be written as null."""
    if isinstance(value, float):
        raise BadInput.at("", "canonical.float", "not canonical: a fraction of a number", value, "whole numbers")
    items: Iterable[Any] = ()
    if isinstance(value, msgspec.Struct):
        items = msgspec.structs.astuple(value)
    elif isinstance(value, dict):
        items = (*value, *value.values())
    elif isinstance(value, list | tuple | set | frozenset):
        items = value
    for item in items:
        if type(item) not in _PLAIN:  # most are
            _refuse_floats(item)


def _not_canonical(why: str) -> BadInput:
    return BadInput.at("", "canonical", f"not canonical: {why}")


_ZEROS: Final = 64 * "0"
_PREVIOUS: Final = b',"previous":"'


class ChainLine(msgspec.Struct, frozen=True, gc=False):
    """A line without its end, and its hash."""

    body: bytes
    hash: str


def header_line(header: msgspec.Struct) -> ChainLine:
    body = encode(header)
    return ChainLine(body, sha256(body))


def row_line(command: object, events: Iterable[object], previous: str, seq: int) -> ChainLine:
    """Return the row of a command and its events at its place in a chain.

    >>> row_line({}, [], "ab", 7).body[-26:]
    b'","previous":"ab","seq":7}'
    """
    start = b'{"command":%b,"events":%b' % (encode_checked(command), encode_checked(tuple(events)))
    digest = sha256(start + _row_tail(previous, seq))
    return ChainLine(start + _row_tail(previous, seq, digest), digest)


def hash_of(body: bytes, seq: int) -> str:
    """Return the hash of a line; that of an intact row is the hash that it carries.

    A header carries no hash, and all its bytes are hashed. The same goes for a row that was changed, or has another
    seq: its hash matches nothing.

    >>> line = row_line({}, [], 64 * "0", 7)
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
    """Say if a row carries this hash.

    >>> line = row_line({}, [], 64 * "0", 7)
    >>> carries(line.body, 7, line.hash), carries(line.body, 7, sha256(line.body))
    (True, False)
    """
    return body[-len(_row_tail(_ZEROS, seq, _ZEROS)) :].startswith(_mark(digest))


def row_without_hash(body: bytes, previous: str, seq: int, digest: str) -> bytes:
    """Return the hashed bytes of a row, from the row and its own fields."""
    return body[: -len(_row_tail(previous, seq, digest))] + _row_tail(previous, seq)


def end_line(rows: int, previous: str, *, goes_on: bool = False) -> ChainLine:
    """Return the last line of a file with the number of rows, so that a cut file shows. `goes_on` marks the first
    rows of a running stream."""
    more = b',"goes_on":true' if goes_on else b""

    def body(digest: str = "") -> bytes:
        return b'{"end":%d%b%b,"previous":"%b"}' % (rows, more, _mark(digest), previous.encode())

    digest = sha256(body())
    return ChainLine(body(digest), digest)


def _row_tail(previous: str, seq: int, digest: str = "") -> bytes:
    return b'%b%b%b","seq":%d}' % (_mark(digest), _PREVIOUS, previous.encode(), seq)


def _mark(digest: str) -> bytes:
    return b',"hash":"%b"' % digest.encode() if digest else b""
