"""Questions: what a line means, what a choice is worth, what a game returns, what a clause says."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody

from crossfelt.analysis.best_play_bot import position_of
from crossfelt.analysis.laboratory import LaboratoryQuestion as Experiment
from crossfelt.cards.card import enc_hook
from crossfelt.errors import BadInput, Problem
from crossfelt.play.command_parser import TypedQuestion, parse_command
from crossfelt.play.player_view import HANDS, PlayerView, WaysToSet, player_view_of, ways_to_set
from crossfelt.rulebooks import clauses as law
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.broadcast.viewer_messages import event_message
from crossfelt.server.http.middleware.auth import ApiRequest, QueryInt, current_user, server_of, visible_table
from crossfelt.server.http.routes.records import seen_in
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.workers.advice import advise_at, review_of, solve_with, stated_game, whole_game

Text = Annotated[str, msgspec.Meta(max_length=200)]
SEVEN: Final = 7


class Typed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line that somebody typed at a table."""

    table: str
    text: Text
    seat: int | None = None


class Interpretation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a line means: a command to send, a question for the page to answer, or why it means nothing here."""

    command: dict[str, Any] | None = None
    ask: str | None = None
    number: int | None = None
    problem: Problem | None = None


class LaboratoryRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A decision at a table, or any position of a game."""

    table: str | None = None
    seat: int | None = None
    rulebook: str | None = None
    submission: dict[str, Any] = msgspec.field(default_factory=dict)
    position: dict[str, Any] = msgspec.field(default_factory=dict)


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """What another document says on the same point."""

    jurisdiction: str
    rulebook: str
    topic: str
    says: str
    clauses: tuple[str, ...]


class ClauseText(msgspec.Struct, frozen=True, kw_only=True):
    """A clause, or an adopted reading of the documents."""

    id: str
    citation: str
    says: str
    document: str
    jurisdiction: str
    elsewhere: tuple[Elsewhere, ...] = ()
    readings: tuple[str, ...] = ()


def own_seat(actor: TableActor, identity: Identity, seat: int | None) -> int:
    """The seat of whoever asks: the one named, or the first."""
    own = [place.number for place in actor.table.seats if place.player == identity.name]
    if not own or (seat is not None and seat not in own):
        what = "only the player who sits there may ask"
        raise BadInput(Problem(code="seat.other", what=what, where="seat", value=seat))
    return own[0] if seat is None else seat


@post("/api/type", tags=["play"], status_code=200)
async def typed(request: ApiRequest, data: JSONBody[Typed]) -> Interpretation:
    """What a typed line means, read as the terminal reads it."""
    actor = visible_table(request, data.table)
    identity = current_user(request)
    seat = own_seat(actor, identity, data.seat)
    meant = parse_command(data.text, player_view_of(actor.table, seat), actor.last_wagers(seat))
    if isinstance(meant, Problem):
        return Interpretation(problem=meant)
    if isinstance(meant, TypedQuestion):
        return Interpretation(ask=meant.what, number=meant.number)
    fields = msgspec.to_builtins(dict(meant.fields), enc_hook=enc_hook)
    return Interpretation(command={"command": meant.name, **fields})


@post("/api/advice", tags=["play"], status_code=200)
async def advice(request: ApiRequest, data: JSONBody[LaboratoryRequest]) -> dict[str, Any]:
    """What each choice is worth: at one's own seat, or in any position."""
    server = server_of(request)
    if data.table is None:
        if data.rulebook is None:
            raise BadInput(Problem(code="advice.what", what="name a table, or a rulebook and a position"))
        return await server.advice_pool.ask(advise_at, stated_game(data.rulebook, data.submission), data.position)
    actor = visible_table(request, data.table)
    sight = player_view_of(actor.table, own_seat(actor, current_user(request), data.seat))
    position = position_of(sight)
    if position is None:
        raise BadInput(Problem(code="advice.none", what="there is nothing to decide now", value=sight.step))
    if actor.table.bank is not None and actor.table.bank.seat == sight.seat:
        what = "who holds the bank plays against everybody: there is advice for those who play against it alone"
        raise BadInput(Problem(code="advice.none", what=what, value=sight.step))
    told = await server.advice_pool.ask(advise_at, whole_game(actor.table.game), position)
    return {**told, "base_cents": _unit(sight), "position": position}


def _unit(sight: PlayerView) -> int:
    """What one unit of the advice is, in cents: the ante, or the wager that every player must place."""
    if sight.asked != HANDS:
        return sight.base_cents
    return next(sight.placed[wager.id] for wager in sight.game.wagers if wager.required and wager.id in sight.placed)


@post("/api/laboratory", tags=["play"], status_code=200)
async def laboratory(request: ApiRequest, data: JSONBody[Experiment]) -> dict[str, Any]:
    """The exact figures of a game with other choices and odds, and every clause that forbids it."""
    return await server_of(request).advice_pool.ask(solve_with, msgspec.to_builtins(data))


@get("/api/tables/{table:str}/review", tags=["play"])
async def review(request: ApiRequest, table: FromPath[str], seat: QueryInt = 0) -> dict[str, Any]:
    """One's own decisions at a table: what each was worth, and what the best would have been.

    Who has had several seats chooses one; without a choice it is the last.
    """
    actor = visible_table(request, table)
    identity = current_user(request)
    had = {one: None for it in reversed(actor.memory.rounds) for one in sorted(it.seats_of(identity.name))}
    seat = seat if seat in had else next(iter(had), 0)
    # Somebody else may have had the same seat before.
    own = [it for it in actor.memory.rounds if seat in it.seats_of(identity.name)]
    seen = [shown for it in own for shown in await seen_in(request, actor, it, identity)]
    events = [event_message(event, seq, actor.table) for seq, event in seen]
    found = await server_of(request).advice_pool.ask(
        review_of, whole_game(actor.table.game), msgspec.json.encode(events), seat
    )
    return {**found, "seat": seat, "seats": sorted(had)}


@get("/api/tables/{table:str}/settings", tags=["play"])
async def settings(request: ApiRequest, table: FromPath[str], seat: QueryInt) -> WaysToSet:
    """Every way to set one's own seven cards, and the house way."""
    actor = visible_table(request, table)
    cards = player_view_of(actor.table, own_seat(actor, current_user(request), seat)).hole
    if len(cards) != SEVEN:
        raise BadInput(Problem(code="settings.none", what="there are no seven cards to set", where="seat", value=seat))
    return ways_to_set(actor.table.game, cards)


@get("/api/clauses/{clause:str}", tags=["games"])
async def clause(clause: FromPath[str]) -> ClauseText:
    """A clause in our words, where it stands, and what the others say; adopted readings likewise."""
    if (reading := law.readings().get(clause)) is not None:
        return ClauseText(
            id=reading.id,
            citation=", ".join(reading.clauses),
            says=f"{reading.about} {reading.reading}",
            document=reading.group,
            jurisdiction="",
            readings=reading.alternatives,
        )
    found = law.clauses().get(clause)
    if found is None:
        raise BadInput(Problem(code="clause.unknown", what="no such clause", where="clause", value=clause))
    return ClauseText(
        id=found.id,
        citation=found.citation,
        says=found.says,
        document=found.document.title,
        jurisdiction=found.document.jurisdiction,
        elsewhere=tuple(_elsewhere(found)),
        readings=found.readings,
    )


def _elsewhere(clause: law.Clause) -> list[Elsewhere]:
    documents = {document.rulebook: document for document in law.documents().values()}
    return [
        Elsewhere(
            jurisdiction=documents[rulebook].jurisdiction,
            rulebook=rulebook,
            topic=law.topics()[topic].title,
            says=statement.says,
            clauses=statement.clauses,
        )
        for topic in clause.topics
        for rulebook, statement in law.topics()[topic].rulebooks.items()
        if rulebook != clause.document.rulebook
    ]


HANDLERS: Final = (typed, advice, laboratory, review, settings, clause)
