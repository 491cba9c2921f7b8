"""Log lines about an outage of the database: at its start, at growing intervals, and at its end.

Many tasks use the store many times a second, and each of them would otherwise log the same failure.
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
"""Seconds between two log lines about the same outage."""
WELL_SECONDS: Final = 60.0
"""A failure within this time of the last recovery continues the last outage, so that a flapping database is not
logged each time."""

_LOG: Final = logging.getLogger("crossfelt.store")


class Outage:
    """The state of one kind of access, reads or writes; may be used from any thread."""

    def __init__(self, access: str, now: Callable[[], float] = time.monotonic) -> None:
        self._access = access
        self._now = now
        self._since: float | None = None
        self._recovered = self._logged = -math.inf
        self._wait = 0.0
        self._lock = threading.Lock()

    @property
    def ongoing(self) -> bool:
        """True if the last access failed."""
        return self._since is not None

    def failed(self, error: object) -> None:
        with self._lock:
            now = self._now()
            if self._since is None:
                self._since = now
                if now - self._recovered >= WELL_SECONDS:
                    self._wait = 0.0
            if now - self._logged >= self._wait:
                fields = {"away_seconds": round(now - self._since, 1)}
                _LOG.warning("the store fails to %s: %s", self._access, first_line(error), extra=fields)
                self._logged = now
                self._wait = min(LONGEST_WAIT, max(FIRST_WAIT, 2 * self._wait))

    def succeeded(self) -> None:
        if self._since is None:  # without the lock: this is the usual case
            return
        with self._lock:
            if self._since is None:
                return
            now = self._now()
            if self._logged >= self._since:
                fields = {"away_seconds": round(now - self._since, 1)}
                _LOG.warning("the store can %s again", self._access, extra=fields)
            self._since, self._recovered = None, now


def first_line(error: object) -> str:
    """Return the message of a database error without the details after its first line."""
    return str(error).partition("\n")[0]
