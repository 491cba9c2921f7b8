"""A house of one's own, for those who measure: `crossfelt serve` in another process, and what it takes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from crossfelt.client.house import HouseClient

PASSWORD: Final = "a password for a house that is measured"
MOST_SECONDS: Final = 120.0
_ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+")
_ONE_TIME: Final = re.compile(r"set your own: (\S+)")
ALONE: Final[Mapping[str, str]] = {
    "CROSSFELT_ADVICE": "false",
    "CROSSFELT_HEADS": "none",
    "CROSSFELT_REQUESTS_A_SECOND": "1000000",
    "CROSSFELT_CONNECTIONS": "1000000",
    "CROSSFELT_CONNECTIONS_PER_ADDRESS": "1000000",
    "CROSSFELT_LOG_LEVEL": "error",
}
"""No second process beside the house, nothing outside its directory, no limits for one address."""


HERALDED: Final[Mapping[str, str]] = {**ALONE, "CROSSFELT_HERALD": "true"}
"""The same with a second process, which writes to viewers, and counts as the house's."""
_A_HERALD: Final = b"heralding.py"


class NoHouse(Exception):
    """It does not start."""


class HouseProcess:
    """A house on a port of its own, with its data in a directory; Linux tells what it takes.

    As a context manager it stops when the block ends, and is killed where something goes wrong there: who presses
    Ctrl-C does not wait for a house that nobody needs.
    """

    def __init__(self, directory: Path, settings: Mapping[str, str] = ALONE) -> None:
        command = [sys.executable, "-m", "crossfelt.cli.main", "serve", "--port", "0", "--data", str(directory)]
        began = time.perf_counter()
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **settings}
        )
        self._lines: list[str] = []
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            self.address = self._said(_ADDRESS)
            with urllib.request.urlopen(self.address) as page:
                page.read()
        except BaseException:
            self.kill()
            raise
        self.ready_seconds = time.perf_counter() - began
        """From the command to the first page."""

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

    def _said(self, wanted: re.Pattern[str]) -> str:
        """The first thing of this kind that the house has printed."""
        until = time.perf_counter() + MOST_SECONDS
        while time.perf_counter() < until and self._process.poll() is None:
            if (found := next(self._matches(wanted), None)) is not None:
                return found
            time.sleep(0.005)
        raise NoHouse("".join(self._lines[-1:]).strip() or "the house does not start")

    def _matches(self, wanted: re.Pattern[str]) -> Iterator[str]:
        for line in list(self._lines):
            if (match := wanted.search(line)) is not None:
                yield match[match.lastindex or 0]

    @property
    def owner_password(self) -> str:
        """Good once, as a house prints it on its first start."""
        return self._said(_ONE_TIME)

    async def owner(self) -> HouseClient:
        """The owner, on the first start, with a password of their own."""
        once = self.owner_password
        owner = await HouseClient(self.address).log_in("owner", once)
        told = await owner.put("/api/me/password", {"old": once, "new": PASSWORD})
        return HouseClient(self.address, told["token"])

    @property
    def cpu_seconds(self) -> float:
        """What it has taken of all cores so far, in user and in system time."""
        return sum(map(_cpu_seconds, self._serving()))

    @property
    def memory_mb(self) -> float:
        """What it has in memory; files of Python that its herald shares with it are counted once."""
        own, *heralds = self._serving()
        return _in_memory_mb(own, "VmRSS") + sum(_in_memory_mb(herald, "RssAnon") for herald in heralds)

    @property
    def heralded(self) -> bool:
        """Whether a second process writes to viewers; it is part of what the house takes."""
        return len(list(self._serving())) > 1

    def _serving(self) -> Iterator[Path]:
        """The process, and its herald where it has one."""
        own = Path(f"/proc/{self._process.pid}")
        yield own
        for child in (own / "task" / own.name / "children").read_text().split():
            with suppress(OSError):  # one that has ended meanwhile
                if _A_HERALD in Path("/proc", child, "cmdline").read_bytes():
                    yield Path("/proc", child)

    def kill(self) -> None:
        """As a machine that loses its power."""
        self._process.kill()
        self._process.wait()
        self._listener.join()

    def stop(self) -> None:
        """As a person does who presses Ctrl-C."""
        self._process.terminate()
        self._process.wait(MOST_SECONDS)
        self._listener.join()


def _cpu_seconds(process: Path) -> float:
    after_name = (process / "stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _in_memory_mb(process: Path, what: str) -> float:
    status = (process / "status").read_text()
    return int(status.partition(f"{what}:")[2].split()[0]) / 1024
