"""What a simulation found about a meter: jackpots, the time between them, and where it stood."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

import msgspec

from crossfelt.analysis.simulation.estimates import Estimate, events, quantile
from crossfelt.progressive.micros import MICROS

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.meters import MeterTally
    from crossfelt.analysis.simulation.plan import Plan
    from crossfelt.analysis.simulation.tally import Tally
    from crossfelt.rulebooks.game import Game

SHARES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
MILLION: Final = 10**6


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers that came more or less often."""

    mean: float
    quantiles: dict[str, int]
    lowest: int
    highest: int

    @classmethod
    def of(cls, counts: dict[int, int]) -> Range | None:
        """None where nothing was counted."""
        if not counts:
            return None
        mean = sum(number * times for number, times in counts.items()) / sum(counts.values())
        quantiles = {f"{share:.0%}": quantile(counts, share) for share in SHARES}
        return cls(mean=mean, quantiles=quantiles, lowest=min(counts), highest=max(counts))


class MeterFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One meter; money in cents."""

    rounds: int
    history_rounds: int
    """After so many rounds the meter is opened anew."""
    contributed: float
    put_in: float
    """What the house put in after it was opened: reset amounts, and what it could not cover."""
    paid: int
    awards: dict[str, int]
    """How many claims were paid, by percentage of the meter; ``amount`` for odds that are charged to it."""
    jackpots: int
    """How often the whole meter was won."""
    jackpots_per_million_rounds: Estimate
    expected_per_million_rounds: float | None
    """Exactly, where it is known; void rounds bring none."""
    z_score: float | None
    """How many standard errors the number of jackpots is away from what was expected."""
    rounds_per_jackpot: float | None
    """All rounds by all jackpots; waits that were cut off count here, and not among those told next."""
    rounds_between: Range | None
    """From the opening or a jackpot to the next one."""
    jackpot_cents: Range | None
    shown_cents: Range | None
    """What it showed when claims were made, over all rounds; quantiles to a hundredth of the opening amount."""
    long_run_cents: float | None
    """What it would show on average over a long time, exactly."""


def meter_figures(game: Game, plan: Plan, meter: str, whole: Tally, confidence: float) -> MeterFigures:
    """The figures that a tally gives."""
    from crossfelt.analysis.simulation.expecting import jackpot_chance, long_run_cents

    tally = whole.meters[meter]
    jackpots, rounds = sum(tally.jackpots.values()), tally.rounds
    chance, long_run = jackpot_chance(game, plan, meter), long_run_cents(game, plan, meter)
    expected = float(chance) * (rounds - whole.void_rounds) if chance is not None else None
    return MeterFigures(
        rounds=rounds,
        history_rounds=plan.history_rounds,
        contributed=tally.contributed_micros / MICROS,
        put_in=tally.seeded_micros / MICROS,
        paid=tally.paid_cents,
        awards={f"{percent}%" if percent else "amount": count for percent, count in tally.awards.items()},
        jackpots=jackpots,
        jackpots_per_million_rounds=events(jackpots, rounds / MILLION, confidence),
        expected_per_million_rounds=None if expected is None else expected * MILLION / rounds,
        z_score=(jackpots - expected) / sqrt(expected) if expected else None,
        rounds_per_jackpot=rounds / jackpots if jackpots else None,
        rounds_between=Range.of(tally.waits),
        jackpot_cents=Range.of(tally.jackpots),
        shown_cents=_shown(game, meter, tally),
        long_run_cents=None if long_run is None else float(long_run),
    )


def _shown(game: Game, meter: str, tally: MeterTally) -> Range:
    from crossfelt.analysis.simulation.meters import level_cents

    step = level_cents(game, meter)
    quantiles = {f"{share:.0%}": quantile(tally.levels, share) * step for share in SHARES}
    mean = tally.shown_cents / tally.rounds
    return Range(mean=mean, quantiles=quantiles, lowest=tally.lowest_cents, highest=tally.highest_cents)
