"""The load rig: it plays, and prints what it measured."""

from __future__ import annotations

import asyncio
from pathlib import Path

from crossfelt.client.load import Load, measure
from crossfelt.client.load_telling import plot, table_of
from house.serving import owner_of, serving


async def loaded(directory: Path, tables: int, seconds: float) -> str:
    async with serving(directory, herald=True) as served:
        load = Load(served.address, "nj-criss-cross", tables, 6)
        await load.arrive(await owner_of(served))
        figures = await measure(load, seconds, connections=10)
        await load.leave()
        assert figures["connections"] == 10
        assert figures["refused"] == 0
        assert figures["unheard"] == 0
        assert figures["actions"] >= 6 * tables
        assert "<svg" in plot(load.took(), "from an action to everyone")
        assert served.house.metrics.faults == 0
        return table_of(figures)


def test_a_small_load_is_played_without_a_refusal(tmp_path: Path) -> None:
    assert "everyone p99 (ms)" in asyncio.run(loaded(tmp_path, 1, 3.0))
