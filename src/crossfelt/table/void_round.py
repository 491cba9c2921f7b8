"""Rounds without a result: void, with every wager returned, or called off before the deal."""

from __future__ import annotations

from crossfelt.rulebooks.cited import Cited
from crossfelt.rulebooks.model import Irregularity, Outcome
from crossfelt.rulebooks.script import Discard, OfferBank, OpenBets
from crossfelt.table import events as e
from crossfelt.table.escrow import release_bank
from crossfelt.table.events import Abandoned
from crossfelt.table.flow import go_to
from crossfelt.table.meter_claims import reverse_contributions
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState, step_of


def owed_by_void(table: TableState) -> int:
    """Return the cents that the tray must keep for the wagers of folded hands."""
    return sum(sum(seat.forfeited.values()) for seat in table.seats)


def void_round(
    recorder: EventRecorder, kind: str, outcome: Irregularity, then: tuple[Outcome, ...] | None = None
) -> None:
    """Void the round and give back every wager: open, forfeited by a fold, or settled earlier in the round (AMB-8c).

    Open wagers go back first, so that players have the chips to give back what they were paid.
    """
    settings = recorder.table.game.book.settings
    returns, keeps = settings["void_returns_wagers"], settings["void_keeps_settled"]
    kept = bool(recorder.table.settlements) and bool(recorder.table.game.settings["void_keeps_settled"])
    readings = tuple(dict.fromkeys(outcome.readings + keeps.readings)) if kept else outcome.readings
    recorder.emit(e.RoundVoided, outcome, kind=kind, then=then or outcome.then, keeps_settled=kept, readings=readings)
    cited = Cited(clauses=outcome.clauses or returns.clauses, readings=outcome.readings or returns.readings)
    _return_wagers(recorder, cited)
    if not kept:
        reverse_settlements(recorder, keeps)
        _return_wagers(recorder, cited)
    release_bank(recorder)
    reverse_contributions(recorder)
    go_to(recorder, Discard)


def reverse_settlements(recorder: EventRecorder, cited: Cited, seat: int | None = None) -> None:
    """Undo the settlements of the round, of all seats or of one: the last first."""
    for settled in reversed(recorder.table.settlements):
        whose = settled.bank if isinstance(settled, e.HouseWagerSettled) else settled.seat
        if seat is None or whose == seat:
            recorder.emit(e.SettlementReversed, cited, seat=whose, settled=settled)


def _return_wagers(recorder: EventRecorder, cited: Cited) -> None:
    for seat in recorder.table.seats:
        if seat.wagers or seat.forfeited:
            wagers, forfeited = dict(seat.wagers), dict(seat.forfeited)
            recorder.emit(e.WagersReturned, cited, seat=seat.number, wagers=wagers, forfeited=forfeited)


def abandon_round(recorder: EventRecorder, why: Abandoned, cited: Cited | None = None) -> None:
    """Call off a round that is open for bets; the wagers on the layout go back."""
    if not isinstance(step_of(recorder.table), OfferBank | OpenBets):
        return
    recorder.emit(e.RoundAbandoned, cited, round=recorder.table.round, why=why)
    for seat in recorder.table.seats:
        if seat.wagers:
            recorder.emit(e.WagersReturned, cited, seat=seat.number, wagers=dict(seat.wagers))
