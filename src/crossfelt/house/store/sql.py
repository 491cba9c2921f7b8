"""The store on any SQL database: reading in a few threads, writing in one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, Protocol, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt.house.store import statements as say
from crossfelt.house.store.page import (
    AnyRow,
    Page,
    read_command,
    read_lines,
    read_record,
    record_of,
    stored_of,
    stream_head_of,
)
from crossfelt.house.store.port import (
    NOTHING,
    Head,
    Lease,
    Record,
    SignedHead,
    Snapshot,
    Stored,
    StreamHead,
    Transaction,
    Unavailable,
)
from crossfelt.house.store.writer import Desk, Writer

T = TypeVar("T")

READERS: Final = 4
MILLISECONDS: Final = 1000
ALL: Final = 2**62


class MovedStream(StreamHead, frozen=True):
    """A stream that has moved since it was signed."""

    signed: int


class SqlStore:
    """`Store` on a database; what differs between databases is its desk."""

    def __init__(self, desk: StoreDesk, readers: sa.Engine) -> None:
        self._desk = desk
        self._dialect = readers.dialect.name
        self._readers = readers
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="store-reads")
        self._writer = Writer(desk, "store-writes")

    @property
    def house(self) -> str:
        """Which house this is: a name drawn when its store was made."""
        return self._desk.house

    # --- writing ------------------------------------------------------------------------------------------------

    async def commit(self, streams: Collection[str], work: Callable[[Transaction], T]) -> T:
        return await self._writer.do(streams, work)

    # --- reading ------------------------------------------------------------------------------------------------

    async def head(self, stream: str) -> Head:
        found = await self._all(say.head_of, {"stream_name": stream})
        return Head(found[0].seq, found[0].hash) if found else Head()

    async def rows(self, stream: str, after: int = NOTHING, limit: int | None = None) -> Sequence[Stored]:
        return await self._read(partial(read_lines, stream=stream, after=after, limit=limit))

    async def find(self, stream: str, command_id: str) -> Stored | None:
        return await self._read(partial(read_command, stream=stream, command_id=command_id))

    async def streams(self, prefix: str = "") -> Sequence[StreamHead]:
        return [stream_head_of(row) for row in await self._all(say.heads_of(prefix))]

    async def poll(self, after: int, limit: int = 1000) -> Sequence[Stored]:
        return [stored_of(row) for row in await self._all(say.polled(after, self._desk.settled, limit))]

    async def last_position(self) -> int:
        return int((await self._all(say.last_position))[0][0])

    async def record(self, kind: str, key: str) -> Record | None:
        return await self._read(partial(read_record, kind=kind, key=key))

    async def records(self, kind: str) -> Sequence[Record]:
        return [record_of(row) for row in await self._all(say.records_of, {"of_kind": kind})]

    async def forget_records(self, now: int) -> None:
        """Clears away what may be forgotten by now."""
        await self._write(lambda page: page.connection.execute(say.forget_records, {"now": now}))

    # --- leases -------------------------------------------------------------------------------------------------

    async def lease(self, name: str, holder: str, seconds: float) -> Lease | None:
        def take(page: Page) -> Lease | None:
            duration = int(seconds * MILLISECONDS)
            wanted = say.take_lease(self._dialect, name, holder, self._desk.now(), duration)
            got = page.connection.execute(wanted).first()
            return None if got is None else Lease(name=name, holder=holder, fence=got.fence, until=got.until)

        return await self._write(take)

    async def renew(self, lease: Lease, seconds: float) -> Lease | None:
        def renew(page: Page) -> Lease | None:
            wanted = say.renew_lease(self._desk.now() + int(seconds * MILLISECONDS))
            got = page.connection.execute(wanted, _held(lease)).first()
            return None if got is None else msgspec.structs.replace(lease, until=got.until)

        return await self._write(renew)

    async def release(self, lease: Lease) -> None:
        await self._write(lambda page: page.connection.execute(say.release_lease, _held(lease)))

    async def leaseholder(self, name: str) -> Lease | None:
        found = await self._all(say.running_lease(name, self._desk.now()))
        return Lease(**found[0]._mapping) if found else None

    # --- snapshots ----------------------------------------------------------------------------------------------

    async def keep_snapshot(self, snapshot: Snapshot) -> None:
        def keep(page: Page) -> None:
            of = page.connection.execute(say.stream_id, {"stream_name": snapshot.stream}).scalar_one()
            values = {"stream": of, "seq": snapshot.seq, "hash": snapshot.hash, "body": snapshot.body}
            page.connection.execute(say.put_snapshot(self._dialect), values)

        await self._write(keep)

    async def latest_snapshot(self, stream: str) -> Snapshot | None:
        found = await self._all(say.snapshot_of, {"stream_name": stream})
        return Snapshot(**found[0]._mapping) if found else None

    # --- signed heads -------------------------------------------------------------------------------------------

    async def sign(self, statement: Callable[[SignedHead | None, Sequence[StreamHead]], bytes]) -> SignedHead | None:
        """Keeps a signed statement of the streams that have moved since the last one; None where none has.

        `statement` gets the last one and the heads of those streams, and gives the next.
        """

        def sign(page: Page) -> SignedHead | None:
            moved = page.connection.execute(say.unsigned_heads).all()
            if not moved:
                return None
            last = _last_head(page.connection)
            body = statement(last, [stream_head_of(row) for row in moved])
            signed = SignedHead(number=last.number + 1 if last else 1, body=body)
            page.connection.execute(say.insert_head, {"number": signed.number, "body": signed.body})
            page.connection.execute(say.mark_signed, [{"of": row.id, "at_seq": row.seq} for row in moved])
            return signed

        return await self._write(sign)

    async def streams_since_signed(self) -> Sequence[MovedStream]:
        """Streams that have moved since the last signed head, with the seq that was signed."""
        return [MovedStream(row.name, row.seq, row.hash, row.signed) for row in await self._all(say.unsigned_heads)]

    async def last_head(self) -> SignedHead | None:
        return await self._read(_last_head)

    async def signed_heads(self, after: int = 0, limit: int = ALL) -> Sequence[SignedHead]:
        """Signed heads after a number, in order."""
        return [_signed(row) for row in await self._all(say.heads_after(after, limit))]

    async def close(self) -> None:
        await self._writer.close()
        self._threads.shutdown()
        self._readers.dispose()
        self._desk.close()

    # --- how ----------------------------------------------------------------------------------------------------

    async def _write(self, work: Callable[[Page], T], streams: Iterable[str] = ()) -> T:
        return await self._writer.do(streams, work)

    async def _all(self, statement: sa.Executable, values: dict[str, Any] | None = None) -> Sequence[AnyRow]:
        return await self._read(lambda connection: connection.execute(statement, values).all())

    async def _read(self, question: Callable[[sa.Connection], T]) -> T:
        def ask() -> T:
            with self._readers.connect() as connection:
                return question(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        except (exc.DBAPIError, RuntimeError) as error:
            raise Unavailable(f"the database failed: {getattr(error, 'orig', None) or error}") from error


class StoreDesk(Desk, Protocol):
    """What differs between databases."""

    house: str
    settled: sa.ColumnElement[int] | None
    """Positions below it can get no further lines; None where no line can come late."""

    def now(self) -> say.Number:
        """The time by which leases run, in milliseconds."""

    def close(self) -> None:
        """Lets go of the database."""


def _held(lease: Lease) -> dict[str, object]:
    return {"of": lease.name, "by": lease.holder, "number": lease.fence}


def _last_head(connection: sa.Connection) -> SignedHead | None:
    found = connection.execute(say.last_head).first()
    return None if found is None else _signed(found)


def _signed(row: AnyRow) -> SignedHead:
    return SignedHead(number=row.number, body=row.body)
