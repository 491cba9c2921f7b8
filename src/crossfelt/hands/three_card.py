"""The three-card hand of double cross poker's optional wager."""

from __future__ import annotations

from collections.abc import Sequence

from crossfelt.cards.card import Card
from crossfelt.cards.notation import require_cards
from crossfelt.hands.rank import HandRank
from crossfelt.hands.shape import grouped, straight_top


def rank_three(cards: Sequence[Card]) -> HandRank:
    """Rank three different cards in the order of the pay table (DCP-12).

    An ace stands beside the king or below the two, never between them; that is said of the straight and read
    into the straight flush as well (AMB-16).

    >>> from crossfelt.cards import parse_cards
    >>> [rank_three(parse_cards(text)).name for text in ("Ah 2h 3h", "Qd Kh As", "Kd Ah 2s")]
    ['three-high straight flush', 'ace-high straight', 'ace-high']
    """
    require_cards(cards, 3)
    sizes, ranks = grouped([card.rank for card in cards])
    one_suit = len({card.suit for card in cards}) == 1
    top = straight_top(ranks) if sizes == (1, 1, 1) else None
    if one_suit and top is not None:
        return HandRank("three_card", "straight_flush", (top,))
    if sizes == (3,):
        return HandRank("three_card", "three_of_a_kind", ranks)
    if top is not None:
        return HandRank("three_card", "straight", (top,))
    if one_suit:
        return HandRank("three_card", "flush", ranks)
    if sizes == (2, 1):
        return HandRank("three_card", "one_pair", ranks)
    return HandRank("three_card", "high_card", ranks)
