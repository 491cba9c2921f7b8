"""A commit in the making. Several share one database transaction: each writes on a page of its own, and a page that
its writer gives up leaves no trace on the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from crossfelt.proof.hash_chain import ChainLine, hash_of, header_line, row_line
from crossfelt.server.store import statements as say
from crossfelt.server.store.bulk import held_leases, insert_lines, move_heads
from crossfelt.server.store.interface import (
    NOTHING,
    Conflict,
    FenceLost,
    Head,
    Lease,
    NewRow,
    Record,
    Stored,
    StreamHead,
)

RecordKey = tuple[str, str]
AnyRow = sa.Row[*tuple[Any, ...]]


class Locked(msgspec.Struct, frozen=True, gc=False):
    """A stream that nobody else writes to while this transaction runs."""

    id: int
    head: Head


class NewLine(msgspec.Struct, frozen=True, gc=False):
    """A line that waits to be written."""

    stored: Stored
    stream_id: int


class UnitOfWork:
    """What one piece of work reads and writes."""

    def __init__(self, sheet: TransactionBatch, streams: Collection[str]) -> None:
        self._sheet = sheet
        self._streams = frozenset(streams)
        self.lines: list[NewLine] = []
        self.heads: dict[str, Head] = {}
        self.records: dict[RecordKey, Record | None] = {}
        self.leases: dict[str, Lease] = {}

    @property
    def connection(self) -> sa.Connection:
        """For the store's own work on what is in no stream."""
        return self._sheet.connection

    def head(self, stream: str) -> Head:
        if stream not in self._streams:
            raise KeyError(f"{stream} is not among the streams of this commit")
        return self.heads.get(stream) or self._sheet.head(stream)

    def rows(self, stream: str, after: int = NOTHING) -> Sequence[Stored]:
        waiting = [line for line in self._waiting() if line.stream == stream and line.seq > after]
        return [*read_lines(self.connection, stream, after), *waiting]

    def find(self, stream: str, command_id: str) -> Stored | None:
        for line in self._waiting():
            if line.stream == stream and line.command_id == command_id:
                return line
        return read_command(self.connection, stream, command_id)

    def open(self, stream: str, header: msgspec.Struct, at: int, *, lease: Lease | None = None) -> Stored:
        head = self.head(stream)
        if head.seq != NOTHING:
            raise Conflict(stream, head.seq)
        return self._add(stream, 0, "", at, header_line(header), lease)

    def append(self, stream: str, row: NewRow, *, seq: int | None = None, lease: Lease | None = None) -> Stored:
        head = self.head(stream)
        following = head.seq + 1
        if head.seq == NOTHING or (seq is not None and seq != following):
            raise Conflict(stream, head.seq)
        return self._add(stream, following, row.command_id, row.at, row_line(row.start, head.hash, following), lease)

    def record(self, kind: str, key: str) -> Record | None:
        for written in (self.records, self._sheet.records):
            if (kind, key) in written:
                return written[kind, key]
        return read_record(self.connection, kind, key, locked=True)

    def put(self, record: Record) -> None:
        self.records[record.kind, record.key] = record

    def drop(self, kind: str, key: str) -> None:
        self.records[kind, key] = None

    def _waiting(self) -> Iterable[Stored]:
        yield from (line.stored for line in self._sheet.lines)
        yield from (line.stored for line in self.lines)

    def _add(self, stream: str, seq: int, command_id: str, at: int, line: ChainLine, lease: Lease | None) -> Stored:
        if lease is not None:
            held = self.leases.setdefault(lease.name, lease)
            if held.fence != lease.fence:
                raise FenceLost(lease)
        stored = Stored(
            position=self._sheet.position(len(self.lines)),
            stream=stream,
            seq=seq,
            command_id=command_id,
            at=at,
            body=line.body,
            hash=line.hash,
            fence=lease.fence if lease is not None else 0,
        )
        self.lines.append(NewLine(stored, self._sheet.locked[stream].id))
        self.heads[stream] = Head(seq, line.hash)
        return stored


class TransactionBatch:
    """What all pages of one database transaction come to."""

    def __init__(self, connection: sa.Connection, locked: Mapping[str, Locked], first_position: int) -> None:
        self.connection = connection
        self.locked = locked
        self._first = first_position
        self.lines: list[NewLine] = []
        self.records: dict[RecordKey, Record | None] = {}
        self._heads: dict[str, Head] = {}
        self._leases: dict[str, Lease] = {}
        self._written = 0

    def head(self, stream: str) -> Head:
        return self._heads.get(stream) or self.locked[stream].head

    def position(self, ahead: int) -> int:
        """Of the line that comes after so many more."""
        return self._first + self._written + len(self.lines) + ahead

    def take(self, page: UnitOfWork) -> None:
        """The work of a page is done, and what it says goes."""
        for name, lease in page.leases.items():
            if name in self._leases and self._leases[name].fence != lease.fence:
                raise FenceLost(min(lease, self._leases[name], key=lambda held: held.fence))
        self._leases |= page.leases
        self.lines += page.lines
        self.records |= page.records
        self._heads |= page.heads

    def mark(self) -> dict[str, Head]:
        """Where to go back to, when everything so far is written."""
        return dict(self._heads)

    def go_back(self, mark: dict[str, Head]) -> None:
        """Forgets what was taken since, which the database has forgotten too."""
        self.lines, self.records, self._leases = [], {}, {}
        self._heads = mark

    @property
    def heads(self) -> dict[str, Locked]:
        """The streams that have moved, and where they stand."""
        return {name: Locked(self.locked[name].id, head) for name, head in self._heads.items()}

    def write(self) -> bool:
        """Says everything to the database; the commit is somebody else's. False where there was nothing to say."""
        self._check_leases()
        dialect = self.connection.dialect.name
        anything = bool(self.lines or self.records)
        if self.lines:
            insert_lines(self.connection, [_values(line) for line in self.lines])
            move_heads(self.connection, sorted((it.id, it.head.seq, it.head.hash) for it in self.heads.values()))
        for (kind, key), record in sorted(self.records.items()):
            if record is None:
                self.connection.execute(say.drop_record, {"of_kind": kind, "of_key": key})
            else:
                self.connection.execute(say.put_record(dialect), msgspec.structs.asdict(record))
        self._written += len(self.lines)
        self.lines, self.records, self._leases = [], {}, {}
        return anything

    def _check_leases(self) -> None:
        """In this transaction, so that no lease can change hands between the look and the commit."""
        if not self._leases:
            return
        held = held_leases(self.connection, self._leases)
        for name, lease in sorted(self._leases.items()):
            if held.get(name) != (lease.holder, lease.fence):
                raise FenceLost(lease)


def _values(line: NewLine) -> tuple[object, ...]:
    """In the order of the columns."""
    it = line.stored
    return it.position, line.stream_id, it.seq, it.command_id, it.at, it.fence, it.body


# --- reading, on whichever connection -----------------------------------------------------------------------------


def body_of(row: AnyRow) -> bytes:
    """SQLite gives back whatever type somebody has put there; what it says is for a chain or a seal to judge."""
    return row.body if isinstance(row.body, bytes) else str(row.body).encode()


def stored_of(row: AnyRow) -> Stored:
    """A line as the database gives it."""
    body = body_of(row)
    return Stored(
        position=row.position,
        stream=row.stream,
        seq=row.seq,
        command_id=row.command_id,
        at=row.at,
        body=body,
        hash=hash_of(body, row.seq),
        fence=row.fence,
    )


def read_lines(connection: sa.Connection, stream: str, after: int, limit: int | None = None) -> list[Stored]:
    found = connection.execute(say.lines_after.limit(limit), {"stream_name": stream, "after": after})
    return [stored_of(row) for row in found]


def read_lines_before(connection: sa.Connection, stream: str, before: int, limit: int) -> list[Stored]:
    found = connection.execute(say.lines_before.limit(limit), {"stream_name": stream, "before": before})
    return [stored_of(row) for row in found]


def read_command(connection: sa.Connection, stream: str, command_id: str) -> Stored | None:
    found = connection.execute(say.line_of_command, {"stream_name": stream, "command": command_id}).first()
    return None if found is None else stored_of(found)


def read_record(connection: sa.Connection, kind: str, key: str, *, locked: bool = False) -> Record | None:
    wanted = say.record_of.with_for_update() if locked else say.record_of
    found = connection.execute(wanted, {"of_kind": kind, "of_key": key}).first()
    return None if found is None else record_of(found)


def record_of(row: AnyRow) -> Record:
    return Record(kind=row.kind, key=row.key, body=body_of(row), until=row.until)


def stream_head_of(row: AnyRow) -> StreamHead:
    return StreamHead(row.name, row.seq, row.hash)
