"""`crossfelt serve` in a process of its own, to be killed.

The process is forked from one that has all modules imported, so that it starts in a fraction of a second.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from limits import WAIT_SECONDS
from server.forked_process import forked

USUAL = {"CROSSFELT_ADVICE": "false", "CROSSFELT_REQUESTS_A_SECOND": "1000000"}


class ServerProcess:
    """`crossfelt serve` on a free port."""

    def __init__(self, directory: Path, **settings: str) -> None:
        """Start with `settings` by the names of the configuration: `database="postgresql://…"`."""
        self._directory = directory
        named = {f"CROSSFELT_{name.upper()}": value for name, value in settings.items()}
        self._environment = {**USUAL, "CROSSFELT_HEADS": str(directory / "heads"), **named}
        self._process: Any = None
        self._errors = directory / "nothing"
        self.address = ""

    def start(self) -> None:
        self._directory.mkdir(exist_ok=True)
        self._errors = self._directory / f"errors-{time.monotonic_ns()}"
        self._process = forked(_serve, self._directory, self._errors, self._environment)

    def wait(self) -> str:
        """Wait until it serves; return its address."""
        while not (found := re.search(r"at (http://\S+:\d+)", self.errors)):
            assert self._process.is_alive(), f"the server ended: {self.errors}"
            time.sleep(0.005)
        self.address = found[1]
        return self.address

    @property
    def pid(self) -> int:
        return int(self._process.pid)

    @property
    def errors(self) -> str:
        """Return the text on stderr since the start."""
        return self._errors.read_text("utf-8", errors="replace") if self._errors.exists() else ""

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the process, unless it has ended."""
        if self._process is not None and self._process.is_alive():
            os.kill(self._process.pid, how)
            self._process.join(WAIT_SECONDS)
            self._process.kill()
        self.address = ""


def _serve(directory: Path, errors: Path, environment: Mapping[str, str]) -> None:
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    os.environ.update(environment)
    from crossfelt.cli.commands.serve import serve

    serve(port=0, data=str(directory))
