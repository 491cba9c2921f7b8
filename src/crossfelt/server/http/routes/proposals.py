"""Proposals that take two people: list, propose, approve, decline."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import delete, get, post
from litestar.params import FromQuery, JSONBody

from crossfelt.server.http.request import ApiRequest, PathInt
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
    return await request.server.dual_control.waiting(request.person)


@get("/api/proposals/decided", tags=["records"])
async def decided(request: ApiRequest, subject: FromQuery[str] = "") -> list[Proposal]:
    """List the last proposals that were approved, declined or expired: who, when, from where, before and after.

    `subject` is a table, a meter or an account (`account/ann`).
    """
    return await request.server.dual_control.decided(request.person, subject)


@post("/api/proposals", tags=["records"])
async def propose(request: ApiRequest, data: JSONBody[NewProposal]) -> Proposal:
    """Propose an act that a second person has to approve."""
    async with request.recording_denials(f"propose a {data.kind}"):
        return await request.server.dual_control.propose(
            request.person, data.kind, data.subject, data.details, data.reason, request.address
        )


@post("/api/proposals/{number:int}/approval", tags=["records"], status_code=200)
async def approve(request: ApiRequest, number: PathInt) -> dict[str, Any]:
    """Approve a proposal as the second person; it then takes effect."""
    async with request.recording_denials(f"approve proposal {number}"):
        return await request.server.dual_control.approve(request.person, number, request.address)


@delete("/api/proposals/{number:int}", tags=["records"])
async def decline(request: ApiRequest, number: PathInt) -> None:
    """Decline a proposal, or withdraw your own."""
    async with request.recording_denials(f"decline proposal {number}"):
        await request.server.dual_control.decline(request.person, number, request.address)
