"""Simulation on all processors: rounds drawn, decided, settled and added up, sessions and drawdowns included."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from crossfelt.analysis.simulation.plan import Plan, SeatPlan
from crossfelt.analysis.simulation.planning import plan_for
from crossfelt.analysis.simulation.referee import disagreements
from crossfelt.analysis.simulation.simulating import tally_rounds
from crossfelt.benchmarks.result import Disagreement, Figure, Result
from crossfelt.benchmarks.timing import best_of, say
from crossfelt.kernels.threads import processors
from crossfelt.rulebooks.game import Game, compile_game

ROUNDS = 400_000
CHECKED = 50
GOAL = 1.0
SEATS = {
    "nj-criss-cross": [SeatPlan(wagers={"ante": 10_00}, strategy="optimal")] * 6,
    "nj-double-cross": [SeatPlan(wagers={"ante": 10_00}, strategy="optimal")] * 6,
    "nj-pai-gow": [SeatPlan(wagers={"main": 10_00}, strategy="house-way")],
}
GOALS = {"nj-criss-cross": GOAL, "nj-pai-gow": GOAL}


def run(repeats: int) -> Iterator[Result]:
    say(f"simulation: {ROUNDS:,} rounds of each game on {processors()} processors ...")
    for book, seats in SEATS.items():
        game = compile_game(book)
        plan = plan_for(game, seats)
        require_agreement(game, plan)
        times = best_of({book: partial(tally_rounds, game, plan, ROUNDS)}, repeats)
        yield Result(
            name=f"simulation of {book}, {len(seats)} seats, {seats[0].strategy}, {processors()} processors",
            unit="million seat-rounds/s",
            figures=(Figure(who="crossfelt", value=len(seats) * ROUNDS / times[book] / 1e6, ours=True),),
            more_is_better=True,
            goal_value=GOALS.get(book),
        )


def require_agreement(game: Game, plan: Plan) -> None:
    """Speed counts only if the rounds are those of the table."""
    if disagreements(game, plan, 0, range(CHECKED)):
        raise Disagreement(f"simulation and table do not agree on {game.book.id}")
