"""How often somebody may try: some attempts are free, then each further one costs a longer wait."""

from __future__ import annotations

from typing import Final

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.errors import Problem
from crossfelt.server.runtime.limits import TooManyRequests
from crossfelt.server.store.interface import Record, Transaction

ATTEMPTS_KIND: Final = "attempts"
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
    """Counts one attempt before it is made, so that many at once count as many; `TooManyRequests` while waiting."""
    attempts = _attempts(transaction, key, now)
    if attempts.until > now:
        wait = -(-(attempts.until - now) // SECOND)
        problem = Problem(code="account.throttled", what="too many attempts", allowed=f"again in {wait} s")
        raise TooManyRequests(problem, wait)
    count = attempts.count + 1
    beyond = count - limit.free
    doubled = limit.first_wait_ms << min(beyond, 16) if beyond >= 0 else 0
    after = Attempts(count, now + min(doubled, limit.longest_wait_ms) if doubled else 0)
    until = now + limit.forgotten_after_ms
    transaction.put(Record(kind=ATTEMPTS_KIND, key=key, body=msgspec.json.encode(after), until=until))
    return after


def forgive(transaction: Transaction, key: str) -> None:
    """The attempt was a good one: those before it are forgotten."""
    transaction.drop(ATTEMPTS_KIND, key)


def give_back(transaction: Transaction, key: str, charged: Attempts) -> None:
    """The attempt was a good one, beside others: it alone is not counted any more, and nobody waits for it."""
    record = transaction.record(ATTEMPTS_KIND, key)
    if record is None:
        return
    attempts = msgspec.json.decode(bounded(record.body), type=Attempts)
    until = 0 if attempts == charged else attempts.until
    body = msgspec.json.encode(Attempts(max(0, attempts.count - 1), until))
    transaction.put(Record(kind=ATTEMPTS_KIND, key=key, body=body, until=record.until))


def _attempts(transaction: Transaction, key: str, now: int) -> Attempts:
    record = transaction.record(ATTEMPTS_KIND, key)
    if record is None or (record.until is not None and record.until <= now):
        return Attempts()
    return msgspec.json.decode(bounded(record.body), type=Attempts)


# --- Log-ins that are tried

KNOWN_KIND: Final = "known_addresses"
KNOWN_FOR_MS: Final = 90 * 24 * 3600 * SECOND
"""Without a further log-in from there."""
MOST_KNOWN: Final = 20
"""Of one account: each may be guessed from as if there were no other."""
_HERE: Final = "here:"


class Guess(msgspec.Struct, frozen=True, kw_only=True):
    """A log-in that is tried, and was counted."""

    account: str
    address: str
    known: bool
    """Whether its holder has logged in from there before: then it does not count for the name."""
    until: int
    """No other may be tried before, from there or at all."""
    from_there: Attempts
    """All that came from the address, under any name."""


def count(transaction: Transaction, account: str, address: str, now: int) -> Guess:
    """Counts a log-in before the password is looked at; `TooMany` while waiting."""
    known = address in _known(transaction, account, now)
    waits = [charge(transaction, _here(account, address), PER_NAME_AND_ADDRESS, now).until]
    if not known:
        waits.append(charge(transaction, _anywhere(account), PER_NAME, now).until)
    from_there = charge(transaction, _anybody(address), PER_ADDRESS, now) if address else Attempts()
    return Guess(account=account, address=address, known=known, until=max(waits), from_there=from_there)


def welcome(transaction: Transaction, guess: Guess, now: int) -> None:
    """It was a good one: those that it was counted with are forgotten, and its address is known."""
    forgive(transaction, _here(guess.account, guess.address))
    if not guess.known:
        forgive(transaction, _anywhere(guess.account))
    give_back(transaction, _anybody(guess.address), guess.from_there)
    remember(transaction, guess.account, guess.address, now)


def remember(transaction: Transaction, account: str, address: str, now: int) -> None:
    """The holder of an account comes from there."""
    known = _known(transaction, account, now)
    known[address] = now + KNOWN_FOR_MS
    last = dict(sorted(known.items(), key=lambda it: it[1])[-MOST_KNOWN:])
    transaction.put(Record(kind=KNOWN_KIND, key=account, body=msgspec.json.encode(last), until=known[address]))


def is_at(attempts: str, account: str) -> bool:
    """Whether attempts that are counted under a key were made at an account.

    >>> [is_at(key, "ann") for key in (_anywhere("ann"), _here("ann", "10.0.0.1"), _here("mary ann", "10.0.0.1"))]
    [True, True, False]
    """
    place, _, name = attempts.partition(" ")
    return attempts == _anywhere(account) or (place.startswith(_HERE) and name == account)


def _here(account: str, address: str) -> str:
    return f"{_HERE}{address} {account}"


def _anywhere(account: str) -> str:
    return f"name:{account}"


def _anybody(address: str) -> str:
    return f"address:{address}"


def _known(transaction: Transaction, account: str, now: int) -> dict[str, int]:
    """Where its holder has come from, and until when that is remembered."""
    record = transaction.record(KNOWN_KIND, account)
    known = {} if record is None else msgspec.json.decode(bounded(record.body), type=dict[str, int])
    return {address: until for address, until in known.items() if until > now}
