"""Runs benchmarks one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module

from crossfelt.benchmarks.result import Result

REPEATS = 9
"""How often each is timed, so that the best is one that was not disturbed."""
QUICK_REPEATS = 1


def measured(names: Iterable[str], repeats: int) -> Iterator[Result]:
    """What each benchmark finds, as it comes; one that needs a package which is not there says so."""
    for name in names:
        try:
            module = import_module(f"crossfelt.benchmarks.{name}")
        except ImportError as error:
            why = f"{name}: needs {error.name}, which is not installed"
            yield Result(name=name, unit="", figures=(), skipped=(why,))
            continue
        yield from module.run(repeats)
