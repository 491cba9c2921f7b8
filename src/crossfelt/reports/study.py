"""Computation of everything that a report on a game needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from crossfelt.analysis import flashed_cards, solve
from crossfelt.analysis.estimates import CONFIDENCE
from crossfelt.analysis.flashed_cards import SeenCard, SharedHands, can_share, seen_cards, share_hands
from crossfelt.analysis.risk import SessionResult, sessions
from crossfelt.analysis.sensitivity import Sensitivity, base_lines, of_game, of_side_bet
from crossfelt.analysis.simulation.exact_values import exact_solution
from crossfelt.analysis.simulation.plan import SeatPlan, SimulationPlan, base_of
from crossfelt.analysis.simulation.result import Simulation
from crossfelt.analysis.solution import SideBet, Solution, WagerOutcomes
from crossfelt.analysis.solver.api import at_antes, reprices_at_once
from crossfelt.analysis.strategies.cards import StrategyCard, cards_of
from crossfelt.analysis.strategies.named import strategies_of
from crossfelt.analysis.what_if import pay_texts, with_pay
from crossfelt.errors import BadInput
from crossfelt.games.round_stakes import ante_range, unit_of
from crossfelt.reports.document import ROUNDS, SEED
from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.rounds import PlayedBlock
    from crossfelt.analysis.simulation.tally import SimulationTally

NO_SOLUTION: Final = "no exact solution yet"
SESSION_ROUNDS: Final = 200
REPLAYED: Final = 100
"""Simulated rounds that the table plays again, to the cent."""
BAND: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles of a session in the report."""
LENGTHS: Final = tuple(range(10, SESSION_ROUNDS + 1, 10))
"""Lengths of the plotted sessions, in rounds."""
SHARED_DEALS: Final = 64
"""Random deals for the gain of shared hands; each is solved exactly, which is slow."""


class ReportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The game of a report, and the options of its computation."""

    game: Game
    named: str
    """The rulebook or submission as named by the user."""
    submission: str = ""
    """The file of the submission, if the rulebook was named as well."""
    pay: Mapping[str, str] = {}
    """Odds changed for this report; the rulebook may forbid them."""
    printed: Game | None = None
    """The game before the change of odds."""
    rounds: int = ROUNDS
    seed: str = SEED
    quick: bool = False
    """Skip the slowest parts: other strategies, the search for a strategy card, and shared hands."""
    workers: int | None = None

    @property
    def replayed(self) -> int:
        """Simulated rounds that the table plays again."""
        return min(REPLAYED, self.rounds)

    def at_odds(self, pay: Mapping[str, str]) -> ReportRequest:
        """Return the request for the game with other odds, permitted or not."""
        if not pay:
            return self
        asked = with_pay(self.game, pay)
        return msgspec.structs.replace(self, game=asked, pay=pay_texts(asked, pay), printed=self.game)


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """All results that a report shows."""

    asked: ReportRequest
    unsolved: str
    """The reason why the game has no exact solution; empty where it has one."""
    solution: Solution | None
    """The exact solution; None if the report relies on simulation."""
    played: Solution | None
    """The exact solution under the strategy of the simulated seats; None where there is none."""
    wagers: Mapping[str, WagerOutcomes]
    """Exact outcomes of each main wager, under the strategy of the simulated seats where that is solved."""
    side_bets: Mapping[str, SideBet]
    sessions: tuple[SessionResult, ...]
    sensitivity: tuple[Sensitivity, ...]
    side_sensitivity: Mapping[str, tuple[Sensitivity, ...]]
    seen: tuple[SeenCard, ...]
    """Value of each flashed card."""
    ways: Mapping[str, Solution]
    """Solutions of other strategies, by name."""
    cards: tuple[StrategyCard, ...]
    """The best card found for each number of lines, the shortest first."""
    shared: SharedHands | None
    """Gain of players who share their hands."""
    plan: SimulationPlan
    tally: SimulationTally
    simulation: Simulation

    @property
    def game(self) -> Game:
        return self.asked.game

    @property
    def base(self) -> str:
        """The wager that serves as the unit: ``ante`` or ``main``."""
        return base_of(self.game)

    @property
    def units(self) -> str:
        """The unit of amounts in the plural: antes, bets."""
        return self.solution.units if self.solution else f"{unit_of(self.game)}s"

    @property
    def strategy(self) -> str:
        """Strategy of the simulated seats."""
        return self.plan.seats[0].strategy


def steps_of(asked: ReportRequest) -> int:
    """Return the amount of work, in the steps that `study` reports."""
    game = asked.game
    repriced = reprices_at_once(game)
    variants = 2 * len(list(base_lines(game))) if repriced else 0
    longest = 0 if asked.quick else SHARED_DEALS * can_share(game) + _CARD_STEPS * (1 + len(strategies_of(game)))
    return asked.rounds + (1 + variants + _seen_steps(asked) + longest) * _STEP


_STEP: Final = 100_000
"""Simulated rounds that take about as long as one solution."""
_CARD_STEPS: Final = 20
"""Solutions that take about as long as the search for a card, or the count of a strategy."""


def study(asked: ReportRequest, done: Callable[[int], None] = lambda steps: None) -> Study:
    """Solve the game, solve it with other odds, strategies and flashed cards, and simulate it."""
    game = asked.game
    solution, unsolved = _solved(game)
    if solution and solution.holds_to_cents is not None and solution.holds_to_cents < ante_range(game)[1]:
        solution = at_antes(game, solution, _curve(solution.holds_to_cents, *ante_range(game)))
    done(_STEP)
    repriced = solution is not None and reprices_at_once(game)
    changed = tuple(of_game(game, solution, lambda: done(_STEP))) if solution and repriced else ()
    seen: tuple[SeenCard, ...] = ()
    if solution and _seen_steps(asked):
        seen = seen_cards(game, solution, seed=asked.seed, advance=lambda cards: done(cards * _STEP))
    ways = {}
    for name in strategies_of(game) if solution and repriced and not asked.quick else ():
        ways[name] = solve(game, strategy=name)
        done(_CARD_STEPS * _STEP)
    cards: tuple[StrategyCard, ...] = cards_of(game) if ways else ()
    done(_CARD_STEPS * _STEP * bool(cards))
    side_bets = solution.side_bets if solution else {}
    plan, tally, simulation = _simulated(asked, done)
    strategy, played = plan.seats[0].strategy, solution
    if solution and solution.strategy != strategy:
        played = exact_solution(game, strategy)
    return Study(
        asked=asked,
        unsolved=unsolved,
        solution=solution,
        played=played,
        wagers=_wagers(game, shown) if (shown := played or solution) else {},
        side_bets=side_bets,
        sessions=tuple(sessions(solution.distribution, LENGTHS, BAND)) if solution else (),
        sensitivity=changed,
        side_sensitivity={name: tuple(of_side_bet(bet, name)) for name, bet in side_bets.items()},
        seen=seen,
        ways=ways,
        cards=cards,
        shared=_shared(asked, done),
        plan=plan,
        tally=tally,
        simulation=simulation,
    )


def _curve(holds_to: int, least: int, greatest: int) -> list[int]:
    """Return the antes of a curve: round amounts in a range, its ends, and the ante up to which the figures hold.

    >>> _curve(1611, 500, 10000)
    [500, 1000, 1611, 2000, 5000, 10000]
    """
    amounts = [digit * 10**power for power in range(len(str(greatest))) for digit in (1, 2, 5)]
    return sorted({least, greatest, *(cents for cents in (*amounts, holds_to) if least < cents < greatest)})


def _solved(game: Game) -> tuple[Solution | None, str]:
    """Return the solution of a game, or the reason why there is none."""
    try:
        return solve(game), ""
    except BadInput as bad:
        return None, f"{NO_SOLUTION} ({bad.problems[0].what.removeprefix('no exact solution: ')})"


def _seen_steps(asked: ReportRequest) -> int:
    """Return the steps for flashed cards; against a dealer's cards they are slow, and skipped in a quick report."""
    return 0 if asked.quick and not can_share(asked.game) else flashed_cards.steps_of(asked.game)


def _shared(asked: ReportRequest, done: Callable[[int], None]) -> SharedHands | None:
    if asked.quick:
        return None
    players = asked.game.book.table.seats
    return share_hands(
        asked.game, players=players, rounds=SHARED_DEALS, seed=asked.seed, advance=lambda deals: done(deals * _STEP)
    )


def _wagers(game: Game, solution: Solution) -> dict[str, WagerOutcomes]:
    """Return the outcomes of each wager, which include its bonus where it has one."""
    wagers = solution.by_wager()
    with_bonus = {name: f"{it.title} with its bonus" for name, it in wagers.items() if game.wager(name).bonus}
    return wagers | {name: msgspec.structs.replace(wagers[name], title=title) for name, title in with_bonus.items()}


def _simulated(asked: ReportRequest, done: Callable[[int], None]) -> tuple[SimulationPlan, SimulationTally, Simulation]:
    """Simulate two seats: seat 1 with the required wagers, seat 2 with every wager."""
    from crossfelt.analysis.simulation.api import tally_rounds
    from crossfelt.analysis.simulation.plan_builder import plan_for, simulated_wagers, usual_strategy
    from crossfelt.analysis.simulation.referee import require_same_at_table
    from crossfelt.analysis.simulation.result import figures_of

    game = asked.game
    everything, strategy = simulated_wagers(game), usual_strategy(game)
    base = {base_of(game): everything[base_of(game)]}
    seats = [SeatPlan(wagers=base, strategy=strategy)]
    if everything != base:
        seats.append(SeatPlan(wagers=everything, strategy=strategy))
    plan = plan_for(game, seats, seed=asked.seed, session_rounds=SESSION_ROUNDS)
    require_same_at_table(game, plan, asked.replayed, asked.rounds)

    def after(block: PlayedBlock, tally: SimulationTally) -> bool:
        done(block.tally.rounds)
        return True

    tally = tally_rounds(game, plan, asked.rounds, workers=asked.workers, after=after)
    return plan, tally, figures_of(game, plan, tally, CONFIDENCE)
