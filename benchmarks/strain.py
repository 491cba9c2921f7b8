"""The server under strain: stopped while every table is in a round, and asked by one guest for 2,000 private tables."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from benchmarks.load import SEATS, Load, quantiles, quick_loop
from benchmarks.server import UNLIMITED, ServerProcess, new_server
from benchmarks.timing import Result, our_result, say
from crossfelt._util.atomic_files import raise_open_file_limit
from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.server.store.factory import open_store

DRAINED_TABLES: Final = 50
DRAINED_AFTER: Final = 5.0
"""Seconds of play before the stop."""
GOAL_STOP_SECONDS: Final = 10.0
PRIVATE_TABLES: Final = 2_000
AT_ONCE: Final = 8
"""Requests of the one guest at a time."""
GOAL_TABLES: Final = 12.0
GOAL_OTHERS_MS: Final = 100.0


class Stopped(NamedTuple):
    """A stop under load."""

    seconds: float
    """From SIGTERM to the end of the process."""
    restart_seconds: float
    acknowledged: int
    lost: int
    in_round: int
    """Tables that were between two bets when the server stopped."""


def drain(repeats: int) -> Iterator[Result]:
    say(f"drain: SIGTERM while {DRAINED_TABLES * SEATS} seats at {DRAINED_TABLES} tables act once a second ...")
    raise_open_file_limit()
    with tempfile.TemporaryDirectory(prefix="crossfelt-bench-") as folder:
        directory = Path(folder)
        with ServerProcess(directory, UNLIMITED) as server, asyncio.Runner(loop_factory=quick_loop()) as runner:
            load, seconds = runner.run(_stop_under_load(server))
            found = runner.run(_compare(directory, load, seconds))
    note = f"{found.in_round} tables in a round; serving again {found.restart_seconds:.1f} s after the next start"
    name = f"SIGTERM with {DRAINED_TABLES} tables in play, to the end"
    yield our_result(name, "s", found.seconds, goal=GOAL_STOP_SECONDS, note=note)
    name = f"acknowledged commands lost in that stop, of {found.acknowledged:,}"
    yield our_result(name, "commands", found.lost, goal=0.0)


async def _stop_under_load(server: ServerProcess) -> tuple[Load, float]:
    load = Load(server.address, "nj-criss-cross", DRAINED_TABLES, SEATS)
    await load.arrive(await server.owner())
    await load.begin()
    await asyncio.sleep(DRAINED_AFTER)
    began = time.perf_counter()
    await asyncio.to_thread(server.stop)
    seconds = time.perf_counter() - began
    for seat in load.seats:
        seat.stop()
    return load, seconds


async def _compare(directory: Path, load: Load, seconds: float) -> Stopped:
    """Look for every acknowledged command in the store, as a row of its player, and start the server again."""
    store = open_store(directory)
    lost = in_round = 0
    for first in range(0, len(load.seats), SEATS):
        seats = load.seats[first : first + SEATS]
        rows = [msgspec.json.decode(row.body) for row in await store.rows(f"table/{seats[0].table.table['id']}")]
        players = {row["seq"]: row["command"]["who"] for row in rows if "command" in row}
        lost += sum(players.get(seq) != seat.table.you["name"] for seat in seats for seq in seat.acted)
        in_round += seats[0].in_round
    await store.close()
    with ServerProcess(directory, UNLIMITED) as again:
        restart = again.ready_seconds
    return Stopped(seconds, restart, sum(len(seat.acted) for seat in load.seats), lost, in_round)


def private_tables(repeats: int) -> Iterator[Result]:
    say(f"private tables: one guest asks for {PRIVATE_TABLES:,} ...")
    with new_server(UNLIMITED) as server:
        before = server.memory_mb, server.cpu_seconds
        opened, others = asyncio.run(_ask_for_tables(server))
        cpu = 1000 * (server.cpu_seconds - before[1]) / PRIVATE_TABLES
        grown = server.memory_mb - before[0]
    name = f"private tables that one guest gets of {PRIVATE_TABLES:,}"
    yield our_result(name, "tables", opened, goal=GOAL_TABLES, note="the server refuses the others")
    yield our_result("processor time of the server for each of them", "ms", cpu)
    yield our_result("memory that these requests take", "MB", grown)
    yield our_result("another guest's request meanwhile, p99", "ms", quantiles(others)["p99"], goal=GOAL_OTHERS_MS)


async def _ask_for_tables(server: ServerProcess) -> tuple[int, list[float]]:
    """Return the tables that one guest could open, and the seconds that another guest waited for each answer."""
    greedy, other = [await Client(server.address).join_as_guest() for _ in range(2)]
    left, waits = itertools.repeat(None, PRIVATE_TABLES), list[float]()

    async def ask() -> int:
        opened = 0
        for _ in left:
            try:
                await greedy.open_table("nj-criss-cross")
            except BadInput:
                continue
            opened += 1
        return opened

    asking = asyncio.gather(*(ask() for _ in range(AT_ONCE)))
    while not asking.done():
        began = time.perf_counter()
        await other.get("/api/me")
        waits.append(time.perf_counter() - began)
        await asyncio.sleep(0.01)
    return sum(await asking), sorted(waits)
