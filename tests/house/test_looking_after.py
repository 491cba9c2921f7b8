"""What a house does beside serving goes on when the database has been away, or when some rows were altered."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import sys
from pathlib import Path

import pytest

from crossfelt.house.logs import JsonLines, PlainLines
from crossfelt.house.store.port import Lease, Unavailable
from house.serving import pit_of


def test_leases_are_renewed_again_after_the_database_was_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, lease_seconds=0.04) as pit:
            renew, asked, again = pit.store.renew, 0, asyncio.Event()

            async def away_at_first(lease: Lease, seconds: float) -> Lease | None:
                nonlocal asked
                asked += 1
                if asked <= 2:
                    raise Unavailable("the database is away")
                again.set()
                return await renew(lease, seconds)

            monkeypatch.setattr(pit.store, "renew", away_at_first)
            await pit.open()
            async with asyncio.timeout(30):
                await again.wait()

    asyncio.run(story())


def test_a_table_whose_rows_were_altered_stays_shut_and_the_others_open(tmp_path: Path) -> None:
    async def opened() -> tuple[set[str], set[str]]:
        async with pit_of(tmp_path) as pit:
            await pit.open()
            return set(pit.actors), set(pit.shut)

    everything, shut = asyncio.run(opened())
    assert not shut
    (file,) = tmp_path.glob("*.sqlite*")
    with sqlite3.connect(file) as database:
        (stream,) = database.execute("SELECT id FROM streams WHERE name = 'table/nj-pai-gow-1/1'").fetchone()
        database.execute("DELETE FROM snapshots WHERE stream = ?", (stream,))
        database.execute("UPDATE lines SET body = ? WHERE stream = ? AND seq = 1", (b'{"command":{}}', stream))
    assert asyncio.run(opened()) == (everything - {"nj-pai-gow-1"}, {"nj-pai-gow-1"})


@pytest.mark.parametrize("lines", [JsonLines(), PlainLines()], ids=["json", "text"])
def test_a_fault_is_logged_without_what_it_says(lines: logging.Formatter) -> None:
    try:
        raise ValueError("seat 2 holds As Kd")
    except ValueError:
        record = logging.LogRecord("house", logging.ERROR, "", 0, "a fault", (), sys.exc_info())
    told = lines.format(record)
    assert "As Kd" not in told
    assert "ValueError" in told
    assert "a fault" in told
