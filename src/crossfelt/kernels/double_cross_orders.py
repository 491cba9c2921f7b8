"""The order of two-card hands with a line of Double Cross Poker, and the dealer's hands entering by it.

The dealer's pairs of ranks enter from the highest hand down. When they have come down to a player's hand, those that
have entered beat it.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.cards.card import RANKS
from crossfelt.hands.strength import PAIRS, TRIPLES, grid
from crossfelt.kernels.kernel import part_of_kernel

Whole = NDArray[np.int64]
Half = NDArray[np.int32]
Bytes = NDArray[np.uint8]
Classes = NDArray[np.int16]

RANK_COUNT: Final = len(RANKS)
PAIR_COUNT: Final = len(PAIRS)
_TRIPLE_COUNT: Final = len(TRIPLES)


class Tables(NamedTuple):
    """What the kernels look up."""

    triple: NDArray[np.uint16]
    """The number of three ranks."""
    pairs: Bytes
    classes: Classes
    lines: Bytes
    """By triple, the pairs in the order of the hands they make with it, the best first: pair, class of hand, pay line.
    In the second half of the rows the same among hands of one suit."""
    place: Bytes
    """Where a pair stands in the order of a triple."""
    suited_size: Whole
    """How many pairs make a hand of one suit with a triple."""
    top_size: Whole
    """How many pairs make a hand with a triple that is above the lowest flush, though not of one suit."""
    low: Whole
    high: Whole
    unequal: Whole
    """The two ranks of each pair; all bits where they differ, else none."""


@cache
def _order(*, one_suit: bool) -> tuple[Bytes, Classes]:
    """The pairs of each triple, and their classes; those that make no hand come last."""
    classes = np.array(grid(one_suit=one_suit), dtype=np.int16)
    order = np.argsort(-classes, axis=1, kind="stable")
    return order.astype(np.uint8), np.take_along_axis(classes, order, axis=1)


def tables(line_of: Bytes) -> Tables:
    """The order of all pairs with each three ranks, from the rule that ranks hands."""
    triple = np.zeros((RANK_COUNT,) * 3, dtype=np.uint16)
    for number, ranks in enumerate(TRIPLES):
        for permuted in permutations(ranks):
            triple[permuted] = number
    plain, plain_classes = _order(one_suit=False)
    suited, suited_classes = _order(one_suit=True)
    classes = np.concatenate((plain_classes, suited_classes))
    lowest_flush = suited_classes[suited_classes >= 0].min()
    low, high = np.array(PAIRS, dtype=np.int64).T.copy()
    return Tables(
        triple=triple,
        pairs=np.concatenate((plain, suited)),
        classes=classes,
        lines=line_of[classes],
        place=np.argsort(plain, axis=1).astype(np.uint8),
        suited_size=(suited_classes >= 0).sum(axis=1),
        top_size=(plain_classes > lowest_flush).sum(axis=1),
        low=low,
        high=high,
        unequal=-(low != high).astype(np.int64),
    )


class Order(NamedTuple):
    """A row of the tables, and how many of its pairs are meant.

    Numbers alone: Numba keeps count of who has an array that is cut out, which takes longer than its use.
    """

    row: int
    size: int


@part_of_kernel
def plain_order(triple: int) -> Order:
    return Order(triple, PAIR_COUNT)


@part_of_kernel
def top_order(triple: int, table: Tables) -> Order:
    """The pairs that make better than a flush."""
    return Order(triple, table.top_size[triple])


@part_of_kernel
def suited_order(triple: int, table: Tables) -> Order:
    return Order(_TRIPLE_COUNT + triple, table.suited_size[triple])


class Entering(NamedTuple):
    """The dealer's pairs as they enter, and how many have entered above each of the player's pairs, or not below."""

    entered: NDArray[np.bool_]
    pairs: Bytes
    above: Whole
    not_below: Whole


@part_of_kernel
def new_entering() -> Entering:
    counts = np.zeros((2, PAIR_COUNT), dtype=np.int64)
    # What does not enter is put down too, after the last.
    pairs = np.zeros(PAIR_COUNT + 1, dtype=np.uint8)
    return Entering(np.zeros(PAIR_COUNT, dtype=np.bool_), pairs, counts[0], counts[1])


@part_of_kernel
def merge(players: Order, own: bool, other: Order, table: Tables, entering: Entering) -> None:
    """Have the dealer's pairs enter by the player's order, if they play that line too, and by another one.

    Which of the two comes next cannot be foreseen, and a processor that guesses wrong waits: nothing branches on it.
    What is written for a player whose turn has not come is written again.
    """
    entered, pairs, classes = entering.entered, table.pairs, table.classes
    entered[:] = False
    size, place, others = 0, 0, 0
    while place < players.size and others < other.size:
        strength, other_strength = classes[players.row, place], classes[other.row, others]
        pair, other_pair = pairs[players.row, place], pairs[other.row, others]
        players_turn = strength >= other_strength
        # No two pairs make the same hand with one line, so only these can tie.
        ties = (strength == other_strength) & (other_pair != pair) & (not entered[other_pair])
        next_pair = pair if players_turn else other_pair
        enters = (own | (not players_turn)) & (not entered[next_pair])
        entering.above[place] = size
        entering.pairs[size] = next_pair
        entered[next_pair] |= enters
        size += int(enters)
        entering.not_below[place] = size + int(ties)
        place += int(players_turn)
        others += int(not players_turn)
    if place and entering.not_below[place - 1] > size:
        # The last player's tie; nothing enters after it.
        entering.pairs[size] = pairs[other.row, others]
    while place < players.size:
        pair = pairs[players.row, place]
        enters = own and not entered[pair]
        entering.above[place] = size
        entering.pairs[size] = pair
        size += int(enters)
        entering.not_below[place] = size
        place += 1
