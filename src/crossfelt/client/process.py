"""A house of one's own, for those who measure: `crossfelt serve` in another process, and what it takes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from crossfelt.client.house import HouseClient

PASSWORD: Final = "a password for a house that is measured"
MOST_SECONDS: Final = 120.0
_ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+")
_ONE_TIME: Final = re.compile(r"set your own: (\S+)")
_SETTINGS: Final = {
    "CROSSFELT_ADVICE": "false",
    "CROSSFELT_REQUESTS_A_SECOND": "1000000",
    "CROSSFELT_LOG_LEVEL": "error",
}
"""No second process beside the house, and no limit on what one address may ask."""


class HouseProcess:
    """A house on a port of its own, with its data in a directory; Linux tells what it takes."""

    def __init__(self, directory: Path) -> None:
        command = [sys.executable, "-m", "crossfelt.cli.main", "serve", "--port", "0", "--data", str(directory)]
        settings = {**os.environ, **_SETTINGS, "CROSSFELT_HEADS": str(directory / "heads.jsonl")}
        began = time.perf_counter()
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=settings)
        self._lines: list[str] = []
        threading.Thread(target=self._listen, daemon=True).start()
        self.address = self._said(_ADDRESS)
        with urllib.request.urlopen(self.address) as page:
            page.read()
        self.ready_seconds = time.perf_counter() - began
        """From the command to the first page."""

    def _listen(self) -> None:
        assert self._process.stderr is not None
        self._lines.extend(self._process.stderr)

    def _said(self, wanted: re.Pattern[str]) -> str:
        """The first thing of this kind that the house has printed."""
        until = time.perf_counter() + MOST_SECONDS
        while time.perf_counter() < until and self._process.poll() is None:
            if (found := next(self._matches(wanted), None)) is not None:
                return found
            time.sleep(0.005)
        raise RuntimeError(f"the house did not start: {''.join(self._lines)}")

    def _matches(self, wanted: re.Pattern[str]) -> Iterator[str]:
        for line in list(self._lines):
            if (match := wanted.search(line)) is not None:
                yield match[match.lastindex or 0]

    async def owner(self) -> HouseClient:
        """The owner, on the first start, with a password of their own."""
        once = self._said(_ONE_TIME)
        owner = await HouseClient(self.address).log_in("owner", once)
        told = await owner.put("/api/me/password", {"old": once, "new": PASSWORD})
        return HouseClient(self.address, told["token"])

    @property
    def cpu_seconds(self) -> float:
        """What it has taken of all cores so far, in user and in system time."""
        after_name = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory_mb(self) -> float:
        """What it has in memory."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def kill(self) -> None:
        """As a machine that loses its power."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """As a person does who presses Ctrl-C."""
        self._process.terminate()
        self._process.wait(MOST_SECONDS)
