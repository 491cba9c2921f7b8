"""A double-entry ledger in whole cents: every movement takes from one account what it gives to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

Balances = Mapping[str, int]

CAGE = "cage"
"""The source and destination of chips: buy-ins, cash-outs, fills and credits. It may be negative."""
TRAY = "tray"
"""The table inventory."""
BANK = "bank"
"""The cover of the wagers against a player's bank, in escrow from "no more bets" until the bank is settled."""
HOUSE_RISK = "risk:house"
"""The dealer's stake against a player's bank."""


# The account names of each seat are made once, as every posting needs them.
_SEATS = range(8)
_CHIPS = tuple(f"chips:{seat}" for seat in _SEATS)
_AT_RISK = tuple(f"risk:{seat}" for seat in _SEATS)


def chips_of(seat: int) -> str:
    """Return the account of the chips in front of a seat."""
    return _CHIPS[seat]


def risk_of(seat: int) -> str:
    """Return the account of a seat's wagers on the layout, until they are settled."""
    return _AT_RISK[seat]


_METER = "meter:"


def meter_account(meter: str) -> str:
    """Return the account of the money moved between this ledger and a meter.

    The meter holds the money of other tables too, so it may pay more here than this table contributed.
    """
    return _METER + meter


def may_owe(account: str) -> bool:
    """Say if an account may be negative: only those that stand for money outside the table.

    >>> may_owe("cage"), may_owe("meter:xtreme"), may_owe("tray")
    (True, True, False)
    """
    return account == CAGE or account.startswith(_METER)


class Posting(msgspec.Struct, frozen=True, gc=False):
    """One movement of money from one account to another."""

    source: str
    target: str
    cents: int


class Unbalanced(AssertionError):
    """A broken invariant of the ledger: the software has a bug, and nothing may be committed."""


def post(balances: Balances, postings: Iterable[Posting]) -> dict[str, int]:
    """Return the balances after some postings; accounts at zero are dropped.

    >>> post({"cage": -500, "chips:1": 500}, [Posting("chips:1", "risk:1", 200)])
    {'cage': -500, 'chips:1': 300, 'risk:1': 200}
    >>> post({"cage": -500, "chips:1": 500}, [Posting("chips:1", "tray", 600)])
    Traceback (most recent call last):
    crossfelt.money.ledger.Unbalanced: chips:1 would fall to -100 cents
    """
    after = dict(balances)
    for posting in postings:
        cents = posting.cents
        if cents < 0:
            raise Unbalanced(f"a posting of {cents} cents from {posting.source} to {posting.target}")
        if cents == 0:
            continue
        left = after.get(posting.source, 0) - cents
        if left < 0 and not may_owe(posting.source):
            raise Unbalanced(f"{posting.source} would fall to {left} cents")
        if left:
            after[posting.source] = left
        else:
            del after[posting.source]
        held = after.get(posting.target, 0) + cents
        if held:
            after[posting.target] = held
        else:
            del after[posting.target]
    return after


def check(balances: Balances) -> None:
    """Check that all accounts sum to zero; `post` checks that no other account than the cage or a meter is negative.

    >>> check({"cage": -500, "chips:1": 400})
    Traceback (most recent call last):
    crossfelt.money.ledger.Unbalanced: the accounts sum to -100 cents
    """
    total = sum(balances.values())
    if total:
        raise Unbalanced(f"the accounts sum to {total} cents")
