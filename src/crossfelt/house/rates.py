"""How much somebody may ask for: so much a second, and some at once. Nobody is exempt; who asks too much waits."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from crossfelt.problems import BadInput, Problem

SECONDS_AT_ONCE: Final = 10
"""So many seconds' worth may be asked for at once, by who has been quiet."""
AT_AN_ADDRESS: Final = 10
"""So many people may share an address."""
REMEMBERED: Final = 20_000


class TooMany(BadInput):
    """Refused for now; the same may be asked again after some seconds."""

    def __init__(self, problem: Problem, seconds: int) -> None:
        super().__init__(problem)
        self.seconds = seconds


class Bucket:
    """Gives out so much a second, and some at once; says how many seconds to wait where there is nothing left.

    >>> bucket = Bucket(rate=2, burst=2)
    >>> [bucket.take(at) for at in (0.0, 0.0, 0.0, 1.5)]
    [0.0, 0.0, 0.5, 0.0]
    """

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst, self._left = rate, burst, float(burst)
        self._at: float | None = None

    def take(self, at: float, much: int = 1) -> float:
        since = 0.0 if self._at is None else at - self._at
        self._left, self._at = min(self._burst, self._left + since * self._rate), at
        if self._left < much:
            return (much - self._left) / self._rate
        self._left -= much
        return 0.0


class Rates:
    """Buckets by name, of those who asked last.

    >>> rates = Rates(1, now=lambda: 0.0)
    >>> for _ in range(10):
    ...     rates.take("Ann")
    >>> rates.take("Ann")
    Traceback (most recent call last):
    crossfelt.house.rates.TooMany: too many requests (allowed: 1 a second; again in 1 s)
    """

    def __init__(self, a_second: int, now: Callable[[], float] = time.monotonic) -> None:
        self._a_second = a_second
        self._now = now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, name: str, much: int = 1) -> None:
        """Counts one request, as much as it costs; `TooMany` where it is too much."""
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = Bucket(self._a_second, self._a_second * SECONDS_AT_ONCE)
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(name)
        wait = bucket.take(self._now(), min(much, self._a_second * SECONDS_AT_ONCE))
        if wait > 0:
            seconds = max(1, -int(-wait // 1))
            allowed = f"{self._a_second} a second; again in {seconds} s"
            raise TooMany(Problem(code="rate", what="too many requests", allowed=allowed), seconds)
