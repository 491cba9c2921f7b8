"""Closed rounds as the user may see them, and the proofs of events, refusals, clauses and house edges."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Final

import msgspec
from litestar import get
from litestar.params import FromPath, QueryParameter
from msgspec.structs import replace

from crossfelt._util.shared_fields import shared_fields
from crossfelt.analysis.wager_figures import WHOLE
from crossfelt.errors import BadInput
from crossfelt.proof.commitment import Commitment, LeafOpening, WholeOpening
from crossfelt.proof.event_proof import EventProof, Resettled, RuleProof, prove_event, prove_rules, settle_again
from crossfelt.proof.fair_round import DeviceWeights
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.clause_text import ClauseText, clause_text
from crossfelt.server.accounts.policy import sees_everything
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.broadcast.viewer_messages import event_message
from crossfelt.server.core.recovery import RoundIndex, read_seal, readable_row
from crossfelt.server.core.rng import DRAWN, RoundCommitment, weights_in
from crossfelt.server.http.request import ApiRequest, PathInt, QueryInt
from crossfelt.server.pit.actor import TableActor
from crossfelt.table import events as e
from crossfelt.table.views import Viewer, masked

MOST_ROUNDS: Final = 100
Text = Annotated[str, QueryParameter(max_length=400)]
MOST_CITES: Final = 20


class RoundLine(msgspec.Struct, frozen=True, kw_only=True):
    """A closed round in a list."""

    round: int
    outcome: str
    at: int
    net_cents: dict[int, int]
    players: dict[int, str]

    @classmethod
    def of(cls, index: RoundIndex) -> RoundLine:
        return cls(**shared_fields(index, RoundLine), net_cents=index.nets)


class RoundRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A closed round as the user may see it."""

    table: str
    round: int
    outcome: str
    at: int
    events: list[msgspec.Raw]
    commitment: Commitment | None
    openings: tuple[LeafOpening, ...]
    """The proofs of what a viewer saw who did not play the round."""
    opened: WholeOpening | None
    """The whole deck, for those who played the round and for auditors."""
    draws: tuple[DeviceWeights, ...]
    """The weights of wheels and of the draws of progressive systems, with the whole deck."""
    lesson_seed: int
    """The seed of the deck in the first round of a lesson, the same for everybody; 0 for a random deck."""


class TableProof(EventProof, frozen=True, kw_only=True):
    """The proof of an event at a table."""

    table: str
    title: str
    rulebook: str
    version: str
    round: int | None
    seq: int
    number: int


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """The house edge of a wager in the long run, as a fraction of its stakes."""

    title: str
    numerator: str
    denominator: str
    percent: float
    method: str


class WagerEdge(msgspec.Struct, frozen=True, kw_only=True):
    """The house edge of a wager; `whole` is that of the whole game, for a wager of the main game."""

    wager: Edge | None
    whole: Edge | None


@get("/api/tables/{table:str}/rounds", tags=["records"])
async def rounds(request: ApiRequest, table: FromPath[str], last: QueryInt = 10) -> list[RoundLine]:
    """List the last closed rounds of a table, the latest first."""
    actor = request.visible_table(table)
    found = list(actor.memory.rounds)[::-1][: max(0, min(last, MOST_ROUNDS))]
    return [RoundLine.of(it) for it in found]


@get("/api/tables/{table:str}/rounds/{number:int}", tags=["records"])
async def one_round(request: ApiRequest, table: FromPath[str], number: PathInt) -> RoundRecord:
    """Return a closed round with the proofs of what the user saw."""
    actor = request.visible_table(table)
    index = next((it for it in actor.memory.rounds if it.round == number), None)
    if index is None:
        raise BadInput.at("number", "round.unknown", "there is no record of this round", number)
    seen = await seen_in(request, actor, index, request.person)
    fixed = await commitment_of(request, actor, seen)
    whole = bool(index.seats_of(request.person.name)) or sees_everything(request.person)
    return RoundRecord(
        **shared_fields(index, RoundRecord),
        table=table,
        events=[event_message(event, seq, place, actor.table) for seq, place, event in seen],
        commitment=fixed.commitment if fixed else None,
        openings=fixed.openings(event for *_, event in seen) if fixed and not whole else (),
        opened=fixed.tree.whole if fixed and whole else None,
        draws=await draws_of(request, actor, index, seen) if fixed and whole else (),
        lesson_seed=actor.settings.lesson_seed if number == 1 else 0,
    )


async def seen_in(
    request: ApiRequest, actor: TableActor, index: RoundIndex, identity: Identity
) -> list[tuple[int, int, e.Event]]:
    """Return the events of a closed round as a person may see them, with the numbers of their rows and in them."""
    rows = await request.server.store.rows(actor.settings.stream, index.first - 1, index.last - index.first + 1)
    own = index.seats_of(identity.name)
    whole = sees_everything(identity)
    return [
        (stored.seq, number, event if whole and not isinstance(event, e.DeckShuffled) else masked(event, own))
        for stored in rows
        for number, event in enumerate(readable_row(stored).events, start=1)
    ]


async def commitment_of(
    request: ApiRequest, actor: TableActor, seen: Iterable[tuple[int, int, e.Event]]
) -> RoundCommitment | None:
    """Return the commitment of a round: that of its last loaded deck, which may have been cut again."""
    loaded = [seq for seq, _, event in seen if isinstance(event, e.DeckLoaded)]
    stored = await request.server.store.find(actor.settings.seals, f"seal-{loaded[-1]}") if loaded else None
    return RoundCommitment.of(read_seal(stored)) if stored else None


async def draws_of(
    request: ApiRequest, actor: TableActor, index: RoundIndex, seen: Iterable[tuple[int, int, e.Event]]
) -> tuple[DeviceWeights, ...]:
    """Return the weights of a round's draws. The round is replayed if there are any: they depend on the bets."""
    if not any(type(event) in DRAWN for *_, event in seen):
        return ()
    replayed = await request.server.casebook.reopened(actor.settings.stream, index.round)
    before = {step.seq: step.before for step in reversed(replayed.steps)}
    return tuple(
        weights
        for step in replayed.steps
        for weights in weights_in(f"{step.seq}.{step.number}", step.event, before[step.seq])
    )


# --- proofs -----------------------------------------------------------------------------------------------------------


@get("/api/tables/{table:str}/proof/{event:str}", tags=["records"])
async def proof(request: ApiRequest, table: FromPath[str], event: FromPath[str]) -> TableProof:
    """Return the proof of an event, named by its row and its number in the row: `412.3`.

    Players are told no card that they could not see. Auditors are told every card of a closed round.
    """
    whole = sees_everything(request.person)
    actor = None if whole else request.visible_table(table)  # of a hidden table nothing else is said
    seq, number = _place(event)
    if whole and (found := await _closed_round(request, table, seq, number)) is not None:
        return found
    return await _own_round(request, actor or request.visible_table(table), seq, number)


@get("/api/tables/{table:str}/rules", tags=["games"])
async def rules(request: ApiRequest, table: FromPath[str], cites: Text = "", house_rule: Text = "") -> RuleProof:
    """Return the rules of a table's game behind a refusal: `cites` are its clauses and readings, with commas."""
    named = [name for name in cites.split(",") if name][:MOST_CITES]
    return prove_rules(named, request.visible_table(table).table.game, house_rule)


@get("/api/tables/{table:str}/edge/{wager:str}", tags=["games"])
async def edge(request: ApiRequest, table: FromPath[str], wager: FromPath[str]) -> WagerEdge:
    """Return the house edge of a wager, computed in a worker process."""
    game = request.visible_table(table).table.game
    if not game.offers(wager):
        raise BadInput.at("wager", "wager.unknown", "no such wager at this table", wager)
    found = await request.server.studies.of_wager(game, wager, request.person.account)
    figures = {figure["wager"]: figure for figure in found}
    return WagerEdge(wager=_edge(figures.get(wager)), whole=_edge(figures.get(WHOLE)))


@get("/api/clauses/{clause:str}", tags=["games"])
async def clause(clause: FromPath[str]) -> ClauseText:
    """Return a clause or adopted reading with its citation, its tests, and the rules of other documents."""
    return clause_text(clause)


def _place(event: str) -> tuple[int, int]:
    seq, _, number = event.partition(".")
    if not (seq.isdecimal() and number.isdecimal() and len(event) < 20):
        what = "name an event by its row and its number in the row"
        raise BadInput.at("event", "event.unknown", what, event, "such as 412.3")
    return int(seq), int(number)


def _unknown(seq: int, number: int) -> BadInput:
    return BadInput.at("event", "event.unknown", "there is no record of this event", f"{seq}.{number}")


async def _closed_round(request: ApiRequest, table: str, seq: int, number: int) -> TableProof | None:
    """Return the proof of an event in a closed round, with every card; None where no closed round has it."""
    casebook, stream = request.server.casebook, f"table/{table}"
    index = _round_with((await casebook.volume(stream)).rounds, seq)
    if index is None:
        return None
    replayed = await casebook.reopened(stream, index.round)
    step = next((step for step in replayed.steps if (step.seq, step.number) == (seq, number)), None)
    if step is None:
        raise _unknown(seq, number)
    again = Resettled(step.complaints, step.due)
    event = masked(step.event, ()) if isinstance(step.event, e.DeckShuffled) else step.event
    found = await asyncio.to_thread(prove_event, event, replayed.game, again, step=step.before.step)
    return _at_table(found, table, replayed.game, index.round, seq, number)


async def _own_round(request: ApiRequest, actor: TableActor, seq: int, number: int) -> TableProof:
    """Return the proof of an event as a person at the table saw it: in a closed or the open round, or between two."""
    name, store, stream = request.person.name, request.server.store, actor.settings.stream
    players: Mapping[int, str] = {}
    own: Collection[int] = ()
    round_, since = None, seq
    if (index := _round_with(actor.memory.rounds, seq)) is not None:
        players, own, round_, since = index.players, index.seats_of(name), index.round, index.first
    elif (open_rows := actor.memory.round_rows) and (at := [row for row in open_rows if row.seq == seq]):
        players = {seat.number: seat.player for seat in open_rows[0].before.seats if seat.player}
        own = {seat.number for seat in at[0].before.seats if Viewer("player", name).holds(seat)}
        round_, since = open_rows[0].after.round, open_rows[0].seq
    stored = await store.rows(stream, since - 1, seq - since + 1)
    rows = [readable_row(row).events for row in stored]
    if not rows or not 1 <= number <= len(rows[-1]):
        raise _unknown(seq, number)
    events = [*(event for row in rows[:-1] for event in row), *rows[-1][:number]]
    found = await asyncio.to_thread(_prove_last, events, actor.table.game, players, own)
    return _at_table(found, actor.settings.id, actor.table.game, round_, seq, number)


def _prove_last(events: Sequence[e.Event], game: Game, players: Mapping[int, str], own: Collection[int]) -> EventProof:
    """Prove the last of a round's events, to the player of some seats."""
    steps = [event.step for event in events if isinstance(event, e.StepEntered)]
    again = settle_again(game, players, events)
    seat: int = getattr(events[-1], "seat", None) or 0
    found = prove_event(
        masked(events[-1], own),
        game,
        again[-1],
        step=steps[-1] if steps else "",
        you=seat if seat in own else min(own, default=0),
    )
    return replace(found, second=replace(found.second, complaints=()) if found.second else None)


def _round_with(rounds: Iterable[RoundIndex], seq: int) -> RoundIndex | None:
    return next((index for index in rounds if index.first <= seq <= index.last), None)


def _at_table(found: EventProof, table: str, game: Game, round_: int | None, seq: int, number: int) -> TableProof:
    book = game.book
    return TableProof(
        **msgspec.structs.asdict(found),
        table=table,
        title=book.title,
        rulebook=book.id,
        version=book.version,
        round=round_,
        seq=seq,
        number=number,
    )


def _edge(figure: Mapping[str, Any] | None) -> Edge | None:
    if figure is None:
        return None
    returned = figure["returned"]
    share = 1 - Fraction(int(returned["numerator"]), int(returned["denominator"]))
    return Edge(
        title=figure["title"],
        numerator=str(share.numerator),
        denominator=str(share.denominator),
        percent=float(100 * share),
        method=figure["method"],
    )
