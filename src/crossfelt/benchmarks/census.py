"""All 154,143,080 seven-card hands of the pai gow deck. No peer knows the joker."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

from crossfelt.benchmarks.result import Disagreement, Figure, Result
from crossfelt.benchmarks.timing import best_of, say
from crossfelt.kernels import census

HANDS = comb(53, 7)


def run(repeats: int) -> Iterator[Result]:
    say(f"census of {HANDS:,} seven-card hands ...")
    if not np.array_equal(census.counted(), census.visited()):
        raise Disagreement("the two ways to take the census do not agree")
    times = best_of({"counted": census.counted, "visited": census.visited}, repeats)
    yield Result(
        name="census, counted",
        unit="ms",
        figures=(Figure(who="crossfelt", value=times["counted"] * 1e3, ours=True),),
        goal_value=50.0,
    )
    yield Result(
        name="census, every hand visited",
        unit="s",
        figures=(Figure(who="crossfelt", value=times["visited"], ours=True),),
        goal_value=1.0,
        note=f"{HANDS / times['visited'] / 1e6:,.0f} million hands/s",
    )
