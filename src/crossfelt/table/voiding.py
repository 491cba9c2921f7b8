"""A void round: every hand is void and every wager goes back."""

from __future__ import annotations

from crossfelt.rulebooks.model import Irregularity, Outcome
from crossfelt.rulebooks.script import Discard
from crossfelt.table import events as e
from crossfelt.table.flow import go_to
from crossfelt.table.stage import Stage


def void_round(stage: Stage, kind: str, outcome: Irregularity, then: tuple[Outcome, ...] | None = None) -> None:
    """Voids the round and gives back every wager, also those that folds had already forfeited."""
    stage.emit(e.RoundVoided, outcome, kind=kind, then=then or outcome.then)
    rule = stage.table.game.book.settings["void_returns_wagers"]
    clauses = outcome.clauses or rule.clauses
    readings = outcome.readings or rule.readings
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
    go_to(stage, Discard)
