"""The length of the long runs, whole or a part of it, and their progress.

`CROSSFELT_SOAK=0.001 make soak` runs a thousandth of each, to see that it works.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from time import monotonic
from typing import Any, Final

import pytest

from crossfelt.rulebooks.loader import load_shipped, rulebook_ids

Recorded = Callable[[str, object], None]
"""`record_property`: a `figure` is printed when all tests are over."""
TOLD_EVERY_SECONDS: Final = 60.0


def scaled(full: int) -> int:
    """So many, or the part of them that the environment asks for."""
    return max(1, round(full * float(os.environ.get("CROSSFELT_SOAK", "1"))))


def one_of_each_game() -> list[Any]:
    """Every rulebook as a parameter of a test: one of each game, and for the long version the others."""
    first = {load_shipped(rulebook).game: rulebook for rulebook in reversed(rulebook_ids())}
    long = pytest.mark.soak
    return [it if it in first.values() else pytest.param(it, marks=long) for it in rulebook_ids()]


class Progress:
    """The fixture `progress`: a long run tells it how far it is, and it says so on stderr once a minute."""

    def __init__(self, test: str, uncaptured: Callable[[], AbstractContextManager[None]]) -> None:
        self._test = test
        self._uncaptured = uncaptured
        self._began = self._told = monotonic()

    def __call__(self, done: int, of: int) -> None:
        now, done = monotonic(), min(done, of)
        if done and now - self._told >= TOLD_EVERY_SECONDS:
            self._told = now
            minutes = (now - self._began) / 60 * (of - done) / done
            with self._uncaptured():
                print(f"\n{self._test}: {done:,} of {of:,}, about {minutes:,.0f} min left", file=sys.stderr, flush=True)
