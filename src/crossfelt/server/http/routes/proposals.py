"""Proposals that take two people: list, propose, approve, decline."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import delete, get, post
from litestar.params import FromQuery, JSONBody

from crossfelt.server.http.middleware.auth import Asking, Number, asker, noting_refusals, server_of
from crossfelt.server.http.middleware.proxy import told_elsewhere
from crossfelt.server.journal.events import ProposalKind
from crossfelt.server.journal.stream import Proposal


class NewProposal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A proposal that a second person has to approve."""

    kind: ProposalKind
    subject: Annotated[str, msgspec.Meta(max_length=100)]
    details: dict[str, str | int] = msgspec.field(default_factory=dict)
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=r"\S")]


@get("/api/proposals", tags=["records"])
async def proposals(request: Asking, here: FromQuery[bool] = False) -> list[Proposal]:
    """Proposals that wait for a second person, without those about another person's private table, or about a round
    that is over. Each process knows the rounds of its own tables: `here` asks this process alone."""
    dual_control = server_of(request).dual_control
    waiting = await dual_control.waiting(asker(request))
    of_rounds = {it.number for it in waiting if dual_control.handler(it.kind, it.subject).ends_with_round}
    if here or not of_rounds:
        return waiting
    told = await told_elsewhere(request, "/api/proposals", list[Proposal])
    still = [{it.number for it in there} for there in told]
    return [it for it in waiting if it.number not in of_rounds or all(it.number in there for there in still)]


@post("/api/proposals", tags=["records"])
async def propose(request: Asking, data: JSONBody[NewProposal]) -> Proposal:
    """Propose an act that a second person has to approve."""
    async with noting_refusals(request, f"propose a {data.kind}"):
        return await server_of(request).dual_control.propose(
            asker(request), data.kind, data.subject, data.details, data.reason
        )


@post("/api/proposals/{number:int}/approval", tags=["records"], status_code=200)
async def approve(request: Asking, number: Number) -> dict[str, Any]:
    """Approve a proposal as the second person; it then takes effect."""
    async with noting_refusals(request, f"agree to proposal {number}"):
        return await server_of(request).dual_control.approve(asker(request), number)


@delete("/api/proposals/{number:int}", tags=["records"])
async def decline(request: Asking, number: Number) -> None:
    """Decline a proposal, or withdraw your own."""
    async with noting_refusals(request, f"decline proposal {number}"):
        await server_of(request).dual_control.decline(asker(request), number)


HANDLERS: Final = (proposals, propose, approve, decline)
