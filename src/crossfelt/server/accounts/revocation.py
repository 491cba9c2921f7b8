"""Who may no longer do what they could: told to every process of the house, whose connections then look again."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.server.store.interface import Record, Store, Transaction

KIND: Final = "revoked"
LASTS_MS: Final = 60_000
"""By then every process has looked."""


class Revoked(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Sessions that have ended, or an account whose roles or password have changed."""

    sessions: tuple[str, ...] = ()
    """What they are filed under."""
    account: str = ""


def note(transaction: Transaction, revoked: Revoked, now: int) -> Revoked:
    """In the commit that takes something away."""
    body = msgspec.json.encode(revoked)
    transaction.put(Record(kind=KIND, key=secrets.token_hex(8), body=body, until=now + LASTS_MS))
    return revoked


class Revocations:
    """What other processes have noted and this one has not seen yet."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen: set[str] = set()

    async def carry_out(self, revoke: Callable[[Revoked], Awaitable[None]]) -> None:
        """Each once; one that fails, and what comes after it, the next time."""
        records = await self._store.records(KIND)
        self._seen.intersection_update(record.key for record in records)
        for record in records:
            if record.key not in self._seen:
                await revoke(msgspec.json.decode(bounded(record.body), type=Revoked))
                self._seen.add(record.key)


# --- Everybody who is connected here, to be looked at again when something was taken from them.


class Connection(Protocol):
    """A connection, as far as it matters who has it."""

    account: str
    """Empty for a stranger."""
    session: str
    """What the session is filed under."""

    async def recheck_session(self) -> None:
        """Goes on as it may now, or is closed."""


class Connections:
    """All of this process."""

    def __init__(self) -> None:
        self._all: set[Connection] = set()

    def add(self, connection: Connection) -> None:
        self._all.add(connection)

    def remove(self, connection: Connection) -> None:
        self._all.discard(connection)

    async def revoke(self, revoked: Revoked) -> None:
        """Those whose session has ended, or whose roles or password have changed."""
        concerned = [
            connection
            for connection in self._all
            if connection.session in revoked.sessions or (revoked.account and connection.account == revoked.account)
        ]
        await asyncio.gather(*(connection.recheck_session() for connection in concerned))

    async def recheck_all(self) -> None:
        """Sessions also end by themselves."""
        for connection in list(self._all):
            if connection.account:
                await connection.recheck_session()
