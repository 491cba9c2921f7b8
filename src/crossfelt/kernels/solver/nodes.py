"""Positions of a game without a dealer's hand, numbered by what can still happen in them.

A position is what a seat has seen. Positions that lead to the same results in the same numbers of ways are one node,
so that odds are summed over a few thousand nodes instead of millions of positions. No odds enter here.

Suits matter only through a possible flush. In every position the suits that can still make one are kept apart, and
the cards of all others are told apart by rank alone.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel, inner_part
from crossfelt.kernels.solver.hand_tables import DECK, RANKS, SUITS, in_mask
from crossfelt.kernels.solver.node_numbers import add_way, mixed, number_of

Counts = NDArray[np.int64]
TYPES: Final = RANKS * (SUITS + 1)
"""Types of cards: by rank in suits without a possible flush, then by rank in each suit."""
MOST_DRAWN: Final = 8
_ROWS: Final = 1 << 12
"""Hands with one card to come whose ends are kept."""
_FIRST_NODES: Final = 1 << 13
_FIRST_ENTRIES: Final = 1 << 17


class Draws(NamedTuple):
    """The cards that are still to be drawn, and the hands that they enter."""

    sizes: Counts
    """Cards of each block: cards that are turned up together and enter the same hands."""
    enters: NDArray[np.uint8]
    """By block and hand."""
    to_come: Counts
    """Cards of each hand from each block on, with a row for the end."""
    needed: Counts
    """Cards that a flush of each hand needs."""
    weights: Counts
    """Weight of each rank, by hand."""
    plain: NDArray[np.int16]
    """Group by the sum of the weights, the tables of all hands one after the other."""
    plain_start: Counts
    flush: NDArray[np.int16]
    """Group by hand and the mask of ranks in one suit."""
    strides: Counts
    """Factor of each hand's group in the number of a result."""
    results: int


class Start(NamedTuple):
    """What a seat has seen before the first block."""

    sums: Counts
    """Sum of the weights so far, by hand."""
    masks: Counts
    """Mask of ranks by hand and suit."""
    left: Counts
    """Cards that are left, 0 or 1 by type; none in the types that lump suits."""


class Keyed(NamedTuple):
    """Positions of one level by a word that looks random, and their nodes."""

    keys: NDArray[np.uint64]
    nodes: NDArray[np.int32]


class Level(NamedTuple):
    """Nodes before one block: what each can become, and in how many ways. After the last block that is a result."""

    start: Counts
    child: NDArray[np.int32]
    ways: Counts


def start_of(draws: Draws, seen: list[int], in_hands: list[list[int]]) -> Start:
    """Return the start for some seen cards; `in_hands` lists the cards of each hand among them."""
    hands = len(draws.needed)
    sums, masks = np.zeros(hands, dtype=np.int64), np.zeros((hands, SUITS), dtype=np.int64)
    for hand, cards in enumerate(in_hands):
        for card in cards:
            rank, suit = divmod(card, SUITS)
            sums[hand] += draws.weights[hand, rank]
            masks[hand, suit] |= 1 << rank
    left = np.zeros(TYPES, dtype=np.int64)
    for card in set(range(DECK)) - set(seen):
        rank, suit = divmod(card, SUITS)
        left[RANKS * (suit + 1) + rank] = 1
    return Start(sums, masks, left)


def nodes_from(draws: Draws, start: Start, keyed: tuple[bool, ...] = ()) -> tuple[list[Level], list[Keyed]]:
    """Return the nodes of every level from one start, and the positions of the levels in `keyed`; the first level has
    one node."""
    blocks = len(draws.sizes)
    nodes, entries = _FIRST_NODES, _FIRST_ENTRIES
    asked = np.array([*keyed, *[False] * (blocks - len(keyed))], dtype=np.bool_)
    while True:
        found, listed = np.zeros((2, blocks), dtype=np.int64)
        starts = np.zeros((blocks, nodes + 1), dtype=np.int64)
        child = np.empty((blocks, entries), dtype=np.int32)
        ways = np.empty((blocks, entries), dtype=np.int64)
        keys = np.empty((blocks, entries if any(keyed) else 1), dtype=np.uint64)
        key_nodes = np.empty(keys.shape, dtype=np.int32)
        most = max(draws.results, nodes)
        if _grow(draws, most, start, found, starts, child, ways, asked, listed, keys, key_nodes):
            break
        nodes, entries = 2 * nodes, 2 * entries
    levels = [
        Level(
            starts[block, : found[block] + 1].copy(),
            child[block, : starts[block, found[block]]].copy(),
            ways[block, : starts[block, found[block]]].copy(),
        )
        for block in range(blocks)
    ]
    return levels, [Keyed(keys[at, :number].copy(), key_nodes[at, :number].copy()) for at, number in enumerate(listed)]


@Kernel
def _grow(
    draws: Draws,
    most_children: int,
    first: Start,
    found: Counts,
    starts: Counts,
    child: NDArray[np.int32],
    ways: Counts,
    keyed: NDArray[np.bool_],
    listed: Counts,
    out_keys: NDArray[np.uint64],
    out_nodes: NDArray[np.int32],
) -> bool:
    """Walk every position, last block first, and number its node; return False if a level has more than fit."""
    # Plain loops over whole arrays: views of rows cost more than the work on them.
    sizes, enters, to_come, needed, weights, plain, plain_start, flush, strides, _ = draws
    blocks, hands = sizes.size, needed.size
    sums = np.zeros((blocks + 1, hands), dtype=np.int64)
    masks = np.zeros((blocks + 1, hands, SUITS), dtype=np.int64)
    left = np.zeros((blocks + 1, TYPES), dtype=np.int64)
    types = np.zeros((blocks, TYPES), dtype=np.int64)
    type_count = np.zeros(blocks, dtype=np.int64)
    drawn = np.zeros((blocks, MOST_DRAWN), dtype=np.int64)
    begun = np.zeros(blocks, dtype=np.bool_)
    ways_here = np.zeros((blocks, most_children), dtype=np.int64)
    children = np.zeros((blocks, most_children), dtype=np.int64)
    child_count = np.zeros(blocks, dtype=np.int64)
    slots = np.full((blocks, 4 * (starts.shape[1] - 1)), -1, dtype=np.int32)
    keys = np.zeros((blocks, starts.shape[1]), dtype=np.uint64)
    rows = np.empty((_ROWS, TYPES), dtype=np.int32)
    row_slots = np.full(4 * _ROWS, -1, dtype=np.int32)
    row_states = np.zeros((_ROWS, SUITS + 2), dtype=np.int64)
    row_count = np.zeros(1, dtype=np.int64)
    row_of = np.zeros(hands, dtype=np.int64)
    sums[0], masks[0], left[0] = first
    last = blocks - 1
    level = 0
    arrived = True
    while True:
        if arrived:
            lump_suits(level, to_come, needed, masks, left, types, type_count)
        if arrived and level == last and sizes[last] == 1:
            for hand in range(hands):
                row_of[hand] = _row_of(
                    hand, last, enters, weights, sums, masks, plain, plain_start, flush, strides, rows, row_slots,
                    row_states, row_count,
                )  # fmt: skip
            count = 0
            for place in range(type_count[last]):
                kind = types[last, place]
                result = 0
                for hand in range(hands):
                    result += rows[row_of[hand], kind]
                children[last, count] = result
                count += ways_here[last, result] == 0
                ways_here[last, result] += left[last, kind]
            child_count[last] = count
            begun[last] = False
        else:
            begun[level] = _step(level, begun[level], drawn, sizes, type_count)
        arrived = False
        if begun[level]:
            number = _ways(level, drawn, sizes, types, left)
            if number > 0:
                _draw(level, drawn, sizes, types, enters, weights, sums, masks, left)
                if level == last:
                    result = 0
                    for hand in range(hands):
                        group = _group(hand, blocks, -1, weights, sums, masks, plain, plain_start, flush)
                        result += strides[hand] * group
                    add_way(last, result, number, ways_here, children, child_count)
                else:
                    level += 1
                    arrived = True
            continue
        node = number_of(level, ways_here, children, child_count, slots, keys, found, starts, child, ways)
        if node < 0:
            return False
        if keyed[level]:
            at = listed[level]
            if at == out_keys.shape[1]:
                return False
            out_keys[level, at] = position_key(
                level, to_come, needed, weights, sums, masks, plain, plain_start, flush, left
            )
            out_nodes[level, at] = node
            listed[level] = at + 1
        if level == 0:
            return True
        level -= 1
        add_way(level, node, _ways(level, drawn, sizes, types, left), ways_here, children, child_count)


@inner_part
def lump_suits(
    level: int,
    to_come: Counts,
    needed: Counts,
    masks: Counts,
    left: Counts,
    types: Counts,
    type_count: Counts,
) -> None:
    """Lump the suits that can no longer make a flush, and list the types of cards that are left."""
    for suit in range(SUITS):
        if not _can_flush(level, suit, to_come, needed, masks):
            for kind in range(RANKS * (suit + 1), RANKS * (suit + 2)):
                left[level, kind % RANKS] += left[level, kind]
                left[level, kind] = 0
    count = 0
    for kind in range(TYPES):
        types[level, count] = kind
        count += left[level, kind] > 0
    type_count[level] = count


@inner_part
def _can_flush(level: int, suit: int, to_come: Counts, needed: Counts, masks: Counts) -> Any:
    """Say if a suit can still make a flush of a hand that is not complete."""
    possible = False
    for hand in range(needed.size):
        come = to_come[level, hand]
        possible |= come > 0 and in_mask(masks[level, hand, suit]) + come >= needed[hand]
    return possible


@inner_part
def position_key(
    level: int,
    to_come: Counts,
    needed: Counts,
    weights: Counts,
    sums: Counts,
    masks: Counts,
    plain: NDArray[np.int16],
    plain_start: Counts,
    flush: NDArray[np.int16],
    left: Counts,
) -> Any:
    """Return a word for what can still happen in a position: its hands so far, and the cards that are left.

    It is the same after a change of suits. Suits must have been lumped before.
    """
    key = np.uint64(0)
    for hand in range(needed.size):
        if to_come[level, hand]:
            key += mixed(sums[level, hand] * 8 + hand)
        else:
            group = _group(hand, level, -1, weights, sums, masks, plain, plain_start, flush)
            key += mixed((1 << 40) + group * 8 + hand)
    for kind in range(RANKS):
        key += mixed((1 << 41) + kind * 8 + left[level, kind])
    for suit in range(SUITS):
        if _can_flush(level, suit, to_come, needed, masks):
            word = 0
            for kind in range(RANKS * (suit + 1), RANKS * (suit + 2)):
                word = 2 * word + left[level, kind]
            of_suit = mixed((1 << 42) + word)
            for hand in range(needed.size):
                if to_come[level, hand]:
                    of_suit += mixed((1 << 43) + masks[level, hand, suit] * 8 + hand)
            key += mixed(of_suit)
    return key


@inner_part
def _step(level: int, begun: bool, drawn: Counts, sizes: Counts, type_count: Counts) -> Any:
    """Step to the next draw of a level: numbers of types that never fall. Return False after the last."""
    place, value = 0, 0
    if begun:
        place = sizes[level] - 1
        while place >= 0 and drawn[level, place] == type_count[level] - 1:
            place -= 1
        if place < 0:
            return False
        value = drawn[level, place] + 1
    while place < sizes[level]:
        drawn[level, place] = value
        place += 1
    return value < type_count[level]


@inner_part
def _ways(level: int, drawn: Counts, sizes: Counts, types: Counts, left: Counts) -> Any:
    """Count the ways to draw cards of these types."""
    ways, same = 1, 0
    for place in range(sizes[level]):
        same = same + 1 if place > 0 and drawn[level, place] == drawn[level, place - 1] else 0
        # Exact at every step: the product of n consecutive numbers is a multiple of n factorial.
        ways = ways * (left[level, types[level, drawn[level, place]]] - same) // (same + 1)
    return ways


@inner_part
def _draw(
    level: int,
    drawn: Counts,
    sizes: Counts,
    types: Counts,
    enters: NDArray[np.uint8],
    weights: Counts,
    sums: Counts,
    masks: Counts,
    left: Counts,
) -> None:
    """Write the position after a draw into the next level."""
    for kind in range(TYPES):
        left[level + 1, kind] = left[level, kind]
    for hand in range(sums.shape[1]):
        sums[level + 1, hand] = sums[level, hand]
        for suit in range(SUITS):
            masks[level + 1, hand, suit] = masks[level, hand, suit]
    for place in range(sizes[level]):
        kind = types[level, drawn[level, place]]
        left[level + 1, kind] -= 1
        for hand in range(sums.shape[1]):
            if enters[level, hand]:
                sums[level + 1, hand] += weights[hand, kind % RANKS]
                if kind >= RANKS:
                    masks[level + 1, hand, kind // RANKS - 1] |= 1 << (kind % RANKS)


@inner_part
def _group(
    hand: int,
    level: int,
    kind: int,
    weights: Counts,
    sums: Counts,
    masks: Counts,
    plain: NDArray[np.int16],
    plain_start: Counts,
    flush: NDArray[np.int16],
) -> Any:
    """Return the group of a hand with one more card, or with none if `kind` is negative."""
    total = sums[level, hand] + (weights[hand, kind % RANKS] if kind >= 0 else 0)
    # A card that the hand cannot get any more has no entry.
    group = plain[min(plain_start[hand] + total, plain.size - 1)]
    for suit in range(SUITS):
        mask = masks[level, hand, suit]
        if kind >= 0 and kind // RANKS == suit + 1:
            mask |= 1 << (kind % RANKS)
        # Entries of fewer ranks than a flush needs are zero.
        group = max(group, flush[hand, mask])
    return group


@inner_part
def _row_of(
    hand: int,
    last: int,
    enters: NDArray[np.uint8],
    weights: Counts,
    sums: Counts,
    masks: Counts,
    plain: NDArray[np.int16],
    plain_start: Counts,
    flush: NDArray[np.int16],
    strides: Counts,
    rows: NDArray[np.int32],
    row_slots: NDArray[np.int32],
    row_states: Counts,
    row_count: Counts,
) -> Any:
    """Return the row of a hand with one card to come: its part of the result for each type of that card.

    What a card makes of a hand depends on that hand alone, and few hands make many positions. So it is kept.
    """
    key = np.uint64(sums[last, hand]) + np.uint64(hand) * np.uint64(0xBF58476D1CE4E5B9)
    for suit in range(SUITS):
        key = key * np.uint64(0x9E3779B97F4A7C15) + np.uint64(masks[last, hand, suit])
    fits = np.uint64(row_slots.size - 1)
    at = (key ^ (key >> np.uint64(29))) & fits
    while row_slots[at] >= 0:
        row = row_slots[at]
        same = row_states[row, SUITS] == sums[last, hand] and row_states[row, SUITS + 1] == hand
        for suit in range(SUITS):
            same &= row_states[row, suit] == masks[last, hand, suit]
        if same:
            return row
        at = (at + np.uint64(1)) & fits
    # A row may be overwritten only between positions: two hands of one position need two rows.
    if row_count[0] + sums.shape[1] > rows.shape[0] and hand == 0:
        for slot in range(row_slots.size):
            row_slots[slot] = -1
        row_count[0] = 0
        at = (key ^ (key >> np.uint64(29))) & fits
    row = row_count[0]
    row_count[0] = row + 1
    row_slots[at] = row
    for suit in range(SUITS):
        row_states[row, suit] = masks[last, hand, suit]
    row_states[row, SUITS] = sums[last, hand]
    row_states[row, SUITS + 1] = hand
    for kind in range(TYPES):
        more = kind if enters[last, hand] else -1
        group = _group(hand, last, more, weights, sums, masks, plain, plain_start, flush)
        rows[row, kind] = strides[hand] * group
    return row
