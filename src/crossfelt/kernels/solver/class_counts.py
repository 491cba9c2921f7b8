"""The number of hands of each class, over every set of cards of the deck."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel, inner_part
from crossfelt.kernels.solver.hand_tables import RANKS, SUITS, HandTable, in_mask, rank_sets

Counts = NDArray[np.int64]


def class_counts(table: HandTable, held: int, classes: int) -> Counts:
    """Count the hands of `held` cards by class.

    A set of ranks is enumerated once, and its suits are counted: in one suit with a flush, or in none. Two suits with
    a flush need twice the cards of a hand.
    """
    assert held < 2 * table.cards
    counts = np.zeros(classes, dtype=np.int64)
    if held == table.cards:
        _count_whole(rank_sets(held), table, counts)
        return counts
    _count(rank_sets(held), table.cards, table.weights, table.plain, table.flush, counts)
    return counts


def _count_whole(rows: Counts, table: HandTable, counts: Counts) -> None:
    """Count hands all of whose cards matter: in one suit, or not. No kernel needs to be compiled for it."""
    copies = (rows[:, :, None] == np.arange(RANKS)).sum(axis=1)
    ways = np.array([1, 4, 6, 4, 1])[copies].prod(axis=1)
    different = copies.max(axis=1) == 1
    np.add.at(counts, table.flush[(1 << rows[different]).sum(axis=1)], SUITS)
    np.add.at(counts, table.plain[table.weights[rows].sum(axis=1)], ways - SUITS * different)


@Kernel
def _count(
    rows: Counts, cards: int, weights: Counts, plain: NDArray[np.int16], flush: NDArray[np.int16], counts: Counts
) -> None:
    copies = np.zeros(RANKS, dtype=np.int64)
    for row in range(rows.shape[0]):
        copies[:] = 0
        total = 0
        for place in range(rows.shape[1]):
            copies[rows[row, place]] += 1
            total += weights[rows[row, place]]
        ways, held = 1, 0
        for rank in range(RANKS):
            ways *= _choose(SUITS, copies[rank])
            held |= (copies[rank] > 0) << rank
        best = plain[total]
        mask = held
        # Every subset of the ranks, as those held in one suit.
        while in_mask(held) >= cards and mask:
            if in_mask(mask) >= cards:
                suited = SUITS
                for rank in range(RANKS):
                    if copies[rank]:
                        suited *= _choose(SUITS - 1, copies[rank] - (mask >> rank & 1))
                counts[max(best, flush[mask])] += suited
                ways -= suited
            mask = (mask - 1) & held
        counts[best] += ways


@inner_part
def _choose(of: int, chosen: int) -> int:
    """Return the number of ways to choose some of at most four."""
    if chosen < 0 or chosen > of:
        return 0
    ways = 1
    for step in range(chosen):
        ways = ways * (of - step) // (step + 1)
    return ways
