"""Everybody who is connected here, to be looked at again when something was taken from them."""

from __future__ import annotations

import asyncio
from typing import Protocol

from crossfelt.house.accounts.revoking import Revoked


class Connection(Protocol):
    """A connection, as far as it matters who has it."""

    account: str
    """Empty for a stranger."""
    session: str
    """What the session is filed under."""

    async def look_again(self) -> None:
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
        await asyncio.gather(*(connection.look_again() for connection in concerned))

    async def look_at_all(self) -> None:
        """Sessions also end by themselves."""
        for connection in list(self._all):
            if connection.account:
                await connection.look_again()
