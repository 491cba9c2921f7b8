"""The lobby and the tables."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, Final

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from crossfelt.errors import BadInput, Problem
from crossfelt.play.posted_notice import game_for_screen
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import load_shipped, rulebook_ids
from crossfelt.rulebooks.render.json import describe
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.core.bots import bot_style
from crossfelt.server.core.settings import DealtBy, TableSettings, TimingPresetName
from crossfelt.server.http.middleware.auth import (
    Asking,
    Number,
    asker,
    noting_refusals,
    sees_table,
    server_of,
    visible_table,
)
from crossfelt.server.http.middleware.proxy import told_elsewhere
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.store.interface import Conflict
from crossfelt.table.state import TableState, new_table

MOST_BOTS: Final = 6
RUNS_TABLES: Final = frozenset({"floor", "owner"})
MOST_PRIVATE: Final = 12
"""Tables of their own that somebody may have at a time; those that are left are closed after a while."""
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
    seats: int
    taken: int
    people: int
    limits: dict[str, dict[str, int]]
    meters: dict[str, Any]
    round: int
    phase: str
    """`closed` or `open`; `held` while what comes next waits for the floor to see to it; `moving` while another process
    takes the table over, and who sits there is not known yet."""


@get("/api/lobby", tags=["tables"])
async def lobby(request: Asking, here: FromQuery[bool] = False) -> Lobby:
    """Tables that are open to whoever asks: the house's, and one's own; `here` for those of this process alone."""
    identity = request.scope["user"]
    name = identity.name if identity else ""
    pit = server_of(request).pit
    tables = [
        _listed(actor.table, actor.settings, name, actor.meters.amounts, phase=HELD if actor.held else "")
        for actor in pit
        if actor.settings.owner in ("", name)
    ]
    if here:
        return Lobby(tables)
    elsewhere = [table for there in await told_elsewhere(request, "/api/lobby", Lobby) for table in there.tables]
    tables += sorted(elsewhere, key=lambda table: table.id)
    listed = {table.id for table in tables}
    for settings in pit.settings.values():
        if settings.owner in ("", name) and settings.id not in listed | pit.unplayable:
            with suppress(BadInput):  # this version has no game for it
                game = settings.compile()
                amounts = pit.meters.linked(settings, game).amounts
                tables.append(_listed(new_table(game), settings, name, amounts, phase=BETWEEN_PROCESSES))
    return Lobby(tables)


def _listed(
    table: TableState, settings: TableSettings, name: str, meters: Mapping[str, Any], *, phase: str = ""
) -> LobbyTable:
    taken = [seat for seat in table.seats if seat.player]
    posted = {wager.stake.posted for wager in table.game.wagers if wager.stake.posted}
    limits = {name: table.game.limits(name) for name in sorted(posted)}
    return LobbyTable(
        id=settings.id,
        rulebook=settings.rulebook,
        game=table.game.book.game,
        title=table.game.book.title,
        jurisdiction=describe(table.game)["jurisdiction"],
        version=table.game.book.version,
        pace=settings.pace,
        dealt_by=settings.dealt_by,
        yours=bool(name) and settings.owner == name,
        seats=len(table.seats),
        taken=len(taken),
        people=sum(bot_style(seat.player) is None for seat in taken),
        limits={name: {"min": limit.min, "max": limit.max, "step": limit.step} for name, limit in limits.items()},
        meters=dict(meters),
        round=table.round,
        phase=phase or table.phase,
    )


class Lobby(msgspec.Struct, frozen=True):
    """Every table one may come to."""

    tables: list[LobbyTable]


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be opened; a player's is private, and for practice."""

    rulebook: str
    pace: TimingPresetName = "practice"
    dealt_by: DealtBy = "automatic"
    submission: dict[str, Any] = msgspec.field(default_factory=dict)
    bots: Annotated[int, msgspec.Meta(ge=0, le=MOST_BOTS)] = 0
    strategy: str = "simple"
    id: str | None = None
    public: bool = False


@post("/api/tables", tags=["tables"])
async def open_table(request: Asking, data: JSONBody[NewTable]) -> dict[str, str]:
    """Opens a table: a private one for practice, or, for the floor, one of the house."""
    identity = asker(request)
    pit = server_of(request).pit
    staff = bool(RUNS_TABLES.intersection(identity.roles))
    if (data.public or data.id) and not staff:
        async with noting_refusals(request, "open a table of the house"):
            what = "only the floor opens tables of the house"
            raise BadInput(Problem(code="policy.role", what=what, value=identity.name, allowed="floor or owner"))
    seats = compile_game(load_shipped(data.rulebook), data.submission).book.table.seats
    if data.bots and data.dealt_by == "physical":
        what = "bots have no eyes for the cards of a live table"
        raise BadInput(Problem(code="bots.live", what=what, where="bots", value=data.bots, allowed="0"))
    if data.bots >= seats:
        problem = Problem(code="bots.count", what="no seat would be left", where="bots", value=data.bots)
        raise BadInput(problem)
    settings = TableSettings(
        id=data.id or pit.free_id(data.rulebook),
        rulebook=data.rulebook,
        submission=data.submission,
        pace=data.pace,
        dealt_by=data.dealt_by,
        owner="" if data.public else identity.name,
    )
    bots = {seats - number: data.strategy for number in range(data.bots)}
    try:
        await pit.create(settings, who=identity.name, bots=bots, most=None if staff else MOST_PRIVATE)
    except Conflict:
        what = "a table of this name was there before, and its history keeps the name"
        taken = Problem(code="table.exists", what=what, where="id", value=settings.id, allowed="another name")
        raise BadInput(taken) from None
    return {"id": settings.id}


class NewBots(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bots for some seats, or for one."""

    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_BOTS)] = 1
    seat: int | None = None
    strategy: str = "simple"


@post("/api/tables/{table:str}/bots", tags=["tables"])
async def seat_bots(request: Asking, table: FromPath[str], data: JSONBody[NewBots]) -> dict[str, list[int]]:
    """Bots fill seats, for who sits at the table, whose table it is, or the floor; others find a seat left."""
    pit = server_of(request).pit
    actor = _table_to_fill(request, table)
    async with actor.bots_lock:
        free = [seat.number for seat in reversed(actor.table.seats) if not seat.player]
        room = len(free) - _kept_free(actor, asker(request))
        if room < 1:
            raise BadInput(Problem(code="bots.count", what="no seat would be left", where="bots"))
        wanted = free[: min(data.count, room)] if data.seat is None else [data.seat]
        for seat in wanted:
            answer = await pit.seat_bot(actor, seat, data.strategy)
            if answer.problem is not None:
                raise BadInput(answer.problem)
    return {"seats": wanted}


@delete("/api/tables/{table:str}/bots/{seat:int}", tags=["tables"])
async def unseat_bot(request: Asking, table: FromPath[str], seat: Number) -> None:
    """A bot gets up, between rounds, for those who may have bots sit down."""
    pit = server_of(request).pit
    actor = _table_to_fill(request, table)
    if not 1 <= seat <= len(actor.table.seats) or bot_style(actor.table.seat(seat).player) is None:
        raise BadInput(Problem(code="bots.seat", what="no bot sits there", where="seat", value=seat))
    answer = await pit.unseat_bot(actor, seat)
    if answer.problem is not None:
        raise BadInput(answer.problem)


def _table_to_fill(request: Asking, table: str) -> TableActor:
    """A table whose bots are the affair of whoever asks."""
    actor, identity = visible_table(request, table), asker(request)
    theirs = actor.settings.owner == identity.name or _sits_at(actor, identity)
    runs_it = not actor.settings.owner and RUNS_TABLES.intersection(identity.roles)
    if not theirs and not runs_it:
        own = actor.settings.owner
        what = (
            "bots come and go for who has this table" if own else "bots come and go for who sits there: sit down first"
        )
        raise BadInput(Problem(code="bots.whose", what=what, where="table", value=table))
    return actor


def _kept_free(actor: TableActor, identity: Identity) -> int:
    """How many seats bots leave: one for whoever comes, unless nobody can who has none."""
    return 0 if actor.settings.owner == identity.name and _sits_at(actor, identity) else 1


def _sits_at(actor: TableActor, identity: Identity) -> bool:
    return any(seat.player == identity.name for seat in actor.table.seats)


@get("/api/tables/{table:str}/game", tags=["games"])
async def table_game(request: Asking, table: FromPath[str]) -> dict[str, Any]:
    """The rules, pay tables and clauses of a table's game, for a screen."""
    return game_for_screen(visible_table(request, table).table.game)


class RulebookLine(msgspec.Struct, frozen=True):
    """A rulebook, in one line."""

    rulebook: str
    title: str
    version: str
    citation: str
    jurisdiction: str


@get("/api/games", tags=["games"])
async def games() -> list[RulebookLine]:
    """The rulebooks that tables can be opened with."""
    told = [describe(compile_game(load_shipped(name))) for name in rulebook_ids()]
    return [RulebookLine(*(game[field] for field in RulebookLine.__struct_fields__)) for game in told]


@get("/api/games/{rulebook:str}", tags=["games"])
async def rulebook_game(rulebook: FromPath[str]) -> dict[str, Any]:
    """The same of a rulebook with its default submission."""
    return game_for_screen(compile_game(load_shipped(rulebook)))


@delete("/api/tables/{table:str}", tags=["tables"])
async def retire_table(request: Asking, table: FromPath[str]) -> None:
    """Closes a table for good; its history stays. One that was opened under rules which this version does not have is
    closed once its round is over, and its chips go back to the accounts."""
    pit, who = server_of(request).pit, asker(request).name
    if table in pit.outdated and sees_table(request, table):
        await pit.close_outdated(table, who=who)
        return
    actor = visible_table(request, table)
    if any(seat.player for seat in actor.table.seats):
        raise BadInput(Problem(code="table.seated", what="players still sit at the table", where="table", value=table))
    await pit.retire(table, who=who)


HANDLERS: Final = (lobby, open_table, retire_table, seat_bots, unseat_bot, table_game, games, rulebook_game)
