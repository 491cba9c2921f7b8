"""Execution of a plan in blocks on several processors; the result does not depend on their number."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from crossfelt.analysis.simulation.at_table import tally_blocks
from crossfelt.analysis.simulation.meters import MeterAnswer, MeterStanding, answers
from crossfelt.analysis.simulation.meters import opened as opening
from crossfelt.analysis.simulation.plan import Block, Drawn, SimulationPlan
from crossfelt.analysis.simulation.rounds import CompiledRounds
from crossfelt.analysis.simulation.tally import SeatTally, SimulationTally
from crossfelt.kernels.threads import processors
from crossfelt.rulebooks.game import Game


def block_of(game: Game, plan: SimulationPlan, block: int, rounds: int) -> Block:
    """Play the first rounds of a block, with newly opened meters."""
    drawn = CompiledRounds(game, plan).draw(block, rounds)
    return settle_block(drawn, answers(game, opened_meters(game, plan), drawn.claims)[0])


def opened_meters(game: Game, plan: SimulationPlan) -> dict[str, MeterStanding]:
    """Return the meters of a plan at the start of a history."""
    return {meter: opening(game, meter) for meter in plan.fed(game)}


def settle_block(drawn: Drawn, said: Mapping[str, MeterAnswer]) -> Block:
    """Settle the rounds of a block after the meters have paid."""
    return Block(drawn.settle({meter: answer.paid for meter, answer in said.items()}), said, drawn)


class PlayedBlock(NamedTuple):
    """A played block."""

    first_round: int
    tally: SimulationTally
    standing: Mapping[str, MeterStanding]
    """State of the meters afterwards."""
    raw: Any
    """Data that the caller extracted from the block."""


def play_blocks(
    game: Game,
    plan: SimulationPlan,
    span: range,
    *,
    standing: Mapping[str, MeterStanding] | None = None,
    workers: int | None = None,
    keep: Callable[[int, Block], Any] = lambda first_round, block: None,
) -> Iterator[PlayedBlock]:
    """Yield the blocks of a stretch of rounds in order; the stretch begins with a block.

    A stretch that begins within a history starts with the given meters. Threads draw and tally blocks in parallel;
    this thread follows the meters block by block.
    """
    if plan.at_table:
        yield from (PlayedBlock(first, tally, {}, None) for first, tally in tally_blocks(game, plan, span, workers))
        return
    playing, size, threads = CompiledRounds(game, plan), plan.block_rounds, workers or processors()
    history, standing = plan.unit_rounds(game), standing or opened_meters(game, plan)

    def draw(first: int) -> Drawn:
        return playing.draw(first // size, min(size, span.stop - first))

    def add_up(first: int, drawn: Drawn, said: Mapping[str, MeterAnswer]) -> tuple[SimulationTally, Any]:
        block = settle_block(drawn, said)
        return tally_of(game, block, plan, min(size, span.stop - first)), keep(first, block)

    drawing: deque[tuple[int, Future[Drawn]]] = deque()
    adding: deque[tuple[int, Mapping[str, MeterStanding], Future[tuple[SimulationTally, Any]]]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        firsts = deque(span[::size])
        while firsts or drawing or adding:
            while firsts and len(drawing) <= threads:
                drawing.append((firsts[0], pool.submit(draw, firsts.popleft())))
            while drawing and len(adding) <= threads:
                first, drawn = drawing[0][0], drawing.popleft()[1].result()
                standing = opened_meters(game, plan) if first % history == 0 else standing
                said, standing = answers(game, standing, drawn.claims)
                adding.append((first, standing, pool.submit(add_up, first, drawn, said)))
            first, stands, added = adding.popleft()
            tally, raw = added.result()
            yield PlayedBlock(first, tally, stands, raw)
    finally:
        pool.shutdown(cancel_futures=True)


def tally_of(game: Game, block: Block, plan: SimulationPlan, rounds: int) -> SimulationTally:
    """Tally the rounds of a block."""
    tallies = tuple(
        SeatTally.of(wagers, plan.sides(game, seat, wagers), decisions, plan.session_rounds)
        for seat, (wagers, decisions) in enumerate(zip(block.wagers, block.drawn.decisions, strict=True), start=1)
    )
    return SimulationTally(
        seats=tallies,
        rounds=rounds,
        meters={meter: said.tally for meter, said in block.meters.items()},
        mishaps=block.drawn.mishaps,
        void_rounds=block.drawn.void_rounds,
    )
