"""A house that starts again after a kill, with a long history behind it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

from crossfelt.benchmarks.growing import grow
from crossfelt.benchmarks.result import Figure, Result
from crossfelt.benchmarks.timing import say
from crossfelt.client.process import HouseProcess

EVENTS = 100_000
TABLES = 20
MOST_STARTS = 3


def run(repeats: int, events: int = EVENTS) -> Iterator[Result]:
    say(f"restart: a history of {events:,} events at {TABLES} tables ...")
    with tempfile.TemporaryDirectory(prefix="crossfelt-bench-") as folder:
        grown = asyncio.run(grow(Path(folder), events, TABLES))
        seconds = min(ready_seconds(Path(folder)) for _ in range(min(repeats, MOST_STARTS)))
    yield Result(
        name=f"crossfelt serve, after a kill, to its page: {grown:,} events",
        unit="s",
        figures=(Figure(who="crossfelt", value=seconds, ours=True),),
        goal_value=2.0,
        note="tables begin at their last snapshot; what is stored is checked from the last signed head on",
    )


def ready_seconds(directory: Path) -> float:
    """How long a house takes until it serves; it is killed then."""
    house = HouseProcess(directory)
    house.kill()
    return house.ready_seconds
