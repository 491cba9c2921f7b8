"""Log-ins that are tried: counted by name and address, and by name alone from where its holder has not come before.

So a stranger who guesses keeps nobody out who comes from where they came before, and who guesses from many addresses
waits as who guesses from one does, only later.
"""

from __future__ import annotations

from typing import Final

import msgspec

from crossfelt.house.accounts.throttle import (
    PER_ADDRESS,
    PER_NAME,
    PER_NAME_AND_ADDRESS,
    SECOND,
    Attempts,
    charge,
    forgive,
    give_back,
)
from crossfelt.house.store.port import Record, Transaction

KIND: Final = "known_addresses"
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
    transaction.put(Record(kind=KIND, key=account, body=msgspec.json.encode(last), until=known[address]))


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
    record = transaction.record(KIND, account)
    known = {} if record is None else msgspec.json.decode(record.body, type=dict[str, int])
    return {address: until for address, until in known.items() if until > now}
