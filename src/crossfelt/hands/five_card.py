"""The five-card hand of criss cross and double cross poker."""

from __future__ import annotations

from collections.abc import Sequence

from crossfelt.cards.card import Card
from crossfelt.cards.notation import require_cards
from crossfelt.hands.orders import FIVE_CARD_CATEGORIES
from crossfelt.hands.rank import HandRank
from crossfelt.hands.shape import five_card_shape

__all__ = ["FIVE_CARD_CATEGORIES", "HandRank", "rank_five"]


def rank_five(cards: Sequence[Card], *, ace_low_straight: bool = True) -> HandRank:
    """Rank five different cards (NJC-16, MAC-14, MAC-15, MDC-16, DCP-11).

    All suits are equal. Ties inside a category are broken by the ranks of the groups, larger groups first,
    and then by the other cards from the highest down (reading AMB-18b). With `ace_low_straight` A-2-3-4-5 is
    the lowest straight and straight flush; Maryland does not say so, and is read that way (AMB-11).

    >>> from crossfelt.cards import parse_cards
    >>> rank_five(parse_cards("Kd 9c Kc 9h 2d")).name
    'kings and nines'
    >>> wheel = parse_cards("As 2d 3c 4h 5s")
    >>> rank_five(wheel).name, rank_five(wheel, ace_low_straight=False).name
    ('five-high straight', 'ace-high')
    """
    require_cards(cards, 5)
    ranks = [card.rank for card in cards]
    one_suit = len({card.suit for card in cards}) == 1
    return HandRank("five_card", *five_card_shape(ranks, one_suit=one_suit, ace_low=ace_low_straight))
