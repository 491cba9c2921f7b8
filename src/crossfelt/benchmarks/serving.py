"""A house of its own to measure: on the loopback, with data that go when it does."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import urlopen

STOP_SECONDS = 30
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


class NoHouse(Exception):
    """It does not start."""


@contextmanager
def house() -> Iterator[str]:
    """Its address, as soon as it has given its first page."""
    with tempfile.TemporaryDirectory(prefix="crossfelt-bench-") as data:
        command = [sys.executable, "-m", "crossfelt.cli.main", "serve", "--port", "0", "--data", data]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            address = _address(process)
            urlopen(address).close()
            yield address
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=STOP_SECONDS)


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    told = ""
    for line in process.stderr:
        if found := _ADDRESS.search(line):
            return found[0]
        told = line
    raise NoHouse(told.strip())
