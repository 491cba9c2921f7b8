"""Processes that write to a store, to be killed, cut off and raced against one another.

They send each acknowledged commit through a pipe.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import event

from crossfelt.errors import BadInput
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.interface import FenceLost, Lease, Record, Repeated, StoreError, Unavailable
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
from server.databases import PostgresqlDatabase, Said, Say, Title
from server.forked_process import FORKS, forked

STREAMS: Final = ("account/a", "meter/m", "table/t")
"""The streams of each commit of `write_rounds`."""


class Worker:
    """A process, and the messages that it sends."""

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        self._ours, theirs = FORKS.Pipe(duplex=False)
        self.process = forked(work, theirs, *arguments)
        theirs.close()

    def said(self) -> Iterator[Any]:
        """Yield all messages until the process ends."""
        with contextlib.suppress(EOFError):
            while True:
                yield self._ours.recv()

    def kill(self) -> None:
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGKILL)

    def end(self) -> int | None:
        self.process.join()
        self._ours.close()
        return self.process.exitcode


# --- killed at every write --------------------------------------------------------------------------------------------


def write_rounds(told: Connection, directory: Path, rounds: int, kill_at: int) -> None:
    """Open a store and commit to three streams at a time, until the process is killed before the nth statement."""
    _die_at(kill_at)

    async def whole() -> None:
        store = open_store(directory)
        await rounds_into(store, rounds, told.send)
        await store.close()

    asyncio.run(whole())


def _die_at(count: int) -> None:
    """Kill this process before the nth statement to the database."""
    left = count

    def step(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    # SQLite calls this before each statement; a commit is one.
    event.listen(sa.pool.Pool, "connect", lambda connection, _: connection.set_trace_callback(step))
    # After a commit is durable, and before it is acknowledged.
    event.listen(sa.pool.Pool, "checkin", step)


async def rounds_into(store: Store, rounds: int, acknowledge: Callable[[int], None]) -> None:
    """Commit rounds, and acknowledge each."""
    if (await store.head(STREAMS[0])).seq < 0:
        await store.commit(STREAMS, _open_all)
    first = (await store.head(STREAMS[0])).seq + 1
    for number in range(first, first + rounds):
        await store.commit(STREAMS, lambda tx, number=number: _round(tx, number))  # type: ignore[misc]
        acknowledge(number)


def _open_all(tx: Transaction) -> None:
    for stream in STREAMS:
        tx.open(stream, Title(stream), 0)


def _round(tx: Transaction, number: int) -> None:
    for stream in STREAMS:
        tx.append(stream, Say(id=f"r{number}"), [Said(text=f"{number}")])


# --- several processes on one database --------------------------------------------------------------------------------


class Done(msgspec.Struct, frozen=True):
    """A request of a process, its answer, and the times of both."""

    worker: str
    stream: str
    command_id: str
    asked: float
    answered: float
    seq: int = -1
    """-1 if the outcome is unknown."""
    hash: str = ""
    fence: int = 0
    read: bool = False
    """True for a read of the stream's head."""


def race(told: Connection, database: PostgresqlDatabase, name: str, streams: list[str], count: int, seed: int) -> None:
    """Append to shared streams and read them, in parallel, despite broken connections."""
    asyncio.run(_race(told, _opened(database), name, streams, count, random.Random(seed)))


def _opened(database: PostgresqlDatabase) -> Store:
    """Open the store, again and again until the database is up."""
    while True:
        try:
            return database.open()
        except BadInput:
            time.sleep(0.05)


async def _race(
    told: Connection, store: Store, name: str, streams: list[str], count: int, chance: random.Random
) -> None:
    async def lane(lane_number: int) -> None:
        for number in range(count):
            stream = chance.choice(streams)
            if chance.random() < 0.2:
                done = await _look(store, name, stream)
            else:
                done = await _append(store, name, stream, f"{name}.{lane_number}.{number}")
            told.send(done)

    await asyncio.gather(*(lane(number) for number in range(4)))
    await store.close()


async def _append(store: Store, name: str, stream: str, command_id: str) -> Done:
    """Append until the outcome is known; a repetition finds the stored row."""
    asked = time.monotonic()
    row = Say(id=command_id), [Said(text=name)]
    while True:
        with contextlib.suppress(Unavailable):
            try:
                stored = await store.commit([stream], lambda tx: tx.append(stream, *row))
            except Repeated:
                found = await store.find(stream, command_id)
                assert found is not None
                stored = found
            return Done(name, stream, command_id, asked, time.monotonic(), stored.seq, stored.hash)
        await asyncio.sleep(0.01)


async def _look(store: Store, name: str, stream: str) -> Done:
    while True:
        asked = time.monotonic()
        with contextlib.suppress(Unavailable):
            head = await store.head(stream)
            return Done(name, stream, "", asked, time.monotonic(), head.seq, head.hash, read=True)
        await asyncio.sleep(0.01)


def own_in_turn(
    told: Connection, database: PostgresqlDatabase, name: str, stream: str, count: int, seed: int, workers: int
) -> None:
    """Take the table's lease when it is free, write under it, and sometimes sleep past its end."""

    async def whole() -> None:
        store = _opened(database)
        await _together(store, name, workers)
        await _own_in_turn(told, store, name, stream, count, random.Random(seed))
        await store.close()

    asyncio.run(whole())


async def _together(store: Store, name: str, workers: int) -> None:
    """Wait until all workers are ready."""
    await store.commit([], lambda tx: tx.put(Record(kind="ready", key=name, body=b"")))
    while len(await store.records("ready")) < workers:
        await asyncio.sleep(0.01)


async def _own_in_turn(
    told: Connection, store: Store, name: str, stream: str, count: int, chance: random.Random
) -> None:
    lease: Lease | None = None
    number = 0
    while number < count:
        try:
            if lease is None:
                lease = await store.lease("table/t", f"{name}-{number}", 0.05)
            if lease is None:
                await asyncio.sleep(0.01)
                continue
            if chance.random() < 0.1:
                await asyncio.sleep(0.1)  # the lease has expired, and another worker may have it
            asked, command_id = time.monotonic(), f"{name}.{number}"
            row, held = (Say(id=command_id), [Said(text=name)]), lease
            stored = await store.commit(
                [stream],
                lambda tx, row=row, held=held: tx.append(stream, *row, lease=held),  # type: ignore[misc]
            )
            told.send(
                Done(name, stream, command_id, asked, time.monotonic(), stored.seq, stored.hash, fence=stored.fence)
            )
            number += 1
        except FenceLost:
            told.send(Done(name, stream, "fenced", asked, time.monotonic(), fence=held.fence))
            lease = None
        except StoreError:
            lease = None
            number += 1  # the outcome is unknown
