"""Timing contenders fairly on a machine that has other things to do."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Final


def best_of(contenders: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """The shortest time of each contender, in seconds.

    They take turns, so that a machine that slows down slows all of them, and the shortest time is the one
    least disturbed. Each runs once before its turn counts, so that nobody pays for tables still to be made,
    code to be compiled, or a cache full of somebody else's data.

    >>> best_of({"nothing": lambda: None}, repeats=3)["nothing"] < 1
    True
    """
    best = dict.fromkeys(contenders, float("inf"))
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(repeats):
            for name, contender in contenders.items():
                contender()
                start = perf_counter()
                contender()
                best[name] = min(best[name], perf_counter() - start)
    finally:
        if collecting:
            gc.enable()
    return best


_TELL_MEMORY: Final = """
import re, resource, sys
from pathlib import Path
status = Path("/proc/self/status")
# What Linux tells by getrusage counts the process that this one was started from.
own = re.search(r"VmHWM:\\s*(\\d+)", status.read_text()) if status.exists() else None
print(own[1] if own else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def most_memory(code: str) -> float:
    """The most memory, in megabytes, that a new process has in use while it runs some code.

    >>> most_memory("pass") > 1
    True
    """
    command = [sys.executable, "-c", f"{code}\n{_TELL_MEMORY}"]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stderr.split()[-1]) / 1024


def say(message: str) -> None:
    """Progress, on stderr: stdout is for figures."""
    print(message, file=sys.stderr, flush=True)
