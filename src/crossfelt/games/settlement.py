"""The settlement of one wager, and the commission on a win."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

import msgspec

from crossfelt.cards.card import Card
from crossfelt.hands.rank import HandRank
from crossfelt.money import Odds
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.model import PayLine

Places = Mapping[str, Card]
"""Cards by place: hole_1, hole_2, across_left … down_near, middle, dealer_hole_1, dealer_hole_2."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """The cards and choices that settle one seat's wagers."""

    cards: Places
    """The player's own cards and those on the layout, by place."""
    ranks: Mapping[str, HandRank] = msgspec.field(default_factory=dict)
    """The hands by name, where they are given instead of cards."""
    choices: Mapping[str, str] = msgspec.field(default_factory=dict)
    """The player's named choices, by wager."""
    low: tuple[Card, ...] = ()
    """The two cards that the player set in front."""
    bank: tuple[Card, ...] = ()
    """The seven opposing cards of the main wager, the dealer's or the bank's."""
    bank_low: tuple[Card, ...] = ()
    """The two opposing cards set in front."""
    lucky: tuple[str, ...] = ()
    """The wagers of the seat with a lucky award."""
    magic_card: Card | None = None


Result = Literal["win", "push", "lose", "forfeit", "returned"]


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one wager, before any payout limit."""

    result: Result
    returned: int = 0
    """Cents of the stake that are returned."""
    paid: int = 0
    """Cents won."""
    hand: str = ""
    """The deciding hand, as a dealer names it."""
    line: str = ""
    """The pay line; empty if there is none."""
    odds: str = ""
    commission: int = 0
    """Cents of commission on the win."""
    under: Cited = Cited()
    """The basis of the settlement."""
    meter_percent: int = 0
    """The percentage of a meter that is won; only the meter knows the amount."""
    meter: str = ""
    """The meter, where the pay line names one."""


class LinePay(msgspec.Struct, frozen=True, kw_only=True):
    """The pay of one hand for a wager on its line."""

    rank: HandRank
    line: PayLine | None
    odds: Odds | None
    name: str = ""
    """The hand as a dealer names it, cached."""

    @property
    def wins(self) -> bool:
        return self.line is not None and not self.pushes

    @property
    def pushes(self) -> bool:
        return self.odds is not None and self.odds.is_push

    @property
    def profit(self) -> Fraction:
        """The player's gain for each unit of stake; a hand without a pay line loses the stake."""
        return Fraction(-1) if self.odds is None else self.odds.profit


def settle_at_odds(odds: Odds, stake: int, parts: int, hand: str, line: str = "") -> Settlement:
    """Settle a wager at odds. A stake placed in parts is paid part by part; a push states its odds on a line only.

    >>> settle_at_odds(Odds("3 to 1"), 3000, 1, "three kings").paid
    9000
    """
    if odds.is_push:
        return Settlement(result="push", returned=stake, hand=hand, line=line, odds=odds.text if line else "")
    returned, paid = stake if odds.returns_stake else 0, parts * odds.paid(stake // parts)
    return Settlement(result="win", returned=returned, paid=paid, hand=hand, line=line, odds=odds.text)


def commission(won_cents: int, per_mille: int, rounding: str) -> int:
    """Return the commission on a win: to the cent, with a half cent rounded up, or up to the next quarter.

    >>> commission(1000, 50, "exact"), commission(1010, 50, "exact"), commission(1010, 50, "up_to_25c")
    (50, 51, 75)
    """
    if rounding == "exact":
        return (won_cents * per_mille + 500) // 1000
    return -(-won_cents * per_mille // 25_000) * 25
