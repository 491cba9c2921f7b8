"""The server in a process of its own: its processor time and memory, its start, its restart after a kill.

python -m benchmarks.server --events 1000000   # a restart with a longer history
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

from benchmarks.report import lines
from benchmarks.timing import Result, machine, our_result, say
from crossfelt.client import Client
from crossfelt.proof.history import read_row
from crossfelt.rulebooks.script import Decide, OpenBets
from crossfelt.server.audit.signed_heads import EVERY_SECONDS, Signer
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.rulebooks import Rulebooks
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.journal.stream import Journal
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.pit.pit import Pit
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.runtime.periodic import repeat
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.signing_key import signing_key
from crossfelt.server.store.sql_store import Store
from crossfelt.table.state import step_of

PASSWORD: Final = "a password for a server that is measured"
MOST_SECONDS: Final = 120.0
_ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+")
_PASSWORD_FILE: Final = re.compile(r"one-time password in (.+), then set your own")
UNLIMITED: Final[Mapping[str, str]] = {
    "CROSSFELT_ADVICE": "false",
    "CROSSFELT_HEADS": "none",
    "CROSSFELT_REQUESTS_A_SECOND": "1000000",
    "CROSSFELT_NEW_ACCOUNTS": "1000000",
    "CROSSFELT_CONNECTIONS": "1000000",
    "CROSSFELT_CONNECTIONS_PER_ADDRESS": "1000000",
    "CROSSFELT_LOG_LEVEL": "error",
}
"""No worker process, no file outside the data directory, no limit for one address."""
MOST_STARTS: Final = 5
EVENTS: Final = 100_000
GROWN_TABLES: Final = 20
MOST_RESTARTS: Final = 3
PERSON: Final = "Guest"
CHIPS_CENTS: Final = 10**9
WAGERS: Final = {"ante_across": 5_00, "ante_down": 5_00}


def start(repeats: int) -> Iterator[Result]:
    starts = min(repeats, MOST_STARTS)
    say(f"start: the server, {starts} times, until it gives its page ...")
    yield our_result(
        "crossfelt serve, from nothing to its first page",
        "s",
        min(_first_start() for _ in range(starts)),
        goal=2.0,
        note="a new data directory each time: database, key, owner, and a table for each rulebook",
    )


def _first_start() -> float:
    with new_server() as server:
        return server.ready_seconds


def restart(repeats: int, events: int = EVENTS) -> Iterator[Result]:
    say(f"restart: a history of {events:,} events at {GROWN_TABLES} tables ...")
    with tempfile.TemporaryDirectory(prefix="crossfelt-bench-") as folder:
        grown = asyncio.run(grow(Path(folder), events, GROWN_TABLES))
        seconds = min(_restart(Path(folder)) for _ in range(min(repeats, MOST_RESTARTS)))
    yield our_result(
        f"crossfelt serve, after a kill, to its page: {grown:,} events",
        "s",
        seconds,
        goal=2.0,
        note="tables begin at their last snapshot; the check of stored rows begins at the last signed head",
    )


def _restart(directory: Path) -> float:
    server = ServerProcess(directory)
    server.kill()
    return server.ready_seconds


class ServerFailed(Exception):
    """The server did not start."""


class ServerProcess:
    """`crossfelt serve` on a free port, with its data in a directory. Memory and processor time are read from /proc.

    As a context manager it stops the server when the block ends, and kills it after an exception, so that Ctrl-C does
    not wait.
    """

    def __init__(self, directory: Path, settings: Mapping[str, str] = UNLIMITED) -> None:
        command = [sys.executable, "-m", "crossfelt.cli.main", "serve", "--port", "0", "--data", str(directory)]
        began = time.perf_counter()
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **settings}
        )
        self._lines: list[str] = []
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            self.address = self._printed(_ADDRESS)
            with urllib.request.urlopen(self.address) as page:
                page.read()
        except BaseException:
            self.kill()
            raise
        self.ready_seconds = time.perf_counter() - began
        """Seconds from the command to the first page."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, fault: type[BaseException] | None, *_: object) -> None:
        if fault is None:
            self.stop()
        else:
            self.kill()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as said:
            self._lines.extend(said)

    def _printed(self, wanted: re.Pattern[str]) -> str:
        """Return the first match in the lines that the server has printed."""
        until = time.perf_counter() + MOST_SECONDS
        while time.perf_counter() < until and self._process.poll() is None:
            if (found := next(self._matches(wanted), None)) is not None:
                return found
            time.sleep(0.005)
        raise ServerFailed("".join(self._lines[-1:]).strip() or "the server did not start")

    def _matches(self, wanted: re.Pattern[str]) -> Iterator[str]:
        for line in list(self._lines):
            if (match := wanted.search(line)) is not None:
                yield match[match.lastindex or 0]

    @property
    def owner_password(self) -> str:
        """The one-time password that the server writes to a file on its first start."""
        return Path(self._printed(_PASSWORD_FILE)).read_text().strip()

    async def owner(self) -> Client:
        """Log in as the owner on the first start, and set a password."""
        once = self.owner_password
        owner = await Client(self.address).log_in("owner", once)
        told = await owner.put("/api/me/password", {"old": once, "new": PASSWORD})
        return Client(self.address, told["token"])

    @property
    def cpu_seconds(self) -> float:
        """User and system time so far, on all cores."""
        after_name = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory_mb(self) -> float:
        """Resident memory."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """Kill the process, as a loss of power does."""
        self._process.kill()
        self._process.wait()
        self._listener.join()

    def stop(self) -> None:
        """Ask the process to stop, and wait for it."""
        self._process.terminate()
        self._process.wait(MOST_SECONDS)
        self._listener.join()


@contextmanager
def new_server(settings: Mapping[str, str] | None = None) -> Iterator[ServerProcess]:
    """Start a server in a new directory that is deleted afterwards; without settings it is as a person starts it."""
    with (
        tempfile.TemporaryDirectory(prefix="crossfelt-bench-") as folder,
        ServerProcess(Path(folder), settings or {}) as server,
    ):
        yield server


async def grow(directory: Path, events: int, tables: int) -> int:
    """Play rounds without viewers into a data directory until it has enough events; return their number."""
    store = open_store(directory)
    journal = Journal(store)
    pit = Pit(
        *(store, journal, None),
        rulebooks=Rulebooks(),
        now=_now,
        holder="bench",
        metrics=Metrics(),
        best=_no_best_play,
    )
    await pit.open()
    signer = Signer(store, signing_key(directory), None, "bench")
    signing = asyncio.create_task(repeat(signer.sign, EVERY_SECONDS, Metrics()))
    actors = [await _table(pit, f"long-{number}") for number in range(tables)]
    grown = sum(await asyncio.gather(*(_play(store, actor, -(-events // tables)) for actor in actors)))
    # As after a loss of power: tables are not parked, the last rows are not signed.
    signing.cancel()
    await asyncio.gather(signing, return_exceptions=True)
    await store.close()
    return grown


async def _no_best_play(*_: object) -> Mapping[str, Any]:
    raise NotImplementedError


def _now() -> int:
    return time.time_ns() // 1_000_000


async def _table(pit: Pit, name: str) -> TableActor:
    settings = TableSettings(id=name, rulebook="nj-criss-cross", pace="instant")
    actor = await pit.create(settings, who="bench", bots=dict.fromkeys(range(2, 7), "always-1"))
    actor.presence.arrive(PERSON)
    await _ask(actor, "sit", {"command": "take_seat", "seat": 1, "chips_cents": CHIPS_CENTS})
    return actor


async def _play(store: Store, actor: TableActor, events: int) -> int:
    """Bet the least as the one person among bots until there are enough events; return their number."""
    numbers, counted, stored = itertools.count(), actor.seq, 0
    while stored < events:
        table, step = actor.table, step_of(actor.table)
        if isinstance(step, OpenBets) and not table.seat(1).wagers:
            rows = await store.rows(actor.settings.stream, counted, actor.seq - counted)
            stored, counted = stored + sum(len(read_row(row.body).events) for row in rows), actor.seq
            await _ask(actor, f"wagers-{next(numbers)}", {"command": "place_wagers", "seat": 1, "wagers": WAGERS})
            actor.ready(PERSON, None)
        elif isinstance(step, Decide) and table.turn[:1] == (1,):
            await _ask(actor, f"bet-{next(numbers)}", {"command": "bet", "seat": 1, "cents": WAGERS["ante_across"]})
        else:
            await asyncio.sleep(0.001)
    return stored


async def _ask(actor: TableActor, name: str, fields: dict[str, object]) -> None:
    answer = await actor.ask(CommandRequest(id=name, who=PERSON, role="player", fields=fields))
    assert answer.problem is None, answer.problem


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the restart of a server after a kill, with a long history.")
    parser.add_argument("--events", type=int, default=EVENTS, metavar="N", help="the length of the history")
    asked = parser.parse_args()
    print(*lines(machine(), list(restart(MOST_RESTARTS, asked.events))), sep="\n")


if __name__ == "__main__":
    main()
