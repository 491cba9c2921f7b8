"""The dealer's desk: the acts due, typed lines and irregularities."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from crossfelt.errors import BadInput
from crossfelt.server.dealer_desk.acts import acts_now
from crossfelt.server.dealer_desk.desk import Desk, desk_of
from crossfelt.server.dealer_desk.exam import ExamScore, hidden
from crossfelt.server.dealer_desk.irregularities import Trouble, possible_irregularities
from crossfelt.server.dealer_desk.line_parser import TypedLine, read_line
from crossfelt.server.http.middleware.auth import why_not_role
from crossfelt.server.http.request import MAX_INTEGER, ApiRequest, record_denial
from crossfelt.server.journal.stream import Proposal
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.workers.drills import ExamResult

Text = Annotated[str, msgspec.Meta(max_length=200)]


class Typed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line that the dealer types, and the chosen act that it completes, if any."""

    text: Text
    act: Text = ""


async def _table_to_deal(request: ApiRequest, table: str) -> TableActor:
    """Return a table at which the user deals. A refusal is recorded."""
    actor, identity = request.visible_table(table), request.person
    if (why := why_not_role("dealer", identity, actor.settings)) is not None:
        await record_denial(request, f"desk of {table}", "policy.role")
        raise BadInput.at("desk", "policy.role", why, ", ".join(identity.roles), "dealer")
    if actor.settings.dealt_by == "automatic":
        what, allowed = "this table is dealt automatically", "a table dealt by a person, or a physical table"
        raise BadInput.at("table", "desk.automatic", what, table, allowed)
    return actor


class DeskReply(Desk, frozen=True, kw_only=True):
    """The dealer's page, and the score of an open exam, in which the payments to be typed are hidden."""

    exam: ExamScore | None


class ExamAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The payment that the dealer makes; 0 if nothing is paid."""

    movement: Text
    cents: Annotated[int, msgspec.Meta(ge=0, le=MAX_INTEGER)]


@get("/api/tables/{table:str}/desk", tags=["dealing"])
async def desk(request: ApiRequest, table: FromPath[str]) -> DeskReply:
    """Return the steps of the round, the dealer's acts, and the wagers to take and pay."""
    actor = await _table_to_deal(request, table)
    exam = await request.server.exams.of(request.person.account, table)
    shown = desk_of(actor) if exam is None else hidden(desk_of(actor), exam, actor.memory.round_rows)
    return DeskReply(**msgspec.structs.asdict(shown), exam=None if exam is None else ExamScore.of(exam))


@post("/api/tables/{table:str}/desk/exam", tags=["dealing"])
async def begin_exam(request: ApiRequest, table: FromPath[str]) -> ExamScore:
    """Begin an exam at the desk: from now on the amounts are hidden, and the dealer types each payment."""
    actor = await _table_to_deal(request, table)
    return ExamScore.of(await request.server.exams.begin(request.person, actor))


@post("/api/tables/{table:str}/desk/exam/answers", tags=["dealing"], status_code=200)
async def answer_exam(request: ApiRequest, table: FromPath[str], data: JSONBody[ExamAnswer]) -> ExamScore:
    """Mark a typed payment, and time it."""
    actor, account = await _table_to_deal(request, table), request.person.account
    return ExamScore.of(await request.server.exams.answer(account, actor, data.movement, data.cents))


@delete("/api/tables/{table:str}/desk/exam", tags=["dealing"], status_code=200)
async def end_exam(request: ApiRequest, table: FromPath[str]) -> ExamScore:
    """End the exam, and return its score. Payments that are still asked count as wrong."""
    server = request.server
    score = ExamScore.of(await server.exams.end(request.person, await _table_to_deal(request, table)))
    result = ExamResult(
        at=server.now(), table=table, title=score.title, asked=score.asked, right=score.right, millis=score.millis
    )
    await server.drills.keep_exam(request.person, result)
    return score


@post("/api/tables/{table:str}/desk/line", tags=["dealing"], status_code=200)
async def line(request: ApiRequest, table: FromPath[str], data: JSONBody[Typed]) -> TypedLine:
    """Parse a line as typed so far, without doing anything."""
    actor = await _table_to_deal(request, table)
    last = {seat.number: actor.last_wagers(seat.number) for seat in actor.table.seats}
    acts = acts_now(actor.table, actor.now(), live=actor.settings.live)
    return read_line(data.text, actor.table, acts, chosen=data.act, last=last)


@get("/api/tables/{table:str}/desk/troubles", tags=["dealing"])
async def troubles(request: ApiRequest, table: FromPath[str]) -> list[Trouble]:
    """List the irregularities that can occur now, with their consequences."""
    actor = await _table_to_deal(request, table)
    return list(possible_irregularities(actor.table, actor.now(), live=actor.settings.live))


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command with a reading that wins from a meter."""

    command: dict[str, Any]


@post("/api/tables/{table:str}/desk/award", tags=["dealing"])
async def award(request: ApiRequest, table: FromPath[str], data: JSONBody[Reading]) -> Proposal:
    """Call the floor for a reading that wins from a meter: the table stops until a second person has approved it."""
    actor = await _table_to_deal(request, table)
    details: dict[str, str | int] = {"round": actor.table.round, "command": msgspec.json.encode(data.command).decode()}
    reason = "a reading at the physical table wins from a meter"
    return await request.server.dual_control.propose(request.person, "award", table, details, reason, request.address)
