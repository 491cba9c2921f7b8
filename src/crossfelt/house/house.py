"""The house: its store, its people, its tables."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection

from crossfelt.house.people import Guests
from crossfelt.house.store.port import Store, Transaction
from crossfelt.house.tables.pit import Pit
from crossfelt.house.tables.rows import Row


def clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class _NoAccounts:
    def streams(self, rows: Collection[Row]) -> Collection[str]:
        return ()

    def move(self, tx: Transaction, row: Row) -> None:
        pass


class House:
    """Everything that one server process runs."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.people = Guests()
        self.now = clock
        self.pit = Pit(store, _NoAccounts(), now=clock, holder=secrets.token_hex(8))
        self.ready = False

    async def open(self) -> None:
        await self.pit.open()
        self.ready = True

    async def close(self) -> None:
        self.ready = False
        await self.pit.close()
        await self.store.close()
