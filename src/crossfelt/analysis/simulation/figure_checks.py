"""Exact figures against simulated ones: a distance beyond chance stops a simulation, and every report made of it.

Each distance is measured in standard errors. Together the figures of a run go beyond their limits by chance as rarely
as one normal figure goes beyond five standard errors. The limit of a figure follows from Bernstein's inequality, which
holds for any distribution: rare large payments, such as a royal flush's, widen it while the rounds are few.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, NamedTuple

from crossfelt.analysis.estimates import CONFIDENCE, Estimate, Interval, mean, proportion
from crossfelt.analysis.simulation.exact_values import SeatValues, expected_results, jackpot_chance, seat_values
from crossfelt.analysis.simulation.plan import SimulationPlan
from crossfelt.analysis.solution import Distribution, SideBet, Solution, WagerOutcomes
from crossfelt.errors import CheckFailed
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.phrases import as_words

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.result import Simulation
    from crossfelt.analysis.simulation.tally import SeatTally, SimulationTally

ERRORS: Final = 5.0
"""Standard errors beyond which a figure contradicts its exact value."""
CHANCE: Final = 2 * NormalDist().cdf(-ERRORS)
NET_UNIT: Final = "cents per round, at the simulated meters"


class FigureCheck(NamedTuple):
    """A figure with its exact and simulated value."""

    title: str
    unit: str
    exact: Fraction
    found: Interval
    error: float
    """The standard error by which the distance is measured; of rates and meters it is the exact one."""
    observations: int
    reach: float
    """The furthest that one observation can lie from the mean."""
    spread: float | None = None
    """The exact standard deviation of one observation, where it is known."""
    percent: bool = True

    @property
    def value(self) -> float:
        return self.found.value

    @property
    def z_score(self) -> float:
        return (self.value - float(self.exact)) / self.error if self.error else 0.0

    @property
    def distance(self) -> float:
        """The distance of the two values in standard errors, exact ones where they are known."""
        apart = abs(self.value - float(self.exact))
        return apart / self._error if self._error else inf if apart > 1e-12 else 0.0

    @property
    def _error(self) -> float:
        return self.error if self.spread is None else self.spread / sqrt(self.observations)

    def limit(self, figures: int) -> float:
        """Return the distance that chance may bring among this number of figures, in standard errors."""
        odds = log(2 * figures / CHANCE)
        rare = self.reach * odds / (3 * self.observations)
        return sqrt(2 * odds) + (rare / self._error if self._error else inf)

    def in_words(self, figures: int) -> str:
        exact, value = float(self.exact), self.value
        shown = [f"{100 * each:.4f} %" if self.percent else f"{each:,.4f}" for each in (exact, value)]
        return (
            f"{self.title} ({self.unit}): exact {shown[0]}, simulated {shown[1]}, {self.distance:,.1f} standard errors "
            f"apart; chance allows {self.limit(figures):.1f}."
        )


def require_agreement(checks: Sequence[FigureCheck]) -> None:
    """Raise CheckFailed with every figure whose two values lie further apart than chance allows."""
    found = [check.in_words(len(checks)) for check in checks if check.distance > check.limit(len(checks))]
    if found:
        number = "1 figure contradicts" if len(found) == 1 else f"{len(found)} figures contradict"
        raise CheckFailed(
            *found, f"{number} the exact solution. Nothing is reported. Please report this bug of Crossfelt."
        )


def checks_of(game: Game, plan: SimulationPlan, tally: SimulationTally, found: Simulation) -> list[FigureCheck]:
    """List every figure of a simulation that has an exact value, seat by seat."""
    from crossfelt.analysis.simulation.result import base_cents

    checks: list[FigureCheck] = []
    for number in range(len(plan.seats)):
        values = seat_values(game, plan, tally, number)
        own = list(seat_checks(tally, found, values, number))
        own += bonus_checks(tally, found, values, base_cents(game, plan.seats[number]), number)
        if not plan.at_table:
            own += meter_checks(game, plan, tally, number)
        name = f"Seat {number + 1}: " if len(plan.seats) > 1 else ""
        checks += [check._replace(title=name + check.title) for check in own]
    return [*checks, *jackpot_checks(game, plan, tally)] if not plan.at_table else checks


def seat_checks(tally: SimulationTally, found: Simulation, values: SeatValues, seat: int) -> Iterator[FigureCheck]:
    """Yield the figures of a seat without wheels and meters."""
    if values.solution is not None:
        yield from _base_checks(tally, found, values.solution, values.results, seat)
    yield from wager_checks(found, values.wagers, seat)
    yield from side_bet_checks(tally, found, values.side_bets, seat)


def _base_checks(
    tally: SimulationTally, found: Simulation, solution: Solution, results: Distribution | None, seat: int
) -> Iterator[FigureCheck]:
    """Yield the house edge and the decisions; with the required wagers only also the other figures of a round."""
    figures, sums = found.seats[seat], tally.seats[seat]
    if results is not None:
        most = float(max(abs(outcome.net) for outcome in results.outcomes))
        edge, spread = figures.house_edge_per_base, sqrt(results.variance)
        title = f"House edge per {solution.base}"
        yield _of(title, f"of {solution.unit}", -results.mean, edge, sums.rounds, most, spread)
        if len(figures.stakes) == 1:
            wagered = solution.average_total_wagered
            risk, reach = figures.loss_per_total_wagered, most / float(wagered)
            yield _of("Element of risk", "of the total wagered", -results.mean / wagered, risk, sums.rounds, reach)
            won = sum(times for cents, times in sums.nets.items() if cents > 0)
            tied = Fraction(sum(outcome.count for outcome in results.outcomes if not outcome.net), results.deals)
            yield _rate("Rounds won", "of all rounds", results.at_least(Fraction(0)) - tied, won, sums.rounds)
            yield _rate("Rounds tied", "of all rounds", tied, sums.nets.get(0, 0), sums.rounds)
    yield from _decisions(sums, solution)


def _decisions(tally: SeatTally, solution: Solution) -> Iterator[FigureCheck]:
    for decision, made in tally.decisions.items():
        rates = solution.decisions.get(decision, {})
        asked, times = sum(rates.values(), Fraction(0)), sum(made.values())
        for choice, rate in rates.items():
            if rate and times:
                title = f"{as_words(decision).capitalize()}: {as_words(choice)}"
                yield _rate(title, "of these decisions", rate / asked, made.get(choice, 0), times)


def wager_checks(found: Simulation, wagers: Mapping[str, WagerOutcomes], seat: int) -> Iterator[FigureCheck]:
    """Yield the house edge of each wager of the game."""
    for name, wager in wagers.items():
        figures = found.seats[seat].wagers.get(name)
        if figures is not None and figures.house_edge is not None:
            stake = wager.average_stake / wager.placed
            most = float(max(abs(outcome.net) for outcome in wager.outcomes) / stake)
            title = f"{wager.title}: house edge"
            yield _of(title, "of its stakes", wager.house_edge, figures.house_edge, figures.placed, most)


def bonus_checks(
    tally: SimulationTally, found: Simulation, values: SeatValues, base: int, seat: int
) -> Iterator[FigureCheck]:
    """Yield the average of each bonus that is paid beside a wager."""
    for name, bonus in values.bonuses.items():
        if (figures := found.seats[seat].wagers.get(name)) is not None and values.solution is not None:
            average, title = figures.net_per_round.over(base), f"{as_words(name).capitalize()}: average"
            check = _of(title, values.solution.units, bonus.mean, average, tally.seats[seat].rounds, float(bonus.most))
            yield check._replace(percent=False)


def side_bet_checks(
    tally: SimulationTally, found: Simulation, bets: Mapping[str, SideBet], seat: int
) -> Iterator[FigureCheck]:
    """Yield the house edge and the hit rate of each side bet."""
    for name, bet in bets.items():
        edge, counted = found.seats[seat].wagers[name].house_edge, tally.seats[seat].wagers[name]
        assert edge is not None
        most = float(max(abs(outcome.net) for outcome in bet.outcomes))
        spread = sqrt(bet.distribution.variance)
        title = f"{bet.title}: house edge"
        yield _of(title, "of the stake", bet.house_edge, edge, counted.placed, most, spread)
        won = counted.results.get("win", 0)
        yield _rate(f"{bet.title}: paid", "of wagers placed", bet.hit_rate, won, counted.placed)


def meter_checks(game: Game, plan: SimulationPlan, tally: SimulationTally, seat: int) -> Iterator[FigureCheck]:
    """Yield the figures of wheels and credits of a seat, given the meters of the simulation."""
    rounds = tally.rounds
    for name, expected in expected_results(game, plan, tally, seat).items():
        counted = tally.seats[seat].wagers.get(name)
        if counted is not None and not counted.limited:
            spread = sqrt(float(expected.variance))
            title = f"{game.wager(name).title if game.offers(name) else as_words(name).capitalize()}: net"
            highest = max((meter.highest_cents for meter in tally.meters.values()), default=0)
            net, error = mean(counted.net, counted.net_squared, rounds, CONFIDENCE), spread / sqrt(rounds)
            reach = max(RARE * spread, float(highest))
            yield FigureCheck(title, NET_UNIT, expected.net, net, error, rounds, reach, percent=False)


RARE: Final = 200
"""Standard deviations that the top slice of a wheel pays at most."""


def jackpot_checks(game: Game, plan: SimulationPlan, tally: SimulationTally) -> Iterator[FigureCheck]:
    """Yield the rate of the jackpots of each meter."""
    for meter, sums in tally.meters.items():
        chance = jackpot_chance(game, plan, meter)
        if chance is not None and not tally.void_rounds:
            won = sum(sums.jackpots.values())
            yield _rate(f"Meter {as_words(meter)}: jackpots", "of all rounds", chance, won, sums.rounds)


def _of(
    title: str, unit: str, exact: Fraction, found: Estimate, count: int, reach: float, spread: float | None = None
) -> FigureCheck:
    return FigureCheck(title, unit, exact, found, found.standard_error, count, reach, spread)


def _rate(title: str, unit: str, exact: Fraction, times: int, of: int) -> FigureCheck:
    found = proportion(times, of, CONFIDENCE)
    return FigureCheck(title, unit, exact, found, sqrt(float(exact * (1 - exact)) / of), of, 1.0)
