"""Ranks of five cards, and of the three-card and two-card hands."""

from __future__ import annotations

from collections.abc import Sequence

from crossfelt.cards.card import JOKER, Card
from crossfelt.cards.notation import require_cards
from crossfelt.hands.rank import HandRank
from crossfelt.hands.shape import ACE, five_card_shape, grouped, straight_top


def rank_five(cards: Sequence[Card], *, ace_low_straight: bool = True) -> HandRank:
    """Rank five different cards (NJC-16, MAC-14, MAC-15, MDC-16, DCP-11).

    All suits are equal. Ties inside a category are broken by the ranks of the groups, larger groups first,
    and then by the other cards from the highest down (reading AMB-18b). With `ace_low_straight` A-2-3-4-5 is
    the lowest straight and straight flush; where a document does not say so, this is a reading (AMB-11).

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


def rank_three(cards: Sequence[Card]) -> HandRank:
    """Rank three different cards in the order of the pay table (DCP-12).

    An ace ranks above the king or below the two, never between them. The document says so of the straight only;
    the straight flush is read the same way (AMB-16).

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
        return HandRank("three_card", "pair", ranks)
    return HandRank("three_card", "high_card", ranks)


def rank_two(cards: Sequence[Card]) -> HandRank:
    """Rank two different cards: a pair, or else the higher card and then the lower; the joker is an ace.

    >>> from crossfelt.cards import parse_cards
    >>> rank_two(parse_cards("Ad Jk", joker=True)).name, rank_two(parse_cards("Qs Kd")).name
    ('pair of aces', 'king-queen')
    """
    require_cards(cards, 2, joker=True)
    sizes, ranks = grouped([ACE if card == JOKER else card.rank for card in cards])
    return HandRank("two_card", "pair" if sizes == (2,) else "high_card", ranks)
