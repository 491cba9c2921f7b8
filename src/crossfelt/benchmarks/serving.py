"""A house of its own to measure: on the loopback, with data that go when it does."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.request import urlopen

STOP_SECONDS = 30
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
_PASSWORD = re.compile(r"(?<=set your own: )\S+")


class NoHouse(Exception):
    """It does not start."""


class Serving(NamedTuple):
    """A house that has started."""

    address: str
    owner_password: str
    """Good once, as a house prints it on its first start."""


@contextmanager
def house() -> Iterator[str]:
    """Its address, as soon as it has given its first page."""
    with new_house() as serving:
        yield serving.address


@contextmanager
def new_house() -> Iterator[Serving]:
    """The same, for who comes in as its owner."""
    with tempfile.TemporaryDirectory(prefix="crossfelt-bench-") as data:
        command = [sys.executable, "-m", "crossfelt.cli.main", "serve", "--port", "0", "--data", data]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            serving = Serving(_told(process, _ADDRESS), _told(process, _PASSWORD))
            urlopen(serving.address).close()
            yield serving
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=STOP_SECONDS)


def _told(process: subprocess.Popen[str], what: re.Pattern[str]) -> str:
    assert process.stderr is not None
    told = ""
    for line in process.stderr:
        if found := what.search(line):
            return found[0]
        told = line
    raise NoHouse(told.strip())
