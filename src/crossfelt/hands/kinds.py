"""The kinds of hand that a pay table can be written for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from crossfelt.cards.card import Card
from crossfelt.hands.five_card import rank_five
from crossfelt.hands.orders import ORDERS
from crossfelt.hands.pai_gow import best_of_seven, rank_pai_gow_five, rank_pai_gow_high_card
from crossfelt.hands.rank import HandRank
from crossfelt.hands.seven_card import rank_progressive_seven, rank_seven_card_bonus
from crossfelt.hands.three_card import rank_three
from crossfelt.hands.two_card import rank_two


class HandKind(msgspec.Struct, frozen=True, kw_only=True):
    """How many cards of which deck make this hand, and which categories it may fall into.

    >>> KINDS["three_card"].categories
    ('straight_flush', 'three_of_a_kind', 'straight', 'flush', 'one_pair', 'high_card')
    """

    id: str
    cards: int
    deck: int
    """52, or 53 with the joker."""
    categories: tuple[str, ...]
    """Highest first, as pay tables list them. A hand that is none of them has the category ``nothing``."""
    pairs_by_rank: bool
    """Whether a pay table may tell pairs apart: `HandRank.ranks` of a pair begins with its rank."""
    classify: Callable[[Sequence[Card]], HandRank]


def _kind(kind_id: str, order: str, cards: int, deck: int, classify: Callable[[Sequence[Card]], HandRank]) -> HandKind:
    categories = tuple(category for category in reversed(ORDERS[order]) if category != "nothing")
    return HandKind(
        id=kind_id,
        cards=cards,
        deck=deck,
        categories=categories,
        pairs_by_rank=bool({"pair", "one_pair"} & set(categories)),
        classify=classify,
    )


KINDS: Final[Mapping[str, HandKind]] = {
    kind.id: kind
    for kind in (
        _kind("five_card", "five_card", 5, 52, rank_five),
        _kind("three_card", "three_card", 3, 52, rank_three),
        _kind("two_card", "two_card", 2, 53, rank_two),
        _kind("pai_gow_five", "pai_gow_five", 5, 53, rank_pai_gow_five),
        _kind("pai_gow_seven", "pai_gow_five", 7, 53, best_of_seven),
        _kind("pai_gow_high_card", "pai_gow_high_card", 7, 53, rank_pai_gow_high_card),
        _kind("progressive_seven", "progressive_seven", 7, 53, rank_progressive_seven),
        _kind("seven_card_bonus", "seven_card_bonus", 7, 53, rank_seven_card_bonus),
    )
}
