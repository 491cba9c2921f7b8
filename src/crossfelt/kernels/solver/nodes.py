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

from crossfelt.kernels.jit import Kernel, inner_part, part_of_kernel
from crossfelt.kernels.solver.hand_tables import DECK, RANKS, SUITS, HandTables, in_mask
from crossfelt.kernels.solver.node_numbers import Numbering, add_way, mixed, new_numbering, number_of
from crossfelt.kernels.threads import in_shares

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
    tables: HandTables
    results: int


class Start(NamedTuple):
    """The cards that a seat has seen before the first block."""

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

    @property
    def nodes(self) -> int:
        return len(self.start) - 1

    def summed(self, values: Counts) -> Counts:
        """Return by row the value of each node: that of its children, times their ways."""
        out = np.zeros((self.nodes, len(values)), dtype=np.int64)
        _sum(*self, np.ascontiguousarray(values.T), out)
        return np.ascontiguousarray(out.T)

    def spread(self, reached: Counts, children: int) -> Counts:
        """Return by row the ways to each child, from the ways to each node."""
        out = np.zeros((children, len(reached)), dtype=np.int64)
        _spread(*self, np.ascontiguousarray(reached.T), out)
        return np.ascontiguousarray(out.T)


@Kernel
def _sum(start: Counts, child: NDArray[np.int32], ways: Counts, values: Counts, out: Counts) -> None:
    for node in range(start.size - 1):
        for entry in range(start[node], start[node + 1]):
            for column in range(values.shape[1]):
                out[node, column] += ways[entry] * values[child[entry], column]


@Kernel
def _spread(start: Counts, child: NDArray[np.int32], ways: Counts, reached: Counts, out: Counts) -> None:
    for node in range(start.size - 1):
        for entry in range(start[node], start[node + 1]):
            for column in range(reached.shape[1]):
                out[child[entry], column] += ways[entry] * reached[node, column]


def start_of(draws: Draws, seen: list[int], in_hands: list[list[int]]) -> Start:
    """Return the start for some seen cards; `in_hands` lists the cards of each hand among them."""
    hands = len(in_hands)
    sums, masks = np.zeros(hands, dtype=np.int64), np.zeros((hands, SUITS), dtype=np.int64)
    for hand, cards in enumerate(in_hands):
        for card in cards:
            rank, suit = divmod(card, SUITS)
            sums[hand] += draws.tables.weights[hand, rank]
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
    asked = np.array([*keyed, *[False] * (blocks - len(keyed))], dtype=np.bool_)
    size, listed, grown = 1, np.zeros(blocks, dtype=np.int64), False
    while not grown:
        entries = size * _FIRST_ENTRIES
        nodes = new_numbering(blocks, size * _FIRST_NODES, entries, max(draws.results, size * _FIRST_NODES))
        room = blocks, entries if any(keyed) else 1
        keys = _Keys(asked, np.zeros_like(listed), np.empty(room, dtype=np.uint64), np.empty(room, dtype=np.int32))
        grown = _grow(draws, start, nodes, keys)
        size *= 2
    ends = [nodes.starts[at, number] for at, number in enumerate(nodes.found)]
    levels = [
        Level(nodes.starts[at, : nodes.found[at] + 1].copy(), nodes.child[at, :end].copy(), nodes.ways[at, :end].copy())
        for at, end in enumerate(ends)
    ]
    kept = [Keyed(keys.keys[at, :end].copy(), keys.nodes[at, :end].copy()) for at, end in enumerate(keys.listed)]
    return levels, kept


class Path(NamedTuple):
    """The position of each level on the way to the current one."""

    sums: Counts
    """Sum of the weights by hand."""
    masks: Counts
    left: Counts
    types: Counts
    """Types of the cards that are left."""
    type_count: Counts
    drawn: Counts
    """Places of the types that are drawn next."""


class _Keys(NamedTuple):
    """Levels whose positions are listed, and these."""

    asked: NDArray[np.bool_]
    listed: Counts
    keys: NDArray[np.uint64]
    nodes: NDArray[np.int32]


class _Rows(NamedTuple):
    """Results of one more card, kept by hand."""

    results: NDArray[np.int32]
    """Part of the result by row and type of the card."""
    slots: NDArray[np.int32]
    """A hash table of rows."""
    states: Counts
    used: Counts


@part_of_kernel
def new_path(levels: int, hands: int) -> Path:
    return Path(
        np.zeros((levels, hands), dtype=np.int64),
        np.zeros((levels, hands, SUITS), dtype=np.int64),
        np.zeros((levels, TYPES), dtype=np.int64),
        np.zeros((levels, TYPES), dtype=np.int64),
        np.zeros(levels, dtype=np.int64),
        np.zeros((levels, MOST_DRAWN), dtype=np.int64),
    )


@Kernel
def _grow(draws: Draws, first: Start, nodes: Numbering, keys: _Keys) -> bool:
    """Walk every position, last block first, and number its node; return False if a level has more than fit."""
    # Plain loops over whole arrays: views of rows and fields of tuples cost more than the work on them.
    sizes, enters, to_come, tables, _ = draws
    needed, asked, hands, blocks = tables.needed, keys.asked, enters.shape[1], sizes.size
    path = new_path(blocks + 1, hands)
    path.sums[0], path.masks[0], path.left[0] = first
    rows = _Rows(
        np.empty((_ROWS, TYPES), dtype=np.int32),
        np.full(4 * _ROWS, -1, dtype=np.int32),
        np.zeros((_ROWS, SUITS + 2), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    row_of = np.zeros(hands, dtype=np.int64)
    begun = np.zeros(blocks, dtype=np.bool_)
    types, type_count, left, row_results = path.types, path.type_count, path.left, rows.results
    children, ways_here, child_count = nodes.children, nodes.ways_here, nodes.child_count
    level, last, arrived = 0, blocks - 1, True
    while True:
        if arrived:
            lump_suits(level, to_come, needed, path)
        if arrived and level == last and sizes[last] == 1:
            for hand in range(hands):
                row_of[hand] = _row_of(hand, last, draws, path, rows)
            count = 0
            for place in range(type_count[last]):
                kind = types[last, place]
                result = 0
                for hand in range(hands):
                    result += row_results[row_of[hand], kind]
                children[last, count] = result
                count += ways_here[last, result] == 0
                ways_here[last, result] += left[last, kind]
            child_count[last] = count
            begun[last] = False
        else:
            begun[level] = _step(level, begun[level], sizes, path)
        arrived = False
        if begun[level]:
            number = _ways(level, sizes, path)
            if number > 0:
                _draw(level, draws, path)
                arrived = level < last
                if arrived:
                    level += 1
                else:
                    add_way(last, _result(blocks, tables, path), number, nodes)
            continue
        node = number_of(level, nodes)
        if node < 0 or (asked[level] and not _list_position(level, node, draws, path, keys)):
            return False
        if level == 0:
            return True
        level -= 1
        add_way(level, node, _ways(level, sizes, path), nodes)


@inner_part
def _list_position(level: int, node: int, draws: Draws, path: Path, keys: _Keys) -> Any:
    """List a position with its node; return False if it does not fit."""
    at = keys.listed[level]
    fits = at < keys.keys.shape[1]
    if fits:
        keys.keys[level, at] = position_key(level, draws.to_come, draws.tables, path)
        keys.nodes[level, at] = node
        keys.listed[level] = at + 1
    return fits


@inner_part
def lump_suits(level: int, to_come: Counts, needed: Counts, path: Path) -> None:
    """Lump the suits that can no longer make a flush, and list the types of cards that are left."""
    left = path.left
    for suit in range(SUITS):
        if not _can_flush(level, suit, to_come, needed, path.masks):
            for kind in range(RANKS * (suit + 1), RANKS * (suit + 2)):
                left[level, kind % RANKS] += left[level, kind]
                left[level, kind] = 0
    count = 0
    for kind in range(TYPES):
        path.types[level, count] = kind
        count += left[level, kind] > 0
    path.type_count[level] = count


@inner_part
def _can_flush(level: int, suit: int, to_come: Counts, needed: Counts, masks: Counts) -> Any:
    """Say if a suit can still make a flush of a hand that is not complete."""
    possible = False
    for hand in range(needed.size):
        come = to_come[level, hand]
        possible |= come > 0 and in_mask(masks[level, hand, suit]) + come >= needed[hand]
    return possible


@inner_part
def position_key(level: int, to_come: Counts, tables: HandTables, path: Path) -> Any:
    """Return a word for what can still happen in a position: its hands so far, and the cards that are left.

    It is the same after a change of suits. Suits must have been lumped before.
    """
    hands, left, key = tables.needed.size, path.left, np.uint64(0)
    for hand in range(hands):
        if to_come[level, hand]:
            key += mixed(path.sums[level, hand] * 8 + hand)
        else:
            key += mixed((1 << 40) + _group(hand, level, -1, tables, path) * 8 + hand)
    for kind in range(RANKS):
        key += mixed((1 << 41) + kind * 8 + left[level, kind])
    for suit in range(SUITS):
        if _can_flush(level, suit, to_come, tables.needed, path.masks):
            word = 0
            for kind in range(RANKS * (suit + 1), RANKS * (suit + 2)):
                word = 2 * word + left[level, kind]
            of_suit = mixed((1 << 42) + word)
            for hand in range(hands):
                if to_come[level, hand]:
                    of_suit += mixed((1 << 43) + path.masks[level, hand, suit] * 8 + hand)
            key += mixed(of_suit)
    return key


@inner_part
def _step(level: int, begun: bool, sizes: Counts, path: Path) -> Any:
    """Step to the next draw of a level: numbers of types that never fall. Return False after the last."""
    drawn, types = path.drawn, path.type_count[level]
    place, value = 0, 0
    if begun:
        place = sizes[level] - 1
        while place >= 0 and drawn[level, place] == types - 1:
            place -= 1
        if place < 0:
            return False
        value = drawn[level, place] + 1
    while place < sizes[level]:
        drawn[level, place] = value
        place += 1
    return value < types


@inner_part
def _ways(level: int, sizes: Counts, path: Path) -> Any:
    """Count the ways to draw cards of these types."""
    drawn = path.drawn
    ways, same = 1, 0
    for place in range(sizes[level]):
        same = same + 1 if place > 0 and drawn[level, place] == drawn[level, place - 1] else 0
        # Exact at every step: the product of n consecutive numbers is a multiple of n factorial.
        ways = ways * (path.left[level, path.types[level, drawn[level, place]]] - same) // (same + 1)
    return ways


@inner_part
def _draw(level: int, draws: Draws, path: Path) -> None:
    """Write the position after a draw into the next level."""
    sums, masks, left = path.sums, path.masks, path.left
    for kind in range(TYPES):
        left[level + 1, kind] = left[level, kind]
    for hand in range(sums.shape[1]):
        sums[level + 1, hand] = sums[level, hand]
        for suit in range(SUITS):
            masks[level + 1, hand, suit] = masks[level, hand, suit]
    for place in range(draws.sizes[level]):
        kind = path.types[level, path.drawn[level, place]]
        left[level + 1, kind] -= 1
        for hand in range(sums.shape[1]):
            if draws.enters[level, hand]:
                sums[level + 1, hand] += draws.tables.weights[hand, kind % RANKS]
                if kind >= RANKS:
                    masks[level + 1, hand, kind // RANKS - 1] |= 1 << (kind % RANKS)


@inner_part
def _result(level: int, tables: HandTables, path: Path) -> Any:
    """Return the number of the result of whole hands."""
    result = 0
    for hand in range(tables.needed.size):
        result += tables.strides[hand] * _group(hand, level, -1, tables, path)
    return result


@inner_part
def _group(hand: int, level: int, kind: int, tables: HandTables, path: Path) -> Any:
    """Return the group of a hand with one more card, or with none if `kind` is negative."""
    total = path.sums[level, hand] + (tables.weights[hand, kind % RANKS] if kind >= 0 else 0)
    # A card that the hand cannot get any more has no entry.
    group = tables.plain[min(tables.plain_start[hand] + total, tables.plain.size - 1)]
    for suit in range(SUITS):
        mask = path.masks[level, hand, suit]
        if kind >= 0 and kind // RANKS == suit + 1:
            mask |= 1 << (kind % RANKS)
        # Entries of fewer ranks than a flush needs are zero.
        group = max(group, tables.flush[hand, mask])
    return group


@inner_part
def _row_of(hand: int, last: int, draws: Draws, path: Path, rows: _Rows) -> Any:
    """Return the row of a hand with one card to come: its part of the result for each type of that card.

    What a card makes of a hand depends on that hand alone, and few hands make many positions. So it is kept.
    """
    sums, masks, states, slots = path.sums, path.masks, rows.states, rows.slots
    key = np.uint64(sums[last, hand]) + np.uint64(hand) * np.uint64(0xBF58476D1CE4E5B9)
    for suit in range(SUITS):
        key = key * np.uint64(0x9E3779B97F4A7C15) + np.uint64(masks[last, hand, suit])
    fits = np.uint64(slots.size - 1)
    at = (key ^ (key >> np.uint64(29))) & fits
    while slots[at] >= 0:
        row = slots[at]
        same = states[row, SUITS] == sums[last, hand] and states[row, SUITS + 1] == hand
        for suit in range(SUITS):
            same &= states[row, suit] == masks[last, hand, suit]
        if same:
            return row
        at = (at + np.uint64(1)) & fits
    # A row may be overwritten only between positions: two hands of one position need two rows.
    if rows.used[0] + sums.shape[1] > states.shape[0] and hand == 0:
        for slot in range(slots.size):
            slots[slot] = -1
        rows.used[0] = 0
        at = (key ^ (key >> np.uint64(29))) & fits
    row = rows.used[0]
    rows.used[0] = row + 1
    slots[at] = row
    for suit in range(SUITS):
        states[row, suit] = masks[last, hand, suit]
    states[row, SUITS] = sums[last, hand]
    states[row, SUITS + 1] = hand
    for kind in range(TYPES):
        more = kind if draws.enters[last, hand] else -1
        rows.results[row, kind] = draws.tables.strides[hand] * _group(hand, last, more, draws.tables, path)
    return row


# --- the positions of many rounds, by the words under which their nodes are found ---


def keys_of(cards: NDArray[np.uint8], entered: NDArray[np.uint8], draws: Draws) -> NDArray[np.uint64]:
    """Return the word of each position; `entered` says by column which hands a card is in."""
    keys = np.empty(len(cards), dtype=np.uint64)
    to_come = draws.to_come[:1]
    in_shares(lambda rows: _keys(cards[rows], entered, to_come, draws.tables, keys[rows]), len(cards), 1 << 14)
    return keys


@Kernel
def _keys(
    cards: NDArray[np.uint8], entered: NDArray[np.uint8], to_come: Counts, tables: HandTables, keys: NDArray[np.uint64]
) -> None:
    hands = tables.needed.size
    path = new_path(1, hands)
    sums, masks, left = path.sums, path.masks, path.left
    for row in range(cards.shape[0]):
        for hand in range(hands):
            sums[0, hand] = 0
            for suit in range(SUITS):
                masks[0, hand, suit] = 0
        for kind in range(TYPES):
            left[0, kind] = kind >= RANKS
        for column in range(cards.shape[1]):
            rank, suit = cards[row, column] // SUITS, cards[row, column] % SUITS
            left[0, RANKS * (suit + 1) + rank] = 0
            for hand in range(hands):
                if entered[column, hand]:
                    sums[0, hand] += tables.weights[hand, rank]
                    masks[0, hand, suit] |= 1 << rank
        lump_suits(0, to_come, tables.needed, path)
        keys[row] = position_key(0, to_come, tables, path)
