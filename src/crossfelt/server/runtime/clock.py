"""The time of day for tables and their clocks, which never jumps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

MILLISECOND: Final = 1_000_000
SLOWLY: Final = 10
"""Where the machine's clock was set, this one catches up by one part in so many."""
A_DAY: Final = 24 * 3600 * 1000 * MILLISECOND


_STEADY: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def steady_ns() -> int:
    """Nanoseconds that pass whatever the clock on the wall is set to, also while a machine sleeps."""
    return time.clock_gettime_ns(_STEADY)


class SteadyClock:
    """Milliseconds since 1970. A clock that is set forward folds nobody's hand, one that is set back keeps nobody
    waiting: the difference is made up for slowly.

    >>> wall, steady = iter([0, 1, -3599, -3598]), iter([0, 1, 2, 3])
    >>> clock = SteadyClock(lambda: next(wall) * 1000 * MILLISECOND, lambda: next(steady) * 1000 * MILLISECOND)
    >>> clock(), clock(), clock()
    (1000, 1900, 2800)
    """

    def __init__(self, wall_ns: Callable[[], int] = time.time_ns, steady: Callable[[], int] = steady_ns) -> None:
        self._wall_ns = wall_ns
        self._steady_ns = steady
        self._time, self._looked = wall_ns(), steady()

    def __call__(self) -> int:
        looked = self._steady_ns()
        passed = looked - self._looked
        if passed < MILLISECOND:
            return self._time // MILLISECOND  # a table asks several times for each command
        self._looked = looked
        behind = self._wall_ns() - self._time - passed
        most = passed // SLOWLY
        self._time += passed + (behind if -most <= behind <= most else most if behind > 0 else -most)
        return self._time // MILLISECOND

    def begin_after(self, at: int) -> None:
        """Where the machine's clock was set back while no house ran, time goes on from what was written last: a clock
        that ran then would run for all that time too. What is more than a day ahead was never the time.

        >>> clock = SteadyClock(lambda: 0, lambda: 0)
        >>> clock.begin_after(7_200_000)
        >>> clock()
        7200000
        """
        if 0 < at * MILLISECOND - self._time <= A_DAY:
            self._time = at * MILLISECOND


# --- One alarm for somebody who looks again at what is due whenever it rings.


class Timer:
    """Rings by a time, or before: one that is set for earlier stays, and whoever is woken sets it anew."""

    __slots__ = ("_at", "_now", "_rings", "_timer")

    def __init__(self, now: Callable[[], int], rings: Callable[[], None]) -> None:
        self._now, self._rings = now, rings
        self._timer: asyncio.TimerHandle | None = None
        self._at = 0

    def by(self, at: int) -> None:
        """At a time of the clock in milliseconds, at the latest."""
        if self._timer is not None and self._at <= at:
            return
        self.cancel()
        seconds = max(0.0, (at - self._now()) / 1000)
        self._timer, self._at = asyncio.get_running_loop().call_later(seconds, self._ring), at

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._timer = None
        self._rings()
