"""Runs a plan block by block, on as many processors as there are; the answer does not depend on how many."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

from crossfelt.analysis.simulation import criss_cross, double_cross
from crossfelt.analysis.simulation.criss_cross import CrissCrossRounds
from crossfelt.analysis.simulation.double_cross import DoubleCrossRounds
from crossfelt.analysis.simulation.pai_gow import PaiGowRounds
from crossfelt.analysis.simulation.plan import Block, Plan
from crossfelt.analysis.simulation.tally import SeatTally, Tally
from crossfelt.kernels.threads import processors
from crossfelt.rulebooks.game import Game


class Rounds(Protocol):
    """A game and a plan, ready to be played."""

    def play(self, block: int, rounds: int) -> Block:
        """The first rounds of a block, the same whenever it is played."""


def rounds_of(game: Game, plan: Plan) -> Rounds:
    """Plays the rounds of a plan."""
    names = [seat.strategy for seat in plan.seats]
    match game.book.game:
        case "criss_cross":
            return CrissCrossRounds(game, plan, tuple(criss_cross.strategy_named(game, name) for name in names))
        case "double_cross":
            return DoubleCrossRounds(game, plan, tuple(double_cross.strategy_named(game, name) for name in names))
        case "pai_gow":
            return PaiGowRounds(game, plan)


def tally_of(block: Block, plan: Plan, rounds: int) -> Tally:
    """What the rounds of a block came to."""
    seats = zip(block.wagers, block.decisions, strict=True)
    tallies = tuple(SeatTally.of(wagers, decisions, plan.session_rounds) for wagers, decisions in seats)
    return Tally(seats=tallies, rounds=rounds)


def tallies(game: Game, plan: Plan, rounds: int, *, done: int = 0, workers: int | None = None) -> Iterator[Tally]:
    """Block after block, in order, from the block after the first `done` rounds."""
    playing = rounds_of(game, plan)
    size = plan.block_rounds

    def work(block: int) -> Tally:
        here = min(size, rounds - block * size)
        return tally_of(playing.play(block, here), plan, here)

    waiting: deque[Future[Tally]] = deque()
    pool = ThreadPoolExecutor(workers or processors())
    try:
        for block in range(done // size, -(-rounds // size)):
            waiting.append(pool.submit(work, block))
            if len(waiting) > 2 * (workers or processors()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
