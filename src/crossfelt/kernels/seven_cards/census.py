"""Census of all 154,143,080 seven-card hands of a deck with a joker by kind.

It enumerates the ranks of seven cards and the ranks of one suit among them, and multiplies by the number of hands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossfelt.hands.rank import ORDERS
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.seven_cards.kinds import (
    KINDS,
    KING_AND_QUEEN,
    ROYAL_FLUSH,
    ROYAL_MATCH,
    Bits,
    kind_by_ranks,
    kind_in_suit,
)

Counts = NDArray[np.int64]

_RANKS = 13


def counted(jokers: tuple[int, ...] = (0, 1)) -> Counts:
    """Count the hands of each of `KINDS`: without the joker (0), with it (1), or both.

    >>> int(counted().sum())
    154143080
    """
    counts = np.zeros(len(KINDS), dtype=np.int64)
    for joker in jokers:
        _count(joker, counts)
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


@part_of_kernel
def _advance(ranks: Counts) -> bool:
    """Advance to the next non-decreasing ranks; return False after the last."""
    place = ranks.size - 1
    while place >= 0 and ranks[place] == _RANKS - 1:
        place -= 1
    if place < 0:
        return False
    ranks[place:] = ranks[place] + 1
    return True


@Kernel
def _count(joker: int, counts: Counts) -> None:
    """Add all hands with the joker (1), or all without it (0)."""
    ranks = np.zeros(7 - joker, dtype=np.int64)
    different, copies = np.zeros(7, dtype=np.uint64), np.zeros(7, dtype=np.int64)
    more = True
    while more:
        size = _group(ranks, different, copies)
        if copies.max() <= 4:
            _count_suits(different[:size], copies[:size], Bits(joker), counts)
        more = _advance(ranks)


@part_of_kernel
def _group(ranks: Counts, different: NDArray[Bits], copies: Counts) -> int:
    """Write the different ranks as a one in their groups, and the copies of each; return their number."""
    copies[:] = 0
    size = 0
    for place, rank in enumerate(ranks):
        if place and rank != ranks[place - 1]:
            size += 1
        different[size] = Bits(1) << Bits(4 * rank)
        copies[size] += 1
    return size + 1


@part_of_kernel
def _count_suits(different: NDArray[Bits], copies: Counts, joker: Bits, counts: Counts) -> None:
    """Add the hands of these ranks, in any suits."""
    of_four = (1, 4, 6, 4, 1)
    groups, hands = Bits(0), 1
    for place in range(copies.size):
        groups += different[place] * Bits(copies[place])
        hands *= of_four[copies[place]]
    kind = kind_by_ranks(groups, joker)
    needed = 5 - int(joker)
    if copies.size >= needed:
        for subset in range(1 << copies.size):
            if _ones(subset) < needed:
                continue
            in_suit, ways = _in_one_suit(subset, different, copies)
            if ways:
                _add_suited(kind, groups, in_suit, ways, joker, counts)
                hands -= ways
    counts[kind] += hands


@part_of_kernel
def _ones(subset: int) -> int:
    """Return the number of set bits of eight, by adding neighbours."""
    subset = (subset & 0x55) + (subset >> 1 & 0x55)
    subset = (subset & 0x33) + (subset >> 2 & 0x33)
    return (subset & 0x0F) + (subset >> 4)


@part_of_kernel
def _in_one_suit(subset: int, different: NDArray[Bits], copies: Counts) -> tuple[Bits, int]:
    """Return the ranks of a subset, and the number of ways to hold exactly these in one suit.

    If the suit holds one of m cards of a rank, the others are m - 1 of three suits, else m of three.
    """
    of_three = (1, 3, 3, 1, 0)
    in_suit, ways = Bits(0), 4
    for place in range(copies.size):
        held = subset >> place & 1
        ways *= of_three[copies[place] - held]
        in_suit |= different[place] * Bits(held)
    return in_suit, ways


@part_of_kernel
def _add_suited(kind: int, groups: Bits, in_suit: Bits, ways: int, joker: Bits, counts: Counts) -> None:
    """Add the ways to hold a flush or better in one suit; at most one suit has enough cards."""
    suited = max(kind, kind_in_suit(in_suit, joker))
    if suited == ROYAL_FLUSH and groups - in_suit == KING_AND_QUEEN:
        # Of the nine ways to hold a king and a queen of other suits, three have them of one suit.
        counts[ROYAL_MATCH] += ways // 3
        ways -= ways // 3
    counts[suited] += ways
