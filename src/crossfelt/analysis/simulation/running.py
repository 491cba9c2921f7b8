"""Runs a plan block by block, on as many processors as there are; the answer does not depend on how many."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, NamedTuple, Protocol

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


_ROUNDS: Final[Mapping[str, Callable[[Game, Plan], Rounds]]] = {
    "criss_cross": CrissCrossRounds,
    "double_cross": DoubleCrossRounds,
    "pai_gow": PaiGowRounds,
}


def rounds_of(game: Game, plan: Plan) -> Rounds:
    """Plays the rounds of a plan."""
    return _ROUNDS[game.book.game](game, plan)


class Done(NamedTuple):
    """A block that was played."""

    first_round: int
    tally: Tally
    raw: Any
    """What the caller wanted to keep of it."""


def played(
    game: Game,
    plan: Plan,
    span: range,
    *,
    workers: int | None = None,
    keep: Callable[[int, Block], Any] = lambda first_round, block: None,
) -> Iterator[Done]:
    """The blocks of a stretch of rounds, which begins with a block, in order."""
    playing, size, threads = rounds_of(game, plan), plan.block_rounds, workers or processors()

    def work(first: int) -> Done:
        here = min(size, span.stop - first)
        block = playing.play(first // size, here)
        return Done(first, tally_of(block, plan, here), keep(first, block))

    waiting: deque[Future[Done]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for first in span[::size]:
            waiting.append(pool.submit(work, first))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def tally_of(block: Block, plan: Plan, rounds: int) -> Tally:
    """What the rounds of a block came to."""
    seats = zip(block.wagers, block.decisions, strict=True)
    tallies = tuple(SeatTally.of(wagers, decisions, plan.session_rounds) for wagers, decisions in seats)
    return Tally(seats=tallies, rounds=rounds)
