"""The 169 starting hands: two cards, suited or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from crossfelt.cards.card import RANKS, SUITS, Card


class StartingHand(msgspec.Struct, frozen=True, kw_only=True):
    """A starting hand.

    >>> [(hand.name, hand.ways) for hand in STARTING_HANDS[:2]], STARTING_HANDS[13].name
    ([('AA', 6), ('AKs', 4)], 'AKo')
    """

    high: int
    """Rank of the higher card, 0 for a two … 12 for an ace."""
    low: int
    suited: bool

    @property
    def name(self) -> str:
        """The usual notation: ``AA``, ``AKs`` suited, ``AKo`` offsuit."""
        suits = "" if self.high == self.low else "s" if self.suited else "o"
        return RANKS[self.high] + RANKS[self.low] + suits

    @property
    def ways(self) -> int:
        """The number of ways in which a full deck deals it."""
        suits = len(SUITS)
        if self.high == self.low:
            return suits * (suits - 1) // 2
        return suits if self.suited else suits * (suits - 1)

    @property
    def cards(self) -> tuple[Card, Card]:
        """An example of the hand."""
        return Card(4 * self.high), Card(4 * self.low + (0 if self.suited else 1))


def _square() -> tuple[StartingHand, ...]:
    """Return the usual grid, row by row from the aces: pairs on the diagonal, suited hands above it."""
    ranks = range(len(RANKS) - 1, -1, -1)
    return tuple(
        StartingHand(high=max(row, column), low=min(row, column), suited=row > column)
        for row in ranks
        for column in ranks
    )


STARTING_HANDS: Final = _square()


def starting_hand(cards: Sequence[Card]) -> int:
    """Return the index of two cards in `STARTING_HANDS`.

    >>> from crossfelt.cards import parse_cards
    >>> [STARTING_HANDS[starting_hand(parse_cards(text))].name for text in ("Kd As", "2c 2h", "9h Th")]
    ['AKo', '22', 'T9s']
    """
    low, high = sorted(card.rank for card in cards)
    row, column = len(RANKS) - 1 - high, len(RANKS) - 1 - low
    suited = cards[0].suit == cards[1].suit
    return row * len(RANKS) + column if suited else column * len(RANKS) + row
