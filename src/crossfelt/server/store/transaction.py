"""One database transaction that holds the work of several commits, and the statements that it runs.

Each commit reads and writes through a `Transaction` of its own. Its writes join the `TransactionBatch` when the work is
done, so a commit that fails leaves nothing behind in the others.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt.proof.hash_chain import ChainLine, hash_of, header_line, row_line
from crossfelt.server.store import statements as sql
from crossfelt.server.store.interface import NOTHING, Conflict, FenceLost, Head, Lease, Record, Stored, StoredCommand

RecordKey = tuple[str, str]
AnyRow = sa.Row[*tuple[Any, ...]]

ROWS_PER_STATEMENT: Final = 1_000
"""SQLite takes 32,766 values in one statement."""


class Locked(msgspec.Struct, frozen=True, gc=False):
    """A stream that no other transaction can write to while this one runs."""

    id: int
    head: Head


class Transaction:
    """The reads and writes of one commit, on the writer thread. Its reads include its own writes."""

    def __init__(self, batch: TransactionBatch, streams: Collection[str]) -> None:
        self.connection = batch.connection
        """For the store's own tables outside streams and records."""
        self._batch = batch
        self._streams = frozenset(streams)
        self.lines: list[Stored] = []
        self.heads: dict[str, Head] = {}
        self.records: dict[RecordKey, Record | None] = {}
        self.leases: dict[str, Lease] = {}

    def head(self, stream: str) -> Head:
        """Return the head of a stream that the commit has named."""
        if stream not in self._streams:
            raise KeyError(f"{stream} is not among the streams of this commit")
        return self.heads.get(stream) or self._batch.head(stream)

    def rows(self, stream: str, after: int = NOTHING) -> Sequence[Stored]:
        unwritten = [line for line in self._unwritten() if line.stream == stream and line.seq > after]
        return [*read_lines(self.connection, stream, after), *unwritten]

    def find(self, stream: str, command_id: str) -> Stored | None:
        for line in self._unwritten():
            if line.stream == stream and line.command_id == command_id:
                return line
        return read_command(self.connection, stream, command_id)

    def open(self, stream: str, header: msgspec.Struct, at: int) -> Stored:
        """Begin a stream with its header; `Conflict` if the stream exists."""
        head = self.head(stream)
        if head.seq != NOTHING:
            raise Conflict(stream, head.seq)
        return self._add(stream, 0, "", at, header_line(header), None)

    def append(
        self,
        stream: str,
        command: StoredCommand,
        events: Iterable[msgspec.Struct],
        *,
        seq: int | None = None,
        lease: Lease | None = None,
    ) -> Stored:
        """Append a row; `Conflict` if `seq` is not the next one, `FenceLost` if another process holds the lease."""
        head = self.head(stream)
        following = head.seq + 1
        if head.seq == NOTHING or (seq is not None and seq != following):
            raise Conflict(stream, head.seq)
        line = row_line(command, events, head.hash, following)
        return self._add(stream, following, command.id, command.at, line, lease)

    def record(self, kind: str, key: str) -> Record | None:
        for written in (self.records, self._batch.records):
            if (kind, key) in written:
                return written[kind, key]
        return read_record(self.connection, kind, key, locked=True)

    def records_of(self, kind: str) -> list[Record]:
        stored = map(record_of, self.connection.execute(sql.records_of, {"of_kind": kind}))
        found = {(it.kind, it.key): it for it in stored} | self._batch.records | self.records
        return [it for it in found.values() if it is not None and it.kind == kind]

    def put(self, record: Record) -> None:
        self.records[record.kind, record.key] = record

    def drop(self, kind: str, key: str) -> None:
        self.records[kind, key] = None

    def _unwritten(self) -> Iterable[Stored]:
        return chain(self._batch.lines, self.lines)

    def _add(self, stream: str, seq: int, command_id: str, at: int, line: ChainLine, lease: Lease | None) -> Stored:
        if lease is not None:
            held = self.leases.setdefault(lease.name, lease)
            if held.fence != lease.fence:
                raise FenceLost(lease)
        stored = Stored(
            position=self._batch.position(len(self.lines)),
            stream=stream,
            seq=seq,
            command_id=command_id,
            at=at,
            body=line.body,
            hash=line.hash,
            fence=lease.fence if lease is not None else 0,
        )
        self.lines.append(stored)
        self.heads[stream] = Head(seq, line.hash)
        return stored


class TransactionBatch:
    """The writes of several commits in one database transaction."""

    def __init__(self, connection: sa.Connection, locked: Mapping[str, Locked], first_position: int) -> None:
        self.connection = connection
        self.locked = locked
        self._first = first_position
        self.lines: list[Stored] = []
        self.records: dict[RecordKey, Record | None] = {}
        self._heads: dict[str, Head] = {}
        self._leases: dict[str, Lease] = {}
        self._written = 0

    def head(self, stream: str) -> Head:
        return self._heads.get(stream) or self.locked[stream].head

    @property
    def moved_heads(self) -> dict[str, Locked]:
        return {name: Locked(self.locked[name].id, head) for name, head in self._heads.items()}

    def position(self, ahead: int) -> int:
        """Return the position of the line that follows after `ahead` more lines."""
        return self._first + self._written + len(self.lines) + ahead

    def add(self, unit: Transaction) -> None:
        """Take over the writes of a finished commit."""
        for name, lease in unit.leases.items():
            if name in self._leases and self._leases[name].fence != lease.fence:
                raise FenceLost(min(lease, self._leases[name], key=lambda held: held.fence))
        self._leases |= unit.leases
        self.lines += unit.lines
        self.records |= unit.records
        self._heads |= unit.heads

    def savepoint(self) -> dict[str, Head]:
        """Return the state to give to `roll_back_to`; all writes so far are in the database."""
        return dict(self._heads)

    def roll_back_to(self, savepoint: dict[str, Head]) -> None:
        self.lines, self.records, self._leases = [], {}, {}
        self._heads = savepoint

    def write(self) -> None:
        """Send all writes to the database, without a commit."""
        if self._leases:
            self._check_leases()
        dialect = self.connection.dialect.name
        if self.lines:
            ids = {name: locked.id for name, locked in self.locked.items()}
            lines = [
                (it.position, ids[it.stream], it.seq, it.command_id, it.at, it.fence, it.body) for it in self.lines
            ]
            execute_many(self.connection, sql.insert_lines, lines)
            heads = sorted((it.id, it.head.seq, it.head.hash) for it in self.moved_heads.values())
            execute_many(self.connection, sql.move_heads, heads)
        for (kind, key), record in sorted(self.records.items()):
            if record is None:
                self.connection.execute(sql.drop_record, {"of_kind": kind, "of_key": key})
            else:
                self.connection.execute(sql.put(dialect, sql.records), msgspec.structs.asdict(record))
        self._written += len(self.lines)
        self.lines, self.records, self._leases = [], {}, {}

    def _check_leases(self) -> None:
        """Check the fencing numbers in this transaction, so that no lease changes hands before the commit."""
        held = held_leases(self.connection, self._leases)
        for name, lease in sorted(self._leases.items()):
            if held.get(name) != (lease.holder, lease.fence):
                raise FenceLost(lease)


# --- many rows in one statement ---------------------------------------------------------------------------------------
#
# Python's sqlite3 releases the interpreter lock for every step of a statement, and then waits behind all other threads
# to get it back. A hundred rows, one by one, would wait a hundred times.


def execute_many(connection: sa.Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Run a statement with the rows in place of its `{values}`."""
    is_sqlite = connection.dialect.name == "sqlite"
    for first in range(0, len(rows), ROWS_PER_STATEMENT):
        part = rows[first : first + ROWS_PER_STATEMENT]
        placeholders = _placeholders("?" if is_sqlite else "%s", len(part), len(part[0]))
        whole, values = statement.format(values=placeholders), tuple(chain.from_iterable(part))
        if is_sqlite:
            execute_sqlite(connection, whole, values)
        else:
            connection.exec_driver_sql(whole, values)


@lru_cache(maxsize=3 * ROWS_PER_STATEMENT)
def _placeholders(sign: str, count: int, width: int) -> str:
    return ", ".join(["(" + ", ".join([sign] * width) + ")"] * count)


def held_leases(connection: sa.Connection, names: Collection[str]) -> dict[str, tuple[str, int]]:
    """Return holder and fencing number of leases; PostgreSQL locks them until the commit."""
    if connection.dialect.name != "sqlite":
        found = connection.execute(sql.held_leases, {"names": sorted(names)})
        return {row.name: (row.holder, row.fence) for row in found}
    select = (
        "select json_group_array(json_array(name, holder, fence)) from leases "
        "where name in (select value from json_each(?))"
    )
    (answer,) = execute_sqlite(connection, select, (json.dumps(sorted(names)),)).fetchone()
    return {name: (holder, fence) for name, holder, fence in json.loads(answer)}


def execute_sqlite(connection: sa.Connection, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
    """Run a statement on the driver, because SQLAlchemy takes longer than the statement; raise SQLAlchemy's errors."""
    driver: Any = connection.connection.driver_connection
    try:
        cursor: sqlite3.Cursor = driver.execute(statement, values)
    except sqlite3.Error as error:
        raise exc.DBAPIError.instance(
            statement, None, error, sqlite3.Error, hide_parameters=True, dialect=connection.dialect
        ) from error
    return cursor


# --- reads, on any connection -----------------------------------------------------------------------------------------


def body_of(row: AnyRow) -> bytes:
    """Return the body as bytes: SQLite lets a tampered row hold text, which its chain or seal then refuses."""
    return row.body if isinstance(row.body, bytes) else str(row.body).encode()


def stored_of(row: AnyRow) -> Stored:
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
    found = connection.execute(sql.lines_after.limit(limit), {"stream_name": stream, "after": after})
    return [stored_of(row) for row in found]


def read_command(connection: sa.Connection, stream: str, command_id: str) -> Stored | None:
    found = connection.execute(sql.line_of_command, {"stream_name": stream, "command": command_id}).first()
    return None if found is None else stored_of(found)


def read_record(connection: sa.Connection, kind: str, key: str, *, locked: bool = False) -> Record | None:
    select = sql.record_of.with_for_update() if locked else sql.record_of
    found = connection.execute(select, {"of_kind": kind, "of_key": key}).first()
    return None if found is None else record_of(found)


def record_of(row: AnyRow) -> Record:
    return Record(kind=row.kind, key=row.key, body=body_of(row), until=row.until)
