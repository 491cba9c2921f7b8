"""Permissions: roles, policies, the notes of denials, and acts that take two people."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest

from crossfelt.errors import BadInput
from crossfelt.server.accounts import account as a
from crossfelt.server.accounts.accounts import START_CENTS
from crossfelt.server.accounts.policy import COMMANDS, INTERVAL_MS, Guard, problem
from crossfelt.server.accounts.sessions import Identity, SessionToken
from crossfelt.server.accounts.usernames import STRANGER, account_stream
from crossfelt.server.journal import events as e
from crossfelt.server.journal.stream import Proposal
from crossfelt.server.store.interface import Stored, Unavailable
from crossfelt.server.store.transaction import Transaction
from crossfelt.table.engine import ACTS
from server.account_fixtures import OWNER, Server, code, live
from server.databases import Database

# --- roles ------------------------------------------------------------------------------------------------------------


def test_only_the_owner_sets_roles_and_before_and_after_are_noted(database: Database) -> None:
    async def story(server: Server) -> None:
        floor = await server.staff("Flo", "floor", "player")
        assert floor.roles == ("player", "floor")
        with pytest.raises(BadInput) as refused:
            await server.accounts.set_roles(floor, "Flo", ["owner"])
        assert code(refused) == "policy.role"
        with pytest.raises(BadInput) as own:
            await server.accounts.set_roles(OWNER, "owner", ["player"])
        assert code(own) == "account.own_roles"
        guest = await server.accounts.guest("Gus")
        with pytest.raises(BadInput):
            await server.accounts.set_roles(OWNER, "Gus", ["dealer"])
        with pytest.raises(BadInput):
            await server.accounts.set_roles(OWNER, "Flo", ["emperor"])
        [changed] = await server.noted(e.RolesChanged)
        assert isinstance(changed, e.RolesChanged)
        assert (changed.account, changed.before, changed.after) == ("flo", ("player",), ("player", "floor"))
        assert guest.identity.roles == ("player",)

    live(database, story)


def test_one_of_two_owners_who_remove_each_other_stays(database: Database) -> None:
    async def story(server: Server) -> None:
        ada = await server.staff("Ada", "owner")
        told = await asyncio.gather(
            server.accounts.set_roles(OWNER, "Ada", ["player"]),
            server.accounts.set_roles(ada, "owner", ["player"]),
            return_exceptions=True,
        )
        assert [it.problems[0].code for it in told if isinstance(it, BadInput)] == ["policy.role"]
        owners = [name for name in ("ada", "owner") if "owner" in (await server.accounts.account(name)).roles]
        assert len(owners) == 1

    live(database, story)


def test_every_table_command_has_a_policy_no_wider_than_the_table() -> None:
    acts = {act.name: act for act in ACTS}
    assert COMMANDS.keys() == acts.keys()
    for name, policy in COMMANDS.items():
        at_table = set(acts[name].roles)
        # The floor may act as a dealer, and the owner as the floor.
        reach = (
            at_table | ({"floor"} if "dealer" in at_table else set()) | ({"owner"} if "floor" in at_table else set())
        )
        assert set(policy.roles) <= reach, name


def test_an_unlisted_route_is_refused_to_everybody(database: Database) -> None:
    async def story(server: Server) -> None:
        guard = Guard(server.journal, lambda: server.now)
        owner = Identity(account="owner", name="owner", roles=a.ROLES)
        with pytest.raises(BadInput) as refused:
            await guard.check_route(owner, "GET /api/secret")
        assert code(refused) == "policy.role"
        assert problem(COMMANDS["grant_award"], owner, "grant_award") is not None

    live(database, story)


def test_a_denial_of_a_privileged_act_is_noted(database: Database) -> None:
    async def story(server: Server) -> None:
        guard = Guard(server.journal, lambda: server.now)
        guest = (await server.accounts.guest("Gus")).identity
        for route in ("PUT /api/accounts/{name}/roles", "GET /api/lobby", "POST /api/advice"):
            try:
                await guard.check_route(guest, route, path="/api/accounts/owner/roles")
            except BadInput:
                assert route.startswith("PUT")
        [withheld] = await server.noted(e.Withheld)
        assert isinstance(withheld, e.Withheld)
        assert (withheld.by, withheld.act, withheld.roles) == ("gus", "PUT /api/accounts/{name}/roles", ("player",))
        assert withheld.path == "/api/accounts/owner/roles", "the path names the account"

    live(database, story)


def test_denials_of_clients_without_a_session_are_noted_together(database: Database) -> None:
    """The first is noted at once, later ones once a minute: a client without a session cannot fill the journal."""

    async def story(server: Server) -> None:
        guard = Guard(server.journal, lambda: server.now)

        async def refused(route: str, address: str) -> None:
            with pytest.raises(BadInput):
                await guard.check_route(None, route, address)

        await refused("GET /api/audit", "192.0.2.1")
        for _ in range(5):
            await refused("GET /api/audit", "192.0.2.2")
        await refused("GET /api/accounts", "192.0.2.3")
        await refused("POST /api/advice", "192.0.2.4")  # for players, so not privileged
        server.now += INTERVAL_MS
        await refused("GET /api/audit", "192.0.2.5")
        await refused("GET /api/audit", "192.0.2.6")
        await guard.flush()
        server.now += INTERVAL_MS
        await guard.flush()  # as the server does from time to time
        withheld = [it for it in await server.noted(e.Withheld) if isinstance(it, e.Withheld)]
        noted = [(it.by, it.act, it.address, it.times) for it in withheld]
        assert noted == [
            (STRANGER, "GET /api/audit", "192.0.2.1", 1),
            (STRANGER, "GET /api/accounts", "192.0.2.3", 1),
            (STRANGER, "GET /api/audit", "192.0.2.5", 6),
            (STRANGER, "GET /api/audit", "192.0.2.6", 1),
        ]

    live(database, story)


def test_denials_of_one_account_are_noted_together(database: Database) -> None:
    """Anybody can become a guest, and could otherwise fill the journal."""

    async def story(server: Server) -> None:
        guard = Guard(server.journal, lambda: server.now)
        gus, gil = (await server.accounts.guest("Gus")).identity, (await server.accounts.guest("Gil")).identity
        for who, route in (
            *((gus, "GET /api/audit") for _ in range(100)),
            (gil, "GET /api/audit"),
            (gus, "GET /api/floor"),
        ):
            with pytest.raises(BadInput):
                await guard.check_route(who, route, "192.0.2.1")
        await guard.flush(everything=True)
        withheld = [it for it in await server.noted(e.Withheld) if isinstance(it, e.Withheld)]
        assert [(it.by, it.act, it.roles, it.address, it.times) for it in withheld] == [
            ("gus", "GET /api/audit", ("player",), "", 1),
            ("gil", "GET /api/audit", ("player",), "", 1),
            ("gus", "GET /api/floor", ("player",), "", 1),
            ("gus", "GET /api/audit", ("player",), "", 99),
        ]

    live(database, story)


def test_denials_during_an_outage_are_noted_later(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: e.JournalEvent) -> Stored:
        raise Unavailable("away")

    async def story(server: Server) -> None:
        guard = Guard(server.journal, lambda: server.now)
        with monkeypatch.context() as without:
            without.setattr(server.journal, "note", away)
            for address in ("192.0.2.1", "192.0.2.2"):
                with pytest.raises(BadInput) as refused:
                    await guard.check_route(None, "GET /api/audit", address)
                assert code(refused) == "policy.log_in"
            with pytest.raises(Unavailable):
                await guard.flush()
        await guard.flush()
        [withheld] = await server.noted(e.Withheld)
        assert isinstance(withheld, e.Withheld)
        assert (withheld.by, withheld.address, withheld.times) == (STRANGER, "192.0.2.2", 2)

    live(database, story)


# --- two people -------------------------------------------------------------------------------------------------------


def test_an_act_takes_two_people_and_is_committed_with_the_approval(database: Database) -> None:
    async def story(server: Server) -> None:
        flo, finn = await server.staff("Flo", "floor"), await server.staff("Finn", "floor")
        ann: SessionToken = await server.accounts.guest("Ann")
        proposal = await server.dual_control.propose(flo, "correction", "account/ann", {"cents": 500}, "misdeal")

        def pay(tx: Transaction, agreed: Proposal) -> str:
            event = a.Deposited(by=agreed.by, at=server.now, cents=int(agreed.details["cents"]), reason=agreed.reason)
            server.accounts._write(tx, "ann", event)
            return agreed.subject

        server.handler.streams, server.handler.effect = (account_stream("ann"),), pay
        for who, why in ((flo, "approval.same_person"), (ann.identity, "policy.role")):
            with pytest.raises(BadInput) as refused:
                await server.dual_control.approve(who, proposal.number)
            assert code(refused) == why
        assert await server.dual_control.approve(finn, proposal.number) == {"answer": "account/ann"}
        assert (await server.accounts.account("ann")).balance_cents == START_CENTS + 500
        with pytest.raises(BadInput) as gone:
            await server.dual_control.approve(finn, proposal.number)
        assert code(gone) == "approval.unknown"
        second = await server.dual_control.propose(finn, "void", "table/t1", {"round": 4}, "jam")
        assert [it.number for it in await server.dual_control.waiting(finn)] == [second.number] == [2]
        await server.dual_control.decline(flo, 2)
        assert await server.dual_control.waiting(finn) == []

    live(database, story)


def test_a_role_that_was_removed_meanwhile_does_not_count(database: Database) -> None:
    """Both people have the role when they ask, and lose it before the commit."""

    async def story(server: Server) -> None:
        flo, finn = await server.staff("Flo", "floor"), await server.staff("Finn", "floor")
        proposal = await server.dual_control.propose(flo, "meter_change", "m", {}, "stale")

        async def refused(asked: Awaitable[object]) -> str:
            with pytest.raises(BadInput) as why:
                await asked
            return code(why)

        def agreed(by: Identity) -> Awaitable[object]:
            return server.dual_control.approve(by, proposal.number)

        await server.accounts.set_roles(OWNER, "Flo", ["auditor"])
        assert await refused(server.dual_control.propose(flo, "meter_change", "m", {}, "again")) == "policy.role"
        assert await refused(server.dual_control.decline(flo, proposal.number)) == "policy.role"
        assert await refused(agreed(finn)) == "late"
        await server.accounts.set_roles(OWNER, "Flo", ["floor"])
        await server.accounts.set_roles(OWNER, "Finn", ["player"])
        assert await refused(agreed(finn)) == "policy.role"
        assert await server.dual_control.waiting(finn) == [proposal]
        await server.accounts.set_roles(OWNER, "Finn", ["owner"])
        await agreed(finn)

    live(database, story)


def test_an_effect_that_fails_leaves_the_proposal_waiting(database: Database) -> None:
    async def story(server: Server) -> None:
        flo, finn = await server.staff("Flo", "floor"), await server.staff("Finn", "floor")
        proposal = await server.dual_control.propose(flo, "void", "table/t1", {}, "jam")

        def fail(tx: Transaction, agreed: Proposal) -> None:
            raise LookupError

        server.handler.effect = fail
        with pytest.raises(LookupError):
            await server.dual_control.approve(finn, proposal.number)
        assert [it.number for it in await server.dual_control.waiting(finn)] == [1]

    live(database, story)
