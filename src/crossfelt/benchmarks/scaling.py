"""Shares on a Dask cluster of this machine: one worker, two, … as many as there are processors; and an empty share."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import msgspec

from crossfelt.analysis.cluster import LOCAL, OnCluster
from crossfelt.analysis.simulation.plan import SeatPlan
from crossfelt.analysis.simulation.planning import plan_for
from crossfelt.analysis.simulation.sharing import Asked, decode_share, played_share
from crossfelt.analysis.simulation.simulating import tally_rounds
from crossfelt.analysis.simulation.tally import Tally
from crossfelt.benchmarks.result import Disagreement, Figure, Result
from crossfelt.benchmarks.timing import say
from crossfelt.kernels.threads import processors
from crossfelt.rulebooks.game import compile_game

BOOK = "nj-criss-cross"
SEATS = [SeatPlan(wagers={"ante": 10_00}, strategy="optimal")] * 6
BLOCKS, QUICK_BLOCKS = 240, 24
BLOCKS_IN_A_SHARE = 4
EMPTY = 200
MOST_SIZES = 4


def run(repeats: int) -> Iterator[Result]:
    game = compile_game(BOOK)
    plan = plan_for(game, SEATS)
    blocks = BLOCKS if repeats > 1 else QUICK_BLOCKS
    asked = Asked.of(game, plan, blocks * plan.block_rounds)
    encoded, shares = msgspec.json.encode(asked), blocks // BLOCKS_IN_A_SHARE
    whole = tally_rounds(game, plan, asked.rounds)
    rates: dict[int, float] = {}
    empty = 0.0
    for workers in _sizes():
        say(f"scaling: {asked.rounds:,} rounds in {shares} shares by {_workers(workers)} of a cluster ...")
        with OnCluster(LOCAL, workers=workers) as cluster:
            _warm(cluster, encoded, shares, workers)
            start, tally = perf_counter(), Tally()
            for answer in cluster(played_share, [(encoded, number, shares) for number in range(1, shares + 1)]):
                tally += decode_share(answer).tally
            rates[workers] = len(SEATS) * asked.rounds / (perf_counter() - start) / 1e6
            if tally != whole:
                raise Disagreement(f"{_workers(workers)} and this process do not play the same rounds")
            empty = _empty(cluster, encoded)
    times = rates[max(rates)] / rates[1]
    yield Result(
        name=f"simulation of {BOOK} on a cluster",
        unit="million seat-rounds/s",
        figures=tuple(Figure(who=_workers(size), value=rate, ours=True) for size, rate in rates.items()),
        more_is_better=True,
        note=f"{_workers(max(rates))}: {times:.2f} times as fast as one",
    )
    yield Result(
        name="cluster, handing out a share and taking its answer",
        unit="ms",
        figures=(Figure(who="crossfelt", value=empty * 1e3, ours=True),),
        note="all workers together; what the scheduler spends on a share, however long it takes",
    )


def _sizes() -> list[int]:
    """Doubling, up to as many workers as there are processors."""
    return [size for size in (1 << power for power in range(MOST_SIZES)) if size <= processors()]


def _workers(size: int) -> str:
    return "one worker" if size == 1 else f"{size} workers"


def _warm(cluster: OnCluster, asked: bytes, shares: int, workers: int) -> None:
    """Every worker loads its kernels before the clock starts."""
    for _ in cluster(played_share, [(asked, number % shares + 1, shares) for number in range(3 * workers)]):
        pass


def _empty(cluster: OnCluster, asked: bytes) -> float:
    """How long a share takes that has nothing to do."""
    start = perf_counter()
    for _ in cluster(nothing, [(asked,)] * EMPTY):
        pass
    return (perf_counter() - start) / EMPTY


def nothing(asked: bytes) -> bytes:
    return b""
