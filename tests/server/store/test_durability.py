"""Acknowledged commits are durable: processes are killed at every write, and the log is cut at many bytes."""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
from itertools import count
from pathlib import Path

import pytest

from crossfelt.proof.signed_heads import SigningKey
from crossfelt.server.audit.integrity import IntegrityChecker
from crossfelt.server.store.interface import Unavailable
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.sqlite import FILE
from server.databases import SqliteDatabase, run
from server.store_writers import STREAMS, Worker, rounds_into, write_rounds
from soak_length import Progress, Recorded, scaled

KEY = SigningKey.new().public
KILLS_SOAK = 10_000
KILLS_OF_A_HOUSE = 100
"""Everything in it is looked at after each."""
FRAME = 24 + 4096
"""Of a write-ahead log: a header, and a page."""


async def whole(store: Store) -> int:
    """Check that every chain is sound and all three streams have the same length; return their last seq."""
    checked = await IntegrityChecker(store, KEY).everything()
    assert checked.sound, checked.findings
    heads = {head.stream: head.seq for head in await store.streams()}
    assert heads in ({}, dict.fromkeys(STREAMS, max(heads.values(), default=0)))
    return max(heads.values(), default=0)


def killed(directory: Path, rounds: int, kill_at: int, before: int = 0) -> tuple[bool, int]:
    """Run a writer that is killed at a statement; return whether it was killed before its end, and the last seq."""
    worker = Worker(write_rounds, directory, rounds, kill_at)
    acknowledged = [*worker.said()]
    died = worker.end() == -signal.SIGKILL
    after = run(SqliteDatabase(directory), whole)
    last = acknowledged[-1] if acknowledged else before
    assert acknowledged == [*range(before + 1, last + 1)]
    assert after in (last, last + 1), "acknowledged commits are stored, and at most one more"
    return died, after


def test_a_kill_at_any_write_loses_no_acknowledged_commit(tmp_path: Path) -> None:
    for kill_at in count(1):
        died, _ = killed(tmp_path / str(kill_at), rounds=1, kill_at=kill_at)
        if not died:
            break
    assert kill_at > 40, "every statement of a first start and of a round was tried"


@pytest.mark.soak
def test_ten_thousand_kills_at_any_write(tmp_path: Path, record_property: Recorded, progress: Progress) -> None:
    runs, chance, deaths = scaled(KILLS_SOAK), random.Random(1), 0
    for number in range(runs):
        if number % KILLS_OF_A_HOUSE == 0:
            server, come = tmp_path / f"{number}", 0
        died, come = killed(server, rounds=20, kill_at=chance.randrange(1, 120), before=come)
        deaths += died
        progress(number, runs)
    assert deaths > 0.9 * runs
    record_property("figure", f"{deaths:,} kills at some write: nothing acknowledged lost, no half commit")


def test_a_full_disk_stops_commits_and_breaks_nothing(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        def most_pages(count: int) -> None:
            with store._dialect.engine.connect() as connection:
                connection.exec_driver_sql(f"pragma max_page_count = {count}")

        await rounds_into(store, 3, lambda _: None)
        most_pages(1)
        acknowledged: list[int] = []
        with pytest.raises(Unavailable, match="full"):
            await rounds_into(store, 10_000, acknowledged.append)
        assert await whole(store) == (acknowledged[-1] if acknowledged else 3)
        most_pages(2**30)
        before = await whole(store)
        await rounds_into(store, 3, lambda _: None)
        assert await whole(store) == before + 3

    run(SqliteDatabase(tmp_path), story)


def test_a_log_that_was_cut_anywhere_holds_only_whole_commits(tmp_path: Path) -> None:
    """After a loss of power the log may end at any byte, or hold garbage from there on."""
    live = tmp_path / "live"

    async def copied() -> bytes:
        store = SqliteDatabase(live).open()
        try:
            await rounds_into(store, 6, lambda _: None)
            shutil.copyfile(live / FILE, tmp_path / "base")
            return (live / f"{FILE}-wal").read_bytes()
        finally:
            await store.close()

    log = asyncio.run(copied())
    frames = (len(log) - 32) // FRAME
    reached = []
    chance = random.Random(2)
    for frame in range(frames + 1):
        for torn in (0, chance.randrange(1, FRAME)) if frame % 3 == 0 else (0,):
            kept = log[: 32 + frame * FRAME]
            rubbish = chance.randbytes(torn)
            reached.append(_after_cut(tmp_path, kept + rubbish))
    assert reached == sorted(reached)
    assert set(reached) == set(range(7))


def _after_cut(tmp_path: Path, log: bytes) -> int:
    place = tmp_path / "cut"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    shutil.copyfile(tmp_path / "base", place / FILE)
    (place / f"{FILE}-wal").write_bytes(log)
    return run(SqliteDatabase(place), whole)
