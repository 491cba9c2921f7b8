"""The floor: every table of the house with its cards, devices and what waits, and what follows from what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from litestar import get
from litestar.params import FromPath, FromQuery

from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.loader import load_shipped, rulebook_ids
from crossfelt.rulebooks.render.json import describe
from crossfelt.rulebooks.render.phrases import as_words, irregularity_title, outcome_words
from crossfelt.server.core.bots import bot_style
from crossfelt.server.dealer_desk.irregularities import Trouble, Where, possible_irregularities
from crossfelt.server.http.middleware.auth import Asking, sees_table, server_of, visible_table
from crossfelt.server.http.middleware.proxy import told_elsewhere
from crossfelt.server.http.routes.revenue import State, tables_of
from crossfelt.server.pit.actor import TableActor
from crossfelt.table.commands import Role
from crossfelt.table.records import TableRecords, records_of
from crossfelt.table.state import TableState, step_of
from crossfelt.table.views import DeckView, Viewer, view


class Waits(msgspec.Struct, frozen=True, kw_only=True):
    """What the floor must decide before a round goes on."""

    title: str
    seat: int | None
    place: str | None
    follows: str
    clauses: tuple[str, ...]
    """Clauses and adopted readings."""


class FloorTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the floor looks after it; no card is told."""

    id: str
    rulebook: str
    title: str
    jurisdiction: str
    pace: str
    dealt_by: str
    coming: str
    """Who agreed to another submission: the table closes after the round; empty where none waits."""
    phase: str
    round: int
    doing: str
    """The step of the round."""
    seats: int
    people: tuple[str, ...]
    bots: int
    tray_cents: int
    limits: Mapping[str, Mapping[str, int]]
    decks: tuple[DeckView, ...]
    in_play: str
    devices: Mapping[str, str]
    dealing: str
    shuffling: str
    stub_cards: int
    count_due: bool
    rounds_since_count: int
    count_every: int
    waits: Waits | None
    halted: bool
    held: str
    """Why what comes next is refused, where it is: by a meter that does not believe it."""
    postponed: tuple[str, ...]
    """What an account refuses while the table goes on: that a player who is gone leaves, or that the table closes."""
    papers: tuple[int, ...]
    meters: Mapping[str, Any]


class KnownTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the house, in whichever process it is, also one that is closed for good."""

    id: str
    title: str
    state: State


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    now: int
    tables: tuple[FloorTable, ...]
    private: int
    """How many tables guests have for themselves."""
    shut: tuple[str, ...]
    """Tables that cannot be read; of private ones those that whoever asks may see."""
    outdated: tuple[str, ...]
    """Tables that were opened under rules which this version does not have, and wait to be closed; the same."""
    known: tuple[KnownTable, ...]
    """All of the house whose figures can be had."""
    rulebooks: Mapping[str, str]
    """What a table can be opened with, by id."""


class Mishap(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can go wrong, and what this jurisdiction makes of it."""

    kind: str
    case: str
    title: str
    follows: str
    clauses: tuple[str, ...]
    readings: tuple[str, ...]
    house_rule: str
    two_people: bool
    """Whether the floor does not report it, but proposes it to a second person: now, where it can happen now."""
    wheres: tuple[Where, ...] = ()
    """What can be proposed now, place by place."""
    counts: bool = False
    """Whether the cards counted have to be named."""


@get("/api/floor", tags=["floor"])
async def floor(request: Asking, here: FromQuery[bool] = False) -> Floor:
    """The tables of the house, as the floor looks after them; `here` for those of this process alone."""
    server = server_of(request)
    own = [actor for actor in server.pit if not actor.settings.owner]
    told = () if here else await told_elsewhere(request, "/api/floor", Floor)
    tables = [*(_listed(request, actor) for actor in own), *(table for there in told for table in there.tables)]
    shut, outdated = (
        {it for it in of if sees_table(request, it)} for of in (server.pit.unreadable, server.pit.outdated)
    )
    titles = {name: load_shipped(name).title for name in rulebook_ids()}
    return Floor(
        now=server.now(),
        tables=tuple(sorted(tables, key=lambda table: table.id)),
        private=len(server.pit.actors) - len(own) + sum(there.private for there in told),
        shut=tuple(sorted(shut.union(*(there.shut for there in told)))),
        outdated=tuple(sorted(outdated.union(*(there.outdated for there in told)))),
        known=tuple(
            # One that was closed may have gone by a rulebook that this version does not have any more.
            KnownTable(id=settings.id, title=titles.get(settings.rulebook, settings.rulebook), state=state)
            for state, settings in await tables_of(server)
            if state != "shut"
        ),
        rulebooks=titles,
    )


@get("/api/tables/{table:str}/irregularities", tags=["floor"])
async def irregularities(request: Asking, table: FromPath[str]) -> list[Mishap]:
    """Everything that can go wrong at a table, and what follows: at this point of a round, where it can happen now."""
    actor = visible_table(request, table)
    reporters: tuple[Role, ...] = ("dealer", "floor")
    live = actor.settings.live
    now = [
        trouble for role in reporters for trouble in possible_irregularities(actor.table, actor.now(), role, live=live)
    ]
    return list(_mishaps(actor.table.game, {trouble.id: trouble for trouble in now}))


@get("/api/tables/{table:str}/records", tags=["floor"])
async def records(request: Asking, table: FromPath[str]) -> TableRecords:
    """The check of the table's fittings, and the life of its decks and of those that left it last."""
    return records_of(visible_table(request, table).table)


def _mishaps(game: Game, now: Mapping[str, Trouble]) -> Iterator[Mishap]:
    for kind, cases in game.book.irregularities.items():
        for case, outcome in cases.items():
            trouble = now.get(f"{kind}.{case}")
            yield Mishap(
                kind=kind,
                case=case,
                title=irregularity_title(kind, case),
                follows=trouble.follows if trouble else outcome_words(outcome.then),
                clauses=outcome.clauses,
                readings=outcome.readings,
                house_rule=outcome.house_rule,
                two_people=trouble is not None and trouble.two_people,
                wheres=trouble.wheres if trouble and trouble.two_people else (),
                counts=trouble is not None and trouble.counts,
            )


def _listed(request: Asking, actor: TableActor) -> FloorTable:
    table, settings = actor.table, actor.settings
    game, seen = table.game, view(table, Viewer("floor"))
    coming = server_of(request).pit.approved_changes.get(settings.id)
    posted = {wager.stake.posted for wager in game.wagers if wager.stake.posted}
    players = [seat.player for seat in table.seats if seat.player]
    return FloorTable(
        id=settings.id,
        rulebook=settings.rulebook,
        title=game.book.title,
        jurisdiction=describe(game)["jurisdiction"],
        pace=settings.pace,
        dealt_by=settings.dealt_by,
        coming=coming.by if coming else "",
        phase=table.phase,
        round=table.round,
        doing=_doing(table),
        seats=len(table.seats),
        people=tuple(player for player in players if bot_style(player) is None),
        bots=sum(bot_style(player) is not None for player in players),
        tray_cents=seen.tray_cents,
        limits={name: msgspec.to_builtins(game.limits(name)) for name in sorted(posted)},
        decks=seen.decks,
        in_play=seen.deck,
        devices=seen.devices,
        dealing=seen.dealing,
        shuffling=seen.shuffling,
        stub_cards=seen.stub_cards,
        count_due=seen.count_due,
        rounds_since_count=table.rounds_since_count,
        count_every=game.number("stub_count_every"),
        waits=_waits(table),
        halted=seen.halted,
        held=actor.held,
        postponed=actor.scheduler.retries.messages,
        papers=seen.papers,
        meters=dict(actor.meters.amounts),
    )


def _doing(table: TableState) -> str:
    step = step_of(table)
    return "between rounds" if step is None else as_words(step.id)


def _waits(table: TableState) -> Waits | None:
    if table.pending is None:
        return None
    pending = table.pending
    outcome = table.game.book.irregularities[pending.kind][pending.case]
    return Waits(
        title=irregularity_title(pending.kind, pending.case),
        seat=pending.seat,
        place=pending.place,
        follows=outcome_words(outcome.then),
        clauses=(*outcome.clauses, *outcome.readings),
    )


HANDLERS: Final = (floor, irregularities, records)
