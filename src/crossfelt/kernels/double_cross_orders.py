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


class Ranks(NamedTuple):
    """The two ranks of each pair."""

    low: Whole
    high: Whole


class Tables(NamedTuple):
    """What the kernels look up. The pairs of a triple are ordered by the hand they make with it, the best first."""

    triple: NDArray[np.uint16]
    """The number of three ranks."""
    order: Bytes
    classes: Classes
    lines: Bytes
    """The pairs of each triple, the class of each hand, and its pay line."""
    suited_order: Bytes
    suited_classes: Classes
    suited_lines: Bytes
    """The same among hands of one suit."""
    suited_size: Whole
    """How many pairs make a hand of one suit with a triple."""
    top_size: Whole
    """How many pairs make a hand with a triple that is above the lowest flush, though not of one suit."""
    place: Bytes
    """Where a pair stands in the order of a triple."""
    ranks: Ranks


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
    order, classes = _order(one_suit=False)
    suited_order, suited_classes = _order(one_suit=True)
    lowest_flush = suited_classes[suited_classes >= 0].min()
    pairs = np.array(PAIRS, dtype=np.int64)
    return Tables(
        triple=triple,
        order=order,
        classes=classes,
        lines=line_of[classes],
        suited_order=suited_order,
        suited_classes=suited_classes,
        suited_lines=line_of[suited_classes],
        suited_size=(suited_classes >= 0).sum(axis=1),
        top_size=(classes > lowest_flush).sum(axis=1),
        place=np.argsort(order, axis=1).astype(np.uint8),
        ranks=Ranks(np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])),
    )


class Order(NamedTuple):
    """Pairs, the class of the hand that each makes and its pay line, the best first."""

    pairs: Bytes
    classes: Classes
    lines: Bytes


class Entering(NamedTuple):
    """The dealer's pairs as they enter, and how many have entered above each of the player's pairs, or not below."""

    pairs: Bytes
    above: Whole
    not_below: Whole


class Noted(NamedTuple):
    """How many of the dealer's hands are above each of the player's pairs, or not below, in the player's order.

    By which of the pair's cards the dealer cannot hold: none, the lower, the higher, both.
    """

    above: Half
    not_below: Half


class Seen(NamedTuple):
    """Which pairs have entered, and how many hands that hold a given card of each rank."""

    entered: NDArray[np.bool_]
    with_rank: Whole


@part_of_kernel
def plain_order(triple: int, table: Tables) -> Order:
    return Order(table.order[triple], table.classes[triple], table.lines[triple])


@part_of_kernel
def top_order(triple: int, table: Tables) -> Order:
    size = table.top_size[triple]
    return Order(table.order[triple, :size], table.classes[triple, :size], table.lines[triple, :size])


@part_of_kernel
def suited_order_of(triple: int, table: Tables) -> Order:
    size = table.suited_size[triple]
    order, classes, lines = table.suited_order, table.suited_classes, table.suited_lines
    return Order(order[triple, :size], classes[triple, :size], lines[triple, :size])


@part_of_kernel
def merge(players: Order, own: bool, other: Order, entered: NDArray[np.bool_], entering: Entering) -> None:
    """Have the dealer's pairs enter by the player's order, if they play that line too, and by another one."""
    entered[:] = False
    size, next_other = 0, 0
    for place in range(players.pairs.size):
        strength = players.classes[place]
        while next_other < other.pairs.size and other.classes[next_other] > strength:
            size += _enter(other.pairs[next_other], size, entered, entering.pairs)
            next_other += 1
        entering.above[place] = size
        # No two pairs make the same hand with one line, so only these can tie.
        if own:
            size += _enter(players.pairs[place], size, entered, entering.pairs)
        if next_other < other.pairs.size and other.classes[next_other] == strength:
            size += _enter(other.pairs[next_other], size, entered, entering.pairs)
            next_other += 1
        entering.not_below[place] = size


@part_of_kernel
def _enter(pair: int, size: int, entered: NDArray[np.bool_], pairs: Bytes) -> int:
    """Put down a pair, unless it has entered by its better line: one more, or none."""
    if size < PAIR_COUNT:
        pairs[size] = pair
    more = not entered[pair]
    entered[pair] = True
    return int(more)


@part_of_kernel
def follow(players: Order, entering: Entering, ranks: Ranks, left: Whole, seen: Seen, noted: Noted) -> None:
    """Count the hands that have entered when the player's turn comes.

    `left` are the cards of each rank that the dealer can have been dealt, the player's own among them.
    """
    entered, with_rank = seen.entered, seen.with_rank
    entered[:] = False
    with_rank[:] = 0
    total, next_pair = 0, 0
    for place in range(players.pairs.size):
        pair = players.pairs[place]
        while next_pair < entering.above[place]:
            total += _count_hands(entering.pairs[next_pair], ranks, left, with_rank, entered)
            next_pair += 1
        _note(pair, ranks, total, with_rank, entered, noted.above, place)
        while next_pair < entering.not_below[place]:
            total += _count_hands(entering.pairs[next_pair], ranks, left, with_rank, entered)
            next_pair += 1
        _note(pair, ranks, total, with_rank, entered, noted.not_below, place)


@part_of_kernel
def _count_hands(pair: int, ranks: Ranks, left: Whole, with_rank: Whole, entered: NDArray[np.bool_]) -> int:
    """The hands of a pair, which are also counted for either rank: those that hold a given card of it."""
    entered[pair] = True
    low, high = ranks.low[pair], ranks.high[pair]
    of_low, of_high = int(left[low]), int(left[high])
    if low == high:
        with_rank[low] += of_low - 1
        return of_low * (of_low - 1) // 2
    with_rank[low] += of_high
    with_rank[high] += of_low
    return of_low * of_high


@part_of_kernel
def _note(
    pair: int, ranks: Ranks, total: int, with_rank: Whole, entered: NDArray[np.bool_], noted: Half, place: int
) -> None:
    """Take off the hands that hold one of the player's cards; one that holds both was taken off twice."""
    with_low, with_high = with_rank[ranks.low[pair]], with_rank[ranks.high[pair]]
    noted[place, 0] = total
    noted[place, 1] = total - with_low
    noted[place, 2] = total - with_high
    noted[place, 3] = total - with_low - with_high + entered[pair]


@part_of_kernel
def only_suited(x: int, y: int, z: int, ranks: Ranks, entering: Entering, kept: Entering) -> None:
    """Of the dealer's pairs that enter, keep those that can be of the suit of which these three ranks have gone."""
    gone = 1 << x | 1 << y | 1 << z
    size, next_pair = 0, 0
    for place in range(PAIR_COUNT):
        while next_pair < entering.above[place]:
            size += _keep(entering.pairs[next_pair], gone, size, ranks, kept.pairs)
            next_pair += 1
        kept.above[place] = size
        while next_pair < entering.not_below[place]:
            size += _keep(entering.pairs[next_pair], gone, size, ranks, kept.pairs)
            next_pair += 1
        kept.not_below[place] = size


@part_of_kernel
def _keep(pair: int, gone: int, size: int, ranks: Ranks, kept: Bytes) -> int:
    low, high = ranks.low[pair], ranks.high[pair]
    kept[size] = pair
    return int(low != high and (gone >> low | gone >> high) & 1 == 0)
