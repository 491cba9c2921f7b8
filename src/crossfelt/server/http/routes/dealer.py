"""The dealer's desk: what is to be done, what a typed line means, what can go wrong."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody

from crossfelt.errors import BadInput, Problem
from crossfelt.server.dealer_desk.acts import acts_now
from crossfelt.server.dealer_desk.desk import Desk, desk_of
from crossfelt.server.dealer_desk.irregularities import Trouble, possible_irregularities
from crossfelt.server.dealer_desk.line_parser import TypedLine, read_line
from crossfelt.server.http.middleware.auth import ApiRequest, current_user, record_denial, server_of, why_not_role
from crossfelt.server.pit.actor import TableActor

Text = Annotated[str, msgspec.Meta(max_length=200)]


class Typed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line that the dealer types, and the act that waits for it, where one was chosen."""

    text: Text
    act: Text = ""


async def _dealt_by_me(request: ApiRequest, table: str) -> TableActor:
    """A table that whoever asks deals at; anybody else is refused, and noted."""
    actor, identity = server_of(request).pit.find(table), current_user(request)
    if (why := why_not_role("dealer", identity, actor.settings)) is not None:
        await record_denial(request, f"desk of {table}", "policy.role")
        value = ", ".join(identity.roles)
        raise BadInput(Problem(code="policy.role", where="desk", what=why, value=value, allowed="dealer"))
    if actor.settings.dealt_by == "automatic":
        what, allowed = "the house deals at this table by itself", "a table opened for a dealer, or live"
        raise BadInput(Problem(code="desk.automatic", where="table", what=what, value=table, allowed=allowed))
    return actor


@get("/api/tables/{table:str}/desk", tags=["dealing"])
async def desk(request: ApiRequest, table: FromPath[str]) -> Desk:
    """The steps of the round, what the dealer may do now, and what is to be taken and paid."""
    return desk_of(await _dealt_by_me(request, table))


@post("/api/tables/{table:str}/desk/line", tags=["dealing"], status_code=200)
async def line(request: ApiRequest, table: FromPath[str], data: JSONBody[Typed]) -> TypedLine:
    """What a line means so far; nothing is done yet."""
    actor = await _dealt_by_me(request, table)
    last = {seat.number: actor.last_wagers(seat.number) for seat in actor.table.seats}
    acts = acts_now(actor.table, actor.now(), live=actor.settings.live)
    return read_line(data.text, actor.table, acts, chosen=data.act, last=last)


@get("/api/tables/{table:str}/desk/troubles", tags=["dealing"])
async def troubles(request: ApiRequest, table: FromPath[str]) -> list[Trouble]:
    """What can go wrong now, and what would follow."""
    actor = await _dealt_by_me(request, table)
    return list(possible_irregularities(actor.table, actor.now(), live=actor.settings.live))


HANDLERS: Final = (desk, line, troubles)
