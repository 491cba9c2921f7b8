"""An approval and its effect are one commit: a crash leaves both or neither."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crossfelt.errors import BadInput
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.broadcast.viewer_messages import Viewpoint, options_of
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.journal.stream import Proposal
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.server import Server
from crossfelt.table.acts.floor import rulings
from limits import WAIT_SECONDS
from server.account_fixtures import OWNER
from server.crashing_store import Crashing, Moment
from server.http.test_dealer import ORDER
from server.pit.test_crash_recovery import TABLE, server_of

FIONA = Identity(account="fiona", name="Fiona", roles=("floor",))
FRANK = Identity(account="frank", name="Frank", roles=("floor",))


async def hire(server: Server) -> None:
    """Open accounts for two floor people."""
    for person in (FIONA, FRANK):
        await server.accounts.create_staff(OWNER, person.name)
        await server.accounts.set_roles(OWNER, person.name, person.roles)


async def to_the_floor(server: Server) -> TableActor:
    """A table with an irregularity for which the floor may void the round."""
    settings = TableSettings(id=TABLE, rulebook="nj-criss-cross", pace="instant", dealt_by="dealer")
    actor = await server.pit.create(settings, who="test", bots={1: "careful", 2: "careful"})
    async with asyncio.timeout(WAIT_SECONDS):
        while actor.table.pending is None or "void" not in rulings(actor.table):
            options = msgspec.to_builtins(options_of(actor.table, Viewpoint("dealer")))
            reports = [it for it in options if it.get("fields", {}).get("kind") == "community_exposed"]
            acts = sorted((it for it in options if it["command"] in ORDER), key=lambda it: ORDER.index(it["command"]))
            for option in (reports or acts)[:1]:
                await actor.ask(
                    CommandRequest(id=f"d{actor.seq}", who="Dana", role="dealer", fields=act(actor, option))
                )
            await asyncio.sleep(0)
    return actor


def act(actor: TableActor, option: dict[str, Any]) -> dict[str, Any]:
    seat = {"seat": option["seat"]} if "seat" in option else {}
    amounts = {name: limits["min"] for name, limits in option.get("ranges", {}).items()}
    if option["command"] == "count_stub":
        amounts = {"count": len(actor.table.deck.cards)}
    return {"command": option["command"], **seat, **amounts, **option.get("fields", {})}


async def propose_void(server: Server, actor: TableActor) -> Proposal:
    details: dict[str, str | int] = {"round": actor.table.round}
    return await server.dual_control.propose(FIONA, "void", TABLE, details, "a card lay open")


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_crash_during_a_void_leaves_both_it_and_its_approval_or_neither(moment: Moment, tmp_path: Path) -> None:
    async def first() -> int:
        async with server_of(tmp_path, None) as (server, _):
            await hire(server)
            actor = await to_the_floor(server)
            proposal = await propose_void(server, actor)
            with pytest.raises(BadInput, match="cannot approve"):
                await server.dual_control.approve(FIONA, proposal.number)
            assert actor.table.pending is not None, "one person alone has voided a round"
            return proposal.number

    async def crashed(number: int) -> None:
        async with server_of(tmp_path, (1, moment)) as (server, crashing):
            assert isinstance(crashing, Crashing)
            with pytest.raises(BadInput):
                await server.dual_control.approve(FRANK, number)
            assert crashing.crashed

    async def after(number: int) -> None:
        async with server_of(tmp_path, None) as (server, _):
            waits = number in [proposal.number for proposal in await server.dual_control.waiting(FRANK)]
            void = server.pit.find(TABLE).table.voided != "" or server.pit.find(TABLE).table.pending is None
            assert (waits, void) == ((True, False) if moment == "before" else (False, True))
            if waits:
                await server.dual_control.approve(FRANK, number)
            with pytest.raises(BadInput):
                await server.dual_control.approve(FRANK, number)
            rows = await server.store.rows(server.pit.find(TABLE).settings.stream)
            void_rows = [row for row in rows if b'"ruling":"void"' in row.body]
            assert len(void_rows) == 1

    number = asyncio.run(first())
    asyncio.run(crashed(number))
    asyncio.run(after(number))


def test_a_proposal_of_a_person_who_lost_the_role_cannot_be_approved(tmp_path: Path) -> None:
    async def story() -> None:
        async with server_of(tmp_path, None) as (server, _):
            await hire(server)
            actor = await to_the_floor(server)
            proposal = await propose_void(server, actor)
            await server.accounts.set_roles(OWNER, FIONA.name, ["player"])
            with pytest.raises(BadInput, match="decline it, or propose it again"):
                await server.dual_control.approve(FRANK, proposal.number)
            assert actor.table.pending is not None
            await server.accounts.set_roles(OWNER, FIONA.name, FIONA.roles)
            await server.accounts.set_roles(OWNER, FRANK.name, ["player"])
            with pytest.raises(BadInput, match="not for this role"):
                await server.dual_control.approve(FRANK, proposal.number)
            assert actor.table.pending is not None
            await server.accounts.set_roles(OWNER, FRANK.name, FRANK.roles)
            await server.dual_control.approve(FRANK, proposal.number)

    asyncio.run(story())
