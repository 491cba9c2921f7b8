"""The lobby, tables, bots and rulebooks."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Annotated, Any, Final

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from crossfelt._util.shared_fields import shared_fields
from crossfelt.analysis.solver.api import require_solver
from crossfelt.errors import BadInput, Problem
from crossfelt.play.game_summary import GameSummary, summary_of
from crossfelt.play.guide import Caption, guide_of
from crossfelt.play.how_to_play import HowToPlay, how_to_play
from crossfelt.play.posted_notice import game_for_screen
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.json import describe, whose_rules
from crossfelt.server.accounts.policy import comes_to_table_of
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.core.bots import bot_style, seated_people
from crossfelt.server.core.lesson import lesson_of
from crossfelt.server.core.settings import DealtBy, TableSettings, TimingPresetName
from crossfelt.server.dual_control.rule import opening_problem
from crossfelt.server.http.middleware.proxy import ask_peers
from crossfelt.server.http.request import ApiRequest, PathInt
from crossfelt.server.journal.events import PlayerRemoved
from crossfelt.server.journal.stream import ALONE
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.pit.pit import Pit
from crossfelt.server.store.interface import Conflict
from crossfelt.table.state import TableState, new_table

MOST_BOTS: Final = 6
RUNS_TABLES: Final = frozenset({"floor", "owner"})
MOST_PRIVATE: Final = 12
"""Most private tables of one player at a time; the server closes abandoned ones."""
BETWEEN_PROCESSES: Final = "moving"
HELD: Final = "held"


class LobbyTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the lobby lists it."""

    id: str
    rulebook: str
    game: str
    title: str
    jurisdiction: str
    version: str
    pace: str
    dealt_by: str
    yours: bool
    owner: str
    seats: int
    taken: int
    people: int
    limits: dict[str, dict[str, int]]
    first_bet: dict[str, int]
    """The limits of the wager that opens a hand."""
    about: GameSummary
    seated: bool
    in_hand: bool
    """True if the user's hand is in play."""
    lesson: bool
    departure: str
    """The difference between the table's rules and the file of its rulebook; empty if there is none."""
    meters: dict[str, Any]
    round: int
    phase: str
    """`closed` or `open`; `held` while the next step waits for the floor; `moving` while another process takes over
    the table, and its players are not known yet."""


@get("/api/lobby", tags=["tables"])
async def lobby(request: ApiRequest, here: FromQuery[bool] = False) -> Lobby:
    """List public tables and the user's own; `here` lists those of this process only."""
    identity = request.user
    name = identity.name if identity else ""
    pit = request.server.pit
    # The first summary of a game searches its largest win, which takes part of a second.
    await asyncio.to_thread(lambda games: [_about(pit, game) for game in games], {actor.table.game for actor in pit})
    tables = [
        _listed(pit, actor.table, actor.settings, name, actor.meters.amounts, phase=HELD if actor.held else "")
        for actor in pit
        if comes_to_table_of(actor.settings.owner, identity, actor.settings.first_id)
    ]
    if here:
        return Lobby(tables)
    elsewhere = [table for other in await ask_peers(request, "/api/lobby", Lobby) for table in other.tables]
    tables += sorted(elsewhere, key=lambda table: table.id)
    listed = {table.id for table in tables}
    for settings in pit.settings.values():
        known = settings.id in listed | pit.unplayable
        if not known and comes_to_table_of(settings.owner, identity, settings.first_id):
            with suppress(BadInput):  # the rulebook may be of another version
                game = settings.compile(pit.rulebooks)
                amounts = pit.meters.linked(settings, game).amounts
                tables.append(_listed(pit, new_table(game), settings, name, amounts, phase=BETWEEN_PROCESSES))
    return Lobby(tables)


def _about(pit: Pit, game: Game) -> GameSummary:
    return summary_of(game, pit.rulebooks.family_of(game))


def _listed(
    pit: Pit, table: TableState, settings: TableSettings, name: str, meters: Mapping[str, Any], *, phase: str = ""
) -> LobbyTable:
    taken = [seat for seat in table.seats if seat.player]
    own = [seat for seat in taken if name and seat.player == name]
    first = next(wager.stake.posted for wager in table.game.first_wagers if wager.stake.posted)
    posted = {wager.stake.posted for wager in table.game.wagers if wager.stake.posted}
    limits = {of: msgspec.to_builtins(table.game.limits(of)) for of in sorted(posted)}
    return LobbyTable(
        **shared_fields(settings, LobbyTable),
        game=table.game.book.game,
        title=table.game.book.title,
        jurisdiction=whose_rules(table.game.book),
        version=table.game.book.version,
        yours=bool(name) and settings.owner == name,
        seats=len(table.seats),
        taken=len(taken),
        people=len(seated_people(table)),
        limits=limits,
        first_bet=limits[first],
        about=_about(pit, table.game),
        seated=bool(own),
        in_hand=any(seat.wagers for seat in own),
        lesson=bool(settings.lesson_seed),
        departure=pit.rulebooks.departure(table.game),
        meters=dict(meters),
        round=table.round,
        phase=phase or table.phase,
    )


class Lobby(msgspec.Struct, frozen=True):
    """The tables that the user may join."""

    tables: list[LobbyTable]


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to open. A player's table is private, for practice."""

    rulebook: str
    pace: TimingPresetName = "practice"
    dealt_by: DealtBy = "automatic"
    submission: dict[str, Any] = msgspec.field(default_factory=dict)
    bots: Annotated[int, msgspec.Meta(ge=0, le=MOST_BOTS)] = 0
    strategy: str = "careful"
    id: str | None = None
    public: bool = False
    link: str = ""
    """The link of meters that a public table joins: a rulebook, or the first id of another table."""
    lesson: bool = False
    """Deal the first hand from the lesson's fixed deck, without bots, under the default submission."""


@post("/api/tables", tags=["tables"])
async def open_table(request: ApiRequest, data: JSONBody[NewTable]) -> dict[str, str]:
    """Open a private table for practice, or, as floor or owner, a public one.

    A public table with a submission or a link takes two people: propose an `opening`.
    """
    identity = request.person
    pit = request.server.pit
    staff = bool(RUNS_TABLES.intersection(identity.roles))
    if (data.public or data.id) and not staff:
        async with request.recording_denials("open a public table"):
            what = "only the floor opens public tables and names tables"
            raise BadInput(Problem(code="policy.role", what=what, value=identity.name, allowed="floor or owner"))
    own_rules = bool(data.submission or data.link)
    if (problem := opening_problem(public=data.public, own_rules=own_rules)) is not None:
        async with request.recording_denials(ALONE):
            raise BadInput(problem)
    game = pit.rulebooks.game(data.rulebook, data.submission)
    seats = game.book.table.seats
    _check_lesson(data)
    if data.bots and data.dealt_by == "physical":
        what = "bots cannot play at a physical table: they do not see its cards"
        raise BadInput.at("bots", "bots.live", what, data.bots, "0")
    if data.bots >= seats:
        raise BadInput.at("bots", "bots.count", "bots must leave one seat free", data.bots)
    settings = TableSettings(
        id=data.id or f"{data.rulebook}-{secrets.token_hex(4)}",  # others cannot guess it
        rulebook=data.rulebook,
        submission=data.submission,
        pace=data.pace,
        dealt_by=data.dealt_by,
        owner="" if data.public else identity.name,
        link=data.link,
        lesson_seed=(await asyncio.to_thread(lesson_of, game)).seed if data.lesson else 0,
    )
    bots = {seats - number: data.strategy for number in range(data.bots)}
    try:
        await pit.create(settings, who=identity.name, bots=bots, most=None if staff else MOST_PRIVATE)
    except Conflict:
        what = "a table had this name before, and its history keeps the name"
        raise BadInput.at("id", "table.exists", what, settings.id, "another name") from None
    return {"id": settings.id}


def _check_lesson(data: NewTable) -> None:
    """Refuse a lesson that other players could play, or whose fixed hand would not be the lesson's."""
    if data.lesson and (data.public or data.bots or data.submission or data.dealt_by != "automatic"):
        what = "a lesson is a private table that the server deals, without bots, under the default submission"
        raise BadInput.at("lesson", "table.lesson", what)


class NewBots(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bots for several free seats, or for one."""

    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_BOTS)] = 1
    seat: int | None = None
    strategy: str = "careful"


@post("/api/tables/{table:str}/bots", tags=["tables"])
async def seat_bots(request: ApiRequest, table: FromPath[str], data: JSONBody[NewBots]) -> dict[str, list[int]]:
    """Seat bots, as a player at the table, its owner or the floor. One seat stays free for other players."""
    pit = request.server.pit
    actor = _table_to_fill(request, table)
    async with actor.bots_lock:
        free = [seat.number for seat in reversed(actor.table.seats) if not seat.player]
        hosted = actor.settings.owner == request.person.name and _sits_at(actor, request.person)
        room = len(free) - (0 if hosted else 1)  # at a private table whose owner sits, no friend has to find a seat
        if room < 1:
            raise BadInput.at("bots", "bots.count", "bots must leave one seat free")
        wanted = free[: min(data.count, room)] if data.seat is None else [data.seat]
        for seat in wanted:
            answer = await pit.seat_bot(actor, seat, data.strategy)
            if answer.problem is not None:
                raise BadInput(answer.problem)
    return {"seats": wanted}


@delete("/api/tables/{table:str}/bots/{seat:int}", tags=["tables"])
async def unseat_bot(request: ApiRequest, table: FromPath[str], seat: PathInt) -> None:
    """Remove a bot between rounds, as a player at the table, its owner or the floor."""
    pit = request.server.pit
    actor = _table_to_fill(request, table)
    if not 1 <= seat <= len(actor.table.seats) or bot_style(actor.table.seat(seat).player) is None:
        raise BadInput.at("seat", "bots.seat", "there is no bot at this seat", seat)
    answer = await pit.unseat_bot(actor, seat)
    if answer.problem is not None:
        raise BadInput(answer.problem)


def _table_to_fill(request: ApiRequest, table: str) -> TableActor:
    """Return a table whose bots the user may seat and remove."""
    actor, identity = request.visible_table(table), request.person
    plays = actor.settings.owner == identity.name or _sits_at(actor, identity)
    runs = not actor.settings.owner and RUNS_TABLES.intersection(identity.roles)
    if not plays and not runs:
        private = actor.settings.owner
        what = "only the owner of this table seats bots" if private else "take a seat first: then you may seat bots"
        raise BadInput.at("table", "bots.whose", what, table)
    return actor


def _sits_at(actor: TableActor, identity: Identity) -> bool:
    return any(seat.player == identity.name for seat in actor.table.seats)


@get("/api/tables/{table:str}/game", tags=["games"])
async def table_game(request: ApiRequest, table: FromPath[str]) -> dict[str, Any]:
    """Return the rules, pay tables and clauses of a table's game, and in `no_advice` why there is no advice on it."""
    game = request.visible_table(table).table.game
    return {**game_for_screen(game), "no_advice": await asyncio.to_thread(_no_advice, game)}


@lru_cache(maxsize=64)
def _no_advice(game: Game) -> str:
    try:
        require_solver(game)
    except BadInput as unsolved:
        return f"There is no advice on {game.book.title}: {unsolved.problems[0].what}."
    return ""


@get("/api/tables/{table:str}/guide", tags=["games"])
async def table_guide(request: ApiRequest, table: FromPath[str]) -> list[Caption]:
    """Return the captions of a guided hand; at a lesson they also advise on its fixed first hand."""
    actor = request.visible_table(table)
    game = actor.table.game
    lesson = await asyncio.to_thread(lesson_of, game) if actor.settings.lesson_seed else None
    fits = lesson is not None and lesson.seed == actor.settings.lesson_seed
    return list(guide_of(game, lesson.advice if lesson is not None and fits else None))


@get("/api/tables/{table:str}/how-to-play", tags=["games"])
async def table_how_to_play(request: ApiRequest, table: FromPath[str]) -> HowToPlay:
    """Return how to play a table's game, with its own limits and pays."""
    return how_to_play(request.visible_table(table).table.game)


@get("/api/games/{rulebook:str}/how-to-play", tags=["games"])
async def rulebook_how_to_play(request: ApiRequest, rulebook: FromPath[str]) -> HowToPlay:
    """Return how to play the game of a rulebook with its default submission."""
    return how_to_play(request.server.rulebooks.game(rulebook))


class RulebookLine(msgspec.Struct, frozen=True):
    """A rulebook in a list."""

    rulebook: str
    title: str
    version: str
    citation: str
    jurisdiction: str


@get("/api/games", tags=["games"])
async def games(request: ApiRequest) -> list[RulebookLine]:
    """List the rulebooks of which tables can be opened."""
    games = map(describe, request.server.rulebooks.games())
    return [RulebookLine(*(game[field] for field in RulebookLine.__struct_fields__)) for game in games]


@get("/api/games/{rulebook:str}", tags=["games"])
async def rulebook_game(request: ApiRequest, rulebook: FromPath[str]) -> dict[str, Any]:
    """Return the rules, pay tables and clauses of a rulebook with its default submission."""
    return game_for_screen(request.server.rulebooks.game(rulebook))


@delete("/api/tables/{table:str}", tags=["tables"])
async def retire_table(request: ApiRequest, table: FromPath[str]) -> None:
    """Close a table for good; its history stays.

    A table with players, or with rules of another version, closes after its round; chips return to the accounts.
    """
    pit, who = request.server.pit, request.person.name
    if table in pit.outdated and request.sees_table(table):
        await pit.close_outdated(table, who=who)
        return
    actor = request.visible_table(table)
    if any(seat.player for seat in actor.table.seats) and not actor.settings.live:
        await pit.close_after_round(table, who=who)
        return
    await pit.retire(table, who=who)


class Removal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The reason why a player has to leave."""

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=r"\S")]


@post("/api/tables/{table:str}/seats/{seat:int}/removal", tags=["tables"], status_code=200)
async def remove_player(
    request: ApiRequest, table: FromPath[str], seat: PathInt, data: JSONBody[Removal]
) -> dict[str, str]:
    """Remove a player: the seat is given up after the round, and the player may not come back to this table."""
    server, actor = request.server, request.visible_table(table)
    player = actor.table.seat(seat).player if 1 <= seat <= len(actor.table.seats) else ""
    if not player or bot_style(player) is not None or actor.settings.live:
        raise BadInput.at("seat", "seat.empty", "no player sits at this seat", seat)
    who = request.person.account
    await server.journal.note(
        PlayerRemoved(by=who, at=server.now(), table=table, seat=seat, player=player, reason=data.reason)
    )
    actor.remove_player(player)
    return {"player": player}
