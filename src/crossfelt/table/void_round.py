"""Rounds without a result: a void round, and a round that is called off before the cards."""

from __future__ import annotations

from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.model import Irregularity, Outcome
from crossfelt.rulebooks.script import Discard, OfferBank, OpenBets
from crossfelt.table import events as e
from crossfelt.table.act import together
from crossfelt.table.bank import release_bank
from crossfelt.table.meter_claims import reverse_contributions
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState, first_step, step_of


def owed_by_void(table: TableState) -> int:
    """Return the cents that the tray must keep for the wagers of folded hands."""
    return sum(sum(seat.forfeited.values()) for seat in table.seats)


def lost_stakes(table: TableState) -> int:
    """Return the cents that the tray has won in this round: a void round gives them back."""
    settled = (one for one in table.settlements if isinstance(one, e.WagerSettled) and not one.bank)
    return sum(one.stake - one.returned for one in settled)


def void_round(
    recorder: EventRecorder, kind: str, outcome: Irregularity, then: tuple[Outcome, ...] | None = None
) -> None:
    """Void the round and give back every wager: open, forfeited by a fold, or settled earlier in the round (AMB-8c).

    Open wagers go back first, so that players have the chips to give back what they were paid.
    """
    settings = recorder.table.game.book.settings
    returns, keeps = settings["void_returns_wagers"], settings["void_keeps_settled"]
    kept = bool(recorder.table.settlements) and bool(recorder.table.game.settings["void_keeps_settled"])
    readings = together(outcome.readings, keeps.readings) if kept else outcome.readings
    recorder.emit(e.RoundVoided, outcome, kind=kind, then=then or outcome.then, keeps_settled=kept, readings=readings)
    cited = Cited(clauses=outcome.clauses or returns.clauses, readings=outcome.readings or returns.readings)
    _return_wagers(recorder, cited)
    if not kept:
        for settled in reversed(recorder.table.settlements):
            whose = settled.bank if isinstance(settled, e.HouseWagerSettled) else settled.seat
            recorder.emit(e.SettlementReversed, keeps, seat=whose, settled=settled)
        _return_wagers(recorder, cited)
    release_bank(recorder)
    reverse_contributions(recorder)
    discard = first_step(recorder.table, Discard)
    recorder.emit(e.StepEntered, discard, step=discard.id)


def take_back_payments(recorder: EventRecorder, cited: Cited, seat: int) -> None:
    """Undo the settlements that brought a seat money in this round; its lost wagers stay lost."""
    for settled in reversed(recorder.table.settlements):
        if isinstance(settled, e.HouseWagerSettled | e.BankSettled) or settled.seat != seat:
            continue
        returned = settled.returned if isinstance(settled, e.WagerSettled) else 0
        if returned or (settled.cents if isinstance(settled, e.AwardPaid) else settled.paid):
            recorder.emit(e.SettlementReversed, cited, seat=seat, settled=settled)


def _return_wagers(recorder: EventRecorder, cited: Cited | None) -> None:
    for seat in recorder.table.seats:
        if seat.wagers or seat.forfeited:
            wagers, forfeited = dict(seat.wagers), dict(seat.forfeited)
            recorder.emit(e.WagersReturned, cited, seat=seat.number, wagers=wagers, forfeited=forfeited)


def abandon_round(recorder: EventRecorder, why: e.Abandoned, cited: Cited | None = None) -> None:
    """Call off a round that is open for bets, and return the wagers on the layout."""
    if not isinstance(step_of(recorder.table), OfferBank | OpenBets):
        return
    recorder.emit(e.RoundAbandoned, cited, round=recorder.table.round, why=why)
    _return_wagers(recorder, cited)
