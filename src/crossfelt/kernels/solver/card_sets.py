"""Sets of cards by number: a set has the place that it takes when all sets of its size are listed by highest card."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import permutations
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel, inner_part
from crossfelt.kernels.solver.hand_tables import DECK, SUITS, HandTable, inner_flush

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
    if size:
        _list_sets(cards)
    return cards


def set_number(sets: NDArray[Any]) -> Counts:
    """Return the number of each set; a row for each, lowest card first.

    >>> set_number(np.array([[0, 1], [0, 3]])).tolist()
    [0, 3]
    """
    return np.asarray(choose_table()[sets, np.arange(1, sets.shape[1] + 1)].sum(axis=1))


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


@inner_part
def set_numbers(cards: Cards, row: int, size: int, choose: Counts, sizes: Counts, numbers: Counts) -> None:
    """Write the number of every subset of a set; bit by bit of the subset's own number."""
    numbers[0] = 0
    for place in range(size):
        bit = 1 << place
        for lower in range(bit):
            numbers[bit | lower] = numbers[lower] + choose[cards[row, place], sizes[lower] + 1]


class SetKinds(NamedTuple):
    """The sets of some cards that are alike up to suits."""

    example: Cards
    """One set of each kind."""
    ways: Counts
    number: NDArray[np.int32]
    """Kind by the number of a set."""
    change: NDArray[np.int8]
    """The change of suits that makes a set the example of its kind, by the number of the set."""


@lru_cache(maxsize=4)
def set_kinds(size: int) -> SetKinds:
    """Return the kinds of sets of a size.

    >>> [len(set_kinds(size).ways) for size in (0, 2, 3)]
    [1, 169, 1755]
    """
    sets = card_sets(size).astype(np.int64)
    least, change = np.full(len(sets), len(sets)), np.zeros(len(sets), dtype=np.int8)
    for number, suits in enumerate(suit_changes()):
        image = np.sort(sets // SUITS * SUITS + suits[sets % SUITS], axis=1)
        place = set_number(image)
        change[place < least] = number
        np.minimum(least, place, out=least)
    examples, kind, ways = np.unique(least, return_inverse=True, return_counts=True)
    return SetKinds(card_sets(size)[examples], ways.astype(np.int64), kind.astype(np.int32), change)


@cache
def changed_pairs() -> NDArray[np.int16]:
    """Return the number of each pair after each change of suits."""
    pairs = card_sets(2).astype(np.int64)
    images = [np.sort(pairs // SUITS * SUITS + suits[pairs % SUITS], axis=1) for suits in suit_changes()]
    return np.array([set_number(image) for image in images], dtype=np.int16)


def pairs_beside(kinds: SetKinds) -> NDArray[np.int16]:
    """Return for each kind of set and each pair the least pair that is like it beside that set; −1 if they meet."""
    pairs = card_sets(2).astype(np.int64)
    least = np.full((len(kinds.ways), len(pairs)), len(pairs), dtype=np.int16)
    size = kinds.example.shape[1]
    for suits, changed in zip(suit_changes(), changed_pairs(), strict=True):
        example = kinds.example.astype(np.int64)
        image = np.sort(example // SUITS * SUITS + suits[example % SUITS], axis=1)
        same = (image == example).all(axis=1) if size else np.ones(len(example), dtype=np.bool_)
        least[same] = np.minimum(least[same], changed[None, :])
    for place in range(size):
        meets = (kinds.example[:, place, None, None] == pairs[None]).any(axis=2)
        least[meets] = -1
    return least


# --- classes in ascending order, sorted by two digits ---


DIGITS: Final = 128
"""Base of the digits."""


@inner_part
def sort_classes(count: int, classes: Counts, order: Counts, other: Counts, starts: Counts) -> None:
    """Write the order of the classes: sorted by their lower digit, then by the higher one."""
    for place in range(count):
        order[place] = place
    _sort_by_digit(count, classes, 1, order, other, starts)
    _sort_by_digit(count, classes, DIGITS, other, order, starts)


@inner_part
def _sort_by_digit(count: int, classes: Counts, unit: int, given: Counts, out: Counts, starts: Counts) -> None:
    for digit in range(starts.size):
        starts[digit] = 0
    for place in range(count):
        starts[classes[given[place]] // unit % DIGITS + 1] += 1
    for digit in range(1, starts.size):
        starts[digit] += starts[digit - 1]
    for place in range(count):
        digit = classes[given[place]] // unit % DIGITS
        out[starts[digit]] = given[place]
        starts[digit] += 1
