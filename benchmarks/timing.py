"""Results of benchmarks, fair timing, and the facts of the machine that ran them."""

from __future__ import annotations

import gc
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec

from crossfelt import __version__
from crossfelt.kernels.threads import processors

PACKAGES: Final = ("numba", "numpy", "eval7", "phevaluator", "pokerkit", "treys")


class Disagreement(Exception):
    """Contenders give different answers, so that their speed means nothing."""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """The value that one contender reached."""

    who: str
    value: float
    ours: bool = False


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One measurement: its unit, its goal, and a figure for each contender.

    >>> ours, theirs = Figure(who="crossfelt", value=100.0, ours=True), Figure(who="peer", value=400.0)
    >>> found = Result(name="one hand", unit="ns", figures=(ours, theirs), goal_ratio=1.0)
    >>> found.ratio(ours), found.goal_met
    (4.0, True)
    """

    name: str
    unit: str
    figures: tuple[Figure, ...]
    more_is_better: bool = False
    goal_ratio: float | None = None
    """The least multiple of the fastest peer's speed."""
    goal_value: float | None = None
    skipped: tuple[str, ...] = ()
    """Contenders that could not take part, with the reason."""
    note: str = ""

    @property
    def fastest_peer(self) -> Figure | None:
        peers = [figure for figure in self.figures if not figure.ours]
        choose = max if self.more_is_better else min
        return choose(peers, key=lambda figure: figure.value) if peers else None

    def ratio(self, figure: Figure) -> float | None:
        """Return the contender's speed as a multiple of the fastest peer's; None without a peer."""
        peer = self.fastest_peer
        if peer is None:
            return None
        return figure.value / peer.value if self.more_is_better else peer.value / figure.value

    @property
    def goal_met(self) -> bool | None:
        """True if all our figures reach the goal; None without a goal, or without a peer to compare with."""
        ours = [figure for figure in self.figures if figure.ours]
        if self.goal_value is not None:
            goal = self.goal_value
            return all((f.value >= goal) if self.more_is_better else (f.value <= goal) for f in ours)
        ratios = [self.ratio(figure) for figure in ours]
        if self.goal_ratio is None or None in ratios:
            return None
        return all(ratio is not None and ratio >= self.goal_ratio for ratio in ratios)


def our_figure(value: float, who: str = "crossfelt") -> Figure:
    return Figure(who=who, value=value, ours=True)


def our_result(
    name: str,
    unit: str,
    *figures: float | Figure,
    goal: float | None = None,
    note: str = "",
    more_is_better: bool = False,
) -> Result:
    """Return a result with a goal in its own unit; a plain number is Crossfelt's own figure."""
    contenders = tuple(one if isinstance(one, Figure) else our_figure(one) for one in figures)
    return Result(name=name, unit=unit, figures=contenders, goal_value=goal, note=note, more_is_better=more_is_better)


def skipped_result(name: str, why: str) -> Result:
    return Result(name=name, unit="", figures=(), skipped=(f"{name}: {why}",))


def best_of(contenders: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Return the shortest time of each contender, in seconds.

    Contenders take turns, so that a machine that slows down slows all of them; the shortest time is the least
    disturbed one. Each runs once before its turn counts, with its tables made, its code compiled and its data cached.

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


_PRINT_MEMORY: Final = """
import re, resource, sys
from pathlib import Path
status = Path("/proc/self/status")
# On Linux getrusage includes the parent process.
own = re.search(r"VmHWM:\\s*(\\d+)", status.read_text()) if status.exists() else None
print(own[1] if own else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def peak_memory_mb(code: str) -> float:
    """Return the peak memory, in megabytes, of a new process that runs the code.

    >>> peak_memory_mb("pass") > 1
    True
    """
    command = [sys.executable, "-c", f"{code}\n{_PRINT_MEMORY}"]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stderr.split()[-1]) / 1024


def say(message: str) -> None:
    """Print progress on stderr: stdout is for figures."""
    print(message, file=sys.stderr, flush=True)


def machine() -> dict[str, str]:
    """Return processor, system and versions."""
    return {
        "crossfelt": __version__,
        "processor": _processor(),
        "processors": str(processors()),
        "system": platform.platform(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **{package: _version(package) for package in PACKAGES},
    }


def busy() -> str:
    """Return the load of the last minute, where the system knows it."""
    if not hasattr(os, "getloadavg"):
        return "unknown"
    load = os.getloadavg()[0]
    other = ": busy with other work, which slows every figure" if load > processors() / 2 else ""
    return f"{load:.2f}{other}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
