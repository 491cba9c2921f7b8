"""Sets of cards by number: a set has the place that it takes when all sets of its size are listed by highest card."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.exact.hand_tables import DECK, SUITS, HandTable, inner_flush
from crossfelt.kernels.jit import Kernel, inner_part

Counts = NDArray[np.int64]
Cards = NDArray[np.uint8]
MOST_IN_SET: Final = 7


@cache
def choose_table() -> Counts:
    """Return the numbers of ways to choose, by the number to choose from and the number chosen."""
    return np.array([[comb(n, k) for k in range(MOST_IN_SET + 2)] for n in range(DECK + 1)], dtype=np.int64)


@cache
def suit_changes() -> NDArray[np.int64]:
    """Return the 24 ways to rename the suits."""
    return np.array(list(permutations(range(SUITS))), dtype=np.int64)


def card_sets(size: int) -> Cards:
    """Return every set of `size` cards, lowest card first, in the order of its number.

    >>> card_sets(2)[:4].tolist()
    [[0, 1], [0, 2], [1, 2], [0, 3]]
    """
    cards = np.zeros((comb(DECK, size), size), dtype=np.uint8)
    _list_sets(cards)
    return cards


@Kernel
def _list_sets(out: Cards) -> None:
    rows, size = out.shape
    now = np.arange(size)
    for row in range(rows):
        for place in range(size):
            out[row, place] = now[place]
        place = 0
        while place < size - 1 and now[place] + 1 == now[place + 1]:
            now[place] = place
            place += 1
        now[place] += 1


def classes_of(sets: Cards, table: HandTable, held: Cards) -> NDArray[np.int16]:
    """Return the class of each set together with the held cards; −1 for a set that has one of them."""
    classes = np.empty(len(sets), dtype=np.int16)
    _classify(sets, held, table.weights, table.plain, table.flush, classes)
    return classes


@Kernel
def _classify(
    sets: Cards,
    held: Cards,
    weights: Counts,
    plain: NDArray[np.int16],
    flush: NDArray[np.int16],
    classes: NDArray[np.int16],
) -> None:
    masks = np.zeros(SUITS, dtype=np.int64)
    for row in range(sets.shape[0]):
        masks[:] = 0
        total = 0
        double = False
        for place in range(held.size):
            total += weights[held[place] // SUITS]
            masks[held[place] % SUITS] |= 1 << (held[place] // SUITS)
        for place in range(sets.shape[1]):
            card = sets[row, place]
            double |= (masks[card % SUITS] >> (card // SUITS)) & 1 == 1
            total += weights[card // SUITS]
            masks[card % SUITS] |= 1 << (card // SUITS)
        classes[row] = -1 if double else max(plain[total], inner_flush(flush, masks))


def sets_up_to_suits(sets: Cards, held: tuple[int, ...]) -> tuple[Cards, Counts]:
    """Return one example of the sets without held cards that are alike up to suits, and the number it stands for.

    Suits may be renamed only so that the held cards stay the same.
    """
    keep = [change for change in suit_changes().tolist() if _renamed(held, change) == set(held)]
    ways = np.zeros(len(sets), dtype=np.int8)
    _count_alike(sets, np.array(held, dtype=np.uint8), np.array(keep, dtype=np.int64), ways)
    return sets[ways > 0], ways[ways > 0].astype(np.int64)


def _renamed(cards: tuple[int, ...], change: list[int]) -> set[int]:
    return {card // SUITS * SUITS + change[card % SUITS] for card in cards}


@Kernel
def _count_alike(sets: Cards, held: Cards, changes: Counts, ways: NDArray[np.int8]) -> None:
    for row in range(sets.shape[0]):
        own = np.uint64(0)
        free = True
        for place in range(sets.shape[1]):
            own |= np.uint64(1) << np.uint64(sets[row, place])
            for other in range(held.size):
                free &= sets[row, place] != held[other]
        same = 0
        for change in range(changes.shape[0]):
            image = np.uint64(0)
            for place in range(sets.shape[1]):
                card = sets[row, place]
                image |= np.uint64(1) << np.uint64(card // SUITS * SUITS + changes[change, card % SUITS])
            free &= image >= own
            same += image == own
        ways[row] = changes.shape[0] // same if free else 0


@inner_part
def set_numbers(cards: Cards, row: int, size: int, choose: Counts, sizes: Counts, numbers: Counts) -> None:
    """Write the number of every subset of a set; bit by bit of the subset's own number."""
    numbers[0] = 0
    for place in range(size):
        bit = 1 << place
        for lower in range(bit):
            numbers[bit | lower] = numbers[lower] + choose[cards[row, place], sizes[lower] + 1]
