"""Payout odds: the pay of a winning wager as an exact fraction of the stake."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import total_ordering
from typing import Any, Self

from crossfelt.errors import BadInput

_FORM = re.compile(r"(\d{1,9}) (to|for) ([1-9]\d{0,8})", re.ASCII)
ALLOWED = '"A to B", "A for B" or "push", of nine digits at most'


@total_ordering
class Odds:
    """``3 to 2`` pays three for every two staked and returns the stake; ``for`` keeps the stake; a push pays nothing.

    >>> Odds("3 to 2").paid(1000), Odds("push").paid(1000), Odds("40 for 1").paid(500)
    (1500, 0, 20000)
    >>> Odds("3 to 2").paid(25)         # 37.5 cents: the half cent stays with the house
    37
    >>> Odds("1 to 1") < Odds("3 to 2")
    True
    """

    __slots__ = ("is_push", "profit", "ratio", "returns_stake", "text")
    ratio: Fraction
    """The pay for each unit of stake."""
    returns_stake: bool
    profit: Fraction
    """The player's gain for each unit of stake: odds "for" do not return the stake."""
    is_push: bool
    text: str
    """The odds in lowest terms."""

    def __new__(cls, text: str) -> Self:
        self = super().__new__(cls)
        if text == "push":
            ratio, returns = Fraction(0), True
        else:
            match = _FORM.fullmatch(text)
            if match is None or int(match[1]) == 0:
                raise BadInput.at("", "odds.form", "not odds", text, ALLOWED)
            ratio, returns = Fraction(int(match[1]), int(match[3])), match[2] == "to"
        object.__setattr__(self, "ratio", ratio)
        object.__setattr__(self, "returns_stake", returns)
        object.__setattr__(self, "profit", ratio if returns else ratio - 1)
        object.__setattr__(self, "is_push", ratio == 0)
        lowest = f"{ratio.numerator} {'to' if returns else 'for'} {ratio.denominator}"
        object.__setattr__(self, "text", lowest if ratio else "push")
        return self

    @classmethod
    def to(cls, ratio: Fraction | int) -> Self:
        """Return the odds that pay `ratio` to one; zero is a push."""
        ratio = Fraction(ratio)
        return cls(f"{ratio.numerator} to {ratio.denominator}" if ratio else "push")

    def paid(self, stake_cents: int) -> int:
        """Return the cents won on a stake, rounded down: a table cannot pay part of a cent."""
        return int(stake_cents * self.ratio.numerator // self.ratio.denominator)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Odds({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odds) and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.ratio, self.returns_stake))

    def __lt__(self, other: Odds) -> bool:
        return (self.profit, self.returns_stake) < (other.profit, other.returns_stake)

    def __reduce__(self) -> tuple[type[Odds], tuple[str]]:
        return type(self), (str(self),)
