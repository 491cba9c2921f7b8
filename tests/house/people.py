"""A house with nothing but its accounts: who comes in, with which roles, and what is noted of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import pytest

from crossfelt.house.accounts.accounts import Accounts
from crossfelt.house.accounts.approvals import Approvals
from crossfelt.house.accounts.sessions import Identity
from crossfelt.house.audit import events as e
from crossfelt.house.audit.journal import Journal
from crossfelt.house.store.sql import SqlStore
from crossfelt.problems import BadInput
from house.databases import Database, run

PASSWORD = "correct horse battery"
OWNER = Identity(account="owner", name="owner", roles=("owner",))
T = TypeVar("T")


@dataclass
class House:
    store: SqlStore
    now: int = 1_000_000
    journal: Journal = field(init=False)
    accounts: Accounts = field(init=False)
    approvals: Approvals = field(init=False)

    def __post_init__(self) -> None:
        self.journal = Journal(self.store)
        self.accounts = Accounts(self.store, self.journal, clock=lambda: self.now)
        self.approvals = Approvals(self.store, self.journal, self.accounts, clock=lambda: self.now)

    async def noted(self, kind: type[e.HouseEvent]) -> list[e.HouseEvent]:
        return [event for _, event in await self.journal.events() if isinstance(event, kind)]

    async def staff(self, name: str, *roles: str) -> Identity:
        """Somebody with a role, made so by the owner."""
        await self.accounts.first_owner()
        token = await self.accounts.register(name, PASSWORD)
        await self.accounts.set_roles(OWNER, name, roles)
        found = await self.accounts.who(token.token)
        assert found is not None
        return found


Story = Callable[[House], Awaitable[None]]


def live(database: Database, story: Story) -> None:
    async def lived(store: SqlStore) -> None:
        await story(House(store))

    run(database, lived)


def code(refused: pytest.ExceptionInfo[BadInput]) -> str:
    return refused.value.problems[0].code
