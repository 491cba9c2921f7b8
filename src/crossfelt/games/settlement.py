"""What settling one wager comes to."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

import msgspec

from crossfelt.cards.card import Card
from crossfelt.hands.rank import HandRank
from crossfelt.money import Odds
from crossfelt.rulebooks.model import PayLine

Places = Mapping[str, Card]
"""Which card lies where: hole_1, hole_2, across_left … down_near, middle, dealer_hole_1, dealer_hole_2."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat's wagers are settled on."""

    cards: Places
    """The player's own cards and those on the layout, by place."""
    choices: Mapping[str, str] = msgspec.field(default_factory=dict)
    """What the player chose by name, by wager."""
    low: tuple[Card, ...] = ()
    """The two cards the player set in front."""
    bank: tuple[Card, ...] = ()
    """The seven cards that the main wager meets, the dealer's or the bank's, and the two of them set in front."""
    bank_low: tuple[Card, ...] = ()
    lucky: tuple[str, ...] = ()
    """The wagers of the seat on which a lucky award has fallen."""
    magic_card: Card | None = None


Result = Literal["win", "push", "lose", "forfeit", "returned"]


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one wager, before any payout limit."""

    result: Result
    returned: int = 0
    """Cents of stake handed back."""
    paid: int = 0
    """Cents won."""
    hand: str = ""
    """The deciding hand, as a dealer names it."""
    line: str = ""
    """The pay line, or nothing where none is reached."""
    odds: str = ""
    commission: int = 0
    """Cents kept from what is won."""
    decided_by: str = ""
    """The setting that decided, where it was not the wager's own rule: a foul, EZ pai gow."""
    meter_percent: int = 0
    """The part of a meter that is won; how much that is, only the meter can say."""


class LinePay(msgspec.Struct, frozen=True, kw_only=True):
    """What one hand does for a wager on its line."""

    rank: HandRank
    line: PayLine | None
    odds: Odds | None
    name: str = ""
    """The hand as a dealer names it, kept because it is asked for often."""

    @property
    def wins(self) -> bool:
        return self.odds is not None and not self.odds.is_push

    @property
    def pushes(self) -> bool:
        return self.odds is not None and self.odds.is_push

    @property
    def profit(self) -> Fraction:
        """What the player gains, for each unit of stake; the stake is lost where the table pays nothing."""
        return Fraction(-1) if self.odds is None else self.odds.profit


def settle_at_odds(pay: LinePay, stake: int, parts: int = 1) -> Settlement:
    """A wager settled by the line its hand falls on. A stake laid in parts is paid part by part.

    >>> from crossfelt.hands import rank_five
    >>> from crossfelt.cards import parse_cards
    >>> kings = rank_five(parse_cards("Ks Kd Kc 2h 4s"))
    >>> settle_at_odds(LinePay(rank=kings, line=PayLine(hand="three_of_a_kind"), odds=Odds("3 to 1")), 3000).paid
    9000
    """
    name = pay.name or pay.rank.name
    if pay.odds is None or pay.line is None:
        return Settlement(result="lose", hand=name)
    if pay.odds.is_push:
        return Settlement(result="push", returned=stake, hand=name, line=pay.line.name, odds="push")
    return Settlement(
        result="win",
        returned=stake if pay.odds.returns_stake else 0,
        paid=parts * pay.odds.paid(stake // parts),
        hand=name,
        line=pay.line.name,
        odds=str(pay.odds),
    )
