"""Several processes on one PostgreSQL: no lost update and no stale owner, whatever is killed or cut."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import psycopg
import pytest

from crossfelt.proof.signed_heads import SigningKey
from crossfelt.server.audit.integrity import IntegrityChecker
from crossfelt.server.store.interface import Stored
from crossfelt.server.store.sql_store import Store
from server.databases import PostgresqlDatabase, Title, run
from server.postgres import Postgres
from server.store.linearizability import contradictions
from server.store_writers import Done, Worker, own_in_turn, race
from soak_length import scaled

KEY = SigningKey.new().public


@pytest.fixture
def shared(postgres: Postgres, tmp_path: Path) -> Callable[[], PostgresqlDatabase]:
    """Return empty databases, one after another."""
    return lambda: PostgresqlDatabase(postgres.new_database(), tmp_path)


def begin(database: PostgresqlDatabase, *streams: str) -> None:
    async def story(store: Store) -> None:
        for stream in streams:
            await store.commit([stream], lambda tx, stream=stream: tx.open(stream, Title(stream), 0))  # type: ignore[misc]

    run(database, story)


def read(database: PostgresqlDatabase, stream: str) -> Sequence[Stored]:
    async def story(store: Store) -> Sequence[Stored]:
        checked = await IntegrityChecker(store, KEY).everything()
        assert checked.sound, checked.findings
        return await store.rows(stream)

    return run(database, story)


class Cutter:
    """Cuts random connections of the database until it is stopped."""

    def __init__(self, address: str, seed: int) -> None:
        self._address = address
        self._chance = random.Random(seed)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self.cuts = 0

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        others = "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
        with psycopg.connect(self._address, autocommit=True) as connection:
            while not self._stop.wait(self._chance.uniform(0.02, 0.1)):
                if pids := [pid for (pid,) in connection.execute(others)]:
                    connection.execute("select pg_terminate_backend(%s)", [self._chance.choice(pids)])
                    self.cuts += 1


def collect(
    workers: Sequence[Worker], kill_one_after: int | None = None, at_20: Callable[[], None] = lambda: None
) -> list[Done]:
    """Collect the answers of all workers; one may be killed meanwhile, or a callback may do damage."""
    told: list[Done] = []
    lock = threading.Lock()

    def listen(worker: Worker, first: bool) -> None:
        for number, done in enumerate(worker.said()):
            with lock:
                told.append(done)
                if len(told) == 20:
                    at_20()
            if first and number == kill_one_after:
                worker.kill()

    threads = [threading.Thread(target=listen, args=(worker, place == 0)) for place, worker in enumerate(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first, *others = [worker.end() for worker in workers]
    # It may have ended before the signal reached it.
    assert first in ((0, -9) if kill_one_after is not None else (0,))
    assert others == [0] * len(others)
    return told


def raced(
    database: PostgresqlDatabase, workers: int, count: int, seed: int, *, cut: bool, kill: int | None = None
) -> int:
    """Let processes race; return the number of cut connections."""
    streams = ["a", "b", "c"]
    begin(database, *streams)
    cutter = Cutter(database.address, seed) if cut else None
    try:
        told = collect([Worker(race, database, f"w{n}", streams, count, seed + n) for n in range(workers)], kill)
    finally:
        if cutter is not None:
            cutter.stop()
    for stream in streams:
        rows = read(database, stream)
        assert [*contradictions([done for done in told if done.stream == stream], rows)] == []
    return cutter.cuts if cutter is not None else 0


def test_two_processes_write_to_the_same_streams_and_one_is_killed(shared: Callable[[], PostgresqlDatabase]) -> None:
    raced(shared(), workers=2, count=40, seed=5, cut=False, kill=60)


def test_connections_are_cut_and_nothing_is_lost_or_done_twice(shared: Callable[[], PostgresqlDatabase]) -> None:
    assert raced(shared(), workers=2, count=40, seed=6, cut=True) > 0


@pytest.mark.soak
def test_four_processes_with_cut_connections(shared: Callable[[], PostgresqlDatabase]) -> None:
    for seed in range(scaled(10)):
        raced(shared(), workers=4, count=500, seed=seed, cut=True, kill=500)


def owned(database: PostgresqlDatabase, workers: int, count: int, seed: int, kill: int | None) -> int:
    """Let processes take a lease from one another; return how often a stale owner was refused."""
    stream = "table/t"
    begin(database, stream)
    started = [Worker(own_in_turn, database, f"w{n}", stream, count, seed + n, workers) for n in range(workers)]
    told = collect(started, kill)
    rows = read(database, stream)
    fences = [row.fence for row in rows[1:]]
    assert fences == sorted(fences), "no worker writes after one with a higher number"
    written = [done for done in told if done.command_id != "fenced"]
    assert [*contradictions(written, rows)] == []
    assert {(done.seq, done.fence) for done in written} <= {(row.seq, row.fence) for row in rows}
    return len(told) - len(written)


def test_a_process_that_lost_its_lease_writes_nothing_more(shared: Callable[[], PostgresqlDatabase]) -> None:
    assert owned(shared(), workers=2, count=60, seed=7, kill=40) > 0


@pytest.mark.soak
def test_four_owners_in_turn(shared: Callable[[], PostgresqlDatabase]) -> None:
    assert owned(shared(), workers=4, count=1000, seed=8, kill=300) > 100


def test_the_database_is_killed_under_load_and_restarted(tmp_path: Path) -> None:
    """A PostgreSQL of its own is killed with all its processes, and started again."""
    server = Postgres()
    try:
        database, streams = PostgresqlDatabase(server.new_database(), tmp_path), ["a", "b"]
        begin(database, *streams)
        workers = [Worker(race, database, f"w{n}", streams, 60, 9 + n) for n in range(2)]

        def fall() -> None:
            server.kill()
            server.start()

        told = collect(workers, at_20=fall)
        for stream in streams:
            mine = [done for done in told if done.stream == stream]
            assert [*contradictions(mine, read(database, stream))] == []
    finally:
        server.stop()


def test_the_checker_finds_contradictions() -> None:
    def row(seq: int, command_id: str) -> Stored:
        return Stored(position=seq, stream="a", seq=seq, command_id=command_id, at=0, body=b"", hash=f"h{seq}", fence=0)

    def wrote(seq: int, asked: float, answered: float) -> Done:
        return Done("w", "a", f"c{seq}", asked, answered, seq, f"h{seq}")

    def looked(seq: int, asked: float, answered: float) -> Done:
        return Done("w", "a", "", asked, answered, seq, f"h{seq}", read=True)

    rows = [row(seq, f"c{seq}") for seq in range(4)]
    good = [wrote(1, 0, 3), wrote(2, 1, 2), looked(2, 2.5, 4), wrote(3, 5, 6), looked(3, 7, 8)]
    assert [*contradictions(good, rows)] == []
    assert [*contradictions(good, rows[:-1])], "a lost row"
    assert [*contradictions(good, [*rows, row(4, "c1")])], "a command run twice"
    assert [*contradictions([*good, looked(2, 7, 8)], rows)], "a stale read"
    assert [*contradictions([wrote(2, 0, 1), wrote(1, 2, 3)], rows)], "an answer out of order"
    assert [*contradictions([Done("w", "a", "c9", 0, 1, 1, "h1")], rows)], "another's row"
