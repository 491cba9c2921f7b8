"""The house, started as a person starts it: from nothing to the page in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from crossfelt.benchmarks.result import Figure, Result
from crossfelt.benchmarks.serving import house
from crossfelt.benchmarks.timing import say

MOST_STARTS = 5


def run(repeats: int) -> Iterator[Result]:
    starts = min(repeats, MOST_STARTS)
    say(f"house: started {starts} times, until it gives its page ...")
    seconds = min(_start() for _ in range(starts))
    yield Result(
        name="crossfelt serve, from nothing to its first page",
        unit="s",
        figures=(Figure(who="crossfelt", value=seconds, ours=True),),
        goal_value=2.0,
        note="a new data directory each time: database, key, owner, and a table for each rulebook",
    )


def _start() -> float:
    started = perf_counter()
    with house():
        return perf_counter() - started
