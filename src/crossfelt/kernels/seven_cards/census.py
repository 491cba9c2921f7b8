"""Census of all 154,143,080 seven-card hands of a deck with a joker: all hands of a shape are of one kind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossfelt.hands.rank import ORDERS
from crossfelt.kernels.house_way.decide import JOKER
from crossfelt.kernels.seven_cards.kinds import KINDS, ROYAL_FLUSH, ROYAL_MATCH, kinds
from crossfelt.kernels.solver.hand_shapes import shapes_of_hands

Counts = NDArray[np.int64]


def counted(jokers: tuple[int, ...] = (0, 1)) -> Counts:
    """Count the hands of each of `KINDS`: without the joker (0), with it (1), or both.

    >>> int(counted().sum())
    154143080
    """
    shapes, counts = shapes_of_hands(), np.zeros(len(KINDS), dtype=np.int64)
    wanted = np.isin(shapes.cards[:, -1] == JOKER, jokers)
    np.add.at(counts, kinds(shapes.cards[wanted]), shapes.hands[wanted])
    # Of the nine ways to hold a king and a queen of other suits, three have them of one suit.
    matches = counts[ROYAL_MATCH] // 3
    counts[ROYAL_FLUSH] += counts[ROYAL_MATCH] - matches
    counts[ROYAL_MATCH] = matches
    return counts


def by_category(counts: Counts, order: str) -> dict[str, int]:
    """Convert counts of `KINDS` to counts of the categories of an order, the lowest first.

    >>> by_category(counted(), "progressive_seven")["seven_card_straight_flush"]
    228
    """
    result = dict.fromkeys(ORDERS[order], 0)
    for kind, count in zip(KINDS, counts.tolist(), strict=True):
        result[getattr(kind, order)] += count
    return result
