"""One alarm for somebody who looks again at what is due whenever it rings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Alarm:
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
