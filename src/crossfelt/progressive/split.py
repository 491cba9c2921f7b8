"""The split of one award among several winners, and of the cents that do not divide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

ShareMethod = Literal["equally", "by_credits"]
BySeat = tuple[tuple[int, int], ...]
"""Seats with an amount each, in the order of payment."""


class Division(msgspec.Struct, frozen=True, kw_only=True):
    """A divided award; its shares sum to the award."""

    shares: dict[int, int]
    """Cents by seat, in the order of payment."""
    odd_cents: int = 0
    """Cents that could not be divided equally."""
    odd_cents_to: int = 0
    """The seat that got them beside its share; 0 for none."""


def split_award(cents: int, credits_by_seat: Mapping[int, int], method: ShareMethod) -> Division:
    """Divide an award among seats, given in the order of payment.

    Odd cents go to the first of them (AMB-27).

    >>> split_award(1_000, {5: 1, 3: 2, 1: 4}, "equally").shares
    {5: 334, 3: 333, 1: 333}
    >>> split_award(1_000, {5: 1, 3: 2, 1: 4}, "by_credits")
    Division(shares={5: 144, 3: 285, 1: 571}, odd_cents=2, odd_cents_to=5)
    """
    if not credits_by_seat or cents < 0 or min(credits_by_seat.values()) < 1:
        raise ValueError(f"{cents} cents cannot be divided among {dict(credits_by_seat)}")
    weights = dict.fromkeys(credits_by_seat, 1) if method == "equally" else dict(credits_by_seat)
    whole = sum(weights.values())
    shares = {seat: cents * weight // whole for seat, weight in weights.items()}
    odd, first = cents - sum(shares.values()), next(iter(shares))
    shares[first] += odd
    return Division(shares=shares, odd_cents=odd, odd_cents_to=first if odd else 0)
