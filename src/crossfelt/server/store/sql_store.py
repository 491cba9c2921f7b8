"""The store on a SQL database. All writes go to the writer thread; reads run beside it."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Sequence
from typing import Final, TypeVar

import sqlalchemy as sa

from crossfelt import __version__
from crossfelt.server.store import statements as sql
from crossfelt.server.store.idempotency_keys import CURRENT, claim
from crossfelt.server.store.interface import Head, Lease, SignedHead, Snapshot, StreamHead
from crossfelt.server.store.outage import Outage
from crossfelt.server.store.reader import Reader, read_last_head
from crossfelt.server.store.signing_key import SIGNING
from crossfelt.server.store.transaction import (
    ROWS_PER_STATEMENT,
    AnyRow,
    Transaction,
    body_of,
    execute_many,
    held_leases,
)
from crossfelt.server.store.writer import Dialect, Writer, touch

T = TypeVar("T")

MILLISECONDS: Final = 1000
_SEAL_BYTES: Final = 32


class Store(Reader):
    """The streams, records, leases and snapshots of a server; the differences between databases are in its dialect."""

    def __init__(self, dialect: Dialect, readers: sa.Engine, secret: bytes) -> None:
        """`secret` is the key that snapshots are sealed with."""
        super().__init__(readers, Outage("read"))
        self.server_id = dialect.server_id
        """Drawn at random when the store was made."""
        self._dialect = dialect
        self._secret = secret
        self._database = readers.dialect.name
        self._writer = Writer(dialect)

    @property
    def takes_writing(self) -> bool:
        """True if the last write succeeded: a store with a full disk can be read, but not written."""
        return not self._writer.is_failing

    async def touch(self) -> None:
        """Write a value, so that the store notices a disk that hangs even while no player plays."""
        await self._write(lambda unit: touch(unit.connection))

    async def commit(self, streams: Collection[str], work: Callable[[Transaction], T]) -> T:
        """Run `work`, which may append to the named streams, and return its result once that is durable.

        `work` may run more than once and on another thread, so it must have no effect except through the transaction.
        If it raises, the exception is raised here and nothing is written.
        """
        request = CURRENT.get()
        if request is None:
            return await self._writer.run(streams, work)

        def once(unit: Transaction) -> tuple[T, bool]:
            result = work(unit)
            if unit.lines:
                claim(unit, request)
            return result, bool(unit.lines)

        result, has_lines = await self._writer.run(streams, once)
        request.claimed |= has_lines
        return result

    async def forget_records(self, now: int) -> None:
        """Delete the records that have expired."""
        await self._write(lambda unit: unit.connection.execute(sql.forget_records, {"now": now}))

    async def lease(self, name: str, holder: str, seconds: float) -> Lease | None:
        """Take a lease that is free, has expired or is the holder's own; None if another process holds it."""
        return await self._write(lambda unit: self._take(unit, name, holder, seconds))

    async def lease_signing(
        self, holder: str, seconds: float, public_key: str, *, replace_key: bool
    ) -> tuple[Lease | None, str]:
        """Take the lease of the process that signs, and store its public key in the same commit.

        Return the lease and the key that signs now. The lease is None if another process holds it, and, unless
        `replace_key`, if the stored key is another one.
        """

        def take(unit: Transaction) -> tuple[Lease | None, str]:
            # The lease comes first: no other process stores a key while its row is locked.
            lease = self._take(unit, SIGNING, holder, seconds)
            known = unit.connection.execute(sql.property_of, {"of": SIGNING}).scalar() or public_key
            if lease is None:
                return None, known
            if known != public_key and not replace_key:
                unit.connection.execute(sql.hold_leases([lease], 0))
                return None, known
            stored = {"name": SIGNING, "value": public_key}
            unit.connection.execute(sql.put(self._database, sql.properties), stored)
            return lease, public_key

        return await self._write(take)

    def _take(self, unit: Transaction, name: str, holder: str, seconds: float) -> Lease | None:
        take = sql.take_lease(self._database, name, holder, self._dialect.now(), int(seconds * MILLISECONDS))
        taken = unit.connection.execute(take).first()
        return None if taken is None else Lease(name=name, holder=holder, fence=taken.fence)

    async def renew(self, leases: Collection[Lease], seconds: float) -> set[Lease]:
        """Extend leases; return them without those that another process has taken."""

        def renew(unit: Transaction) -> set[Lease]:
            until, wanted = self._dialect.now() + int(seconds * MILLISECONDS), list(leases)
            for first in range(0, len(wanted), ROWS_PER_STATEMENT):
                unit.connection.execute(sql.hold_leases(wanted[first : first + ROWS_PER_STATEMENT], until))
            held = held_leases(unit.connection, [lease.name for lease in leases])
            return {lease for lease in leases if held.get(lease.name) == (lease.holder, lease.fence)}

        return await self._write(renew)

    async def release(self, lease: Lease) -> None:
        await self._write(lambda unit: unit.connection.execute(sql.hold_leases([lease], 0)))

    async def leaseholder(self, name: str) -> Lease | None:
        found = await self._all(sql.running_leases(self._dialect.now(), name))
        return Lease(**found[0]._mapping) if found else None

    async def leases(self) -> list[Lease]:
        return [Lease(**row._mapping) for row in await self._all(sql.running_leases(self._dialect.now()))]

    async def keep_snapshot(self, snapshot: Snapshot) -> None:
        def keep(unit: Transaction) -> None:
            stream = unit.connection.execute(sql.stream_id, {"stream_name": snapshot.stream}).scalar_one()
            body = self._seal(snapshot) + snapshot.body
            values = {"stream": stream, "seq": snapshot.head.seq, "hash": snapshot.head.hash, "body": body}
            unit.connection.execute(sql.put(self._database, sql.snapshots), values)

        await self._write(keep)

    async def latest_snapshot(self, stream: str) -> Snapshot | None:
        """Return the snapshot of a stream; None if this server did not write it as it stands."""
        found = await self._all(sql.snapshot_of, {"stream_name": stream})
        return self._unsealed(found[0]) if found else None

    def _unsealed(self, row: AnyRow) -> Snapshot | None:
        """Return a snapshot if its seal fits: no chain and no signature covers a snapshot's content.

        Another version may compute another state, and has another seal.
        """
        seal, body = body_of(row)[:_SEAL_BYTES], body_of(row)[_SEAL_BYTES:]
        snapshot = Snapshot(row.stream, Head(row.seq, row.hash), body)
        return snapshot if hmac.compare_digest(self._seal(snapshot), seal) else None

    def _seal(self, snapshot: Snapshot) -> bytes:
        place = f"{__version__}\n{snapshot.stream}\n{snapshot.head.seq}\n{snapshot.head.hash}\n".encode()
        return hmac.digest(self._secret, place + snapshot.body, "sha256")

    async def sign(
        self, statement: Callable[[SignedHead | None, Sequence[StreamHead]], bytes], lease: Lease
    ) -> SignedHead | None:
        """Store a signed statement of the streams that have grown since the last one; None if none has.

        `statement` gets the last signed head and the heads of those streams, and returns the next signed head.
        `FenceLost` if another process has taken the lease.
        """

        def sign(unit: Transaction) -> SignedHead | None:
            unit.leases[lease.name] = lease
            # Lock them in the order of their names as commits do: the update below has no order.
            moved = unit.connection.execute(sql.unsigned_heads.with_for_update()).all()
            if not moved:
                return None
            last = read_last_head(unit.connection)
            body = statement(last, [StreamHead(row.name, row.seq, row.hash) for row in moved])
            signed = SignedHead(number=last.number + 1 if last else 1, body=body)
            unit.connection.execute(sql.insert_head, {"number": signed.number, "body": signed.body})
            execute_many(unit.connection, sql.mark_signed, [(row.id, row.seq) for row in moved])
            return signed

        return await self._write(sign)

    async def close(self) -> None:
        await self._writer.close()
        await super().close()
        self._dialect.close()

    async def _write(self, work: Callable[[Transaction], T]) -> T:
        return await self._writer.run((), work)
