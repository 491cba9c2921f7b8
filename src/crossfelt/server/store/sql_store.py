"""The store on any SQL database: whoever writes, hands it to the one thread that does."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, Protocol, TypeVar

import sqlalchemy as sa
from msgspec.structs import replace

from crossfelt.server.store import statements as say
from crossfelt.server.store.bulk import mark_signed, renew_leases
from crossfelt.server.store.interface import Lease, SignedHead, Snapshot, StreamHead, Transaction
from crossfelt.server.store.outage import Outage
from crossfelt.server.store.reader import Reader, read_last_head
from crossfelt.server.store.transaction import AnyRow, UnitOfWork, body_of, stream_head_of
from crossfelt.server.store.writer import Dialect, Writer

T = TypeVar("T")

MILLISECONDS: Final = 1000
_SEAL: Final = 32
"""Bytes before a snapshot that show who has kept it."""


class SqlStore(Reader):
    """`Store` on a database; what differs between databases is its desk."""

    def __init__(self, desk: StoreDialect, readers: sa.Engine, secret: bytes) -> None:
        super().__init__(readers, desk.settled, Outage("reads"))
        self._desk = desk
        self._secret = secret
        self._dialect = readers.dialect.name
        self._writer = Writer(desk, "store-writes")

    @property
    def server_id(self) -> str:
        """Which house this is: a name drawn when its store was made."""
        return self._desk.server_id

    @property
    def takes_writing(self) -> bool:
        """Whether the last that was to be written was: a store that can be read may have no room for more."""
        return not self._writer.away

    # --- writing ------------------------------------------------------------------------------------------------

    async def commit(self, streams: Collection[str], work: Callable[[Transaction], T]) -> T:
        return await self._writer.do(streams, work)

    async def forget_records(self, now: int) -> None:
        """Clears away what may be forgotten by now."""
        await self._write(lambda page: page.connection.execute(say.forget_records, {"now": now}))

    # --- leases -------------------------------------------------------------------------------------------------

    async def lease(self, name: str, holder: str, seconds: float) -> Lease | None:
        return await self._write(lambda page: self._take(page, name, holder, seconds))

    async def claim(
        self, name: str, holder: str, seconds: float, fact: str, *, anew: bool = True
    ) -> tuple[Lease | None, str]:
        """Takes a lease, and in the same commit puts down a fact under its name; where somebody else has the lease,
        gives what they have put down, if anything. Unless it is `anew`, a lease under another fact is left alone."""

        def claim(page: UnitOfWork) -> tuple[Lease | None, str]:
            # The lease first: nobody else puts down anything while it is locked.
            lease = self._take(page, name, holder, seconds)
            known = page.connection.execute(say.fact, {"of": name}).scalar() or fact
            if lease is None:
                return None, known
            if known != fact and not anew:
                page.connection.execute(say.release_lease, say.held_by(lease))
                return None, known
            page.connection.execute(say.put_fact(self._dialect), {"name": name, "value": fact})
            return lease, fact

        return await self._write(claim)

    def _take(self, page: UnitOfWork, name: str, holder: str, seconds: float) -> Lease | None:
        wanted = say.take_lease(self._dialect, name, holder, self._desk.now(), int(seconds * MILLISECONDS))
        got = page.connection.execute(wanted).first()
        return None if got is None else Lease(name=name, holder=holder, fence=got.fence, until=got.until)

    async def renew(self, leases: Sequence[Lease], seconds: float) -> list[Lease | None]:
        def renew(page: UnitOfWork) -> list[Lease | None]:
            until = renew_leases(page.connection, leases, self._desk.now() + int(seconds * MILLISECONDS))
            return [replace(lease, until=until[lease]) if lease in until else None for lease in leases]

        return await self._write(renew)

    async def release(self, lease: Lease) -> None:
        await self._write(lambda page: page.connection.execute(say.release_lease, say.held_by(lease)))

    async def leaseholder(self, name: str) -> Lease | None:
        found = await self._all(say.running_leases(self._desk.now(), name))
        return Lease(**found[0]._mapping) if found else None

    async def leases(self) -> list[Lease]:
        return [Lease(**row._mapping) for row in await self._all(say.running_leases(self._desk.now()))]

    # --- snapshots ----------------------------------------------------------------------------------------------

    async def keep_snapshot(self, snapshot: Snapshot) -> None:
        def keep(page: UnitOfWork) -> None:
            of = page.connection.execute(say.stream_id, {"stream_name": snapshot.stream}).scalar_one()
            body = self._seal(snapshot) + snapshot.body
            values = {"stream": of, "seq": snapshot.seq, "hash": snapshot.hash, "body": body}
            page.connection.execute(say.put_snapshot(self._dialect), values)

        await self._write(keep)

    async def latest_snapshot(self, stream: str) -> Snapshot | None:
        found = await self._all(say.snapshot_of, {"stream_name": stream})
        return self._opened(found[0]) if found else None

    def _opened(self, row: AnyRow) -> Snapshot | None:
        """A snapshot, if this house has sealed it: no chain and no signature speaks for what is in it."""
        seal, body = body_of(row)[:_SEAL], body_of(row)[_SEAL:]
        snapshot = Snapshot(stream=row.stream, seq=row.seq, hash=row.hash, body=body)
        return snapshot if hmac.compare_digest(self._seal(snapshot), seal) else None

    def _seal(self, snapshot: Snapshot) -> bytes:
        place = f"{snapshot.stream}\n{snapshot.seq}\n{snapshot.hash}\n".encode()
        return hmac.digest(self._secret, place + snapshot.body, "sha256")

    # --- signed heads -------------------------------------------------------------------------------------------

    async def sign(
        self, statement: Callable[[SignedHead | None, Sequence[StreamHead]], bytes], lease: Lease
    ) -> SignedHead | None:
        """Keeps a signed statement of the streams that have moved since the last one; None where none has. `FenceLost`
        if the lease is somebody else's by now.

        `statement` gets the last one and the heads of those streams, and gives the next.
        """

        def sign(page: UnitOfWork) -> SignedHead | None:
            page.leases[lease.name] = lease
            moved = page.connection.execute(say.unsigned_heads).all()
            if not moved:
                return None
            last = read_last_head(page.connection)
            body = statement(last, [stream_head_of(row) for row in moved])
            signed = SignedHead(number=last.number + 1 if last else 1, body=body)
            page.connection.execute(say.insert_head, {"number": signed.number, "body": signed.body})
            mark_signed(page.connection, [(row.id, row.seq) for row in moved])
            return signed

        return await self._write(sign)

    async def close(self) -> None:
        await self._writer.close()
        await super().close()
        self._desk.close()

    # --- how ----------------------------------------------------------------------------------------------------

    async def _write(self, work: Callable[[UnitOfWork], T], streams: Iterable[str] = ()) -> T:
        return await self._writer.do(streams, work)


class StoreDialect(Dialect, Protocol):
    """What differs between databases."""

    server_id: str
    settled: sa.ColumnElement[int] | None
    """Positions below it can get no further lines; None where no line can come late."""

    def now(self) -> say.Number:
        """The time by which leases run, in milliseconds."""

    def close(self) -> None:
        """Lets go of the database."""
