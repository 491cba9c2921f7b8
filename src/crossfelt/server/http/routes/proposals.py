"""Proposals that take two people: list, propose, approve, decline."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import delete, get, post
from litestar.params import FromQuery, JSONBody

from crossfelt.server.http.middleware.auth import (
    ApiRequest,
    PathInt,
    client_address,
    current_user,
    recording_denials,
    server_of,
)
from crossfelt.server.journal.events import ProposalKind
from crossfelt.server.journal.stream import Proposal


class NewProposal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A proposal that a second person has to approve."""

    kind: ProposalKind
    subject: Annotated[str, msgspec.Meta(max_length=100)]
    details: dict[str, str | int] = msgspec.field(default_factory=dict)
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=r"\S")]


@get("/api/proposals", tags=["records"])
async def proposals(request: ApiRequest) -> list[Proposal]:
    """List proposals that wait for a second person's approval, without those about other people's private tables."""
    return await server_of(request).dual_control.waiting(current_user(request))


@get("/api/proposals/decided", tags=["records"])
async def decided(request: ApiRequest, subject: FromQuery[str] = "") -> list[Proposal]:
    """List the last proposals that were approved, declined or expired: who, when, from where, before and after.

    `subject` is a table, a meter or an account (`account/ann`).
    """
    return await server_of(request).dual_control.decided(current_user(request), subject)


@post("/api/proposals", tags=["records"])
async def propose(request: ApiRequest, data: JSONBody[NewProposal]) -> Proposal:
    """Propose an act that a second person has to approve."""
    async with recording_denials(request, f"propose a {data.kind}"):
        return await server_of(request).dual_control.propose(
            current_user(request), data.kind, data.subject, data.details, data.reason, client_address(request)
        )


@post("/api/proposals/{number:int}/approval", tags=["records"], status_code=200)
async def approve(request: ApiRequest, number: PathInt) -> dict[str, Any]:
    """Approve a proposal as the second person; it then takes effect."""
    async with recording_denials(request, f"approve proposal {number}"):
        return await server_of(request).dual_control.approve(current_user(request), number, client_address(request))


@delete("/api/proposals/{number:int}", tags=["records"])
async def decline(request: ApiRequest, number: PathInt) -> None:
    """Decline a proposal, or withdraw your own."""
    async with recording_denials(request, f"decline proposal {number}"):
        await server_of(request).dual_control.decline(current_user(request), number, client_address(request))
