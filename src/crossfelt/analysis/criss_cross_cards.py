"""Cards of a position of Criss Cross Poker, as prospects know them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from crossfelt.analysis.criss_cross_terms import Counts, Terms
from crossfelt.cards.card import Card
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand
from crossfelt.kernels.prospects import RANKS, layout, line_groups


def type_of(hole: Sequence[Card], card: Card) -> int:
    """The type of a card beside these hole cards: its rank, or its place among the ranks left in their one suit.

    >>> from crossfelt.cards import parse_cards
    >>> hole = parse_cards("Ks 3s")
    >>> [type_of(hole, card) for card in parse_cards("2c 2s 4s As")]
    [0, 13, 14, 23]
    """
    if not hole[0].suit == hole[1].suit == card.suit:
        return card.rank
    return RANKS + card.rank - sum(held.rank < card.rank for held in hole)


def pair_of(hole: Sequence[Card], cards: Sequence[Card]) -> int:
    """The number of two cards among the pairs of types of their starting hand."""
    one, two = sorted(type_of(hole, card) for card in cards)
    return _pair_numbers(hole[0].suit == hole[1].suit)[one, two]


@cache
def _pair_numbers(suited: bool) -> dict[tuple[int, int], int]:
    # All starting hands of one suit have the same pairs of types, and so have all others.
    hand = next(hand for hand in STARTING_HANDS if hand.suited == suited)
    return {(one, two): number for number, (one, two) in enumerate(layout(hand).pairs.tolist())}


def outcomes_of(terms: Terms, hole: Sequence[Card], across: Sequence[Card], down: Sequence[Card]) -> Counts:
    """How many middle cards make which two groups, as `Terms` numbers them."""
    hand = STARTING_HANDS[starting_hand(hole)]
    types = layout(hand, terms.grouping.ranks)
    left = types.left.copy()
    made = []
    for cards in (across, down):
        one, two = (type_of(hole, card) for card in cards)
        left[[one]] -= 1
        left[[two]] -= 1
        flush = types.in_suit & types.in_suit[one] & types.in_suit[two]
        lines = line_groups(terms.grouping)
        made.append(lines[flush.astype(int), hand.high, hand.low, types.rank[one], types.rank[two], types.rank])
    both = made[0].astype(np.int64) * terms.groups + made[1]
    counts = np.zeros(terms.groups**2, dtype=np.int64)
    np.add.at(counts, both, left)
    return counts
