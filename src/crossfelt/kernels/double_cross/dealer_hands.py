"""The order of two-card hands with a line of Double Cross Poker, and the entry of the dealer's hands by it.

The dealer's pairs of ranks enter in descending order of hands. When they reach a player's hand, the entered hands beat
it.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.cards.card import RANKS
from crossfelt.hands.strength import PAIRS, TRIPLES, grid
from crossfelt.kernels.jit import part_of_kernel

Whole = NDArray[np.int64]
Half = NDArray[np.int32]
Bytes = NDArray[np.uint8]
Classes = NDArray[np.int16]

RANK_COUNT: Final = len(RANKS)
PAIR_COUNT: Final = len(PAIRS)
_TRIPLE_COUNT: Final = len(TRIPLES)


class Tables(NamedTuple):
    """The lookup tables of the kernels."""

    triple: NDArray[np.uint16]
    """Number of three ranks."""
    pairs: Bytes
    classes: Classes
    lines: Bytes
    """Pairs by triple in descending order of the hands they make with it: pair, class of hand, pay line. The second
    half of the rows has the same for suited hands."""
    place: Bytes
    """Index of a pair in the order of a triple."""
    suited_size: Whole
    """Number of pairs that make a suited hand with a triple."""
    top_size: Whole
    """Number of pairs that make an unsuited hand above the lowest flush with a triple."""
    low: Whole
    high: Whole
    unequal: Whole
    """Two ranks of each pair; all bits set if they differ, else none."""


@cache
def _order(*, one_suit: bool) -> tuple[Bytes, Classes]:
    """Return the pairs of each triple with their classes; those that make no hand come last."""
    classes = np.array(grid(one_suit=one_suit), dtype=np.int16)
    order = np.argsort(-classes, axis=1, kind="stable")
    return order.astype(np.uint8), np.take_along_axis(classes, order, axis=1)


def tables(line_of: Bytes) -> Tables:
    """Return the order of all pairs with each three ranks, from the ranking rule."""
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
    """A row of the tables, and the number of its relevant pairs.

    Only numbers, because reference counting of array slices in Numba takes longer than their use.
    """

    row: int
    size: int


@part_of_kernel
def plain_order(triple: int) -> Order:
    return Order(triple, PAIR_COUNT)


@part_of_kernel
def top_order(triple: int, table: Tables) -> Order:
    """Return the pairs that make better than a flush."""
    return Order(triple, table.top_size[triple])


@part_of_kernel
def suited_order(triple: int, table: Tables) -> Order:
    return Order(_TRIPLE_COUNT + triple, table.suited_size[triple])


class Entering(NamedTuple):
    """The dealer's pairs as they enter, and the numbers entered above each of the player's pairs, or not below."""

    entered: NDArray[np.bool_]
    pairs: Bytes
    above: Whole
    not_below: Whole


@part_of_kernel
def new_entering() -> Entering:
    counts = np.zeros((2, PAIR_COUNT), dtype=np.int64)
    # Values that do not enter are also written, after the last.
    pairs = np.zeros(PAIR_COUNT + 1, dtype=np.uint8)
    return Entering(np.zeros(PAIR_COUNT, dtype=np.bool_), pairs, counts[0], counts[1])


@part_of_kernel
def merge(players: Order, own: bool, other: Order, table: Tables, entering: Entering) -> None:
    """Let the dealer's pairs enter by the player's order, if they play that line too, and by another one.

    The next of the two orders is unpredictable, so nothing branches on it. Values for a later player are
    overwritten.
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


# --- suited hands of the dealer, counted in four cases at once ---

CASES: Final = 4
"""Cases by which of two outer cards, or two held cards, are of the suit: neither, the first (1), the second (2),
both."""
CASE_BITS: Final = 16
ONE_CASE: Final = (1 << CASE_BITS) - 1
EVERY_CASE: Final = 1 | 1 << CASE_BITS | 1 << 2 * CASE_BITS | 1 << 3 * CASE_BITS
BOTH_CASE: Final = 1 << 3 * CASE_BITS
_FIRST_CASES: Final = 1 << CASE_BITS | BOTH_CASE
_SECOND_CASES: Final = 1 << 2 * CASE_BITS | BOTH_CASE

Held = tuple[int, int, int, int]
"""Numbers by the cards of a pair that the player holds in the suit: none, the lower, the higher, both."""


class SuitedLine(NamedTuple):
    """A suited line: a bit for each rank that cannot be held in it, and the outer cards of the other line."""

    centre: int
    gone: int
    first: int
    second: int


class Suited(NamedTuple):
    """The dealer's hands of the suit that have not entered yet."""

    free: Whole
    """Cases in which a card of each rank can be held."""
    hands: Whole
    """Number of hands by rank, with the total last."""


class Noted(NamedTuple):
    """Numbers not entered above each of the player's pairs, and not below, in their order, by cards held."""

    above: Whole
    not_below: Whole


@part_of_kernel
def new_suited() -> Suited:
    return Suited(np.zeros(RANK_COUNT, dtype=np.int64), np.zeros(RANK_COUNT + 1, dtype=np.int64))


@part_of_kernel
def new_noted() -> Noted:
    return Noted(np.zeros((PAIR_COUNT, CASES), dtype=np.int64), np.zeros((PAIR_COUNT, CASES), dtype=np.int64))


@part_of_kernel
def cases_of(line: SuitedLine) -> int:
    """Return the cases in which no outer card is the centre."""
    cases = EVERY_CASE
    if line.first == line.centre:
        cases &= ~_FIRST_CASES
    if line.second == line.centre:
        cases &= ~_SECOND_CASES
    return cases


@part_of_kernel
def begin(line: SuitedLine, cases: int, suited: Suited) -> None:
    """Reset the entered hands, in these cases."""
    cards = 0
    for rank in range(RANK_COUNT):
        free = 0 if line.gone >> rank & 1 else cases
        if rank == line.first:
            free &= ~_FIRST_CASES
        if rank == line.second:
            free &= ~_SECOND_CASES
        suited.free[rank] = free
        cards += free
    twice = 0
    for rank in range(RANK_COUNT):
        free = suited.free[rank]
        suited.hands[rank] = (cards - free) & (free * ONE_CASE)
        twice += suited.hands[rank]
    suited.hands[RANK_COUNT] = twice >> 1


@part_of_kernel
def hands_beside_two(line: SuitedLine, cases: int) -> int:
    """Return the number of hands of the suit, in these cases, if the player holds two cards of it."""
    cards = RANK_COUNT - 2
    for rank in range(RANK_COUNT):
        cards -= line.gone >> rank & 1
    hands = 0
    for case in range(CASES):
        left = cards - (case & 1) - (case >> 1)
        hands += (cases >> case * CASE_BITS & 1) * (left * (left - 1) // 2) << case * CASE_BITS
    return hands


@part_of_kernel
def enter(pair: int, table: Tables, suited: Suited) -> None:
    """Remove the hand of a pair, if there is one."""
    low, high = table.low[pair], table.high[pair]
    hand = suited.free[low] & suited.free[high] & table.unequal[pair]
    suited.hands[low] -= hand
    suited.hands[high] -= hand
    suited.hands[RANK_COUNT] -= hand


@part_of_kernel
def not_entered(pair: int, has_entered: bool, table: Tables, suited: Suited) -> Held:
    """Return the hands not entered; one with both cards of the player was removed twice."""
    low, high = table.low[pair], table.high[pair]
    total, with_low, with_high = suited.hands[RANK_COUNT], suited.hands[low], suited.hands[high]
    hand = suited.free[low] & suited.free[high] & table.unequal[pair]
    with_both = 0 if has_entered else hand
    return total, total - with_low, total - with_high, total - with_low - with_high + with_both


@part_of_kernel
def can_hold(pair: int, centre: int, table: Tables) -> Held:
    """Return which cards of a pair can be of the suit, not being the centre: 1, else 0."""
    low, high = int(table.low[pair] != centre), int(table.high[pair] != centre)
    return 1, low, high, low & high


@part_of_kernel
def follow_suited(players: Order, entering: Entering, table: Tables, suited: Suited, noted: Noted) -> None:
    """Add the hands not entered when the entry reaches each of the player's hands."""
    entered = entering.entered
    entered[:] = False
    next_pair = 0
    for place in range(players.size):
        pair = table.pairs[players.row, place]
        while next_pair < entering.above[place]:
            enter(entering.pairs[next_pair], table, suited)
            entered[entering.pairs[next_pair]] = True
            next_pair += 1
        above = not_entered(pair, entered[pair], table, suited)
        while next_pair < entering.not_below[place]:
            enter(entering.pairs[next_pair], table, suited)
            entered[entering.pairs[next_pair]] = True
            next_pair += 1
        not_below = not_entered(pair, entered[pair], table, suited)
        for held in range(CASES):
            noted.above[place, held] += above[held]
            noted.not_below[place, held] += not_below[held]
