"""Cards that are set as a high hand of five and a low hand of two."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from crossfelt.cards.card import Card
from crossfelt.hands.joker import rank_joker_five
from crossfelt.hands.poker import rank_two
from crossfelt.hands.rank import HandRank


class HighLowHand(msgspec.Struct, frozen=True, kw_only=True):
    """Seven cards set as two hands."""

    high: HandRank
    low: HandRank

    @property
    def foul(self) -> bool:
        """The low hand ranks above the high hand.

        Equal rank is not a foul: with the same pair, or the same two top cards, the high hand has further cards.
        """
        return _standing(self.low) > _standing(self.high)


def _standing(rank: HandRank) -> tuple[int, tuple[int, ...]]:
    """Return a key that compares two-card and five-card hands: pair or no pair, and the leading ranks."""
    if rank.category == "high_card":
        return 0, rank.ranks[:2]
    if rank.category == "pair":
        return 1, rank.ranks[:1]
    return 2, ()


def set_hand(seven: Sequence[Card], low: Sequence[Card], *, wheel_second: bool = True) -> HighLowHand:
    """Set seven cards with these two in front.

    >>> from crossfelt.cards import parse_cards
    >>> made = set_hand(parse_cards("Ks Kd Qs Qd 7h 5c 2d"), parse_cards("Qs Qd"))
    >>> made.high.name, made.low.name, made.foul
    ('pair of kings', 'pair of queens', False)
    >>> set_hand(parse_cards("Ks Kd Qs Jd 7h 5c 2d"), parse_cards("Ks Kd")).foul
    True
    """
    high = [card for card in seven if card not in low]
    return HighLowHand(high=rank_joker_five(high, wheel_second=wheel_second), low=rank_two(low))
