"""A server that consists of accounts, journal and dual control."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, get_args

import pytest

from crossfelt.errors import BadInput
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.dual_control.dual_control import Approval, Details, DualControl, ProposalHandler
from crossfelt.server.journal import events as e
from crossfelt.server.journal.stream import Journal, Proposal
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
from server.databases import Database, run

PASSWORD = "correct horse battery"
OWNER = Identity(account="owner", name="owner", roles=("owner",))
T = TypeVar("T")


class ScriptedHandler(ProposalHandler):
    """A kind of proposal whose effect the test sets."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.streams: tuple[str, ...] = ()
        self.effect: Callable[[Transaction, Proposal], object] = lambda tx, proposal: None

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        pass

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        def work(tx: Transaction) -> object:
            approval.note(tx)
            return self.effect(tx, proposal)

        return {"answer": await self._store.commit({*approval.streams, *self.streams}, work)}


@dataclass
class Server:
    store: Store
    now: int = 1_000_000
    journal: Journal = field(init=False)
    accounts: Accounts = field(init=False)
    handler: ScriptedHandler = field(init=False)
    dual_control: DualControl = field(init=False)

    def __post_init__(self) -> None:
        self.journal = Journal(self.store)
        self.accounts = Accounts(self.store, self.journal, clock=lambda: self.now)
        self.handler = ScriptedHandler(self.store)
        self.dual_control = DualControl(self.store, self.journal, self.accounts, clock=lambda: self.now)
        for kind in get_args(e.ProposalKind):
            self.dual_control.handlers[kind, ""] = self.handler

    async def noted(self, kind: type[e.JournalEvent]) -> list[e.JournalEvent]:
        return [event for _, event in await self.journal.events() if isinstance(event, kind)]

    async def staff(self, name: str, *roles: str) -> Identity:
        """Let the owner create an account and give it roles, and the person set a password."""
        await self.accounts.first_owner()
        once = await self.accounts.create_staff(OWNER, name)
        await self.accounts.set_roles(OWNER, name, roles)
        token = await self.accounts.log_in(name, once)
        token = await self.accounts.set_password(token.identity, once, PASSWORD)
        found = await self.accounts.identify(token.token)
        assert found is not None
        return found


Story = Callable[[Server], Awaitable[None]]


def live(database: Database, story: Story) -> None:
    async def lived(store: Store) -> None:
        await story(Server(store))

    run(database, lived)


def code(refused: pytest.ExceptionInfo[BadInput]) -> str:
    return refused.value.problems[0].code
