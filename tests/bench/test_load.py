"""The load rig plays, prints its figures, and leaves no server behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from benchmarks import load
from benchmarks.load import Load, measure, plot, table_of
from benchmarks.server import ServerProcess
from limits import WAIT_SECONDS
from server.served import owner_of, serving


async def small_load(directory: Path) -> str:
    async with serving(directory) as served:
        run = Load(served.address, "nj-criss-cross", tables=1, seats=6)
        await run.arrive(await owner_of(served))
        figures = await measure(run, six_actions(run), connections=10)
        await run.leave()
        assert figures["connections"] == 10
        assert figures["refused"] == 0
        assert figures["undelivered"] == 0
        assert figures["actions"] >= 6
        assert "<svg" in plot(run.took(), "from an action to everyone")
        assert served.faults == 0
        return table_of(figures)


async def six_actions(run: Load) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while run.actions < 6:
            await asyncio.sleep(0.05)


def test_a_small_load_is_played_without_a_refusal(tmp_path: Path) -> None:
    assert "everyone p99 (ms)" in asyncio.run(small_load(tmp_path))


def test_an_interrupted_start_leaves_no_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[str]] = []

    def interrupted(server: ServerProcess, _: object) -> str:
        started.append(server._process)
        raise KeyboardInterrupt

    monkeypatch.setattr(ServerProcess, "_printed", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ServerProcess(tmp_path)
    assert started[0].poll() is not None


def test_an_interrupted_run_prints_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(load, "_main", interrupted)
    monkeypatch.setattr(sys, "argv", ["load", "http://127.0.0.1:1", "--password", "x"])
    with pytest.raises(SystemExit, match=str(load.EXIT_INTERRUPTED)):
        load.main()
    assert capsys.readouterr().err == "interrupted\n"


def test_a_terminated_run_stops_its_server(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[type[BaseException] | None] = []

    async def ended(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(60)

    def not_ours(*_: object) -> None:
        raise AssertionError("the rig puts the earlier handler back")

    server = Mock(spec=ServerProcess, __enter__=Mock(), __exit__=lambda _, fault, *__: left.append(fault))
    monkeypatch.setattr(load, "new_server", lambda _: server)
    monkeypatch.setattr(load, "_main", ended)
    monkeypatch.setattr(sys, "argv", ["load"])
    before = signal.signal(signal.SIGTERM, not_ours)
    try:
        with pytest.raises(SystemExit) as exited:
            load.main()
        assert signal.getsignal(signal.SIGTERM) is not_ours
    finally:
        signal.signal(signal.SIGTERM, before)
    assert (exited.value.code, left) == (128 + signal.SIGTERM, [SystemExit])
