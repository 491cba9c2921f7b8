"""Limits on attempts to log in, to set a password and to open accounts: some are free, then each costs a longer wait.

A log-in is counted three times: for its name and address, for its name from any unknown address, and for its address
under any name. So an attacker who spreads guesses over addresses or names is slowed down too. An address from which the
account has logged in before does not count for the name, so that guesses from elsewhere cannot lock its owner out
there.
"""

from __future__ import annotations

from typing import Final

import msgspec

from crossfelt.errors import Problem
from crossfelt.server.runtime.limits import TooManyRequests
from crossfelt.server.store.interface import Record
from crossfelt.server.store.transaction import Transaction

ATTEMPTS_KIND: Final = "attempts"
SECOND: Final = 1000


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """A number of free attempts, and the waits after them."""

    free: int
    first_wait_ms: int = 30 * SECOND
    longest_wait_ms: int = 900 * SECOND
    forgotten_after_ms: int = 3600 * SECOND
    """The count starts again this long after the last attempt."""


PER_NAME_AND_ADDRESS: Final = Limit(free=5)
PER_NAME: Final = Limit(free=50)
PER_SESSION: Final = PER_NAME_AND_ADDRESS
"""For an account that is logged in and sets a password: attempts of other clients do not count."""
PER_ADDRESS: Final = Limit(free=30)
NEW_ACCOUNTS: Final = Limit(free=60, first_wait_ms=60 * SECOND, forgotten_after_ms=600 * SECOND)


class Attempts(msgspec.Struct, frozen=True):
    """The attempts under one key."""

    count: int = 0
    until: int = 0
    """No further attempt before this time."""


def charge(transaction: Transaction, key: str, limit: Limit, now: int) -> Attempts:
    """Count an attempt before it is made, so that parallel attempts all count; `TooManyRequests` during a wait."""
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


def clear_attempts(transaction: Transaction, key: str) -> None:
    """Forget the attempts under a key, after one that succeeded."""
    transaction.drop(ATTEMPTS_KIND, key)


def _refund(transaction: Transaction, key: str, charged: Attempts) -> None:
    """Uncount one attempt that succeeded; other attempts under the key still count."""
    record = transaction.record(ATTEMPTS_KIND, key)
    if record is None:
        return
    attempts = record.read(Attempts)
    until = 0 if attempts == charged else attempts.until
    body = msgspec.json.encode(Attempts(max(0, attempts.count - 1), until))
    transaction.put(Record(kind=ATTEMPTS_KIND, key=key, body=body, until=record.until))


def _attempts(transaction: Transaction, key: str, now: int) -> Attempts:
    record = transaction.record(ATTEMPTS_KIND, key)
    if record is None or (record.until is not None and record.until <= now):
        return Attempts()
    return record.read(Attempts)


# --- log-ins ----------------------------------------------------------------------------------------------------------

KNOWN_KIND: Final = "known_addresses"
KNOWN_FOR_MS: Final = 90 * 24 * 3600 * SECOND
"""An address stays known this long after the last log-in from it."""
MOST_KNOWN: Final = 20
"""Known addresses of one account: passwords may be guessed from each as from the only one."""
_NAME_AND_ADDRESS: Final = "here:"


class LoginAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt to log in that was counted."""

    account: str
    address: str
    is_known: bool
    """The account has logged in from this address before."""
    until: int
    """No further attempt before this time."""
    from_address: Attempts
    """All attempts from the address, under any name."""


def count_login(transaction: Transaction, account: str, address: str, now: int) -> LoginAttempt:
    """Count an attempt to log in before its password is checked; `TooManyRequests` during a wait."""
    is_known = address in _known(transaction, account, now)
    waits = [charge(transaction, _name_and_address_key(account, address), PER_NAME_AND_ADDRESS, now).until]
    if not is_known:
        waits.append(charge(transaction, _name_key(account), PER_NAME, now).until)
    from_address = charge(transaction, _address_key(address), PER_ADDRESS, now) if address else Attempts()
    return LoginAttempt(
        account=account, address=address, is_known=is_known, until=max(waits), from_address=from_address
    )


def login_succeeded(transaction: Transaction, attempt: LoginAttempt, now: int) -> None:
    """Forget the attempts that led to a log-in, and remember its address."""
    clear_attempts(transaction, _name_and_address_key(attempt.account, attempt.address))
    if not attempt.is_known:
        clear_attempts(transaction, _name_key(attempt.account))
    _refund(transaction, _address_key(attempt.address), attempt.from_address)
    remember_address(transaction, attempt.account, attempt.address, now)


def remember_address(transaction: Transaction, account: str, address: str, now: int) -> None:
    known = _known(transaction, account, now)
    known[address] = now + KNOWN_FOR_MS
    last = dict(sorted(known.items(), key=lambda it: it[1])[-MOST_KNOWN:])
    transaction.put(Record(kind=KNOWN_KIND, key=account, body=msgspec.json.encode(last), until=known[address]))


def is_about(key: str, account: str) -> bool:
    """Return whether the attempts under a key were attempts at an account.

    >>> keys = _name_key("ann"), _name_and_address_key("ann", "10.0.0.1"), _name_and_address_key("mary ann", "10.0.0.1")
    >>> [is_about(key, "ann") for key in keys]
    [True, True, False]
    """
    place, _, name = key.partition(" ")
    return key == _name_key(account) or (place.startswith(_NAME_AND_ADDRESS) and name == account)


def _name_and_address_key(account: str, address: str) -> str:
    return f"{_NAME_AND_ADDRESS}{address} {account}"


def _name_key(account: str) -> str:
    return f"name:{account}"


def _address_key(address: str) -> str:
    return f"address:{address}"


def _known(transaction: Transaction, account: str, now: int) -> dict[str, int]:
    """Return the known addresses of an account, each with the time when it is forgotten."""
    record = transaction.record(KNOWN_KIND, account)
    known = {} if record is None else record.read(dict[str, int])
    return {address: until for address, until in known.items() if until > now}
