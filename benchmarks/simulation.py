"""Simulation on all processors of this machine, and as shares on a Dask cluster of one worker and of several."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Disagreement, Result, best_of, our_figure, our_result, say
from crossfelt.analysis.cluster import LOCAL, ClusterRunner
from crossfelt.analysis.simulation.api import tally_rounds
from crossfelt.analysis.simulation.plan import SeatPlan
from crossfelt.analysis.simulation.plan_builder import plan_for
from crossfelt.analysis.simulation.referee import disagreements
from crossfelt.analysis.simulation.shards import SimulationRequest, decode_share, played_share
from crossfelt.analysis.simulation.strategies import OwnStrategy
from crossfelt.analysis.simulation.tally import SimulationTally
from crossfelt.analysis.strategies.seen import Seen
from crossfelt.kernels.threads import processors
from crossfelt.rulebooks.game import compile_game

ROUNDS: Final = 400_000
CHECKED: Final = 50
SHARED: Final = "nj-criss-cross"
STRANGER: Final = str(Path(__file__).parents[1] / "examples" / "rulebooks" / "mississippi-stud.toml")


def points(seen: Seen) -> NDArray[np.intp]:
    """Bet on a pair or a high card, by NumPy."""
    ranks = seen.cards["hole"] // 4
    good = (ranks[:, 0] == ranks[:, 1]) | (ranks.max(axis=1) >= 9)
    return np.where(good, seen.options.index("1x"), seen.options.index("fold"))


SEATS: Final = (
    (SHARED, [SeatPlan(wagers={"ante": 10_00}, strategy="optimal")] * 6, 1.0),
    ("nj-double-cross", [SeatPlan(wagers={"ante": 10_00}, strategy="optimal")] * 6, 1.0),
    ("nj-pai-gow", [SeatPlan(wagers={"main": 10_00}, strategy="house-way")], 1.0),
    (STRANGER, [SeatPlan(wagers={"ante": 10_00}, strategy="optimal")] * 6, 1.0),
    (STRANGER, [SeatPlan(wagers={"ante": 10_00}, strategy=OwnStrategy.of(points))] * 6, 0.3),
)
"""Rulebooks with their seats, and the goal of each in millions of seat-rounds a second."""
BLOCKS, QUICK_BLOCKS = 240, 24
BLOCKS_IN_A_SHARE: Final = 4
EMPTY_SHARES: Final = 200
WORKERS: Final = (1, 2, 4, 8)


def simulation(repeats: int) -> Iterator[Result]:
    say(f"simulation: {ROUNDS:,} rounds of each game on {processors()} processors ...")
    for book, seats, goal in SEATS:
        game = compile_game(book)
        named = game.book.id
        plan = plan_for(game, seats)
        if disagreements(game, plan, 0, range(CHECKED)):
            raise Disagreement(f"simulation and table do not agree on {named}")
        times = best_of({book: partial(tally_rounds, game, plan, ROUNDS)}, repeats)
        yield our_result(
            f"simulation of {named}, {len(seats)} seats, {seats[0].strategy}, {processors()} processors",
            "million seat-rounds/s",
            len(seats) * ROUNDS / times[book] / 1e6,
            goal=goal,
            more_is_better=True,
        )


def scaling(repeats: int) -> Iterator[Result]:
    game, seats = compile_game(SHARED), SEATS[0][1]
    plan = plan_for(game, seats)
    blocks = BLOCKS if repeats > 1 else QUICK_BLOCKS
    asked = SimulationRequest.of(game, plan, blocks * plan.block_rounds)
    encoded, shares = msgspec.json.encode(asked), blocks // BLOCKS_IN_A_SHARE
    whole = tally_rounds(game, plan, asked.rounds)
    rates: dict[int, float] = {}
    empty = 0.0
    for workers in (size for size in WORKERS if size <= processors()):
        say(f"scaling: {asked.rounds:,} rounds in {shares} shares by {_workers(workers)} of a cluster ...")
        with ClusterRunner(LOCAL, workers=workers) as cluster:
            _load_kernels(cluster, encoded, shares, workers)
            start, tally = perf_counter(), SimulationTally()
            for answer in cluster(played_share, [(encoded, number, shares) for number in range(1, shares + 1)]):
                tally += decode_share(answer).tally
            rates[workers] = len(seats) * asked.rounds / (perf_counter() - start) / 1e6
            if tally != whole:
                raise Disagreement(f"{_workers(workers)} and this process do not play the same rounds")
            empty = _empty_share_seconds(cluster, encoded)
    times = rates[max(rates)] / rates[1]
    yield our_result(
        f"simulation of {SHARED} on a cluster",
        "million seat-rounds/s",
        *(our_figure(rate, _workers(size)) for size, rate in rates.items()),
        note=f"{_workers(max(rates))}: {times:.2f} times as fast as one",
        more_is_better=True,
    )
    yield our_result(
        "cluster, handing out a share and taking its answer",
        "ms",
        empty * 1e3,
        note="all workers together; the scheduler's time for a share, however long the share takes",
    )


def _workers(size: int) -> str:
    return "one worker" if size == 1 else f"{size} workers"


def _load_kernels(cluster: ClusterRunner, asked: bytes, shares: int, workers: int) -> None:
    """Make every worker load its kernels before the clock starts."""
    for _ in cluster(played_share, [(asked, number % shares + 1, shares) for number in range(3 * workers)]):
        pass


def _empty_share_seconds(cluster: ClusterRunner, asked: bytes) -> float:
    """Return the time of a share with nothing to do."""
    start = perf_counter()
    for _ in cluster(nothing, [(asked,)] * EMPTY_SHARES):
        pass
    return (perf_counter() - start) / EMPTY_SHARES


def nothing(asked: bytes) -> bytes:
    return b""
