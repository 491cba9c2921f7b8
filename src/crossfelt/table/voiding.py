"""Rounds that come to nothing: void, so that every wager goes back, or called off before a card was dealt."""

from __future__ import annotations

from crossfelt.rulebooks.citing import Cited
from crossfelt.rulebooks.model import Irregularity, Outcome
from crossfelt.rulebooks.script import Discard, OfferBank, OpenBets
from crossfelt.table import events as e
from crossfelt.table.claiming import take_back
from crossfelt.table.escrow import release_bank
from crossfelt.table.events import Abandoned
from crossfelt.table.flow import go_to
from crossfelt.table.stage import Stage
from crossfelt.table.state import Seat, Table, step_of


def _settled(seat: Seat) -> bool:
    return bool(seat.placed.keys() - seat.wagers.keys() - seat.forfeited.keys())


def owed_by_void(table: Table) -> int:
    """What the tray would have to give back to those who folded."""
    return sum(sum(seat.forfeited.values()) for seat in table.seats)


def void_round(stage: Stage, kind: str, outcome: Irregularity, then: tuple[Outcome, ...] | None = None) -> None:
    """Voids the round and gives back every wager, also those that folds had already forfeited.

    No document takes back a payment: what was settled before the mishap was found stands, by the house rule of
    `void_returns_wagers`.
    """
    returns = stage.table.game.book.settings["void_returns_wagers"]
    rule = returns.house_rule if any(_settled(seat) for seat in stage.table.seats) else outcome.house_rule
    stage.emit(e.RoundVoided, outcome, kind=kind, then=then or outcome.then, house_rule=rule)
    clauses = outcome.clauses or returns.clauses
    readings = outcome.readings or returns.readings
    for seat in stage.table.seats:
        if seat.wagers or seat.forfeited:
            stage.emit(
                e.WagersReturned,
                seat=seat.number,
                wagers=dict(seat.wagers),
                forfeited=dict(seat.forfeited),
                clauses=clauses,
                readings=readings,
            )
    release_bank(stage)
    take_back(stage)
    go_to(stage, Discard)


def abandon_round(stage: Stage, why: Abandoned, cited: Cited | None = None) -> None:
    """A round that is open for bets is called off, and what lies on the layout goes back."""
    if not isinstance(step_of(stage.table), OfferBank | OpenBets):
        return
    stage.emit(e.RoundAbandoned, cited, round=stage.table.round, why=why)
    for seat in stage.table.seats:
        if seat.wagers:
            stage.emit(e.WagersReturned, cited, seat=seat.number, wagers=dict(seat.wagers))
