"""The forms in which a rulebook states the settlement of a wager.

``settle`` is a list of rules. The first rule that applies decides; where none does, the wager loses. A condition is
the name of a mark of a hand, so that no rule holds a text that must be parsed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field

from crossfelt.rulebooks.citations import Cited, Name
from crossfelt.rulebooks.hand_forms import HandName

Scalar = bool | int | str
PlainResult = Annotated[
    str,
    Meta(
        pattern=r"^(push|lose|\d{1,9} (to|for) [1-9]\d{0,8})$", extra={"words": '"A to B", "A for B", "push" or "lose"'}
    ),
]
"""Odds, ``push`` or ``lose``."""
NextOrResult = Annotated[
    str,
    Meta(
        pattern=r"^(next|push|lose|\d{1,9} (to|for) [1-9]\d{0,8})$",
        extra={"words": '"A to B", "A for B", "push", "lose" or "next"'},
    ),
]


class PayOn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The line of a pay table for a hand."""

    pay: Name
    """The pay table."""
    on: HandName
    """The hand that it pays."""
    else_: PlainResult | None = field(default=None, name="else")
    """The result of a hand that has no line; a loss where the file says nothing."""


Result = PlainResult | PayOn


class Rule(Cited, frozen=True, kw_only=True):
    """One rule of a settlement: conditions, and exactly one form."""

    when: dict[HandName, Name] = field(default_factory=dict)
    """Marks that these hands must have."""
    unless: dict[HandName, Name] = field(default_factory=dict)
    """Marks that these hands must not have."""
    where: dict[Name, Scalar] = field(default_factory=dict)
    """Settings that must have these values."""
    odds: PlainResult | None = None
    """Form: a result that is always the same."""
    pay: Name | None = None
    """Form: a pay table decides."""
    on: HandName | None = None
    """The hand that the pay table pays."""
    else_: NextOrResult | None = field(default=None, name="else")
    """The result of a hand that has no line in the pay table, or ``next`` for the next rule."""
    only: Literal["push"] | None = None
    """The rule applies only to a hand whose line pushes."""
    versus: tuple[HandName, HandName] | None = None
    """Form: the first hand against the second."""
    win: Result | None = None
    """The result if the first hand ranks higher."""
    tie: Result | None = None
    """The result of equal hands; a push where the file says nothing."""
    lose: Result | None = None
    """The result if the first hand ranks lower; a loss where the file says nothing."""
    versus_each: tuple[tuple[HandName, HandName], ...] = ()
    """Form: several hands, each against another."""
    by_wins: tuple[PlainResult, ...] = ()
    """The result for no, one, two … hands won; an equal hand is not won."""
    pays: tuple[PayOn, ...] = ()
    """Form: several pay tables, each on a hand."""
    take: Literal["all", "best"] = "all"
    """The sum of what several pay tables pay, or the highest of them."""
    spin: Literal["own", "others"] | None = None
    """A wheel decides: the player's own spin, or that of others."""
    tie_readings: tuple[str, ...] = ()
    """Readings that apply to a push only."""

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms that the rule uses; a sound rule uses one."""
        used = {
            "odds": self.odds,
            "pay": self.pay,
            "versus": self.versus,
            "versus_each": self.versus_each,
            "pays": self.pays,
            "spin": self.spin,
        }
        return tuple(name for name, value in used.items() if value)

    @property
    def deciding(self) -> tuple[str, ...]:
        """The player's hands that the rule settles on; none where only a condition names a hand."""
        if self.versus_each:
            return tuple(own for own, _ in self.versus_each)
        first = self.on or (self.versus[0] if self.versus else None) or (self.pays[0].on if self.pays else None)
        return (first,) if first else ()

    @property
    def hands(self) -> tuple[str, ...]:
        """The hands that the rule looks at, the deciding one first."""
        found = [self.on, *(self.versus or ()), *(hand for pair in self.versus_each for hand in pair)]
        found += [pay.on for pay in self.paid]
        return tuple(dict.fromkeys([*filter(None, found), *self.when, *self.unless]))

    @property
    def paid(self) -> tuple[PayOn, ...]:
        """Every pay table of the rule, with the hand that it pays."""
        own = (PayOn(pay=self.pay, on=self.on),) if self.pay and self.on else ()
        return (*own, *self.pays, *(result for result in (self.win, self.tie, self.lose) if isinstance(result, PayOn)))


class Bonus(Cited, frozen=True, kw_only=True):
    """A pay table that pays beside the result of a wager, whatever that is, as a result of its own."""

    pay: Name
    """The pay table."""
    on: HandName
    """The hand that it pays."""
    when: dict[HandName, Name] = field(default_factory=dict)
    """Marks that these hands must have."""
    unless: dict[HandName, Name] = field(default_factory=dict)
    """Marks that these hands must not have."""


class Commission(Cited, frozen=True, kw_only=True):
    """A commission on what the wager wins. The settings state the rate and the rounding."""

    where: dict[Name, Scalar] = field(default_factory=dict)
    """Settings that must have these values for a commission to be due."""


def pay_tables(rules: tuple[Rule, ...]) -> Iterator[str]:
    """Yield the pay tables that some rules name, each once.

    >>> list(pay_tables((Rule(pay="ante", on="across"), Rule(versus=("own", "dealer.own"), win="1 to 1"))))
    ['ante']
    """
    yield from dict.fromkeys(paid.pay for rule in rules for paid in rule.paid)
