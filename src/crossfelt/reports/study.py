"""Everything a report needs to know of a game, worked out once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from crossfelt.analysis import exposed, solve
from crossfelt.analysis.exposed import SeenCard, seen_cards, shared_hands
from crossfelt.analysis.question import pay_texts, with_pay
from crossfelt.analysis.returns import EXACTLY_SOLVED
from crossfelt.analysis.sensitivity import Sensitivity, base_lines, of_game, of_side_bet
from crossfelt.analysis.sessions import Session, sessions
from crossfelt.analysis.simulation.plan import Plan, SeatPlan
from crossfelt.analysis.simulation.result import Simulation
from crossfelt.analysis.solution import EXACT, SideBet, Solution, WagerOutcomes
from crossfelt.analysis.solving import SOLVERS
from crossfelt.analysis.ways import StrategyCard, cards_of, ways_of
from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.criss_cross_shared import SharedHands
    from crossfelt.analysis.simulation.running import Done
    from crossfelt.analysis.simulation.tally import Tally

ROUNDS: Final = 2_000_000
SEED: Final = "0"
CONFIDENCE: Final = 0.95
SESSION_ROUNDS: Final = 200
BAND: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The quantiles of a session that are told."""
LENGTHS: Final = tuple(range(10, SESSION_ROUNDS + 1, 10))
"""The sessions whose results are plotted, in rounds."""
SHARED_DEALS: Final = 64
"""Deals for which the gain of sharing is worked out: each is solved exactly, which takes a moment."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wants a report on."""

    game: Game
    named: str
    """The rulebook or submission as it was named."""
    submission: str = ""
    """The submission's file as it was named, where the rulebook was named as well."""
    pay: Mapping[str, str] = {}
    """Odds changed for this sheet, which the game has; the rulebook may forbid them."""
    printed: Game | None = None
    """The game before they were changed."""
    rounds: int = ROUNDS
    seed: str = SEED
    quick: bool = False
    """Leave out what takes longest: the search for a card, and players who share what they hold."""
    workers: int | None = None

    def at_odds(self, pay: Mapping[str, str]) -> Asked:
        """The same question for a game with other odds, whether or not the rulebook permits them."""
        if not pay:
            return self
        asked = with_pay(self.game, pay)
        return msgspec.structs.replace(self, game=asked, pay=pay_texts(asked, pay), printed=self.game)


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """What was found."""

    asked: Asked
    found: Solution | None
    """What the solver of the game says, exactly or not."""
    solution: Solution | None
    """The same where it is exact; None where the game's own wagers are told from simulations alone."""
    wagers: Mapping[str, WagerOutcomes]
    side_bets: Mapping[str, SideBet]
    sessions: tuple[Session, ...]
    sensitivity: tuple[Sensitivity, ...]
    side_sensitivity: Mapping[str, tuple[Sensitivity, ...]]
    seen: tuple[SeenCard, ...]
    """What a flashed card is worth."""
    ways: Mapping[str, Solution]
    """Strategies other than the best one, by name."""
    cards: tuple[StrategyCard, ...]
    """The best card found for each number of lines, the shortest first."""
    shared: SharedHands | None
    """What players gain who know each other's cards."""
    plan: Plan
    tally: Tally
    simulation: Simulation

    @property
    def game(self) -> Game:
        return self.asked.game

    @property
    def base(self) -> str:
        """The wager everything is measured in: ``ante``, ``main``."""
        return base_of(self.game)

    @property
    def strategy(self) -> str:
        """How the simulated seats decide."""
        return self.plan.seats[0].strategy


def base_of(game: Game) -> str:
    """The wager everything hangs on.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> base_of(compile_game("nj-criss-cross")), base_of(compile_game("nj-pai-gow"))
    ('ante', 'main')
    """
    required = next(wager for wager in game.wagers if wager.required)
    return required.group or required.id


def steps_of(asked: Asked) -> int:
    """How much there is to do, in the steps that `study` counts."""
    game = asked.game
    variants = 2 * len(list(base_lines(game))) + len(ways_of(game)) if game.book.game in EXACTLY_SOLVED else 0
    longest = (
        0
        if asked.quick
        else SHARED_DEALS * (game.book.game in exposed.SHARED) + _CARD_STEPS * (game.book.game in EXACTLY_SOLVED)
    )
    return asked.rounds + (1 + variants + _seen_steps(asked) + longest) * _STEP


_STEP: Final = 100_000
"""A solution counts as so many rounds of a simulation: about the time it takes."""
_CARD_STEPS: Final = 20
"""As many solutions as the search for a card takes."""


def study(asked: Asked, done: Callable[[int], None] = lambda steps: None) -> Study:
    """Solve, solve again with other odds and other knowledge, simulate."""
    game = asked.game
    solved = game.book.game in SOLVERS
    found = solve(game) if solved else None
    solution = found if found is not None and found.method == EXACT else None
    done(_STEP)
    changed = tuple(of_game(game, solution, lambda: done(_STEP))) if solution else ()
    seen: tuple[SeenCard, ...] = ()
    if solution and _seen_steps(asked):
        seen = seen_cards(game, solution, seed=asked.seed, advance=lambda cards: done(cards * _STEP))
    ways = {}
    for name in ways_of(game) if solution else ():
        ways[name] = solve(game, strategy=name)
        done(_STEP)
    cards: tuple[StrategyCard, ...] = ()
    if solution and not asked.quick:
        cards = cards_of(game)
        done(_CARD_STEPS * _STEP)
    side_bets = found.side_bets if found else {}
    plan, tally, simulation = _simulated(asked, done)
    return Study(
        asked=asked,
        found=found,
        solution=solution,
        wagers=solution.by_wager() if solution else {},
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


def _seen_steps(asked: Asked) -> int:
    """Flashed cards take long where positions have to be drawn."""
    steps = exposed.steps_of(asked.game)
    return 0 if asked.quick and steps >= exposed.POSITIONS else steps


def _shared(asked: Asked, done: Callable[[int], None]) -> SharedHands | None:
    if asked.quick:
        return None
    players = asked.game.book.table.seats
    return shared_hands(
        asked.game, players=players, rounds=SHARED_DEALS, seed=asked.seed, advance=lambda deals: done(deals * _STEP)
    )


def _simulated(asked: Asked, done: Callable[[int], None]) -> tuple[Plan, Tally, Simulation]:
    """Seat 1 places what the game asks for and no more; seat 2 places every wager that can be simulated."""
    from crossfelt.analysis.simulation.planning import plan_for, simulated_wagers, strategies
    from crossfelt.analysis.simulation.result import figures_of
    from crossfelt.analysis.simulation.simulating import tally_rounds

    game = asked.game
    everything, strategy = simulated_wagers(game), strategies(game)[0]
    base = {base_of(game): everything[base_of(game)]}
    seats = [SeatPlan(wagers=base, strategy=strategy)]
    if everything != base:
        seats.append(SeatPlan(wagers=everything, strategy=strategy))
    plan = plan_for(game, seats, seed=asked.seed, session_rounds=SESSION_ROUNDS)

    def after(block: Done, tally: Tally) -> bool:
        done(block.tally.rounds)
        return True

    tally = tally_rounds(game, plan, asked.rounds, workers=asked.workers, after=after)
    return plan, tally, figures_of(game, plan, tally, CONFIDENCE)
