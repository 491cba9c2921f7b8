"""A meter kept in fractions of a dollar, by somebody who reads the rules of its awards aloud."""

from __future__ import annotations

from fractions import Fraction
from math import floor

CENT = Fraction(1, 100)


class PlainMeter:
    """Dollars as exact fractions; everything that ever went in or out is remembered."""

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

    def pay(self, dollars: Fraction) -> None:
        """Pays an amount; what the pool cannot cover is put in."""
        missing = max(Fraction(0), dollars - self.pool)
        self.pool += missing - dollars
        self.put_in += missing
        self.paid_out += dollars

    def award(self, percent: int) -> Fraction:
        """Pays a share of what is shown, in whole cents; after the whole of it the reset amount is put in."""
        paid = floor(self.shown * percent / 100 / CENT) * CENT
        self.pool -= paid
        self.paid_out += paid
        if percent == 100:
            self.pool += self.reset
            self.put_in += self.reset
        return paid


def spread(amount: Fraction, winners: list[tuple[int, int]], by_credits: bool) -> dict[int, Fraction]:
    """Everybody's share in dollars, whole cents each; the first of the winners takes what is left over."""
    total = sum(credits_ if by_credits else 1 for _, credits_ in winners)
    shares = {}
    for seat, credits_ in winners:
        part = Fraction(credits_ if by_credits else 1, total)
        shares[seat] = floor(amount * part / CENT) * CENT
    shares[winners[0][0]] += amount - sum(shares.values())
    return shares
