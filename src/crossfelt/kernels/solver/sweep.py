"""A dealer's own cards against a player's: the dealer's hands are entered in the order of their rank.

For every set of cards the sweep keeps the number of entered hands that hold it. The hands that hold none of the
player's cards follow by inclusion and exclusion over the subsets of these.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel, inner_part
from crossfelt.kernels.solver.card_sets import (
    Cards,
    Counts,
    card_sets,
    choose_table,
    classes_of,
    set_numbers,
    suit_changes,
)
from crossfelt.kernels.solver.hand_tables import DECK, SUITS, HandTable
from crossfelt.kernels.solver.position_list import sets_beside
from crossfelt.kernels.threads import in_shares


class Swept(NamedTuple):
    """The player's hands beside some open cards of the dealer, up to suits."""

    cards: Cards
    ways: Counts
    """The number of hands that each stands for."""
    classes: NDArray[np.int16]
    below: NDArray[np.int32]
    """Dealer's hands of a lower class, then those of no higher class, then those below each bound."""


class Facing(NamedTuple):
    """A player's hand and a dealer's hand that are compared."""

    own: int
    """The player's cards."""
    own_table: HandTable
    theirs: int
    table: HandTable
    classes: int
    bounds: tuple[int, ...]
    """Classes of the dealer's hand, in ascending order, below which hands are counted."""


class _Listed(NamedTuple):
    """Hands of one side, and their order."""

    cards: Cards
    order: NDArray[np.int32]
    """Numbers of the hands in the order of their classes."""
    start: Counts
    """Place in the order where each class starts."""


class _Entered(NamedTuple):
    """The dealer's hands that are entered, counted for every set of cards that they hold."""

    choose: Counts
    sizes: Counts
    """Size of a subset, by its number."""
    offsets: Counts
    """Place of the first set of each size."""
    counts: NDArray[np.int32]
    classes: NDArray[np.int16]
    """Class of every hand of the dealer."""


def swept(facing: Facing, opened: tuple[int, ...]) -> Swept:
    """Count the dealer's hands that hold the opened cards against each hand of the player."""
    rest, bounds = facing.theirs - len(opened), np.array(facing.bounds, dtype=np.int64)
    theirs = card_sets(rest)
    their_classes = classes_of(theirs, facing.table, np.array(opened, dtype=np.uint8))
    mine, ways = sets_beside(opened, facing.own)
    my_classes = classes_of(mine, facing.own_table, np.zeros(0, dtype=np.uint8))
    below = np.zeros((2 + len(bounds), len(mine)), dtype=np.int32)
    sizes = np.array([number.bit_count() for number in range(1 << max(facing.own, rest))], dtype=np.int64)
    offsets = np.cumsum([0, *(comb(DECK, size) for size in range(rest))])
    entered = _Entered(choose_table(), sizes, offsets, np.zeros(int(offsets[-1]), dtype=np.int32), their_classes)
    sides = (_listed(theirs, their_classes, facing.classes), _listed(mine, my_classes, facing.classes))
    _sweep(*sides, bounds, entered, below)
    return Swept(mine, ways, my_classes, below)


def _listed(cards: Cards, classes: NDArray[np.int16], top: int) -> _Listed:
    order = np.argsort(classes, kind="stable").astype(np.int32)
    return _Listed(cards, order, np.searchsorted(classes[order], np.arange(top + 1)).astype(np.int64))


@Kernel
def _sweep(theirs: _Listed, mine: _Listed, bounds: Counts, entered: _Entered, below: NDArray[np.int32]) -> None:
    choose, sizes, offsets, counts, _ = entered
    cards, order, start = mine
    own, rest = cards.shape[1], theirs.cards.shape[1]
    numbers = np.zeros(1 << max(own, rest), dtype=np.int64)
    bound = 0
    for rank in range(theirs.start.size - 1):
        while bound < bounds.size and bounds[bound] == rank:
            for hand in range(cards.shape[0]):
                set_numbers(cards, hand, own, choose, sizes, numbers)
                below[2 + bound, hand] = _without(numbers, own, rest, rank, entered)
            bound += 1
        for place in range(start[rank], start[rank + 1]):
            set_numbers(cards, order[place], own, choose, sizes, numbers)
            below[0, order[place]] = _without(numbers, own, rest, rank, entered)
        for place in range(theirs.start[rank], theirs.start[rank + 1]):
            set_numbers(theirs.cards, theirs.order[place], rest, choose, sizes, numbers)
            for subset in range((1 << rest) - 1):
                counts[offsets[sizes[subset]] + numbers[subset]] += 1
        for place in range(start[rank], start[rank + 1]):
            set_numbers(cards, order[place], own, choose, sizes, numbers)
            below[1, order[place]] = _without(numbers, own, rest, rank + 1, entered)


@inner_part
def _without(numbers: Counts, own: int, rest: int, rank: int, entered: _Entered) -> int:
    """Count the entered hands that hold none of a player's cards."""
    total = 0
    for subset in range(1 << own):
        size, count = entered.sizes[subset], 0
        if size < rest:
            count = entered.counts[entered.offsets[size] + numbers[subset]]
        elif size == rest:
            # A subset of this size is one hand, and its class says whether it was entered.
            count = 1 if entered.classes[numbers[subset]] < rank else 0
        total += -count if size & 1 else count
    return total


class HandsBeside(NamedTuple):
    """The player's hands up to suits, beside open cards of the dealer."""

    example: Counts
    """The number of the example of each kind of open cards."""
    kind: NDArray[np.int32]
    """Kind by the number of a set of open cards."""
    place: NDArray[np.int32]
    """Number of a hand by kind and set; −1 for a set that another one stands for."""


def numbers_beside(own: Cards, opened: Cards, hands: HandsBeside) -> NDArray[np.int32]:
    """Return the number of each hand beside open cards; a row for each round."""
    found = np.full(len(own), -1, dtype=np.int32)
    tables = suit_changes(), choose_table()
    in_shares(lambda rows: _numbers(own[rows], opened[rows], hands, *tables, found[rows]), len(own), 1 << 14)
    return found


@Kernel
def _numbers(
    own: Cards, opened: Cards, hands: HandsBeside, changes: Counts, choose: Counts, found: NDArray[np.int32]
) -> None:
    example, kinds, place = hands
    cards = np.zeros(max(own.shape[1], opened.shape[1]), dtype=np.int64)
    for row in range(own.shape[0]):
        kind = kinds[_number_after(opened, row, changes, 0, choose, cards)]
        change = 0
        while found[row] < 0:
            if _number_after(opened, row, changes, change, choose, cards) == example[kind]:
                found[row] = place[kind, _number_after(own, row, changes, change, choose, cards)]
            change += 1


@inner_part
def _number_after(own: Cards, row: int, changes: Counts, change: int, choose: Counts, cards: Counts) -> Any:
    """Return the number of a set after a change of suits."""
    number = 0
    for column in range(own.shape[1]):
        card = own[row, column] // SUITS * SUITS + changes[change, own[row, column] % SUITS]
        at = column
        while at > 0 and cards[at - 1] > card:
            cards[at] = cards[at - 1]
            at -= 1
        cards[at] = card
    for column in range(own.shape[1]):
        number += choose[cards[column], column + 1]
    return number
