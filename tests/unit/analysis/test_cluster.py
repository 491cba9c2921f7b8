"""The cluster runner with a real scheduler and real workers on the loopback, one of them killed during the run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import psutil
import pytest

import crossfelt
from crossfelt.analysis import cluster as clusters
from crossfelt.analysis.cluster import LOCAL, ClusterFailed, ClusterRunner
from crossfelt.analysis.runners import run_in_process
from crossfelt.analysis.simulation.api import tally_rounds
from crossfelt.analysis.simulation.plan import SeatPlan, SimulationPlan
from crossfelt.analysis.simulation.plan_builder import plan_for
from crossfelt.analysis.simulation.shards import SimulationRequest, decode_share, jobs_of, played_share, shares_for
from crossfelt.analysis.simulation.tally import SimulationTally
from crossfelt.analysis.sweep.api import encode, solved_piece
from crossfelt.cli.commands import simulate
from crossfelt.cli.main import run
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import compile_game
from limits import WAIT_SECONDS

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")

GAME = compile_game("nj-double-cross")
SEAT = SeatPlan(wagers={"ante": 1000}, strategy="optimal")
LOOPBACK = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")
"""Without the second option, a worker serves pages to everybody even without a dashboard."""


class Running(NamedTuple):
    address: str
    folder: Path
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]

    def worker(self) -> subprocess.Popen[bytes]:
        """Start another worker without a nanny, so that a killed one does not restart."""
        started = start("worker", self, "--nthreads", "1", "--no-nanny", *LOOPBACK)
        self.workers.append(started)
        return started


def start(what: str, cluster: Running | None, *options: str, folder: Path | None = None) -> subprocess.Popen[bytes]:
    place = cluster.folder if cluster else folder
    assert place is not None
    named = ("--scheduler-file", str(place / "scheduler.json"))
    sources = str(Path(crossfelt.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": sources, "DASK_TEMPORARY_DIRECTORY": str(place)}
    return subprocess.Popen(
        [sys.executable, "-m", "dask", what, *named, *options],
        env=environment,
        cwd=place,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def until(true: Any) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not true():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


def address_in(folder: Path) -> str:
    """Return the scheduler's address from its complete file."""
    with suppress(FileNotFoundError, json.JSONDecodeError):
        return str(json.loads((folder / "scheduler.json").read_text())["address"])
    return ""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("cluster")
    scheduler = start("scheduler", None, "--port", "0", *LOOPBACK, folder=folder)
    try:
        until(lambda: address_in(folder))
        running = Running(address_in(folder), folder, scheduler, [])
        for _ in range(2):
            running.worker()
        try:
            yield running
        finally:
            for worker in running.workers:
                worker.kill()
                worker.wait()
    finally:
        scheduler.kill()
        scheduler.wait()


def plan_and_asked(rounds: int) -> tuple[SimulationPlan, SimulationRequest]:
    plan = plan_for(GAME, [SEAT], seed="cluster", session_rounds=200)
    return plan, SimulationRequest.of(GAME, plan, rounds)


def listening(process: psutil.Process) -> set[str]:
    return {at.laddr.ip for at in process.net_connections(kind="inet") if at.status == psutil.CONN_LISTEN}


def test_a_lost_worker_does_not_alter_the_answer(cluster: Running) -> None:
    plan, asked = plan_and_asked(40 * SimulationPlan().block_rounds)
    victim = cluster.worker()
    with ClusterRunner(cluster.address) as there:
        until(lambda: there.slots == 3)
        coming = there(played_share, jobs_of(asked, shares_for(asked, GAME, there.slots)))
        tally = decode_share(next(coming)).tally
        # The workers now hold three unread shares each.
        os.kill(victim.pid, signal.SIGKILL)
        assert victim.wait() == -signal.SIGKILL
        for answer in coming:
            tally += decode_share(answer).tally
        assert there.slots == 2
    assert tally == tally_rounds(GAME, plan, asked.rounds)


def test_everything_stays_on_the_loopback(cluster: Running) -> None:
    with ClusterRunner(cluster.address) as there:
        assert there.slots >= 1
        for process in (cluster.scheduler, *cluster.workers):
            if process.poll() is None:
                assert listening(psutil.Process(process.pid)) <= {"127.0.0.1"}
    with ClusterRunner(LOCAL, workers=1) as there:
        family = [psutil.Process(), *psutil.Process().children(recursive=True)]
        heard = set[str]().union(*map(listening, family))
        assert heard == {"127.0.0.1"}
        _, asked = plan_and_asked(SimulationPlan().block_rounds)
        jobs = list(jobs_of(asked, shares_for(asked, GAME, there.slots)))
        assert list(there(played_share, jobs)) == list(run_in_process(played_share, jobs))


def test_commands_give_the_same_result_on_the_cluster(cluster: Running, capfd: pytest.CaptureFixture[str]) -> None:
    for command in (
        ["simulate", "nj-double-cross", "--rounds", "200000", "--check", "0", "--json"],
        ["sweep", "nj-criss-cross", "--pay", "bets.flush=5..9", "--pay", "bets.straight=3..6", "--json"],
    ):
        told = []
        for more in ([], ["--cluster", cluster.address]):
            assert run([*command, *more]) == 0
            told.append({**json.loads(capfd.readouterr().out), "seconds": 0})
        assert told[0] == told[1]


def test_a_simulation_on_the_cluster_resumes(
    cluster: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    command = ["simulate", "nj-double-cross", "--rounds", "100000", "--check", "0", "--json"]
    there = ["--cluster", cluster.address, "--state", str(tmp_path / "state")]

    def told(*arguments: str) -> dict[str, Any]:
        run(list(arguments))
        return {**json.loads(capfd.readouterr().out), "seconds": 0}

    with monkeypatch.context() as patched:
        patched.setattr(simulate, "until_interrupted", lambda: nullcontext(lambda: True))
        assert run([*command, *there]) == 130
    assert 0 < json.loads(capfd.readouterr().out)["rounds"] < 100_000
    whole = told(*command)
    assert told(*command, *there) == told(*command, *there) == whole
    merged = told("merge", there[-1], "--json")  # merging asks the table, whatever the parts did
    assert merged == {**whole, "checked_at_the_table": merged["checked_at_the_table"]}


def test_a_worker_with_other_software_is_refused(cluster: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "software_hash", lambda: "something else")
    _, asked = plan_and_asked(SimulationPlan().block_rounds)
    with ClusterRunner(cluster.address) as there, pytest.raises(ClusterFailed, match="another version"):
        list(there(played_share, jobs_of(asked, 1)))


def test_a_closed_iterator_cancels_its_jobs(cluster: Running) -> None:
    _, asked = plan_and_asked(60 * SimulationPlan().block_rounds)
    with ClusterRunner(cluster.address) as there:
        coming = there(played_share, jobs_of(asked, shares_for(asked, GAME, there.slots)))
        next(coming)
        coming.close()  # type: ignore[attr-defined]
        until(lambda: not there._client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)))


@pytest.mark.parametrize("address", ["nowhere", "tcp://", "ftp://127.0.0.1:1", "tcp://127.0.0.1"])
def test_an_invalid_address_is_refused(address: str) -> None:
    with pytest.raises(BadInput, match="not the address of a scheduler"):
        ClusterRunner(address)


def test_a_missing_cluster_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 1)
    with pytest.raises(BadInput, match="no cluster responds at this address"), ClusterRunner("tcp://127.0.0.1:1"):
        pass


def test_shares_are_of_one_whole_whatever_their_number() -> None:
    plan, asked = plan_and_asked(3 * SimulationPlan().block_rounds + 100)
    encoded, whole = msgspec.json.encode(asked), tally_rounds(GAME, plan, asked.rounds)
    for of in (1, 3, 7):
        played = [decode_share(played_share(encoded, number, of)).tally for number in range(1, of + 1)]
        assert sum(reversed(played), SimulationTally()) == whole


def test_a_sweep_on_the_cluster_gives_the_same_rows(cluster: Running) -> None:
    from crossfelt.analysis.sweep.grid import Axis, Submission
    from crossfelt.analysis.sweep.grid import SweepGrid as Sweep
    from crossfelt.rulebooks import loader

    axes = (Axis(kind="pay", name="raise.flush", values=(5, 6, 7)),)
    sweep = Sweep.of(loader.as_data(loader.load("nj-double-cross")), (Submission(),), axes)
    jobs = [(encode(sweep), [number]) for number in range(sweep.count)]
    with ClusterRunner(cluster.address) as there:
        assert sorted(there(solved_piece, jobs)) == sorted(run_in_process(solved_piece, jobs))


def test_a_lost_scheduler_is_reported(cluster: Running) -> None:
    """Run last, because it stops the cluster."""
    _, asked = plan_and_asked(60 * SimulationPlan().block_rounds)
    with ClusterRunner(cluster.address) as there:
        coming = there(played_share, jobs_of(asked, 60))
        next(coming)
        cluster.scheduler.kill()
        with pytest.raises(ClusterFailed, match="lost the connection to the scheduler"):
            list(coming)
