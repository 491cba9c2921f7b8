"""Exact expectations of wheels and meters for the seats of a plan."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from crossfelt.analysis.simulation.plan import SimulationPlan
from crossfelt.analysis.simulation.tally import SimulationTally
from crossfelt.analysis.solver.progressive_wager import progressive_return
from crossfelt.progressive.returns import WagerReturn, wheel_return
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide


def expected_returns(game: Game, plan: SimulationPlan, seat: int) -> dict[str, WagerReturn]:
    """Return the exact return of each wager of a seat with a wheel or meter, where it is known.

    Seats are numbered from 0. The return is unknown if a fold forfeits the spin, or if other seats' credits affect
    a share.

    >>> from crossfelt.analysis.simulation.plan import SeatPlan
    >>> spins = SeatPlan(wagers={"ante": 1000, "bonus_spin": 500}, strategy="optimal")
    >>> game = compile_game("nj-criss-cross", {"settings": {"spin_after_fold": "kept"}})
    >>> found = expected_returns(game, SimulationPlan(seats=(spins, spins)), 0)
    >>> round(float(found["bonus_spin"].apart["bonus_spin_community"].mean), 4)
    0.0271
    """
    spins = {wager.id for wager in game.wagers if wager.spins}
    decides = (step for step in game.book.script if isinstance(step, Decide))
    if any(spins.intersection(game.fold_forfeits(step)) for step in decides):
        return {}
    found = {}
    for wager, stake in plan.seats[seat].wagers.items():
        others = sum(wager in other.wagers for place, other in enumerate(plan.seats) if place != seat)
        if wager in spins:
            own = (wheel for wheel in game.wheels if (wheel.wager, wheel.stake_cents) == (wager, stake))
            for each in filter(None, (wheel_return(game, wheel, others) for wheel in own)):
                found[wager] = each
        elif wager in game.credit_wagers and game.settings["share_method_dealer"] == "equally":
            returned = progressive_return(game, others, wager=wager)
            found |= {wager: returned} if returned is not None else {}
    return found


class Expected(NamedTuple):
    """The expectation of a round, in cents."""

    net: Fraction
    variance: Fraction

    def __add__(self, other: Expected) -> Expected:  # type: ignore[override]
        """Add two nearly independent expectations."""
        return Expected(self.net + other.net, self.variance + other.variance)

    def in_part_of(self, rounds: Fraction) -> Expected:
        """Return the expectation if only this share of rounds counts."""
        net = rounds * self.net
        return Expected(net, rounds * (self.variance + self.net**2) - net**2)

    def z_score(self, net: int, rounds: int) -> float:
        """Return the distance of a sum over `rounds` from its expectation, in standard errors."""
        return (net / rounds - float(self.net)) / sqrt(float(self.variance) / rounds) if self.variance else 0.0


def expected_results(game: Game, plan: SimulationPlan, tally: SimulationTally, seat: int) -> dict[str, Expected]:
    """Return the expected results of wheels and credits of a seat by entry, given the simulated meters.

    Payout limits are ignored; a void round has no result.
    """
    expected: dict[str, Expected] = {}
    played = 1 - Fraction(tally.void_rounds, tally.rounds)
    for name, wager in expected_returns(game, plan, seat).items():
        meter = tally.meters.get(_meter(game, name)) if wager.awards else None
        shown = Fraction(meter.shown_cents, meter.rounds) if meter else Fraction(0)
        squared = Fraction(meter.shown_squared, meter.rounds) if meter else Fraction(0)
        stake = plan.seats[seat].cents(game, name)
        # A percentage of the meter does not depend on the stake.
        back = stake * wager.own.mean + wager.meter_share * shown
        square = stake**2 * wager.own.square
        square += squared * sum(award.chance * Fraction(award.percent, 100) ** 2 for award in wager.awards)
        expected[name] = Expected(back - stake, square - back**2).in_part_of(played)
        for award, part in wager.apart.items():
            brought = Expected(stake * part.mean, stake**2 * (part.square - part.mean**2)).in_part_of(played)
            expected[award] = expected[award] + brought if award in expected else brought
    return expected


def jackpot_chance(game: Game, plan: SimulationPlan, meter: str) -> Fraction | None:
    """Return the expected number of jackpots of a meter in a round; None if it is unknown."""
    feeding = _feeding(game, plan, meter)
    chances = [award.chance for _, wager in feeding for award in wager.awards if award.percent == 100]
    return sum(chances, Fraction(0)) if chances else None


def long_run_cents(game: Game, plan: SimulationPlan, meter: str) -> Fraction | None:
    """Return the long-run average of a meter at a claim, where contributions equal payments."""
    feeding, jackpots = _feeding(game, plan, meter), jackpot_chance(game, plan, meter)
    if jackpots is None:
        return None
    goes_in = sum((units * (wager.contribution_cents - wager.drawn_cents) for units, wager in feeding), Fraction(0))
    reset = game.whole(f"meters.{meter}.reset_cents")
    mean = (goes_in + reset * jackpots) / sum(wager.meter_share for _, wager in feeding)
    return max(mean, Fraction(reset)) if charges_odds(game, plan, meter) else mean


def charges_odds(game: Game, plan: SimulationPlan, meter: str) -> bool:
    """Say if odds are charged to the meter's pool, so that its long-run average is known as a lower bound only."""
    return any(wager.is_bound for _, wager in _feeding(game, plan, meter))


def _feeding(game: Game, plan: SimulationPlan, meter: str) -> list[tuple[int, WagerReturn]]:
    """List the wagers that feed a meter, with their units staked."""
    return [
        (plan.seats[seat].cents(game, name) // wager.stake_cents, wager)
        for seat in range(len(plan.seats))
        for name, wager in expected_returns(game, plan, seat).items()
        if wager.awards and _meter(game, name) == meter
    ]


def _meter(game: Game, wager: str) -> str:
    """Return the meter that a wager feeds; empty for none."""
    return next((meter.id for meter in game.book.meters if wager in meter.fed_by), "")
