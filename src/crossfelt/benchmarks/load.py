"""A house under load: clients in every seat act once a second, on the machine that serves them."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crossfelt.benchmarks.result import Figure, Result
from crossfelt.benchmarks.timing import say
from crossfelt.client.load import Load, measure, quick_loop
from crossfelt.client.process import HouseProcess
from crossfelt.files import open_as_many_as_allowed

TABLES = 50
SEATS = 6
SECONDS = 20.0
CONNECTIONS = 1_000
GOAL_P99_MS = 100.0
GOAL_MEMORY_MB = 300.0
GOAL_CONNECTIONS = 6_000


def run(repeats: int) -> Iterator[Result]:
    say(f"load: {TABLES * SEATS} seats act once a second for {SECONDS:.0f} seconds ...")
    open_as_many_as_allowed()
    with (
        tempfile.TemporaryDirectory(prefix="crossfelt-bench-") as folder,
        HouseProcess(Path(folder)) as house,
        asyncio.Runner(loop_factory=quick_loop()) as runner,
    ):
        found = runner.run(_loaded(house))
    seats = f"{found['seats']:,} seats at {found['tables']} tables, {found['actions_per_second']:,.0f} actions/s"
    note = "clients share the machine with the house"
    yield _one(f"{seats}: from an action to everyone, p99", "ms", found["everyone_ms"]["p99"], GOAL_P99_MS, note)
    yield _one(f"{seats}: processor time of the house", "ms/action", found["house_cpu_ms_per_action"], None, note)
    each = 1024 * (found["house_memory_connected_mb"] - found["house_memory_mb"]) / (CONNECTIONS - found["seats"])
    yield _one("memory of a connection", "KB", each, None, "of who looks on at a table")
    expected = found["house_memory_mb"] + each * (GOAL_CONNECTIONS - found["seats"]) / 1024
    yield _one(f"memory with {GOAL_CONNECTIONS:,} connections, from these", "MB", expected, GOAL_MEMORY_MB, note)


async def _loaded(house: HouseProcess) -> dict[str, Any]:
    load = Load(house.address, "nj-criss-cross", TABLES, SEATS)
    await load.arrive(await house.owner())
    found = await measure(load, SECONDS, house, CONNECTIONS)
    await load.leave()
    return found


def _one(name: str, unit: str, value: float, goal: float | None, note: str) -> Result:
    return Result(
        name=name, unit=unit, figures=(Figure(who="crossfelt", value=value, ours=True),), goal_value=goal, note=note
    )
