"""Messages of a table to its meters: contributions, their reversal by a void round, and claims of awards."""

from __future__ import annotations

from crossfelt.progressive.meter import posted
from crossfelt.progressive.split import BySeat, ShareMethod
from crossfelt.progressive.wheels import feeds, live_meters, meter_of
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.table import events as e
from crossfelt.table.act import joined
from crossfelt.table.recorder import EventRecorder


def contribute(recorder: EventRecorder) -> None:
    """Feed the meters from the locked wagers, at the submission's rate of progression."""
    game = recorder.table.game
    for meter, wagers in live_meters(game).items():
        staked = [
            (wager, seat.wagers[wager]) for seat in recorder.table.seats for wager in wagers if wager in seat.wagers
        ]
        stake = sum(cents for wager, cents in staked if feeds(game, wager, cents))
        if stake:
            micros = stake * game.whole(f"meters.{meter}.rate_per_million")
            cents, _ = posted(recorder.table.residues.get(meter, 0), micros)
            fields = {"stake_cents": stake, "micros": micros, "cents": cents}
            recorder.emit(e.ContributionMade, game.meter(meter), meter=meter, **fields)


def reverse_contributions(recorder: EventRecorder) -> None:
    """Take back the contributions of a void round, where the setting says so (AMB-8c)."""
    game = recorder.table.game
    if recorder.table.contributed and game.settings["void_contributions"] == "reversed":
        take_contributions_back(recorder, game.book.settings["void_contributions"])


def take_contributions_back(recorder: EventRecorder, rule: Cited) -> None:
    """Take back what the round has contributed to meters."""
    for meter, micros in recorder.table.contributed.items():
        cents, _ = posted(recorder.table.residues.get(meter, 0), -micros)
        recorder.emit(e.ContributionReversed, rule, meter=meter, micros=micros, cents=-cents)


def award_rule(game: Game, wager_id: str, percent: int) -> Cited:
    """Return the rule by which a meter pays: a share of it, or odds that its pool has to bear."""
    meter = meter_of(game, wager_id)
    return meter.paid_rule or meter if percent else game.book.settings["odds_paid_from"]


def claim(
    recorder: EventRecorder,
    wager_id: str,
    winners: BySeat,
    *,
    percent: int = 0,
    cents: int = 0,
    method: ShareMethod = "equally",
    at_most_cents: int | None = None,
    award: str = "",
    meter: str = "",
    shared_by: Cited | None = None,
) -> None:
    """Claim an award from the meter of a wager; the table waits for the meter's answer.

    `shared_by` is the rule by which several winners share it.
    """
    game = recorder.table.game
    recorder.emit(
        e.AwardClaimed,
        joined(award_rule(game, wager_id, percent), shared_by),
        claim=recorder.table.claimed + 1,
        meter=meter or meter_of(game, wager_id).id,
        wager=wager_id,
        percent=percent,
        cents=cents,
        winners=winners,
        method=method,
        at_most_cents=at_most_cents,
        award=award,
    )
