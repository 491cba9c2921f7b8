"""Typed commands, advice, the laboratory and its report, and reviews of decisions."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from crossfelt.analysis.best_play_bot import position_of
from crossfelt.analysis.laboratory import LaboratoryQuestion
from crossfelt.cards.card import enc_hook
from crossfelt.errors import BadInput, Problem
from crossfelt.play.command_parser import TypedQuestion, parse_command
from crossfelt.play.player_view import WaysToSet, player_view_of, ways_to_set
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.broadcast.viewer_messages import event_message
from crossfelt.server.http.request import ApiRequest, QueryInt
from crossfelt.server.http.routes.rounds import seen_in
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.workers.advice import advise_at, grid_at, report_on, review_of, solve_with, whole_game

Text = Annotated[str, msgspec.Meta(max_length=200)]
SEVEN: Final = 7
CHOICES: Final = ("bet", "fold", "choose", "set_hand")
"""The commands that advice is about."""
REPORT_POLICY: Final = (
    "sandbox allow-downloads; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""A report is one file with its styles and plots inside: nothing in it may run or load anything else."""
REPORT_TYPES: Final = {"html": "text/html", "json": "application/json"}
REPORT_CACHE_SECONDS: Final = 600
"""The same question gives the same report to the byte, so browsers may cache it."""


class Typed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line that a player typed at a table."""

    table: str
    text: Text
    seat: int | None = None


class Interpretation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The meaning of a typed line: a command to send, a question for the page to answer, or a problem."""

    command: dict[str, Any] | None = None
    ask: str | None = None
    number: int | None = None
    problem: Problem | None = None


class AdviceRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A decision at a table, or a position of a game."""

    table: str | None = None
    seat: int | None = None
    rulebook: str | None = None
    submission: dict[str, Any] = msgspec.field(default_factory=dict)
    position: dict[str, Any] = msgspec.field(default_factory=dict)
    grid: bool = False
    """At a table: return the strategy grid of the decision instead."""


def own_seat(actor: TableActor, identity: Identity, seat: int | None) -> int:
    """Return the user's seat: the one named, or the first."""
    own = [place.number for place in actor.table.seats if place.player == identity.name]
    if not own or (seat is not None and seat not in own):
        raise BadInput.at("seat", "seat.other", "only the player at this seat may ask", seat)
    return own[0] if seat is None else seat


@post("/api/type", tags=["play"], status_code=200)
async def typed(request: ApiRequest, data: JSONBody[Typed]) -> Interpretation:
    """Parse a typed line as the terminal does."""
    actor = request.visible_table(data.table)
    identity = request.person
    seat = own_seat(actor, identity, data.seat)
    parsed = parse_command(data.text, player_view_of(actor.table, seat), actor.last_wagers(seat))
    if isinstance(parsed, Problem):
        return Interpretation(problem=parsed)
    if isinstance(parsed, TypedQuestion):
        return Interpretation(ask=parsed.what, number=parsed.number)
    fields = msgspec.to_builtins(dict(parsed.fields), enc_hook=enc_hook)
    return Interpretation(command={"command": parsed.name, **fields})


@post("/api/advice", tags=["play"], status_code=200)
async def advice(request: ApiRequest, data: JSONBody[AdviceRequest]) -> dict[str, Any] | None:
    """Compute the value of each choice, at the user's seat or in any position; null while there is none to make.

    A page asks when its player has to choose, and the round may go on before the server reads the question: that is
    no error.
    """
    server, person = request.server, request.person.account
    if data.table is None:
        if data.rulebook is None:
            raise BadInput(Problem(code="advice.what", what="name a table, or a rulebook and a position"))
        game = server.rulebooks.game(data.rulebook, data.submission)
        return await server.advice_pool.ask(person, advise_at, whole_game(game), data.position)
    actor = request.visible_table(data.table)
    sight = player_view_of(actor.table, own_seat(actor, request.person, data.seat))
    position = position_of(sight)
    if not any(sight.options.get(command) for command in CHOICES):
        return None
    if position is None:
        what = "the coach has no advice on this decision"
        raise BadInput(Problem(code="advice.none", what=what, value=sight.step))
    if actor.table.bank is not None and actor.table.bank.seat == sight.seat:
        what = "there is no advice for the player who holds the bank"
        raise BadInput(Problem(code="advice.none", what=what, value=sight.step))
    work = grid_at if data.grid else advise_at
    result = await server.advice_pool.ask(person, work, whole_game(actor.table.game), position, sight.unit_cents)
    decision = {"round": sight.round, "step": sight.step, "seat": sight.seat}
    return {**result, **decision, "base_cents": sight.unit_cents, "position": position}


@post("/api/laboratory", tags=["play"], status_code=200)
async def laboratory(request: ApiRequest, data: JSONBody[LaboratoryQuestion]) -> dict[str, Any]:
    """Compute the exact figures of a game with other choices and odds, and list every clause that forbids them."""
    server = request.server
    game = whole_game(server.rulebooks.game(data.rulebook))
    return await server.advice_pool.ask(request.person.account, solve_with, game, msgspec.to_builtins(data))


@get("/api/laboratory/report", tags=["play"], media_type="text/html")
async def report(
    request: ApiRequest,
    question: Annotated[str, QueryParameter(max_length=16_000)],
    kind: FromQuery[Literal["html", "json"]] = "html",
) -> Response[str]:
    """Return the PAR sheet of a game with other choices and odds. `question` is the JSON of `POST /api/laboratory`."""
    try:
        decoded = msgspec.json.decode(question, type=LaboratoryQuestion)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadInput.at("question", "report.question", str(error)) from None
    server = request.server
    game = whole_game(server.rulebooks.game(decoded.rulebook))
    made = await server.report_pool.ask(request.person.account, report_on, game, msgspec.to_builtins(decoded), kind)
    headers = {
        "Content-Security-Policy": REPORT_POLICY,
        "Content-Disposition": f'inline; filename="{decoded.rulebook}-report.{kind}"',
        "Cache-Control": f"private, max-age={REPORT_CACHE_SECONDS}",
    }
    return Response(made["text"], headers=headers, media_type=REPORT_TYPES[kind])


@get("/api/tables/{table:str}/review", tags=["play"])
async def review(request: ApiRequest, table: FromPath[str], seat: QueryInt = 0) -> dict[str, Any]:
    """Review the user's decisions at a table: the value of each, and of the best choice.

    A player who had several seats chooses one; the default is the last.
    """
    actor = request.visible_table(table)
    identity = request.person
    had = {one: None for it in reversed(actor.memory.rounds) for one in sorted(it.seats_of(identity.name))}
    seat = seat if seat in had else next(iter(had), 0)
    # Another player may have had the same seat before.
    own = [it for it in actor.memory.rounds if seat in it.seats_of(identity.name)]
    seen = [shown for it in own for shown in await seen_in(request, actor, it, identity)]
    events = [event_message(event, seq, number, actor.table) for seq, number, event in seen]
    found = await request.server.advice_pool.ask(
        identity.account, review_of, whole_game(actor.table.game), msgspec.json.encode(events), seat
    )
    return {**found, "seat": seat, "seats": sorted(had)}


@get("/api/tables/{table:str}/settings", tags=["play"])
async def settings(request: ApiRequest, table: FromPath[str], seat: QueryInt) -> WaysToSet | None:
    """List every way to set the user's seven cards, and the house way; null while there is no hand to set.

    A page asks when its seat may set a hand, and the round may have gone on before the answer: that is no error.
    """
    actor = request.visible_table(table)
    cards = player_view_of(actor.table, own_seat(actor, request.person, seat)).hole
    return ways_to_set(actor.table.game, cards) if len(cards) == SEVEN else None
