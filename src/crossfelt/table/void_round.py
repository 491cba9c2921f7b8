"""Rounds without a result: void, with every wager returned, or called off before the deal."""

from __future__ import annotations

from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.model import Irregularity, Outcome
from crossfelt.rulebooks.script import Discard, OfferBank, OpenBets
from crossfelt.table import events as e
from crossfelt.table.escrow import release_bank
from crossfelt.table.events import Abandoned
from crossfelt.table.flow import go_to
from crossfelt.table.meter_claims import reverse_contributions
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import Seat, TableState, step_of


def _settled(seat: Seat) -> bool:
    return bool(seat.placed.keys() - seat.wagers.keys() - seat.forfeited.keys())


def owed_by_void(table: TableState) -> int:
    """Return the cents that the tray must keep for the wagers of folded hands."""
    return sum(sum(seat.forfeited.values()) for seat in table.seats)


def void_round(
    recorder: EventRecorder, kind: str, outcome: Irregularity, then: tuple[Outcome, ...] | None = None
) -> None:
    """Voids the round and gives back every wager, also those that folds had already forfeited.

    No document takes back a payment: what was settled before the mishap was found stands, by the house rule of
    `void_returns_wagers`.
    """
    returns = recorder.table.game.book.settings["void_returns_wagers"]
    rule = returns.house_rule if any(_settled(seat) for seat in recorder.table.seats) else outcome.house_rule
    recorder.emit(e.RoundVoided, outcome, kind=kind, then=then or outcome.then, house_rule=rule)
    clauses = outcome.clauses or returns.clauses
    readings = outcome.readings or returns.readings
    for seat in recorder.table.seats:
        if seat.wagers or seat.forfeited:
            recorder.emit(
                e.WagersReturned,
                seat=seat.number,
                wagers=dict(seat.wagers),
                forfeited=dict(seat.forfeited),
                clauses=clauses,
                readings=readings,
            )
    release_bank(recorder)
    reverse_contributions(recorder)
    go_to(recorder, Discard)


def abandon_round(recorder: EventRecorder, why: Abandoned, cited: Cited | None = None) -> None:
    """A round that is open for bets is called off, and what lies on the layout goes back."""
    if not isinstance(step_of(recorder.table), OfferBank | OpenBets):
        return
    recorder.emit(e.RoundAbandoned, cited, round=recorder.table.round, why=why)
    for seat in recorder.table.seats:
        if seat.wagers:
            recorder.emit(e.WagersReturned, cited, seat=seat.number, wagers=dict(seat.wagers))
