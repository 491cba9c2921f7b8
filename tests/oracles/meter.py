"""A meter in fractions of a dollar, written from the rules of its awards."""

from __future__ import annotations

from fractions import Fraction
from math import floor

CENT = Fraction(1, 100)


class PlainMeter:
    """A meter in exact dollars that records all contributions and payments."""

    def __init__(self, initial: Fraction, reset: Fraction, rate: Fraction, limit: Fraction | None = None) -> None:
        self.pool = initial
        self.reset = reset
        self.rate = rate
        self.limit = limit
        self.put_in = initial
        self.paid_out = Fraction(0)

    @property
    def shown(self) -> Fraction:
        return self.pool if self.limit is None else min(self.pool, self.limit)

    def wager(self, dollars: Fraction) -> None:
        self.pool += self.rate * dollars
        self.put_in += self.rate * dollars

    def pay(self, dollars: Fraction) -> Fraction:
        """Pay as much of an amount as lies above the reset amount, in whole cents, and return the payment."""
        above = max(Fraction(0), floor((self.pool - self.reset) / CENT) * CENT)
        paid = min(dollars, above)
        self.pool -= paid
        self.paid_out += paid
        return paid

    def award(self, percent: int) -> Fraction:
        """Pay a share of the displayed meter in whole cents. After the whole of it, add the reset amount; after a part,
        bring the pool back to the reset amount."""
        paid = floor(self.shown * percent / 100 / CENT) * CENT
        self.pool -= paid
        self.paid_out += paid
        added = self.reset if percent == 100 else max(Fraction(0), self.reset - self.pool)
        self.pool += added
        self.put_in += added
        return paid


def spread(amount: Fraction, winners: list[tuple[int, int]], by_credits: bool) -> dict[int, Fraction]:
    """Return each winner's share in whole cents; the first winner takes the remainder."""
    total = sum(credits_ if by_credits else 1 for _, credits_ in winners)
    shares = {}
    for seat, credits_ in winners:
        part = Fraction(credits_ if by_credits else 1, total)
        shares[seat] = floor(amount * part / CENT) * CENT
    shares[winners[0][0]] += amount - sum(shares.values())
    return shares
