"""Tables that rank a hand from a sum over the ranks of its cards and a mask of the ranks of each suit.

Every rank has a weight, and the sum of the weights of a hand identifies its ranks. A hand is worth the better of two
entries: that of its ranks, and that of the ranks which it holds in one suit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import inner_part

RANKS: Final = 13
SUITS: Final = 4
DECK: Final = RANKS * SUITS
_FIVE: Final = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
_SEVEN: Final = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
MOST_CARDS: Final = 7

Classes = NDArray[np.int16]


class HandTable(NamedTuple):
    """The class of every hand of some cards, of which the best selection counts."""

    cards: int
    """Cards of the selection."""
    weights: NDArray[np.int64]
    """Weight of each rank."""
    plain: Classes
    """Class by the sum of the weights of all cards, as if no suit counted."""
    flush: Classes
    """Class by the mask of the ranks in one suit; zero where they are fewer than the cards of a hand."""

    def mapped(self, of_class: NDArray[Any]) -> HandTable:
        """Return the table with every class replaced by a number that does not fall as classes rise."""
        plain = np.where(self.plain < 0, 0, of_class[self.plain]).astype(np.int16)
        flush = np.where(self.flush <= 0, 0, of_class[self.flush]).astype(np.int16)
        return self._replace(plain=plain, flush=flush)


class HandTables(NamedTuple):
    """Tables of several hands, whose groups together are a result."""

    needed: NDArray[np.int64]
    """Cards that a flush of each hand needs."""
    weights: NDArray[np.int64]
    """Weight of each rank, by hand."""
    plain: Classes
    """Group by the sum of the weights, the tables of all hands one after the other."""
    plain_start: NDArray[np.int64]
    flush: Classes
    """Group by hand and the mask of ranks in one suit."""
    strides: NDArray[np.int64]
    """Factor of each hand's group in the number of a result."""


def hand_tables(tables: Sequence[HandTable], groups: Sequence[int]) -> HandTables:
    """Return the tables of several hands; `groups` has the number of groups of each, and of what follows them."""
    return HandTables(
        needed=np.array([table.cards for table in tables], dtype=np.int64),
        weights=np.array([table.weights for table in tables]),
        plain=np.concatenate([table.plain for table in tables]),
        plain_start=np.cumsum([0, *(len(table.plain) for table in tables[:-1])]),
        flush=np.array([table.flush for table in tables]),
        strides=np.array([prod(groups[place + 1 :]) for place in range(len(tables))], dtype=np.int64),
    )


def weights_for(cards: int) -> NDArray[np.int64]:
    """Return the weights of the ranks; different hands of this number of cards have different sums.

    >>> [int(weights_for(cards)[12]) for cards in (3, 5, 6)]
    [79415, 79415, 1479181]
    """
    return np.array(_FIVE if cards <= 5 else _SEVEN, dtype=np.int64)


@lru_cache(maxsize=MOST_CARDS)
def rank_sets(cards: int) -> NDArray[np.int64]:
    """Return the ranks of every hand, lowest first.

    >>> [len(rank_sets(cards)) for cards in (2, 3, 5, 7)]
    [91, 455, 6175, 49205]
    """
    every = np.array(list(combinations_with_replacement(range(RANKS), cards)), dtype=np.int64)
    return every if cards < 5 else every[(every[:, SUITS:] != every[:, :-SUITS]).all(axis=1)]


def exact_table(plain_class: NDArray[Any], flush_class: dict[int, int], cards: int) -> HandTable:
    """Return the table of hands all of whose cards count: classes by the rows of `rank_sets`, and by the mask of ranks
    of those in one suit."""
    weights = weights_for(cards)
    sums = weights[rank_sets(cards)].sum(axis=1)
    plain = np.full(int(sums.max()) + 1, -1, dtype=np.int16)
    plain[sums] = plain_class
    flush = np.zeros(1 << RANKS, dtype=np.int16)
    for mask, number in flush_class.items():
        flush[mask] = number
    return HandTable(cards, weights, plain, flush)


def best_table(exact: HandTable, held: int) -> HandTable:
    """Return the table of hands of `held` cards, of which the best selection counts."""
    if held == exact.cards:
        return exact
    rows, weights = rank_sets(held), weights_for(held)
    best = np.full(len(rows), -1, dtype=np.int16)
    for chosen in combinations(range(held), exact.cards):
        np.maximum(best, exact.plain[exact.weights[rows[:, chosen]].sum(axis=1)], out=best)
    sums = weights[rows].sum(axis=1)
    plain = np.full(int(sums.max()) + 1, -1, dtype=np.int16)
    plain[sums] = best
    flush = exact.flush.copy()
    masks = np.arange(1 << RANKS)
    sizes = np.bitwise_count(masks.astype(np.uint32))
    for size in range(exact.cards + 1, held + 1):
        here = masks[sizes == size]
        for rank in range(RANKS):
            has = here[here >> rank & 1 == 1]
            flush[has] = np.maximum(flush[has], flush[has ^ (1 << rank)])
    return HandTable(exact.cards, weights, plain, flush)


def class_counts(table: HandTable, held: int, classes: int) -> NDArray[np.int64]:
    """Count the hands of `held` cards by class, over every set of cards of the deck.

    A set of ranks is listed once, and its suits are counted: in one suit with a flush, or in none. Two suits with a
    flush need twice the cards of a hand.
    """
    assert held < 2 * table.cards
    rows = rank_sets(held)
    copies = (rows[:, :, None] == np.arange(RANKS)).sum(axis=1)
    plain, ways = table.plain[table.weights[rows].sum(axis=1)], _OF_FOUR[copies].prod(axis=1)
    is_first = np.diff(rows, axis=1, prepend=-1) > 0
    counts = np.zeros(classes, dtype=np.int64)
    for size in range(table.cards, held + 1):
        for chosen in combinations(range(held), size):
            here = is_first[:, chosen].all(axis=1)
            masks = (1 << rows[here][:, chosen]).sum(axis=1)
            suited = SUITS * _OF_THREE[copies[here] - (masks[:, None] >> np.arange(RANKS) & 1)].prod(axis=1)
            np.add.at(counts, np.maximum(plain[here], table.flush[masks]), suited)
            ways[here] -= suited
    np.add.at(counts, plain, ways)
    return counts


_OF_FOUR: Final = np.array([1, 4, 6, 4, 1])
_OF_THREE: Final = np.array([1, 3, 3, 1, 0])
"""Ways to choose some of four cards, and of three."""


@inner_part
def in_mask(mask: int) -> int:
    """Count the ranks of a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inner_part
def inner_flush(flush: NDArray[np.int16], masks: NDArray[np.int64]) -> Any:
    """Return the best entry of the masks of four suits."""
    return max(max(flush[masks[0]], flush[masks[1]]), max(flush[masks[2]], flush[masks[3]]))
