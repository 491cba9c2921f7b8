"""The time of day for tables and their clocks, which never jumps."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Final

MILLISECOND: Final = 1_000_000
SLEW: Final = 10
"""After the machine's clock was set, this clock catches up by at most one part in this many."""
DAY_NS: Final = 24 * 3600 * 1000 * MILLISECOND
_STEADY: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def steady_ns() -> int:
    """Return nanoseconds that pass regardless of the wall clock, also while the machine sleeps."""
    return time.clock_gettime_ns(_STEADY)


class SteadyClock:
    """Milliseconds since 1970.

    If the machine's clock is set forward, no player's turn runs out at once; if it is set back, no player waits
    longer. The clock makes up the difference slowly.

    >>> wall, steady = iter([0, 1, -3599, -3598]), iter([0, 1, 2, 3])
    >>> clock = SteadyClock(lambda: next(wall) * 1000 * MILLISECOND, lambda: next(steady) * 1000 * MILLISECOND)
    >>> clock(), clock(), clock()
    (1000, 1900, 2800)
    """

    def __init__(self, wall_ns: Callable[[], int] = time.time_ns, steady: Callable[[], int] = steady_ns) -> None:
        self._wall_ns = wall_ns
        self._steady_ns = steady
        self._time, self._read_at = wall_ns(), steady()
        self._lock = threading.Lock()
        """The event loop and the thread that writes read the clock."""

    def __call__(self) -> int:
        with self._lock:
            read_at = self._steady_ns()
            passed = read_at - self._read_at
            self._read_at = read_at
            behind = self._wall_ns() - self._time - passed
            most = passed // SLEW
            self._time += passed + max(-most, min(behind, most))
            return self._time // MILLISECOND

    def begin_after(self, at: int) -> None:
        """Continue from the time that was stored last, if the machine's clock was set back while no server ran.

        Otherwise a table's clock that ran then would run for that difference too. A stored time more than a day
        ahead is ignored as wrong.

        >>> clock = SteadyClock(lambda: 0, lambda: 0)
        >>> clock.begin_after(7_200_000)
        >>> clock()
        7200000
        """
        if 0 < at * MILLISECOND - self._time <= DAY_NS:
            self._time = at * MILLISECOND


class Timer:
    """One alarm. The callback checks what is due, and schedules the alarm again."""

    __slots__ = ("_at", "_callback", "_now", "_timer")

    def __init__(self, now: Callable[[], int], callback: Callable[[], None]) -> None:
        self._now, self._callback = now, callback
        self._timer: asyncio.TimerHandle | None = None
        self._at = 0

    def schedule_at(self, at: int) -> None:
        """Ring at a time of the clock in milliseconds, or earlier if the alarm is already set for an earlier time."""
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
        self._callback()
