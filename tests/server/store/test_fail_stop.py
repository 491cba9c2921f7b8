"""A store whose disk hangs or whose writer has died says so and takes no more commits; its tables and process too."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import uvicorn

from crossfelt.cli.commands import serve
from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.server.store import writer
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.interface import Record, Unavailable
from crossfelt.server.store.transaction import Transaction
from crossfelt.server.store.writer import Writer
from limits import WAIT_SECONDS
from server.served import Served, run

TABLE = "nj-criss-cross-1"


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not happened():
            await asyncio.sleep(0.01)


def put(transaction: Transaction) -> None:
    transaction.put(Record(kind="a", key="b", body=b""))


def test_commits_are_refused_while_one_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "STALLED_SECONDS", 0.05)
    disk = threading.Event()

    def hang(transaction: Transaction) -> None:
        put(transaction)
        disk.wait()

    async def story() -> None:
        store = open_store(tmp_path)
        hanging = asyncio.create_task(store.commit([], hang))
        await until(lambda: not store.takes_writing)
        with pytest.raises(Unavailable, match="does not answer"):
            await store.commit([], put)
        assert not hanging.done()
        disk.set()
        await hanging
        await until(lambda: store.takes_writing)
        await store.commit([], put)
        await store.close()

    asyncio.run(story())


def test_a_writer_that_has_died_refuses_every_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: Writer) -> None:
        raise OSError("time.sleep fails")

    async def story() -> None:
        store = open_store(tmp_path)
        monkeypatch.setattr(Writer, "_wait_for_more", broken)
        async with asyncio.timeout(WAIT_SECONDS):
            for _ in range(3):
                with pytest.raises(Unavailable, match="restart the server"):
                    await store.commit([], put)
            assert not store.takes_writing
            await store.close()

    asyncio.run(story())
    assert "restart the server" in caplog.text


def test_a_hanging_store_shows_in_readiness_and_metrics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = threading.Event()

    async def story(served: Served) -> None:
        client = Client(served.address)
        assert await client.get("/readyz") == {"status": "ready"}
        hanging = asyncio.create_task(served.server.store.commit([], lambda _: disk.wait()))
        try:
            with monkeypatch.context() as impatient:
                impatient.setattr(writer, "STALLED_SECONDS", 0.05)
                await until(lambda: not served.server.store.takes_writing)
                with pytest.raises(BadInput):
                    await client.get("/readyz")
                assert b"crossfelt_ready 0.0" in served.server.metrics.text()
        finally:
            disk.set()
            await hanging

    run(tmp_path, story)


def test_a_disk_that_hangs_shows_while_nobody_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossfelt.server.server.EVERY_SECONDS", 1e9)  # no head is signed
    disk = threading.Event()

    async def story(served: Served) -> None:
        try:
            with monkeypatch.context() as hanging:
                hanging.setattr(writer, "STALLED_SECONDS", 0.05)
                hanging.setattr(Writer, "_commit", lambda self, jobs: disk.wait())
                await until(lambda: not served.server.store.takes_writing)
        finally:
            disk.set()
        await until(lambda: served.server.store.takes_writing)

    run(tmp_path, story)


def test_a_table_whose_task_has_ended_is_counted_and_opens_again(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        pit = served.server.pit
        before, faults = pit.find(TABLE), served.faults
        assert before._task is not None
        before._task.cancel()
        await until(lambda: served.faults == faults + 1)
        assert pit.actors.get(TABLE) is not before
        served.server.metrics.faults.reset()  # the fault was meant

    run(tmp_path, story)


def test_sigterm_kills_a_server_that_does_not_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    killed = threading.Event()
    monkeypatch.setattr(serve, "KILL_SECONDS", 0.01)
    monkeypatch.setattr(serve, "_kill", killed.set)
    server = serve.InterruptibleServer(uvicorn.Config("none:none"))
    server.handle_exit(signal.SIGTERM, None)
    assert server.should_exit
    assert killed.wait(WAIT_SECONDS)
