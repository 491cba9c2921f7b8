"""What a player of Double Cross Poker sees when deciding, up to a change of suits.

Suits are named in the order in which they appear: top card, right card, higher hole card, lower hole card. There are
fifteen ways, so a position is four numbers: ranks of top and right card, the pair of hole ranks, the suits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import perm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.cards.card import RANKS, SUITS, Card
from crossfelt.hands.strength import PAIRS

Position = tuple[int, int, int, int]


def _named(suits: Sequence[int]) -> tuple[int, ...]:
    """Suits as they appear: the first is 0, the next other one 1."""
    names: dict[int, int] = {}
    return tuple(names.setdefault(suit, len(names)) for suit in suits)


SUIT_WAYS: Final = tuple(suits for suits in product(range(len(SUITS)), repeat=4) if _named(suits) == suits)
"""The suits of top card, right card, higher and lower hole card."""

SHAPE: Final = (len(RANKS), len(RANKS), len(PAIRS), len(SUIT_WAYS))


def position_of(hole: Sequence[Card], top: Card, right: Card) -> Position:
    """The position of four cards.

    >>> from crossfelt.cards import parse_cards
    >>> As, Kd, Ts, Th = parse_cards("As Kd Ts Th")
    >>> position_of((Kd, As), Ts, Th) == position_of(parse_cards("Ah Kc"), Th, Ts)
    True
    """
    high, low = sorted(hole, key=lambda card: card.rank, reverse=True)
    ways = [_named([top.suit, right.suit, high.suit, low.suit])]
    if high.rank == low.rank:
        ways.append(_named([top.suit, right.suit, low.suit, high.suit]))
    return top.rank, right.rank, PAIRS.index((low.rank, high.rank)), SUIT_WAYS.index(min(ways))


def cards_of(position: Position) -> tuple[Card, Card, Card, Card]:
    """Cards of a position: top, right, the higher and the lower hole card.

    >>> [str(card) for card in cards_of((12, 11, 0, 14))]
    ['Ac', 'Kd', '2h', '2s']
    """
    top, right, pair, way = position
    low, high = PAIRS[pair]
    ranks = (top, right, high, low)
    return tuple(Card(4 * rank + suit) for rank, suit in zip(ranks, SUIT_WAYS[way], strict=True))  # type: ignore[return-value]


@cache
def position_counts() -> NDArray[np.int64]:
    """How many actual positions each one stands for; none where cards would be equal or in another order."""
    counts = np.zeros(SHAPE, dtype=np.int64)
    for way, suits in enumerate(SUIT_WAYS):
        used = max(suits) + 1
        counts[..., way] = perm(len(SUITS), used)
        _, right, high, low = suits
        for pair, (low_rank, high_rank) in enumerate(PAIRS):
            if low_rank == high_rank:
                # Two new suits of a pair can be exchanged, and a pair is named with the lower name first.
                counts[:, :, pair, way] //= 2 if low > high > right else 1
                counts[:, :, pair, way] *= low > high
            for place, rank, suit in (
                (0, high_rank, high),
                (0, low_rank, low),
                (1, high_rank, high),
                (1, low_rank, low),
            ):
                if suits[place] == suit:
                    counts[(slice(None),) * place + (rank, ...)][..., pair, way] = 0
        if right == 0:
            counts[np.arange(len(RANKS)), np.arange(len(RANKS)), :, way] = 0
    return counts


@cache
def exchanged() -> NDArray[np.intp]:
    """The suits of the position with top and right card exchanged, by pair and suits."""
    ways = np.zeros(SHAPE[2:], dtype=np.intp)
    for way, (top, right, high, low) in enumerate(SUIT_WAYS):
        plain = _named((right, top, high, low))
        for pair, (low_rank, high_rank) in enumerate(PAIRS):
            named = min(plain, _named((right, top, low, high))) if low_rank == high_rank else plain
            ways[pair, way] = SUIT_WAYS.index(named)
    return ways
