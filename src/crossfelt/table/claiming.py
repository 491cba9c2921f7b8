"""What a table says to its meters: what its wagers add, what a void round takes back, what a player has won."""

from __future__ import annotations

from crossfelt.progressive.micros import posted
from crossfelt.progressive.sharing import BySeat, ShareMethod
from crossfelt.progressive.wheels import feeds, live_meters, meter_of
from crossfelt.rulebooks.citing import Cited
from crossfelt.table import events as e
from crossfelt.table.stage import Stage


def contribute(stage: Stage) -> None:
    """Locked wagers feed their meters, at the rate of progression of the submission."""
    game = stage.table.game
    for meter, wagers in live_meters(game).items():
        staked = [(wager, seat.wagers[wager]) for seat in stage.table.seats for wager in wagers if wager in seat.wagers]
        stake = sum(cents for wager, cents in staked if feeds(game, wager, cents))
        if stake:
            micros = stake * game.whole(f"meters.{meter}.rate_per_million")
            cents, _ = posted(stage.table.residues.get(meter, 0), micros)
            rule = next(rule for rule in game.book.meters if rule.id == meter)
            stage.emit(e.ContributionMade, rule, meter=meter, stake_cents=stake, micros=micros, cents=cents)


def take_back(stage: Stage) -> None:
    """A void round takes its contributions back, or leaves them on the meter: a setting (AMB-8c)."""
    game = stage.table.game
    if not stage.table.contributed or game.settings["void_contributions"] != "reversed":
        return
    rule = game.book.settings["void_contributions"]
    for meter, micros in stage.table.contributed.items():
        cents, _ = posted(stage.table.residues.get(meter, 0), -micros)
        stage.emit(e.ContributionReversed, rule, meter=meter, micros=micros, cents=-cents)


def claim(
    stage: Stage,
    wager_id: str,
    winners: BySeat,
    *,
    percent: int = 0,
    cents: int = 0,
    method: ShareMethod = "equally",
    at_most_cents: int | None = None,
    award: str = "",
    shared_by: Cited | None = None,
) -> None:
    """Asks the meter of a wager for an award; until it answers, nothing else goes on.

    `shared_by` is the rule by which several have it together.
    """
    rule = meter_of(stage.table.game, wager_id)
    also = shared_by or Cited()
    stage.emit(
        e.AwardClaimed,
        clauses=tuple(dict.fromkeys(rule.clauses + also.clauses)),
        readings=tuple(dict.fromkeys(rule.readings + also.readings)),
        claim=stage.table.claimed + 1,
        meter=rule.id,
        wager=wager_id,
        percent=percent,
        cents=cents,
        winners=winners,
        method=method,
        at_most_cents=at_most_cents,
        award=award,
    )
