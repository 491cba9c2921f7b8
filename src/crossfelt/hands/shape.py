"""The shape of a hand: groups of equal rank, and straights. Every order of hands uses it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

ACE: Final = 12

_CATEGORY_OF_SHAPE: Final = {
    (5,): "five_aces",
    (4, 1): "four_of_a_kind",
    (3, 2): "full_house",
    (3, 1, 1): "three_of_a_kind",
    (2, 2, 1): "two_pair",
    (2, 1, 1, 1): "pair",
}


def grouped(ranks: Collection[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sizes and the ranks of the groups of equal rank, larger groups first, then higher ranks.

    >>> grouped([3, 11, 3, 12, 3])
    ((3, 1, 1), (3, 12, 11))
    """
    copies = list(ranks)
    groups = sorted(((copies.count(rank), rank) for rank in set(copies)), reverse=True)
    return tuple(size for size, _ in groups), tuple(rank for _, rank in groups)


def straight_top(ranks: Sequence[int], *, ace_low: bool = True) -> int | None:
    """Return the highest rank of the straight that these different ranks, highest first, make, or None.

    With `ace_low` the ace may rank below the two; it is never in the middle of a straight.

    >>> straight_top([12, 11, 10, 9, 8]), straight_top([12, 3, 2, 1, 0]), straight_top([12, 11, 10, 1, 0])
    (12, 3, None)
    """
    highest, below_highest, lowest = ranks[0], ranks[1], ranks[-1]
    if highest - lowest == len(ranks) - 1:
        return highest
    if ace_low and highest == ACE and below_highest == len(ranks) - 2:
        return below_highest
    return None


def five_card_shape(ranks: Collection[int], *, one_suit: bool, ace_low: bool = True) -> tuple[str, tuple[int, ...]]:
    """Return the category and the tie-breakers of five ranks, in one suit or not.

    >>> five_card_shape([12, 3, 2, 1, 0], one_suit=False)
    ('straight', (3,))
    >>> five_card_shape([12, 3, 2, 1, 0], one_suit=True, ace_low=False)
    ('flush', (12, 3, 2, 1, 0))
    """
    sizes, by_size = grouped(ranks)
    if sizes in _CATEGORY_OF_SHAPE:
        return _CATEGORY_OF_SHAPE[sizes], by_size
    top = straight_top(by_size, ace_low=ace_low)
    if one_suit and top == ACE:
        return "royal_flush", (ACE,)
    if one_suit and top is not None:
        return "straight_flush", (top,)
    if one_suit:
        return "flush", by_size
    if top is not None:
        return "straight", (top,)
    return "high_card", by_size
