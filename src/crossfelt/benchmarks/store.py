"""Rounds made durable: every command of a round a commit of its own, at many tables at once, on SQLite."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

from msgspec.structs import replace

from crossfelt.benchmarks.result import Figure, Result
from crossfelt.benchmarks.table import rows
from crossfelt.benchmarks.timing import best_of, say
from crossfelt.house.store.opening import open_store
from crossfelt.house.store.port import Lease, NewRow, Transaction, new_row
from crossfelt.house.store.sql import SqlStore
from crossfelt.proof.chain import StreamHeader
from crossfelt.rulebooks.game import compile_game

TABLES = 100
ROUNDS = 3
BOOK = "md-criss-cross"
MANY, ONE = f"{TABLES} tables", "one table"
GOAL = 300.0
NOTE = (
    "SQLite, synchronous=FULL; rows are chained, leased and hashed, tables at once share commits; the peer writes the "
    "same bytes without a chain"
)
PEER = "sqlite3, a commit for each row"


def run(repeats: int) -> Iterator[Result]:
    lived = [new_row(command, events) for command, events in rows(compile_game(BOOK), ROUNDS)]
    say(f"store: {ROUNDS} six-seat rounds at {TABLES} tables at once, {len(lived)} commits each ...")
    numbers = count()
    with tempfile.TemporaryDirectory(prefix="crossfelt-bench-") as folder, asyncio.Runner() as runner:
        store, plain = open_store(Path(folder)), _plain(Path(folder))
        work: dict[str, Callable[[], object]] = {
            MANY: lambda: runner.run(_keep(store, lived, numbers, TABLES)),
            ONE: lambda: runner.run(_keep(store, lived, numbers, 1)),
            PEER: lambda: _write_plainly(plain, lived, next(numbers)),
        }
        times = best_of(work, min(repeats, 3))
        runner.run(store.close())
        plain.close()
    peer = Figure(who=PEER, value=ROUNDS / times[PEER])
    for name, tables, goal in ((MANY, TABLES, GOAL), (ONE, 1, None)):
        yield Result(
            name=f"six-seat rounds made durable, every command by itself, {name}",
            unit="rounds/s",
            figures=(Figure(who="crossfelt", value=tables * ROUNDS / times[name], ours=True), peer),
            more_is_better=True,
            goal_value=goal,
            note=NOTE,
        )


async def _keep(store: SqlStore, lived: Sequence[NewRow], numbers: Iterator[int], tables: int) -> None:
    await asyncio.gather(*(_table(store, f"t{next(numbers)}", lived) for _ in range(tables)))


async def _table(store: SqlStore, table: str, lived: Sequence[NewRow]) -> None:
    """As a table at work does it: a command is answered when it is durable, and then comes the next."""
    stream = f"table/{table}/1"
    lease = await store.lease(f"table/{table}", "bench", 60)
    assert lease is not None
    await store.commit([stream], lambda tx: tx.open(stream, StreamHeader(stream=stream), 0, lease=lease))
    for number, row in enumerate(lived):
        await store.commit([stream], _appending(stream, row, number, lease))


def _appending(stream: str, row: NewRow, number: int, lease: Lease) -> Callable[[Transaction], object]:
    once = replace(row, command_id=str(number))
    return lambda transaction: transaction.append(stream, once, lease=lease)


def _plain(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / "plain.sqlite", isolation_level=None)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("create table lines (stream integer, seq integer, body blob, unique (stream, seq))")
    return connection


def _write_plainly(connection: sqlite3.Connection, lived: Sequence[NewRow], stream: int) -> None:
    for number, row in enumerate(lived):
        connection.execute("insert into lines values (?, ?, ?)", (stream, number, row.start))
