"""How often somebody may try: some attempts are free, then each further one costs a longer wait."""

from __future__ import annotations

from typing import Final

import msgspec

from crossfelt.house.rates import TooMany
from crossfelt.house.store.port import Record, Transaction
from crossfelt.problems import Problem

KIND: Final = "attempts"
SECOND: Final = 1000


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """What is allowed before waiting begins."""

    free: int
    first_wait_ms: int
    longest_wait_ms: int
    forgotten_after_ms: int
    """Without a further attempt."""


PER_NAME_AND_ADDRESS: Final = Limit(
    free=5, first_wait_ms=30 * SECOND, longest_wait_ms=900 * SECOND, forgotten_after_ms=3600 * SECOND
)
PER_NAME: Final = Limit(
    free=50, first_wait_ms=30 * SECOND, longest_wait_ms=900 * SECOND, forgotten_after_ms=3600 * SECOND
)
PER_SESSION: Final = PER_NAME_AND_ADDRESS
"""Of those who are logged in, and set another password: nobody else keeps them from it."""
PER_ADDRESS: Final = Limit(
    free=30, first_wait_ms=30 * SECOND, longest_wait_ms=900 * SECOND, forgotten_after_ms=3600 * SECOND
)
NEW_ACCOUNTS: Final = Limit(
    free=60, first_wait_ms=60 * SECOND, longest_wait_ms=900 * SECOND, forgotten_after_ms=600 * SECOND
)


class Attempts(msgspec.Struct, frozen=True):
    """How often it was tried, and until when no more."""

    count: int = 0
    until: int = 0


def charge(transaction: Transaction, key: str, limit: Limit, now: int) -> Attempts:
    """Counts one attempt before it is made, so that many at once count as many; `TooMany` while waiting."""
    attempts = _attempts(transaction, key, now)
    if attempts.until > now:
        wait = -(-(attempts.until - now) // SECOND)
        problem = Problem(code="account.throttled", what="too many attempts", allowed=f"again in {wait} s")
        raise TooMany(problem, wait)
    count = attempts.count + 1
    beyond = count - limit.free
    doubled = limit.first_wait_ms << min(beyond, 16) if beyond >= 0 else 0
    after = Attempts(count, now + min(doubled, limit.longest_wait_ms) if doubled else 0)
    until = now + limit.forgotten_after_ms
    transaction.put(Record(kind=KIND, key=key, body=msgspec.json.encode(after), until=until))
    return after


def forgive(transaction: Transaction, key: str) -> None:
    """The attempt was a good one: those before it are forgotten."""
    transaction.drop(KIND, key)


def give_back(transaction: Transaction, key: str, charged: Attempts) -> None:
    """The attempt was a good one, beside others: it alone is not counted any more, and nobody waits for it."""
    record = transaction.record(KIND, key)
    if record is None:
        return
    attempts = msgspec.json.decode(record.body, type=Attempts)
    until = 0 if attempts == charged else attempts.until
    body = msgspec.json.encode(Attempts(max(0, attempts.count - 1), until))
    transaction.put(Record(kind=KIND, key=key, body=body, until=record.until))


def _attempts(transaction: Transaction, key: str, now: int) -> Attempts:
    record = transaction.record(KIND, key)
    if record is None or (record.until is not None and record.until <= now):
        return Attempts()
    return msgspec.json.decode(record.body, type=Attempts)
