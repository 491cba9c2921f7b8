"""A database that is away is told of when it goes, at growing intervals while it is, and when it is back.

Many ask it many times a second: each of them would otherwise say the same.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from typing import Final

FIRST_WAIT: Final = 5.0
LONGEST_WAIT: Final = 600.0
"""Seconds between two lines about the same absence."""
WELL_SECONDS: Final = 60.0
"""Who has answered for so long and then does not is away anew; else it comes and goes, and is told of as one that stays
away."""

_LOG: Final = logging.getLogger("crossfelt.store")


class Outage:
    """Of those who answer one kind of question; asked from any thread."""

    def __init__(self, question: str, now: Callable[[], float] = time.monotonic) -> None:
        """`question` as in "the store does not answer who reads"."""
        self._question = question
        self._now = now
        self._since: float | None = None
        self._back = self._told = -math.inf
        self._wait = 0.0
        self._lock = threading.Lock()

    @property
    def lasts(self) -> bool:
        """Whether it did not answer the last time it was asked."""
        return self._since is not None

    def failed(self, why: object) -> None:
        """It was asked, and did not answer."""
        with self._lock:
            now = self._now()
            if self._since is None:
                self._since = now
                if now - self._back >= WELL_SECONDS:
                    self._wait = 0.0
            if now - self._told >= self._wait:
                fields = {"away_seconds": round(now - self._since, 1)}
                _LOG.warning("the store does not answer who %s: %s", self._question, first_line(why), extra=fields)
                self._told = now
                self._wait = min(LONGEST_WAIT, max(FIRST_WAIT, 2 * self._wait))

    def answered(self) -> None:
        """It was asked, and answered."""
        if self._since is None:
            return
        with self._lock:
            if self._since is None:
                return
            now = self._now()
            if self._told >= self._since:
                fields = {"away_seconds": round(now - self._since, 1)}
                _LOG.warning("the store answers again who %s", self._question, extra=fields)
            self._since, self._back = None, now


def first_line(error: object) -> str:
    """What a database says, without the details that it adds.

    >>> first_line(OSError("connection refused\\nIs the server running?"))
    'connection refused'
    """
    return str(error).partition("\n")[0]
