"""What takes two people: who proposes it, who agrees."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import delete, get, post
from litestar.params import FromQuery, JSONBody

from crossfelt.house.audit.events import ProposalKind
from crossfelt.house.audit.journal import Proposal
from crossfelt.house.http.forwarding import told_elsewhere
from crossfelt.house.http.guarding import Asking, Number, asker, house_of, noting_refusals
from crossfelt.house.proposing import OF_A_ROUND


class NewProposal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that takes two people."""

    kind: ProposalKind
    subject: Annotated[str, msgspec.Meta(max_length=100)]
    details: dict[str, str | int] = msgspec.field(default_factory=dict)
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=r"\S")]


@get("/api/proposals", tags=["records"])
async def proposals(request: Asking, here: FromQuery[bool] = False) -> list[Proposal]:
    """What waits for a second person; nothing about somebody else's private table, or a round that is over. Of
    that each process knows at its own tables: `here` for what this one knows alone."""
    waiting = await house_of(request).proposing.waiting(asker(request))
    if here or not any(it.kind in OF_A_ROUND for it in waiting):
        return waiting
    told = await told_elsewhere(request, "/api/proposals", list[Proposal])
    still = [{it.number for it in there} for there in told]
    return [it for it in waiting if it.kind not in OF_A_ROUND or all(it.number in there for there in still)]


@post("/api/proposals", tags=["records"])
async def propose(request: Asking, data: JSONBody[NewProposal]) -> Proposal:
    """Proposes something that a second person must agree to."""
    async with noting_refusals(request, f"propose a {data.kind}"):
        return await house_of(request).proposing.propose(
            asker(request), data.kind, data.subject, data.details, data.reason
        )


@post("/api/proposals/{number:int}/approval", tags=["records"], status_code=200)
async def approve(request: Asking, number: Number) -> dict[str, Any]:
    """A second person agrees, and it takes effect."""
    async with noting_refusals(request, f"agree to proposal {number}"):
        return await house_of(request).proposing.approve(asker(request), number)


@delete("/api/proposals/{number:int}", tags=["records"])
async def decline(request: Asking, number: Number) -> None:
    """Takes a proposal off the list."""
    async with noting_refusals(request, f"decline proposal {number}"):
        await house_of(request).proposing.decline(asker(request), number)


HANDLERS: Final = (proposals, propose, approve, decline)
