"""The floor supervisor's view: tables, decks, devices, pending decisions, irregularities and alarms."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Annotated, Any, Final

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery, JSONBody

from crossfelt._util.shared_fields import shared_fields
from crossfelt.play.consequences import ruled_void
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.json import whose_rules
from crossfelt.rulebooks.render.phrases import as_words, irregularity_title, outcome_words
from crossfelt.server.core.bots import bot_style
from crossfelt.server.dealer_desk.irregularities import Trouble, Where, possible_irregularities
from crossfelt.server.http.middleware.proxy import ask_peers
from crossfelt.server.http.request import MAX_INTEGER, ApiRequest
from crossfelt.server.http.routes.meters import accounts_of_meters
from crossfelt.server.http.routes.revenue import State, tables_of
from crossfelt.server.journal.events import AlarmsAcknowledged
from crossfelt.server.journal.stream import Alarm
from crossfelt.server.pit.actor import TableActor
from crossfelt.table.acts.floor import rulings
from crossfelt.table.commands import Role
from crossfelt.table.records import TableRecords, records_of
from crossfelt.table.state import TableState, step_of
from crossfelt.table.views import DeckView, Viewer, view

OF_TABLES: Final = ("table", "seal", "meter")
"""The streams that are named after a table; shared meters are named after their rulebook."""


class PendingDecision(msgspec.Struct, frozen=True, kw_only=True):
    """The decision that the floor must make before the round continues."""

    title: str
    seat: int | None
    place: str | None
    follows: str
    void: str
    """The consequence of a void, in words; empty if the floor cannot rule so."""
    clauses: tuple[str, ...]
    """Clauses and adopted readings."""


class FloorTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the floor sees it, without cards."""

    id: str
    rulebook: str
    title: str
    jurisdiction: str
    pace: str
    dealt_by: str
    coming: str
    """The person who approved a new submission: the table closes after the round. Empty if there is none."""
    closing: str
    """The person who closes the table for good after the round; empty if there is none."""
    departure: str
    """The difference between the table's rules and the file of its rulebook; empty if there is none."""
    phase: str
    round: int
    doing: str
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
    waits: PendingDecision | None
    halted: bool
    held: str
    """Why a meter refuses the next step of the round; empty if none does."""
    postponed: tuple[str, ...]
    """Acts that an account refuses for now: an absent player's departure, or the closing of the table."""
    papers: tuple[int, ...]
    meters: Mapping[str, Any]


class KnownTable(msgspec.Struct, frozen=True, kw_only=True):
    """A public table of any process, or one that is closed for good."""

    id: str
    title: str
    state: State


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    now: int
    tables: tuple[FloorTable, ...]
    private: int
    shut: tuple[str, ...]
    """Tables that cannot be read, as far as the user may see them."""
    outdated: tuple[str, ...]
    """Tables opened under rules of another version, which wait to be closed, as far as the user may see them."""
    known: tuple[KnownTable, ...]
    """All tables that have figures."""
    rulebooks: Mapping[str, str]


class Irregularity(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity, and its consequence in this jurisdiction."""

    kind: str
    case: str
    title: str
    follows: str
    clauses: tuple[str, ...]
    readings: tuple[str, ...]
    house_rule: str
    two_people: bool
    """True if it can occur now and needs a second person's approval."""
    wheres: tuple[Where, ...] = ()
    """The places at which it can be proposed now."""
    counts: bool = False
    """True if the report must state the number of cards counted."""


@get("/api/floor", tags=["floor"])
async def floor(request: ApiRequest, here: FromQuery[bool] = False) -> Floor:
    """List the public tables as the floor sees them; `here` lists those of this process only."""
    server = request.server
    own = [actor for actor in server.pit if not actor.settings.owner]
    others = () if here else await ask_peers(request, "/api/floor", Floor)
    tables = [*(_listed(request, actor) for actor in own), *(table for other in others for table in other.tables)]
    shut, outdated = (
        {it for it in of if request.sees_table(it)} for of in (server.pit.unreadable, server.pit.outdated)
    )
    titles = {name: server.rulebooks.find(name).title for name in server.rulebooks.ids}
    return Floor(
        now=server.now(),
        tables=tuple(sorted(tables, key=lambda table: table.id)),
        private=len(server.pit.actors) - len(own) + sum(other.private for other in others),
        shut=tuple(sorted(shut.union(*(other.shut for other in others)))),
        outdated=tuple(sorted(outdated.union(*(other.outdated for other in others)))),
        known=tuple(
            # The rulebook of a closed table may no longer exist in this version.
            KnownTable(id=settings.id, title=titles.get(settings.rulebook, settings.rulebook), state=state)
            for state, settings in await tables_of(server)
            if state != "shut"
        ),
        rulebooks=titles,
    )


@get("/api/tables/{table:str}/irregularities", tags=["floor"])
async def irregularities(request: ApiRequest, table: FromPath[str]) -> list[Irregularity]:
    """List all irregularities of a table's game; for those that can occur now, with the consequence at this step."""
    actor = request.visible_table(table)
    reporters: tuple[Role, ...] = ("dealer", "floor")
    live = actor.settings.live
    now = [
        trouble for role in reporters for trouble in possible_irregularities(actor.table, actor.now(), role, live=live)
    ]
    return list(_irregularities(actor.table.game, {trouble.id: trouble for trouble in now}))


@get("/api/tables/{table:str}/records", tags=["floor"])
async def records(request: ApiRequest, table: FromPath[str]) -> TableRecords:
    """Return the check of the table's fittings, and the life of its decks and of those that left it last."""
    return records_of(request.visible_table(table).table)


def _irregularities(game: Game, now: Mapping[str, Trouble]) -> Iterator[Irregularity]:
    for kind, cases in game.book.irregularities.items():
        for case, outcome in cases.items():
            trouble = now.get(f"{kind}.{case}")
            yield Irregularity(
                kind=kind,
                case=case,
                title=irregularity_title(kind, case),
                follows=trouble.follows if trouble else outcome_words(outcome.then),
                **shared_fields(outcome, Irregularity),
                two_people=trouble is not None and trouble.two_people,
                wheres=trouble.wheres if trouble and trouble.two_people else (),
                counts=trouble is not None and trouble.counts,
            )


def _listed(request: ApiRequest, actor: TableActor) -> FloorTable:
    table, settings = actor.table, actor.settings
    game, seen = table.game, view(table, Viewer("floor"))
    coming = request.server.pit.approved_changes.get(settings.id)
    posted = [wager.stake.posted for wager in (*game.first_wagers, *game.wagers) if wager.stake.posted]
    players = [seat.player for seat in table.seats if seat.player]
    step = step_of(table)
    shared = shared_fields(seen, FloorTable) | shared_fields(settings, FloorTable)
    return FloorTable(
        **shared | {"seats": len(table.seats)},
        title=game.book.title,
        jurisdiction=whose_rules(game.book),
        coming=coming.by if coming else "",
        closing=request.server.pit.closed_by.get(settings.id, ""),
        departure=request.server.rulebooks.departure(game),
        doing="between rounds" if step is None else as_words(step.id),
        people=tuple(player for player in players if bot_style(player) is None),
        bots=sum(bot_style(player) is not None for player in players),
        limits={name: msgspec.to_builtins(game.limits(name)) for name in dict.fromkeys(posted)},
        in_play=seen.deck,
        rounds_since_count=table.rounds_since_count,
        count_every=game.number("stub_count_every"),
        waits=_waits(table, actor.now()),
        held=actor.held or ("an irregularity waits for two people" if actor.stopped else ""),
        postponed=actor.scheduler.retries.messages,
        meters=dict(actor.meters.amounts),
    )


def _waits(table: TableState, now: int) -> PendingDecision | None:
    if table.pending is None:
        return None
    pending = table.pending
    outcome = table.game.book.irregularities[pending.kind][pending.case]
    return PendingDecision(
        title=irregularity_title(pending.kind, pending.case),
        seat=pending.seat,
        place=pending.place,
        follows=outcome_words(outcome.then),
        void=ruled_void(table, now).words() if "void" in rulings(table) else "",
        clauses=(*outcome.clauses, *outcome.readings),
    )


# --- alarms -----------------------------------------------------------------------------------------------------------


class Acknowledgement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time of the latest alarm that was seen."""

    until: Annotated[int, msgspec.Meta(ge=0, le=MAX_INTEGER)]


@get("/api/floor/alarms", tags=["floor"])
async def alarms(request: ApiRequest) -> list[Alarm]:
    """List what needs a person: alarms with a lasting cause, then events that the floor has not acknowledged."""
    return await _alarms(request)


@post("/api/floor/alarms/acknowledgement", tags=["floor"], status_code=200)
async def acknowledge(request: ApiRequest, data: JSONBody[Acknowledgement]) -> list[Alarm]:
    """Acknowledge the events up to a time. The journal records it, and the rest of the alarms is returned."""
    server = request.server
    until = min(data.until, server.now())
    await server.journal.note(AlarmsAcknowledged(by=request.person.account, at=server.now(), until=until))
    return await _alarms(request)


async def _alarms(request: ApiRequest) -> list[Alarm]:
    """Return all alarms; events come last, the latest first."""
    await request.server.dual_control.expire()
    journal = await request.server.journal.now()
    return [*[alarm async for alarm in _lasting(request)], *reversed(journal.alarms)]


async def _lasting(request: ApiRequest) -> AsyncIterator[Alarm]:
    """Yield the alarms that last until their cause is gone."""
    server = request.server
    for finding in server.checked.findings if server.checked is not None else ():
        kind, _, name = finding.stream.partition("/")
        owner = name.partition("/")[0]
        if kind in OF_TABLES and owner not in server.rulebooks.ids and not request.sees_table(owner):
            yield Alarm(kind="record", what="The record of a private table was altered.")
            continue
        yield Alarm(kind="record", subject=finding.stream, what=f"The record was altered: {finding}.")
    if server.house is not None and server.house.findings:
        yield Alarm(kind="record", what="The house does not add up. The audit page says where.")
    for account in await accounts_of_meters(server):
        if account.findings:
            yield Alarm(kind="meter", subject=account.meter, what="The meter does not reconcile with its entries.")
    for fault in server.changed_files:
        yield Alarm(kind="software", what=f"A file departs from the manifest: {fault}.")
