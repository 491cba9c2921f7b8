"""The data and the errors of the store.

A *stream* is an append-only chain of lines: a header (seq 0), then one row for each accepted command. A *commit*
appends rows to several streams, all or none, and is durable when it returns. *Records* hold data outside any history:
sessions, password hashes, rate limits.
"""

from __future__ import annotations

from typing import Final, Protocol, TypeVar

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.proof.hash_chain import carries

T = TypeVar("T")

NOTHING: Final = -1
"""The seq of a stream that does not exist. Its header will have seq 0."""


class Head(msgspec.Struct, frozen=True, gc=False):
    """Seq and hash of the last line of a stream."""

    seq: int = NOTHING
    hash: str = ""


class StreamHead(msgspec.Struct, frozen=True):
    """The head of a stream, with the stream's name."""

    stream: str
    seq: int
    hash: str
    signed: int = NOTHING
    """The seq that was signed last, where that was asked."""


class Stored(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A stored line of a stream."""

    position: int
    """Order in the whole store. Positions grow, with gaps; commits that run in parallel may be in any order."""
    stream: str
    seq: int
    command_id: str
    """Empty for a header."""
    at: int
    body: bytes
    """The line as a history file has it, without the newline."""
    hash: str
    """The hash of the body, computed when the line was read or written."""
    fence: int
    """The fencing number of the lease that the line was written under; 0 without a lease."""

    @property
    def intact(self) -> bool:
        """True if the row's own hash fits its content. A header carries no hash; the next row vouches for it."""
        return self.seq == 0 or carries(self.body, self.seq, self.hash)


class StoredCommand(Protocol):
    """A struct with at least these fields."""

    @property
    def id(self) -> str: ...
    @property
    def at(self) -> int: ...


class Lease(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The right to write to something for a time. Each new holder gets a higher fencing number."""

    name: str
    holder: str
    fence: int


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Mutable data under a key, outside any history."""

    kind: str
    key: str
    body: bytes
    until: int | None = None
    """The time at which it expires, in milliseconds."""

    def read(self, kind: type[T]) -> T:
        """Return what the body holds as JSON."""
        return msgspec.json.decode(bounded(self.body), type=kind)


class Snapshot(msgspec.Struct, frozen=True):
    """The state of a stream at one row: a cache that the rows can always rebuild."""

    stream: str
    head: Head
    """That row; by its hash, a snapshot is never used with another history."""
    body: bytes


class SignedHead(msgspec.Struct, frozen=True, kw_only=True):
    """A signed statement of the heads of streams."""

    number: int
    body: bytes


class StoreError(Exception):
    """Nothing was committed."""


class Conflict(StoreError):
    """Another writer appended to the stream first: read it again, and decide again."""

    def __init__(self, stream: str, seq: int) -> None:
        super().__init__(f"{stream} is at {seq}")


class Repeated(StoreError):
    """The stream already has a command with this id. `find` returns its row."""

    def __init__(self, stream: str, command_id: str) -> None:
        super().__init__(f"{stream} has a command {command_id!r}")


class FenceLost(StoreError):
    """Another process has taken the lease: this process must not write under it any more."""

    def __init__(self, lease: Lease) -> None:
        super().__init__(f"the lease of {lease.name} is no longer {lease.fence} of {lease.holder}")


class Unavailable(StoreError):
    """The database cannot be reached, or is closed. The last commit may or may not have happened: look it up."""
