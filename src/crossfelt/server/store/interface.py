"""What the house asks of its store, whichever database it is.

A *stream* is a chain of lines that is only ever added to: a header (seq 0), then one row for each accepted command. A
*commit* adds rows to several streams, all or nothing, and is durable when it returns. *Records* are what is kept but
not history: sessions, password hashes, throttles.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, Protocol, TypeVar, runtime_checkable

import msgspec

from crossfelt.proof.hash_chain import carries, row_start

T = TypeVar("T")

NOTHING: Final = -1
"""The seq of a stream that does not exist: its header will have seq 0."""


class Head(msgspec.Struct, frozen=True, gc=False):
    """The last line of a stream."""

    seq: int = NOTHING
    hash: str = ""


class StreamHead(msgspec.Struct, frozen=True):
    """The last line of a stream, with its name."""

    stream: str
    seq: int
    hash: str


class Stored(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line of a stream."""

    position: int
    """Grows with every row of the whole store, not always by one; what `Store.poll` goes by."""
    stream: str
    seq: int
    command_id: str
    """Empty for a header."""
    at: int
    body: bytes
    """The line as a history file has it, without its end."""
    hash: str
    """Of the line as it stands, worked out when it was read or written."""
    fence: int
    """The fencing number of the lease under which it was written; 0 where there was none."""

    @property
    def intact(self) -> bool:
        """Whether it is what was written, by itself: a row carries its hash. A header carries none: whether it is the
        one that was written, the row after it says."""
        return self.seq == 0 or carries(self.body, self.seq, self.hash)


class NewRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A row that has no place yet."""

    command_id: str
    at: int
    start: bytes
    """Its canonical JSON up to the end of its events."""


class _Command(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def at(self) -> int: ...


def new_row(command: _Command, events: Iterable[msgspec.Struct]) -> NewRow:
    """A row of an accepted command and what followed."""
    assert isinstance(command, msgspec.Struct)
    return NewRow(command_id=command.id, at=command.at, start=row_start(command, events))


class Lease(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The right to write to something, for a time; whoever has it later has a higher fencing number."""

    name: str
    holder: str
    fence: int
    until: int
    """In milliseconds by the clock of the database."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is kept under a key and may change: no part of any history."""

    kind: str
    key: str
    body: bytes
    until: int | None = None
    """When it may be forgotten, in milliseconds."""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What a stream had come to at a row; only ever a short cut, which the rows can always do without."""

    stream: str
    seq: int
    hash: str
    """The hash of that row: a snapshot of another history is of no use."""
    body: bytes


class SignedHead(msgspec.Struct, frozen=True, kw_only=True):
    """A signed statement of how far streams had come."""

    number: int
    body: bytes


class StoreError(Exception):
    """Nothing was committed."""


class Conflict(StoreError):
    """Somebody else has written there since: look again, and decide again."""

    def __init__(self, stream: str, seq: int) -> None:
        super().__init__(f"{stream} is at {seq}")
        self.stream = stream
        self.seq = seq
        """The seq of the last row there is."""


class Repeated(StoreError):
    """A command of this id is in the stream already: `find` gives its row."""

    def __init__(self, stream: str, command_id: str) -> None:
        super().__init__(f"{stream} has a command {command_id!r}")
        self.stream = stream
        self.command_id = command_id


class FenceLost(StoreError):
    """The lease has passed to somebody else: this process may write nothing more there."""

    def __init__(self, lease: Lease) -> None:
        super().__init__(f"the lease of {lease.name} is no longer {lease.fence} of {lease.holder}")
        self.lease = lease


class Unavailable(StoreError):
    """The database cannot be reached, or is closed. Whether the last commit took place must be looked up. The store has
    logged why."""


class Transaction(Protocol):
    """One commit in the making, on the writer's thread. What is read in it includes what it has written."""

    def head(self, stream: str) -> Head:
        """The last line of a stream that the commit has named."""

    def rows(self, stream: str, after: int = NOTHING) -> Sequence[Stored]:
        """The lines after a seq."""

    def find(self, stream: str, command_id: str) -> Stored | None:
        """The row of a command."""

    def open(self, stream: str, header: msgspec.Struct, at: int, *, lease: Lease | None = None) -> Stored:
        """Begins a stream with its header; `Conflict` if there is one."""

    def append(self, stream: str, row: NewRow, *, seq: int | None = None, lease: Lease | None = None) -> Stored:
        """Adds a row. `Conflict` if `seq` is not the next one, `FenceLost` if the lease is somebody else's by now."""

    def record(self, kind: str, key: str) -> Record | None:
        """What is kept under a key."""

    def put(self, record: Record) -> None:
        """Keeps something, in place of what was kept under its key."""

    def drop(self, kind: str, key: str) -> None:
        """Forgets what is kept under a key."""


@runtime_checkable
class Store(Protocol):
    """Where the house keeps everything."""

    async def commit(self, streams: Collection[str], work: Callable[[Transaction], T]) -> T:
        """Carries out `work`, which adds to the streams that are named, and returns what it returns once that is
        durable. `work` may run more than once and on another thread: it does nothing but through the transaction. What
        it raises is raised here, and then nothing of it is kept."""

    async def head(self, stream: str) -> Head:
        """The last line of a stream."""

    async def rows(self, stream: str, after: int = NOTHING, limit: int | None = None) -> Sequence[Stored]:
        """The lines after a seq."""

    async def find(self, stream: str, command_id: str) -> Stored | None:
        """The row of a command: a command that comes again gets the answer that it had."""

    async def streams(self, prefix: str = "", after: str = "", limit: int | None = None) -> Sequence[StreamHead]:
        """The heads of all streams whose names begin so, by name; of some that come after a name."""

    async def poll(self, after: int, limit: int = 1000) -> Sequence[Stored]:
        """Rows of all streams after a position, in an order in which none can come late."""

    async def last_position(self) -> int:
        """The position that a poll for what is to come begins after: no row can come late below it. Rows that are
        there already may stand above it, as long as an earlier commit is under way."""

    async def record(self, kind: str, key: str) -> Record | None:
        """What is kept under a key."""

    async def records(self, kind: str) -> Sequence[Record]:
        """All that is kept of a kind, by key."""

    async def lease(self, name: str, holder: str, seconds: float) -> Lease | None:
        """Takes a lease that is free, has run out or is the holder's already; None if somebody else has it."""

    async def renew(self, leases: Sequence[Lease], seconds: float) -> list[Lease | None]:
        """Leases that run longer; None for each that has passed to somebody else."""

    async def release(self, lease: Lease) -> None:
        """Gives a lease back before it has run out."""

    async def leaseholder(self, name: str) -> Lease | None:
        """Who has a lease now."""

    async def leases(self) -> Sequence[Lease]:
        """Every lease that somebody has now."""

    async def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Keeps a snapshot, in place of an older one of its stream."""

    async def latest_snapshot(self, stream: str) -> Snapshot | None:
        """The snapshot of a stream; None also where somebody else has kept it, or changed it."""

    async def close(self) -> None:
        """Finishes what was begun, and closes the database."""
