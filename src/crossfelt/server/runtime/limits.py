"""How much somebody may ask for: so much a second, and some at once. Nobody is exempt; who asks too much waits."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal

from crossfelt.errors import BadInput, Problem

SECONDS_AT_ONCE: Final = 10
"""So many seconds' worth may be asked for at once, by who has been quiet."""
AT_AN_ADDRESS: Final = 10
"""So many people may share an address."""
REMEMBERED: Final = 20_000


class TooManyRequests(BadInput):
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


class RateLimiter:
    """Buckets by name, of those who asked last.

    >>> rates = RateLimiter(1, now=lambda: 0.0)
    >>> for _ in range(10):
    ...     rates.take("Ann")
    >>> rates.take("Ann")
    Traceback (most recent call last):
    crossfelt.server.runtime.limits.TooManyRequests: too many requests (allowed: 1 a second; again in 1 s)
    """

    def __init__(self, a_second: int, now: Callable[[], float] = time.monotonic) -> None:
        self._a_second = a_second
        self._now = now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, name: str, much: int = 1) -> None:
        """Counts one request, as much as it costs; `TooManyRequests` where it is too much."""
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
            raise TooManyRequests(Problem(code="rate", what="too many requests", allowed=allowed), seconds)


# --- How many may be connected at once

Full = Literal["server", "address"]
"""What there is no more room in."""
FULL: Final[dict[Full, str]] = {
    "server": "the server is full: try again in a moment",
    "address": "too many are connected from your address: close some, or try again in a moment",
}


class ConnectionLimiter:
    """The connections of one process, by where they come from.

    >>> room = ConnectionLimiter(in_all=3, from_an_address=1)
    >>> with room.taken("10.0.0.1"):
    ...     room.full("10.0.0.1"), room.full("10.0.0.2")
    ('address', None)
    >>> room.full("10.0.0.1"), room.connected
    (None, 0)
    """

    def __init__(self, in_all: int, from_an_address: int) -> None:
        self._in_all = in_all
        self._from_an_address = from_an_address
        self._by_address: Counter[str] = Counter()
        self.connected = 0

    def full(self, address: str) -> Full | None:
        """Why nobody more is let in from an address; None where there is room."""
        if self.connected >= self._in_all:
            return "server"
        return "address" if self._by_address[address] >= self._from_an_address else None

    @contextmanager
    def taken(self, address: str) -> Iterator[None]:
        """One more, for as long as it is connected."""
        self.connected += 1
        self._by_address[address] += 1
        try:
            yield
        finally:
            self.connected -= 1
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]
