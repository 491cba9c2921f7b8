"""The house: its store, its people, its tables."""

from __future__ import annotations

import secrets
import time

from crossfelt.house.accounts.accounts import Accounts
from crossfelt.house.accounts.approvals import Approvals
from crossfelt.house.accounts.policy import Guard
from crossfelt.house.audit.journal import Journal
from crossfelt.house.cashier import AccountCashier
from crossfelt.house.store.port import Store
from crossfelt.house.tables.pit import Pit


def clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class House:
    """Everything that one server process runs."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now = clock
        self.journal = Journal(store)
        self.accounts = Accounts(store, self.journal)
        self.approvals = Approvals(store, self.journal)
        self.guard = Guard(self.journal)
        self.holder = secrets.token_hex(8)
        self.pit = Pit(store, self.journal, AccountCashier(self.accounts), now=clock, holder=self.holder)
        self.owner_password: str | None = None
        """The one-time password of the owner, on the first start."""
        self.ready = False

    async def open(self) -> None:
        """Finds everything as it was left."""
        self.owner_password = await self.accounts.first_owner()
        await self.pit.open()
        self.ready = True

    async def close(self) -> None:
        """Parks the tables."""
        self.ready = False
        await self.pit.close()
        await self.store.close()
