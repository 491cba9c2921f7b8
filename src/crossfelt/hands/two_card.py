"""The low hand of pai gow poker."""

from __future__ import annotations

from collections.abc import Sequence

from crossfelt.cards.card import JOKER, Card
from crossfelt.cards.notation import require_cards
from crossfelt.hands.rank import HandRank
from crossfelt.hands.shape import ACE, grouped


def rank_two(cards: Sequence[Card]) -> HandRank:
    """Rank two different cards: a pair, or else the higher card and then the lower; the joker is an ace.

    >>> from crossfelt.cards import parse_cards
    >>> rank_two(parse_cards("Ad Jk", joker=True)).name, rank_two(parse_cards("Qs Kd")).name
    ('pair of aces', 'king-queen')
    """
    require_cards(cards, 2, joker=True)
    sizes, ranks = grouped([ACE if card == JOKER else card.rank for card in cards])
    return HandRank("two_card", "pair" if sizes == (2,) else "high_card", ranks)
