"""Rate limits by token bucket, turns by person, and the limit on connections."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final, Literal

from crossfelt.errors import BadInput, Problem

BURST_SECONDS: Final = 10
"""A client that was quiet may send the requests of this many seconds at once."""
ACCOUNTS_PER_ADDRESS: Final = 10
"""An address may send as many requests as this many accounts."""
MAX_BUCKETS: Final = 20_000


class TooManyRequests(BadInput):
    """A request over the rate limit; the client may retry after `seconds`."""

    def __init__(self, problem: Problem, seconds: int) -> None:
        super().__init__(problem)
        self.seconds = seconds


class Bucket:
    """A token bucket.

    >>> bucket = Bucket(rate=2, burst=2)
    >>> [bucket.take(at) for at in (0.0, 0.0, 0.0, 1.5)]
    [0.0, 0.0, 0.5, 0.0]
    """

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst, self._left = rate, burst, float(burst)
        self._at: float | None = None

    def take(self, at: float, tokens: int = 1) -> float:
        """Take tokens and return 0; if there are too few, take none and return the seconds until there are enough."""
        since = 0.0 if self._at is None else at - self._at
        self._left, self._at = min(self._burst, self._left + since * self._rate), at
        if self._left < tokens:
            return (tokens - self._left) / self._rate
        self._left -= tokens
        return 0.0


class RateLimiter:
    """Buckets by name, of the names that were used last.

    >>> limiter = RateLimiter(1, now=lambda: 0.0)
    >>> for _ in range(10):
    ...     limiter.take("Ann")
    >>> limiter.take("Ann")
    Traceback (most recent call last):
    crossfelt.server.runtime.limits.TooManyRequests: too many requests (allowed: 1 a second; try again in 1 s)
    """

    def __init__(self, per_second: int, now: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._burst = burst = per_second * BURST_SECONDS
        self._now = now
        self._bucket = lru_cache(maxsize=MAX_BUCKETS)(lambda name: Bucket(per_second, burst))

    def take(self, name: str, cost: int = 1) -> None:
        """Charge a request of this cost to a name, or raise `TooManyRequests`."""
        wait = self._bucket(name).take(self._now(), min(cost, self._burst))
        if wait > 0:
            seconds = math.ceil(wait)
            allowed = f"{self._per_second} a second; try again in {seconds} s"
            raise TooManyRequests(Problem(code="rate", what="too many requests", allowed=allowed), seconds)


SHARE: Final = 4
"""Requests of one person that may wait for a worker process at a time."""
BUSY: Final = "advice.busy"
SLOW: Final = "advice.slow"
LOST: Final = "advice.lost"
NOT_YET: Final = frozenset({BUSY, SLOW, LOST})
"""The problems of a question that may be answered later."""


class Turns:
    """A place that people take in turn: a person with many requests delays another by one request at most."""

    def __init__(self, share: int = SHARE) -> None:
        self._free = True
        self._share = share
        self._requests: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """The requests without the place; the person whose turn is next comes first."""

    async def take(self, person: str) -> None:
        """Wait for the place; `TooManyRequests` if all requests of the person's share are waiting or running."""
        if self._requests[person] >= self._share:
            what = "you have asked too many questions at once: wait for an answer, then ask again"
            raise TooManyRequests(Problem(code=BUSY, what=what, allowed=f"{self._share} at a time"), 1)
        self._requests[person] += 1
        if self._free:
            self._free = False
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(person, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._forget(person)
            else:  # the place came in the same moment
                self.give_back(person)
            raise

    def give_back(self, person: str) -> None:
        """Free the place for the next person."""
        self._forget(person)
        self._free = True
        if person in self._waiting:
            self._waiting.move_to_end(person)
        while self._free and self._waiting:
            following, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[following] = turns
            if not turn.done():
                self._free = False
                turn.set_result(None)

    def _forget(self, person: str) -> None:
        self._requests[person] -= 1
        if not self._requests[person]:
            del self._requests[person]


FullLimit = Literal["server", "address"]
FULL_TEXTS: Final[dict[FullLimit, str]] = {
    "server": "the server has no free connections: try again in a moment",
    "address": "too many connections from your address: close some, or try again in a moment",
}


class ConnectionLimiter:
    """The connections of one process, counted by address.

    >>> limiter = ConnectionLimiter(total=3, per_address=1)
    >>> with limiter.connection("10.0.0.1"):
    ...     limiter.full("10.0.0.1"), limiter.full("10.0.0.2")
    ('address', None)
    >>> limiter.full("10.0.0.1"), limiter.connected
    (None, 0)
    """

    def __init__(self, total: int, per_address: int) -> None:
        self._total = total
        self._per_address = per_address
        self._by_address: Counter[str] = Counter()
        self.connected = 0

    def full(self, address: str) -> FullLimit | None:
        """Return the limit that refuses a further connection from an address, or None."""
        if self.connected >= self._total:
            return "server"
        return "address" if self._by_address[address] >= self._per_address else None

    @contextmanager
    def connection(self, address: str) -> Iterator[None]:
        """Count a connection as long as the block runs."""
        self.connected += 1
        self._by_address[address] += 1
        try:
            yield
        finally:
            self.connected -= 1
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]
