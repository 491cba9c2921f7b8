"""The copy of the signed heads: complete and in order, whatever happens to the file or the process."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
from pathlib import Path

import pytest

from crossfelt.proof.signed_heads import read_heads
from crossfelt.server.audit.integrity import IntegrityChecker
from crossfelt.server.audit.signed_heads import HeadCopy, Signer
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.runtime.periodic import repeat
from crossfelt.server.store.sql_store import Store
from limits import WAIT_SECONDS
from server.audit.tampered_streams import KEY, signer, talk
from server.databases import Database, SqliteDatabase, run
from server.recorded_rounds import words


def test_a_damaged_copy_does_not_stop_signing(tmp_path: Path) -> None:
    outside = tmp_path / "heads.jsonl"
    outside.write_text("no head\n")

    async def story(store: Store) -> None:
        signing = asyncio.create_task(repeat(signer(store, outside).sign, 0.001, Metrics()))
        for text in ("one", "two"):
            await talk(store, "a", text)
            async with asyncio.timeout(WAIT_SECONDS):
                while await store.streams_since_signed():
                    await asyncio.sleep(0.001)
        assert not signing.done()
        signing.cancel()

    run(SqliteDatabase(tmp_path / "data"), story)
    assert outside.read_text() == "no head\n", "the damaged copy is left for inspection"


def test_an_unreadable_copy_is_a_finding_and_does_not_stop_a_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    async def story(store: Store) -> None:
        checked = await IntegrityChecker(store, KEY.public, tmp_path / "file" / "heads.jsonl").since_last_head()
        assert words(checked.findings) == ["the copy of the heads cannot be read: Not a directory"]

    run(SqliteDatabase(tmp_path / "data"), story)


@pytest.mark.parametrize("at_once", [2, 1000])
def test_heads_that_were_not_copied_before_a_kill_are_copied_later(
    at_once: int, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "heads.jsonl"
    monkeypatch.setattr("crossfelt.server.audit.signed_heads.HEADS", at_once)

    async def story(store: Store) -> None:
        for text in ("one", "two", "three"):
            await talk(store, "a", text)
            await signer(store).sign()
        whole = b"".join(head.body + b"\n" for head in await store.signed_heads())
        for size in (0, 10, whole.index(b"\n") + 1, len(whole) - 1, len(whole)):
            outside.write_bytes(whole[:size])
            await signer(store, outside).catch_up()
            assert outside.read_bytes() == whole
        outside.unlink()
        await signer(store, outside).catch_up()
        assert outside.read_bytes() == whole

    run(database, story)


def numbers_in(outside: Path) -> list[int]:
    return [head.statement.number for head in read_heads(outside)]


def test_a_copy_has_every_head_once_when_processes_take_turns(database: Database, tmp_path: Path) -> None:
    """The first process is suspended, replaced, and wakes up with old knowledge of the copy."""
    outside = tmp_path / "heads.jsonl"

    async def story(store: Store) -> None:
        one, other = signer(store, outside), Signer(store, KEY, outside, "other")
        for turn, signs in enumerate((one, one, other, other, one, other, one)):
            await talk(store, "a", f"{turn}")
            assert await signs.sign() is not None
            await signs.release()
        assert numbers_in(outside) == [1, 2, 3, 4, 5, 6, 7]
        assert (await IntegrityChecker(store, KEY.public, outside).everything()).sound

    run(database, story)


def test_a_process_that_lost_the_lease_appends_nothing_to_the_copy(tmp_path: Path) -> None:
    """The lease has passed on between the read of the copy and the write."""
    outside = tmp_path / "heads.jsonl"

    async def story(store: Store) -> None:
        for text in ("one", "two", "three"):
            await talk(store, "a", text)
            await signer(store).sign()
        first, *rest = [head.body for head in await store.signed_heads()]
        late = HeadCopy(outside)
        late.append(None, [first])
        seen = late.last()
        await signer(store, outside).catch_up()
        late.append(seen, rest)
        late.append(None, [first])
        assert numbers_in(outside) == [1, 2, 3]
        with outside.open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            with pytest.raises(BlockingIOError):
                late.append(late.last(), [first])

    run(SqliteDatabase(tmp_path / "data"), story)


def test_a_full_disk_leaves_no_partial_head_in_the_copy_and_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    outside, write = tmp_path / "heads.jsonl", os.write

    def fill_up(descriptor: int, data: bytes) -> int:
        if len(data) < 100:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data[: len(data) // 2])

    async def story(store: Store) -> None:
        signing = signer(store, outside)
        for turn, text in enumerate(("one", "two", "three", "four")):
            await talk(store, "a", text)
            with monkeypatch.context() as full:
                if turn in (1, 2):
                    full.setattr(os, "write", fill_up)
                await signing.sign()
            assert numbers_in(outside) == [[1], [1], [1], [1, 2, 3, 4]][turn]

    run(SqliteDatabase(tmp_path / "data"), story)
    assert [record.getMessage() for record in caplog.records if record.name == "crossfelt.audit"] == [
        "heads are signed, but cannot be copied: [Errno 28] No space left on device",
        "heads are copied again",
    ]


def test_a_copy_that_was_moved_away_is_written_again_from_the_first_head(tmp_path: Path) -> None:
    """Nothing is appended to a copy that has lost its beginning."""
    outside, away = tmp_path / "heads.jsonl", tmp_path / "away.jsonl"

    async def story(store: Store) -> None:
        signing = signer(store, outside)

        async def signed(text: str) -> None:
            await talk(store, "a", text)
            await signing.sign()

        await signed("one")
        await signed("two")
        outside.rename(away)
        await signed("three")
        assert (numbers_in(away), numbers_in(outside)) == ([1, 2], [1, 2, 3])
        outside.write_bytes(outside.read_bytes().partition(b"\n")[2])
        await signed("four")
        assert numbers_in(outside) == [2, 3]
        checked = await IntegrityChecker(store, KEY.public, outside).since_last_head()
        assert words(checked.findings) == ["the copy of the heads: begins with head 2"]
        outside.unlink()
        assert await signing.sign() is None
        assert numbers_in(outside) == [1, 2, 3, 4], "though no stream has grown"

    run(SqliteDatabase(tmp_path / "data"), story)


def test_a_change_of_any_line_of_the_copy_is_found(tmp_path: Path) -> None:
    outside = tmp_path / "heads.jsonl"

    async def story(store: Store) -> None:
        signing = signer(store, outside)
        for text in ("one", "two", "three"):
            await talk(store, "a", text)
            await signing.sign()
        checker, whole = IntegrityChecker(store, KEY.public, outside), outside.read_bytes()
        for number, line in enumerate(whole.splitlines(), start=1):
            outside.write_bytes(whole.replace(line, line.replace(b'"at":1', b'"at":2')))
            found = words((await checker.everything()).findings)
            assert found == [f"head {number} differs from the one in the copy"]
        outside.write_bytes(whole[:-10])
        assert (await checker.everything()).sound, "a partial last line will be written again"
        assert (await checker.since_last_head()).sound

    run(SqliteDatabase(tmp_path / "data"), story)


def test_nothing_is_appended_to_a_copy_whose_last_head_is_not_in_the_store(tmp_path: Path) -> None:
    """It is the copy from before the store was set back."""
    outside = tmp_path / "heads.jsonl"

    async def story(store: Store) -> None:
        signing = signer(store, outside)
        for text in ("one", "two"):
            await talk(store, "a", text)
            await signing.sign()
        outside.write_bytes(other := outside.read_bytes().replace(b'"at":1', b'"at":2'))
        await talk(store, "a", "three")
        assert await signing.sign() is not None
        assert outside.read_bytes() == other

    run(SqliteDatabase(tmp_path / "data"), story)
