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

    def pay(self, dollars: Fraction) -> Fraction:
        """Pay as much of an amount as lies above the reset amount, in whole cents; say how much that is."""
        above = max(Fraction(0), floor((self.pool - self.reset) / CENT) * CENT)
        paid = min(dollars, above)
        self.pool -= paid
        self.paid_out += paid
        return paid

    def award(self, percent: int) -> Fraction:
        """Pay a share of what is shown, in whole cents. After the whole of it the reset amount is put in; after a part
        the pool is brought back to the reset amount, or to where it stood if that was lower."""
        before, paid = self.pool, floor(self.shown * percent / 100 / CENT) * CENT
        self.pool -= paid
        self.paid_out += paid
        added = self.reset if percent == 100 else max(Fraction(0), min(before, self.reset) - self.pool)
        self.pool += added
        self.put_in += added
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
