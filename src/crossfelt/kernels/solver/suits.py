"""Hands that are ranked by the cards of one suit: the player's against the dealer's.

A hand is the sets of ranks that it holds in the four suits, and each set has a class of its own; the highest counts.
The dealer's hands below a class are then a coefficient of the product of four polynomials, one for each suit: the
number of sets of each size that are below the class and hold none of the player's cards. Sets are entered in the
order of their classes, as the dealer's hands are in `sweep`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import factorial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel, inner_part
from crossfelt.kernels.solver.card_sets import Cards, Counts, classes_of
from crossfelt.kernels.solver.hand_tables import RANKS, SUITS, Classes
from crossfelt.kernels.solver.sweep import Facing, Swept
from crossfelt.kernels.threads import in_shares

Suits = NDArray[np.int16]
"""The sets of ranks of a hand's four suits, by their places in the list, the last first; a row for each hand."""
_SMALLEST = 1 << 14


class SuitSets(NamedTuple):
    """The sets of ranks that a hand may hold in one suit, the smallest first."""

    mask: Counts
    size: Counts
    start: Counts
    """Place of the first set of each size, with the number of sets at the end."""
    place: Counts
    """Place by mask."""


@cache
def suit_sets() -> SuitSets:
    """Return every set of ranks.

    >>> suit_sets().start[:4].tolist(), bin(suit_sets().mask[14])
    ([0, 1, 14, 92], '0b11')
    """
    sizes = np.bitwise_count(np.arange(1 << RANKS)).astype(np.int64)
    mask = np.argsort(sizes, kind="stable")
    return SuitSets(mask, sizes[mask], np.searchsorted(sizes[mask], np.arange(RANKS + 2)), np.argsort(mask))


class HandsBySuits(NamedTuple):
    """Every hand of some cards up to suits, in ascending order of its key."""

    suits: Suits
    ways: Counts
    """The number of hands that each stands for."""
    keys: Counts
    cards: Cards
    """An example of each hand."""


@lru_cache(maxsize=1)
def hands_by_suits(cards: int) -> HandsBySuits:
    """Return every hand of `cards` cards up to suits.

    >>> hands = hands_by_suits(3)
    >>> len(hands.keys), int(hands.ways.sum())
    (1755, 22100)
    """
    sets = suit_sets()
    room = np.empty((_list_hands(sets.size, sets.start, cards, np.empty((0, SUITS), dtype=np.int16)), SUITS), np.int16)
    _list_hands(sets.size, sets.start, cards, room)
    run, ways = np.ones(len(room), dtype=np.int64), np.full(len(room), factorial(SUITS))
    for suit in range(1, SUITS):
        run = np.where(room[:, suit] == room[:, suit - 1], run + 1, 1)
        ways //= run
    held = np.zeros((len(room), cards), dtype=np.uint8)
    _list_cards(sets.mask, room, held)
    return HandsBySuits(room, ways, _keys(room), held)


def _keys(suits: Suits) -> Counts:
    return np.asarray(suits.astype(np.int64) @ ((1 << RANKS) ** np.arange(SUITS)[::-1]))


@Kernel
def _list_hands(size: Counts, start: Counts, cards: int, out: Suits) -> int:
    """Write the hands for which there is room, and return the number of all."""
    number = 0
    for first in range(start[cards + 1]):
        beside = cards - size[first]
        for second in range(min(first + 1, start[beside + 1])):
            left = beside - size[second]
            for third in range(min(second + 1, start[left + 1])):
                last = left - size[third]
                for fourth in range(start[last], min(third + 1, start[last + 1])):
                    if number < out.shape[0]:
                        out[number, 0], out[number, 1], out[number, 2], out[number, 3] = first, second, third, fourth
                    number += 1
    return number


@Kernel
def _list_cards(mask: Counts, suits: Suits, cards: Cards) -> None:
    for row in range(suits.shape[0]):
        column = 0
        for rank in range(RANKS):
            for suit in range(SUITS):
                if mask[suits[row, suit]] >> rank & 1:
                    cards[row, column] = rank * SUITS + suit
                    column += 1


def suits_of(cards: Cards) -> Suits:
    """Return the sets of each hand."""
    masks = np.zeros((len(cards), SUITS), dtype=np.int64)
    rows = np.arange(len(cards))
    for column in cards.T.astype(np.int64):
        masks[rows, column % SUITS] |= 1 << column // SUITS
    return np.sort(suit_sets().place[masks], axis=1)[:, ::-1].astype(np.int16)


def numbers_by_suits(cards: Cards) -> Counts:
    """Return the number of each hand among those up to suits.

    >>> numbers_by_suits(hands_by_suits(3).cards[[7, 3]]).tolist()
    [7, 3]
    """
    return np.searchsorted(hands_by_suits(cards.shape[1]).keys, _keys(suits_of(cards)))


def swept_by_suits(facing: Facing) -> Swept:
    """Count the dealer's hands against each hand of the player."""
    hands = hands_by_suits(facing.own)
    return _against(facing, hands.cards, hands.ways, hands.suits)


def against_by_suits(facing: Facing, cards: Cards) -> Swept:
    """Count the dealer's hands against some hands of the player."""
    return _against(facing, cards, np.ones(len(cards), dtype=np.int64), suits_of(cards))


def _against(facing: Facing, cards: Cards, ways: Counts, suits: Suits) -> Swept:
    sets, flush = suit_sets(), facing.table.flush
    masks = sets.mask[: sets.start[facing.theirs + 1]]
    masks = masks[np.argsort(flush[masks], kind="stable")]
    classes = classes_of(cards, facing.own_table, np.zeros(0, dtype=np.uint8))
    bounds = np.array(facing.bounds, dtype=np.int64)
    below = np.zeros((2 + len(bounds), len(suits)), dtype=np.int32)

    def work(rows: slice) -> None:
        entered = np.zeros((sets.start[facing.own + 1], facing.theirs + 1), dtype=np.int64)
        order = np.argsort(classes[rows], kind="stable")
        _sweep(masks, flush, sets.place, suits[rows], classes[rows], order, bounds, entered, below[:, rows])

    in_shares(work, len(suits), _SMALLEST)
    return Swept(cards, ways, classes, below)


@Kernel
def _sweep(
    masks: Counts,
    flush: Classes,
    place: Counts,
    suits: Suits,
    classes: Classes,
    order: Counts,
    bounds: Counts,
    entered: Counts,
    below: NDArray[np.int32],
) -> None:
    products = np.zeros((2, entered.shape[1]), dtype=np.int64)
    bound = lower = not_higher = 0
    for number in range(masks.size + 1):
        rank = flush[masks[number]] if number < masks.size else flush.size
        if number in (0, masks.size) or rank != flush[masks[number - 1]]:
            # Every set below this class is entered, and no other.
            while bound < bounds.size and bounds[bound] <= rank:
                for row in range(order.size):
                    below[2 + bound, row] = _without(entered, suits, row, products)
                bound += 1
            while not_higher < order.size and classes[order[not_higher]] < rank:
                below[1, order[not_higher]] = _without(entered, suits, order[not_higher], products)
                not_higher += 1
            while lower < order.size and classes[order[lower]] <= rank:
                below[0, order[lower]] = _without(entered, suits, order[lower], products)
                lower += 1
        if number < masks.size:
            _enter(masks[number], place, entered)


@inner_part
def _enter(mask: int, place: Counts, entered: Counts) -> None:
    """Count a set for every set of the player that holds none of its ranks."""
    size = 0
    for rank in range(RANKS):
        size += mask >> rank & 1
    free = ((1 << RANKS) - 1) & ~mask
    held = free
    while held >= 0:
        if place[held] < entered.shape[0]:
            entered[place[held], size] += 1
        held = (held - 1) & free if held else -1


@inner_part
def _without(entered: Counts, suits: Suits, row: int, products: Counts) -> Any:
    """Count the hands of entered sets that hold none of a player's cards."""
    cards = products.shape[1] - 1
    for total in range(cards + 1):
        for pair in range(2):
            ways = 0
            for size in range(total + 1):
                ways += entered[suits[row, 2 * pair], size] * entered[suits[row, 2 * pair + 1], total - size]
            products[pair, total] = ways
    count = 0
    for size in range(cards + 1):
        count += products[0, size] * products[1, cards - size]
    return count


def class_counts_by_suits(flush: Classes, held: int, classes: int) -> Counts:
    """Count the hands of `held` cards by class, over every set of cards of the deck."""
    sets = suit_sets()
    by_size = np.zeros((classes, max(held, RANKS) + 1), dtype=np.int64)
    np.add.at(by_size, (flush[sets.mask], sets.size), 1)
    by_size = by_size.cumsum(axis=0)
    two = np.stack([(by_size[:, : n + 1] * by_size[:, n::-1]).sum(axis=1) for n in range(held + 1)], axis=1)
    return np.asarray(np.diff((two * two[:, ::-1]).sum(axis=1), prepend=0))
