"""The exact figures that hold for the rounds of a simulated seat, with its wheels and meters."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import lcm, sqrt
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from crossfelt.analysis.risk import SessionResult, sessions
from crossfelt.analysis.simulation.plan import SeatPlan, SimulationPlan, base_of
from crossfelt.analysis.simulation.strategies import is_function
from crossfelt.analysis.simulation.tally import SimulationTally, WagerTally
from crossfelt.analysis.solution import EXACT, Distribution, SideBet, Solution, WagerOutcomes
from crossfelt.analysis.solver.api import at_antes, side_bets_of, solve
from crossfelt.analysis.solver.progressive_wager import progressive_return
from crossfelt.errors import BadInput
from crossfelt.progressive.returns import WagerReturn, wheel_return
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide

LONGEST: Final = 1 << 22
"""Different results of a session up to which their chances are computed."""


class BonusValue(NamedTuple):
    """The pay of a bonus beside a wager, in antes."""

    mean: Fraction
    """The average of a round."""
    most: Fraction


class SeatValues(NamedTuple):
    """Exact figures of a seat; None and empty where there are none."""

    solution: Solution | None = None
    """Of the seat's strategy. Its decisions hold."""
    results: Distribution | None = None
    """Net result of the required wagers and their bets in antes, at the seat's ante."""
    wagers: Mapping[str, WagerOutcomes] = MappingProxyType({})
    side_bets: Mapping[str, SideBet] = MappingProxyType({})
    bonuses: Mapping[str, BonusValue] = MappingProxyType({})
    """Bonuses beside wagers, by pay table."""

    @classmethod
    def of(cls, game: Game, solution: Solution) -> SeatValues:
        """Return the figures of a seat that plays a solution, where no payout limit cuts a payment."""
        whole, alone = solution.by_wager(), solution.by_wager_alone()
        paid = [bonus.pay for wager in game.wagers for bonus in wager.bonus]
        beside = {name: game.wager(name).bonus for name in whole}
        bonuses = {
            bonus[0].pay: BonusValue(
                mean=whole[name].ev - alone[name].ev,
                most=max(line.odds.ratio for line in game.pays[bonus[0].pay].lines if line.odds is not None),
            )
            for name, bonus in beside.items()
            if len(bonus) == 1 and paid.count(bonus[0].pay) == 1
        }
        alone = alone | {
            name: replace(alone[name], title=f"{alone[name].title} without its bonus")
            for name in beside
            if beside[name]
        }
        return cls(solution, solution.distribution, alone, bonuses=bonuses)

    def rates(self, decision: str) -> dict[str, Fraction]:
        """Return the chance of each choice where a decision is made; empty if it is unknown."""
        rates = self.solution.decisions.get(decision, {}) if self.solution else {}
        asked = sum(rates.values(), Fraction(0))
        return {choice: rate / asked for choice, rate in rates.items()} if asked else {}

    def chances(self, wager: str) -> dict[str, Fraction]:
        """Return the chance of each result where a wager is placed; empty if it is unknown."""
        known = self.side_bets.get(wager) or self.wagers.get(wager)
        return known.chances if known else {}

    def house_edge(self, wager: str) -> Fraction | None:
        """Return the house edge of a wager's stakes; None if it is unknown."""
        known = self.side_bets.get(wager) or self.wagers.get(wager)
        return known.house_edge if known and known.outcomes else None

    def session(self, rounds: int, shares: tuple[float, ...]) -> SessionResult | None:
        """Return the result of a session in antes; None if it is unknown, or too long to compute."""
        if self.results is None:
            return None
        nets = [outcome.net for outcome in self.results.outcomes]
        if (nets[-1] - nets[0]) * lcm(*(net.denominator for net in nets)) * rounds > LONGEST:
            return None
        return next(sessions(self.results, [rounds], shares))


def seat_values(game: Game, plan: SimulationPlan, tally: SimulationTally, number: int) -> SeatValues:
    """Return the exact figures of a seat, numbered from 0."""
    if plan.mishaps_per_million:
        return SeatValues()
    seat, counted = plan.seats[number], tally.seats[number].wagers
    in_game = base_of(game) in seat.wagers and not plan.bank
    strategy = seat.strategy if in_game and not is_function(seat.strategy) else ""
    bets = exact_side_bets(game)
    cut = may_be_cut(game, seat, counted, exact_solution(game, strategy) if strategy else None, bets)
    side_bets = {name: bet for name, bet in bets.items() if not cut and holds_for(counted.get(name))}
    if not strategy:
        return SeatValues(side_bets=side_bets)
    return _values(game, strategy, tuple(seat.wagers.values()) if cut else ())._replace(side_bets=side_bets)


@lru_cache(maxsize=32)
def _values(game: Game, strategy: str, cut_at: tuple[int, ...]) -> SeatValues:
    """Return the figures without side bets, with the payout limit in force where it may cut a payment at these
    stakes."""
    solution = exact_solution(game, strategy)
    if solution is None:
        return SeatValues()
    if not cut_at:
        return SeatValues.of(game, solution)
    if len(cut_at) > 1 or game.book.splits:
        return SeatValues(solution)
    (at,) = at_antes(game, solution, cut_at).at_antes
    return SeatValues(solution, at.same_play)


def may_be_cut(
    game: Game,
    seat: SeatPlan,
    counted: Mapping[str, WagerTally],
    solution: Solution | None,
    side_bets: Mapping[str, SideBet],
) -> bool:
    """Say if a payout limit has cut a payment to a seat, or may cut what it wins at once in a rare round."""
    if any(wager.limited for wager in counted.values()):
        return True
    holds = solution.holds_to_cents if solution else None
    for limit in game.book.payout_limits:
        cents, covered = game.limit_cents(limit), game.covered_by(limit)
        if cents is None:
            continue
        most = Fraction(sum(seat.wagers.get(name, 0) * bet.most for name, bet in side_bets.items() if name in covered))
        if holds is not None:
            most += Fraction(cents * seat.wagers.get(base_of(game), 0), holds)
        if most > cents:
            return True
    return False


def holds_for(counted: WagerTally | None) -> bool:
    """Say if the exact figures of a side bet hold: it was placed, and no fold gave it up."""
    return counted is not None and counted.stake > 0 and not counted.results.get("forfeit")


@lru_cache(maxsize=32)
def exact_solution(game: Game, strategy: str) -> Solution | None:
    """Return the exact solution of a game under a strategy; None where there is none."""
    try:
        found = solve(game, strategy=strategy)
    except BadInput:
        return None
    return found if found.method == EXACT else None


def exact_side_bets(game: Game) -> Mapping[str, SideBet]:
    """Return the exact outcomes of the wagers without decisions, where a solver reaches the game."""
    try:
        return side_bets_of(game)
    except BadInput:
        return {}


# --- wheels and meters ---


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
