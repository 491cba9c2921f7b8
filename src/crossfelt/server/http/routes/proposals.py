"""Proposals that take two people: list, propose, approve, decline."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import delete, get, post
from litestar.params import FromQuery, JSONBody

from crossfelt.server.http.middleware.auth import ApiRequest, PathInt, current_user, recording_denials, server_of
from crossfelt.server.http.middleware.proxy import ask_peers
from crossfelt.server.journal.events import ProposalKind
from crossfelt.server.journal.stream import Proposal


class NewProposal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A proposal that a second person has to approve."""

    kind: ProposalKind
    subject: Annotated[str, msgspec.Meta(max_length=100)]
    details: dict[str, str | int] = msgspec.field(default_factory=dict)
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=r"\S")]


@get("/api/proposals", tags=["records"])
async def proposals(request: ApiRequest, here: FromQuery[bool] = False) -> list[Proposal]:
    """List proposals that wait for a second person's approval.

    Proposals about other people's private tables and about closed rounds are left out. `here` lists those that this
    process knows: each process knows the rounds of its own tables.
    """
    dual_control = server_of(request).dual_control
    waiting = await dual_control.waiting(current_user(request))
    of_rounds = {it.number for it in waiting if dual_control.handler(it.kind, it.subject).ends_with_round}
    if here or not of_rounds:
        return waiting
    others = await ask_peers(request, "/api/proposals", list[Proposal])
    open_elsewhere = [{it.number for it in other} for other in others]
    return [it for it in waiting if it.number not in of_rounds or all(it.number in there for there in open_elsewhere)]


@post("/api/proposals", tags=["records"])
async def propose(request: ApiRequest, data: JSONBody[NewProposal]) -> Proposal:
    """Propose an act that a second person has to approve."""
    async with recording_denials(request, f"propose a {data.kind}"):
        return await server_of(request).dual_control.propose(
            current_user(request), data.kind, data.subject, data.details, data.reason
        )


@post("/api/proposals/{number:int}/approval", tags=["records"], status_code=200)
async def approve(request: ApiRequest, number: PathInt) -> dict[str, Any]:
    """Approve a proposal as the second person; it then takes effect."""
    async with recording_denials(request, f"approve proposal {number}"):
        return await server_of(request).dual_control.approve(current_user(request), number)


@delete("/api/proposals/{number:int}", tags=["records"])
async def decline(request: ApiRequest, number: PathInt) -> None:
    """Decline a proposal, or withdraw your own."""
    async with recording_denials(request, f"decline proposal {number}"):
        await server_of(request).dual_control.decline(current_user(request), number)


HANDLERS: Final = (proposals, propose, approve, decline)
