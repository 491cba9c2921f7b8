"""Exact figures against simulated ones: a distance beyond chance stops a simulation, and every report made of it.

Each distance is measured in standard errors. Together the figures of a run go beyond their limits by chance as rarely
as one normal figure goes beyond five standard errors. The limit of a figure follows from Bernstein's inequality, which
holds for any distribution: rare large payments, such as a royal flush's, widen it while the rounds are few.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, NamedTuple

from crossfelt.analysis.estimates import Estimate
from crossfelt.analysis.simulation.plan import SimulationPlan
from crossfelt.analysis.simulation.strategies import is_function
from crossfelt.analysis.solution import EXACT, Distribution, SideBet, Solution, WagerOutcomes
from crossfelt.analysis.solver.api import at_antes, side_bets_of, solve
from crossfelt.errors import BadInput, CheckFailed
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
    value: float
    error: float
    """The standard error, from the simulated rounds."""
    observations: int
    reach: float
    """The furthest that one observation can lie from the mean."""
    spread: float | None = None
    """The exact standard deviation of one observation, where it is known."""
    percent: bool = True

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


def checks_of(game: Game, plan: SimulationPlan, tally: SimulationTally, found: Simulation) -> list[FigureCheck]:
    """List every figure of a simulation that has an exact value, seat by seat."""
    checks: list[FigureCheck] = []
    bets = exact_side_bets(game)
    for number, seat in enumerate(plan.seats):
        own: list[FigureCheck] = []
        is_solved = not (plan.mishaps_per_million or plan.bank or is_function(seat.strategy))
        solution = exact_solution(game, seat.strategy) if is_solved else None
        if solution is not None and is_cut(tally, number):
            own += limited_checks(game, tally, found, solution, number)
        elif solution is not None:
            own += base_checks(tally, found, solution, number)
            own += wager_checks(game, found, solution.by_wager(), number)
        own += side_bet_checks(tally, found, bets, number) if not plan.mishaps_per_million else []
        if not plan.at_table:
            own += meter_checks(game, plan, tally, number)
        name = f"Seat {number + 1}: " if len(plan.seats) > 1 else ""
        checks += [check._replace(title=name + check.title) for check in own]
    return [*checks, *jackpot_checks(game, plan, tally)] if not plan.at_table else checks


def is_plain(plan: SimulationPlan, tally: SimulationTally, seat: int) -> bool:
    """Say if a seat's rounds are those of the exact solution: none void, banked or cut by a payout limit."""
    return not (plan.mishaps_per_million or plan.bank or is_cut(tally, seat))


def is_cut(tally: SimulationTally, seat: int) -> bool:
    """Say if a payout limit cut a payment to a seat."""
    return any(wager.limited for wager in tally.seats[seat].wagers.values())


def base_checks(
    tally: SimulationTally, found: Simulation, solution: Solution, seat: int = 0, results: Distribution | None = None
) -> Iterator[FigureCheck]:
    """Yield the house edge and the decisions; with the required wagers only also the other figures of a round.

    `results` are those of the solution, unless others hold at the ante of the seat.
    """
    figures, sums = found.seats[seat], tally.seats[seat]
    results = results or solution.distribution
    most = float(max(abs(outcome.net) for outcome in results.outcomes))
    edge, spread = figures.house_edge_per_base, sqrt(results.variance)
    title = f"House edge per {solution.unit.removeprefix('one ')}"
    yield _of(title, f"of {solution.unit}", -results.mean, edge, sums.rounds, most, spread)
    if _has_base_only(figures.stakes):
        wagered = solution.average_total_wagered
        risk, reach = figures.loss_per_total_wagered, most / float(wagered)
        yield _of("Element of risk", "of the total wagered", -results.mean / wagered, risk, sums.rounds, reach)
        won = sum(times for cents, times in sums.nets.items() if cents > 0)
        tied = Fraction(sum(outcome.count for outcome in results.outcomes if not outcome.net), results.deals)
        yield _rate("Rounds won", "of all rounds", results.at_least(Fraction(0)) - tied, won, sums.rounds)
        yield _rate("Rounds tied", "of all rounds", tied, sums.nets.get(0, 0), sums.rounds)
    yield from _decisions(sums, solution)


def limited_checks(
    game: Game, tally: SimulationTally, found: Simulation, solution: Solution, seat: int
) -> Iterator[FigureCheck]:
    """Yield the figures of a seat with a payment that the payout limit cut, exact at its ante where that is known."""
    stakes = found.seats[seat].stakes
    if _has_base_only(stakes) and not game.book.splits:
        (at,) = at_antes(game, solution, list(stakes.values())).at_antes
        yield from base_checks(tally, found, solution, seat, at.same_play)
    else:
        yield from _decisions(tally.seats[seat], solution)


def _has_base_only(stakes: dict[str, int]) -> bool:
    return len(stakes) == 1


def _decisions(tally: SeatTally, solution: Solution) -> Iterator[FigureCheck]:
    for decision, made in tally.decisions.items():
        rates = solution.decisions.get(decision, {})
        asked, times = sum(rates.values(), Fraction(0)), sum(made.values())
        for choice, rate in rates.items():
            if rate and times:
                title = f"{as_words(decision).capitalize()}: {as_words(choice)}"
                yield _rate(title, "of these decisions", rate / asked, made.get(choice, 0), times)


def wager_checks(
    game: Game, found: Simulation, wagers: Mapping[str, WagerOutcomes], seat: int = 0
) -> Iterator[FigureCheck]:
    """Yield the house edge of each wager of the game; a bonus beside it, which the exact one includes, is an entry of
    its own in a simulation."""
    for name, wager in wagers.items():
        figures = found.seats[seat].wagers.get(name)
        if figures is not None and figures.house_edge is not None and not game.wager(name).bonus:
            stake = wager.average_stake / wager.placed
            most = float(max(abs(outcome.net) for outcome in wager.outcomes) / stake)
            title = f"{wager.title}: house edge"
            yield _of(title, "of its stakes", wager.house_edge, figures.house_edge, figures.placed, most)


def side_bet_checks(
    tally: SimulationTally, found: Simulation, bets: Mapping[str, SideBet], seat: int
) -> Iterator[FigureCheck]:
    """Yield the house edge and the hit rate of each side bet that no payout limit cut and no fold gave up."""
    for name, bet in bets.items():
        figures, counted = found.seats[seat].wagers.get(name), tally.seats[seat].wagers.get(name)
        if figures is None or figures.house_edge is None or counted is None:
            continue
        if counted.limited or counted.results.get("forfeit"):
            continue
        most = float(max(abs(outcome.net) for outcome in bet.outcomes))
        spread = sqrt(bet.distribution.variance)
        title = f"{bet.title}: house edge"
        yield _of(title, "of the stake", bet.house_edge, figures.house_edge, counted.placed, most, spread)
        won = counted.results.get("win", 0)
        yield _rate(f"{bet.title}: paid", "of wagers placed", bet.hit_rate, won, counted.placed)


def meter_checks(game: Game, plan: SimulationPlan, tally: SimulationTally, seat: int) -> Iterator[FigureCheck]:
    """Yield the figures of wheels and credits of a seat, given the meters of the simulation."""
    from crossfelt.analysis.simulation.expectation import expected_results

    rounds = tally.rounds
    for name, expected in expected_results(game, plan, tally, seat).items():
        counted = tally.seats[seat].wagers.get(name)
        if counted is not None and not counted.limited:
            spread = sqrt(float(expected.variance))
            title = f"{game.wager(name).title if game.offers(name) else as_words(name).capitalize()}: net"
            highest = max((meter.highest_cents for meter in tally.meters.values()), default=0)
            value, error = counted.net / rounds, spread / sqrt(rounds)
            reach = max(RARE * spread, float(highest))
            yield FigureCheck(title, NET_UNIT, expected.net, value, error, rounds, reach, percent=False)


RARE: Final = 200
"""Standard deviations that the top slice of a wheel pays at most."""


def jackpot_checks(game: Game, plan: SimulationPlan, tally: SimulationTally) -> Iterator[FigureCheck]:
    """Yield the rate of the jackpots of each meter."""
    from crossfelt.analysis.simulation.expectation import jackpot_chance

    for meter, sums in tally.meters.items():
        chance = jackpot_chance(game, plan, meter)
        if chance is not None and not tally.void_rounds:
            won = sum(sums.jackpots.values())
            yield _rate(f"Meter {as_words(meter)}: jackpots", "of all rounds", chance, won, sums.rounds)


def _of(
    title: str, unit: str, exact: Fraction, found: Estimate, count: int, reach: float, spread: float | None = None
) -> FigureCheck:
    return FigureCheck(title, unit, exact, found.value, found.standard_error, count, reach, spread)


def _rate(title: str, unit: str, exact: Fraction, times: int, of: int) -> FigureCheck:
    return FigureCheck(title, unit, exact, times / of, sqrt(float(exact * (1 - exact)) / of), of, 1.0)
