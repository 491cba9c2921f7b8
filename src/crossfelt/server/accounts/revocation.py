"""Revocation: when a session ends or an account loses a right, every process checks its open connections again."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import msgspec

from crossfelt.server.store.interface import Record
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction

KIND: Final = "revoked"
LASTS_MS: Final = 60_000
"""Every process has read a revocation by then."""


class Revoked(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Sessions that have ended, or an account whose roles or password have changed."""

    sessions: tuple[str, ...] = ()
    account: str = ""


def note(transaction: Transaction, revoked: Revoked, now: int) -> None:
    """Store a revocation for the other processes, in the commit that revokes."""
    body = msgspec.json.encode(revoked)
    transaction.put(Record(kind=KIND, key=secrets.token_hex(8), body=body, until=now + LASTS_MS))


class Revocations:
    """The revocations that this process has not applied yet."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen: set[str] = set()

    async def apply(self, revoke: Callable[[Revoked], Awaitable[None]]) -> None:
        """Apply each new revocation once; if one fails, it and the later ones are tried again at the next call."""
        records = await self._store.records(KIND)
        self._seen.intersection_update(record.key for record in records)
        for record in records:
            if record.key not in self._seen:
                await revoke(record.read(Revoked))
                self._seen.add(record.key)


class Connection(Protocol):
    """An open connection of a client."""

    account: str
    """Empty for a client that is not logged in."""
    session: str
    """The key of the session."""

    async def recheck_session(self) -> None:
        """Continue with the rights that the account has now, or close."""


class Connections:
    """The open connections of this process."""

    def __init__(self) -> None:
        self._all: set[Connection] = set()
        self.by_account: Counter[str] = Counter()

    def add(self, connection: Connection) -> None:
        self._all.add(connection)
        self.by_account[connection.account] += 1

    def remove(self, connection: Connection) -> None:
        self._all.discard(connection)
        self.by_account[connection.account] -= 1
        if not self.by_account[connection.account]:
            del self.by_account[connection.account]

    async def revoke(self, revoked: Revoked) -> None:
        """Recheck the connections of a revoked session or account."""
        affected = [
            connection
            for connection in self._all
            if connection.session in revoked.sessions or (revoked.account and connection.account == revoked.account)
        ]
        await asyncio.gather(*(connection.recheck_session() for connection in affected))

    async def recheck_all(self) -> None:
        """Recheck all connections, because sessions also expire."""
        for connection in list(self._all):
            if connection.account:
                await connection.recheck_session()
