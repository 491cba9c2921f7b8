"""Hands of two own cards and a line of the board, where player and dealer have the choice of several lines.

Every card of a hand counts, and all lines share one card of the board, so that a flush can only be of that card's suit.
A board is counted by ranks, as if no suit counted. Boards with a line in one suit are then corrected: a card is a type,
its rank in that suit or out of it. On each board the dealer's pairs of types are sorted by their best line and counted
for every pair of the player, without the player's own cards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel, inner_part, part_of_kernel
from crossfelt.kernels.solver.card_sets import DIGITS, Cards, Counts, sort_classes
from crossfelt.kernels.solver.hand_tables import RANKS

RELATIONS = 3
_NO_CLASS = 1 << 20


class LineRanking(NamedTuple):
    """The lines of a board, and how a hand on them is ranked."""

    in_line: NDArray[np.uint8]
    """By line and outer card of the board: any but the shared one."""
    weights: Counts
    plain: NDArray[np.int16]
    flush: NDArray[np.int16]
    groups: NDArray[np.int16]
    """The player's group by line and class."""
    bounds: Counts
    """First classes of the dealer's groups after the lowest."""
    outcome: NDArray[np.int16]
    """The outcome by line, and the player's group with the dealer's group and relation."""


class Types(NamedTuple):
    """Types of cards, and the pairs of them."""

    copies: Counts
    """Cards of each type; a type below `RANKS` is a rank, in the shared card's suit where suits are told apart."""
    low: Counts
    high: Counts
    by_rank: Counts
    """The pair of ranks of each pair of types."""


def types_of(*, suits: bool) -> Types:
    """Return the types of cards by rank, or by rank in a suit and out of it.

    >>> [len(types_of(suits=suits).low) for suits in (False, True)]
    [91, 351]
    """
    copies = np.array([1] * RANKS + [3] * RANKS if suits else [4] * RANKS, dtype=np.int64)
    high, low = np.array([(high, low) for high in range(len(copies)) for low in range(high + 1)], dtype=np.int64).T
    ranks = np.sort(np.stack([low % RANKS, high % RANKS]), axis=0)
    return Types(copies, low.copy(), high.copy(), pair_number(ranks[0], ranks[1]))


def pair_number(low: Counts, high: Counts) -> Counts:
    """Return the number of a pair of types."""
    return high * (high + 1) // 2 + low


class _Scratch(NamedTuple):
    """Room to count the dealer's hands on a board."""

    best: Counts
    """Class of each pair on its best line."""
    order: Counts
    of_line: Counts
    line_order: Counts
    other: Counts
    starts: Counts
    entered: Counts
    """Hands that hold one card of a type, and all of them at the end: those of lower classes, those of no higher class,
    and those below each bound."""


@part_of_kernel
def _new_scratch(pairs: int, bounds: int, kinds: int) -> _Scratch:
    best, order, of_line, line_order, other = np.zeros((5, pairs), dtype=np.int64)
    starts = np.zeros(DIGITS + 1, dtype=np.int64)
    return _Scratch(best, order, of_line, line_order, other, starts, np.zeros((2 + bounds, kinds + 1), dtype=np.int64))


@Kernel
def add_boards(
    boards: Cards, shown: Cards, line_of: Cards, ranking: LineRanking, types: Types, ranks: Types, sums: Counts
) -> None:
    """Add the deals of boards by open cards, pair of the player, line, and outcome.

    A row of `boards` has the types of the outer cards, and every shared card is added to it. Boards that are alike but
    for the order of their cards or lines are listed once: a row of `shown` lists the outer cards in one of these
    orders, the open ones first, and a row of `line_of` the line that each line then is. By types a board counts as it
    is, less what it counts by ranks.
    """
    lines, outer = ranking.in_line.shape
    bounds, kinds, pairs, by_types = ranking.bounds, types.copies.size, types.low.size, types.copies.size > RANKS
    left, left_ranks = np.zeros(kinds, dtype=np.int64), np.zeros(RANKS, dtype=np.int64)
    totals, masks = np.zeros((2, lines), dtype=np.int64)
    rank_classes = np.zeros((RANKS, lines, ranks.low.size), dtype=np.int64)
    counted = np.zeros(RANKS, dtype=np.bool_)
    classes = np.zeros((lines, pairs), dtype=np.int64)
    scratch = _new_scratch(pairs, bounds.size, kinds)
    size = RELATIONS * (bounds.size + 1)
    rank_cells = np.zeros((RANKS, lines, ranks.low.size, size), dtype=np.int64)
    cells = np.zeros((lines, pairs, size), dtype=np.int64)
    here = np.zeros(sums.shape[1:], dtype=np.int64)
    for board in range(boards.shape[0]):
        here[:] = 0
        # Boards of the same ranks follow each other, and are counted by ranks once.
        for place in range(outer):
            if board == 0 or boards[board, place] % RANKS != boards[board - 1, place] % RANKS:
                counted[:] = False
        for shared in range(RANKS):
            ways = _take(board, boards, shared, types.copies, left, left_ranks)
            if ways == 0:
                continue
            every = left_ranks.sum() - 2
            every = every * (every - 1) // 2
            _line_up(board, boards, shared, ranking, by_types, totals, masks)
            if not counted[shared]:
                _class_by_ranks(ranking, ranks, totals, rank_classes[shared])
                _count(ranks, left_ranks, rank_classes[shared], bounds, every, scratch, rank_cells[shared])
                counted[shared] = True
            if by_types:
                _class_by_types(ranking.flush, types, masks, rank_classes[shared], classes)
                _count(types, left, classes, bounds, every, scratch, cells)
            _add_pairs(ways, left, ranking, types, rank_classes[shared], rank_cells[shared], classes, cells, here)
        for way in range(shown.shape[0]):
            if _is_new(board, boards, way, shown):
                _add(here, board, boards, way, shown, line_of, kinds, sums)


@inner_part
def _take(board: int, boards: Cards, shared: int, copies: Counts, left: Counts, left_ranks: Counts) -> Any:
    """Write the cards that a board leaves, by type and by rank; return the ways to deal it."""
    for kind in range(left.size):
        left[kind] = copies[kind]
    ways = left[shared]
    left[shared] -= 1
    for place in range(boards.shape[1]):
        kind = boards[board, place]
        ways *= max(left[kind], 0)
        left[kind] -= 1
    for rank in range(RANKS):
        left_ranks[rank] = left[rank] + (left[RANKS + rank] if left.size > RANKS else 0)
    return ways


@inner_part
def _class_by_ranks(ranking: LineRanking, ranks: Types, totals: Counts, classes: Counts) -> None:
    """Write the class of each pair of ranks on each line, as if no suit counted."""
    weights, plain, low, high = ranking.weights, ranking.plain, ranks.low, ranks.high
    for line in range(totals.size):
        for pair in range(low.size):
            total = totals[line] + weights[low[pair]] + weights[high[pair]]
            # Ranks that five cards of one rank would need have no entry, and no pair asks for it.
            classes[line, pair] = max(plain[min(total, plain.size - 1)], 0)


@inner_part
def _class_by_types(flush: NDArray[np.int16], types: Types, masks: Counts, by_ranks: Counts, classes: Counts) -> None:
    """Write the class of each pair of types on each line: that of its ranks, or a flush."""
    low, high = types.low, types.high
    for line in range(masks.size):
        for pair in range(low.size):
            found = by_ranks[line, types.by_rank[pair]]
            if masks[line] and high[pair] < RANKS and low[pair] != high[pair]:
                found = max(found, flush[masks[line] | 1 << low[pair] | 1 << high[pair]])
            classes[line, pair] = found


@inner_part
def _pairs_of(low: int, high: int, left: Counts) -> Any:
    """Count the pairs of two types."""
    return left[low] * (left[low] - 1) // 2 if low == high else left[low] * left[high]


@inner_part
def _add_pairs(
    ways: int,
    left: Counts,
    ranking: LineRanking,
    types: Types,
    rank_classes: Counts,
    rank_cells: Counts,
    classes: Counts,
    cells: Counts,
    here: Counts,
) -> None:
    """Add the deals of each pair of the player and line: by ranks, or by types less what was counted by ranks."""
    by_types, size, groups, outcome = types.copies.size > RANKS, cells.shape[2], ranking.groups, ranking.outcome
    for pair in range(types.low.size):
        held = ways * _pairs_of(types.low[pair], types.high[pair], left)
        of_ranks = types.by_rank[pair]
        for line in range(cells.shape[0] if held > 0 else 0):
            at = groups[line, rank_classes[line, of_ranks]] * size
            to = groups[line, classes[line, pair]] * size
            for cell in range(size):
                by_ranks = held * rank_cells[line, of_ranks, cell]
                if not by_types:
                    here[pair, line, outcome[line, at + cell]] += by_ranks
                elif at == to:
                    here[pair, line, outcome[line, at + cell]] += held * cells[line, pair, cell] - by_ranks
                else:
                    here[pair, line, outcome[line, at + cell]] -= by_ranks
                    here[pair, line, outcome[line, to + cell]] += held * cells[line, pair, cell]


@inner_part
def _add(
    here: Counts,
    board: int,
    boards: Cards,
    way: int,
    shown: Cards,
    line_of: Cards,
    kinds: int,
    sums: Counts,
) -> None:
    """Add the counts of a board to those of its open cards."""
    target, numbers, place = 0, 1, 0
    while numbers < sums.shape[0]:
        target = target * kinds + boards[board, shown[way, place]]
        numbers *= kinds
        place += 1
    for pair in range(here.shape[0]):
        for line in range(here.shape[1]):
            source = line_of[way, line]
            for result in range(here.shape[2]):
                sums[target, pair, line, result] += here[pair, source, result]


@inner_part
def _is_new(board: int, boards: Cards, way: int, shown: Cards) -> Any:
    """Say if no earlier order puts the same types in the same places."""
    new = True
    for earlier in range(way):
        same = True
        for place in range(shown.shape[1]):
            same &= boards[board, shown[way, place]] == boards[board, shown[earlier, place]]
        new &= not same
    return new


@inner_part
def _line_up(
    board: int, boards: Cards, shared: int, ranking: LineRanking, by_types: bool, totals: Counts, masks: Counts
) -> None:
    """Write the weights of each line, and its mask of ranks if all of it is in the shared card's suit, else 0."""
    in_line, weights = ranking.in_line, ranking.weights
    for line in range(in_line.shape[0]):
        totals[line], masks[line] = weights[shared], 1 << shared
        suited = by_types
        for place in range(in_line.shape[1]):
            if in_line[line, place]:
                kind = boards[board, place]
                totals[line] += weights[kind % RANKS]
                masks[line] |= 1 << (kind % RANKS)
                suited &= kind < RANKS
        if not suited:
            masks[line] = 0


@inner_part
def _count(
    types: Types, left: Counts, classes: Counts, bounds: Counts, every: int, scratch: _Scratch, cells: Counts
) -> None:
    """Count the dealer's hands by group and relation, for each line and pair of the player."""
    low, high = types.low, types.high
    best, order, of_line, line_order, other, starts, entered = scratch
    pairs = low.size
    for pair in range(pairs):
        best[pair] = classes[0, pair]
        for line in range(1, classes.shape[0]):
            best[pair] = max(best[pair], classes[line, pair])
    sort_classes(pairs, best, order, other, starts)
    for row in range(2, entered.shape[0]):
        _clear(entered, row)
        for pair in range(pairs):
            if best[pair] < bounds[row - 2]:
                _enter(entered, row, pair, low, high, left)
    for line in range(classes.shape[0]):
        for pair in range(pairs):
            of_line[pair] = classes[line, pair]
        sort_classes(pairs, of_line, line_order, other, starts)
        _clear(entered, 0)
        _clear(entered, 1)
        below, not_above = 0, 0
        for place in range(pairs):
            pair = line_order[place]
            rank = classes[line, pair]
            while below < pairs and best[order[below]] < rank:
                _enter(entered, 0, order[below], low, high, left)
                below += 1
            while not_above < pairs and best[order[not_above]] <= rank:
                _enter(entered, 1, order[not_above], low, high, left)
                not_above += 1
            lower = _free_of(entered, 0, pair, low, high) + (best[pair] < rank)
            equal_or_lower = _free_of(entered, 1, pair, low, high) + (best[pair] <= rank)
            start, before = -1, 0
            for group in range(bounds.size + 1):
                end, up_to = _NO_CLASS, every
                if group < bounds.size:
                    end = bounds[group]
                    up_to = _free_of(entered, 2 + group, pair, low, high) + (best[pair] < end)
                under = up_to if rank >= end else lower if rank >= start else before
                not_over = up_to if rank >= end else equal_or_lower if rank >= start else before
                cells[line, pair, RELATIONS * group] = under - before
                cells[line, pair, RELATIONS * group + 1] = not_over - under
                cells[line, pair, RELATIONS * group + 2] = up_to - not_over
                start, before = end, up_to


@inner_part
def _clear(entered: Counts, row: int) -> None:
    for place in range(entered.shape[1]):
        entered[row, place] = 0


@inner_part
def _enter(entered: Counts, row: int, pair: int, low: Counts, high: Counts, left: Counts) -> None:
    """Enter the hands of a pair of types."""
    a, b, last = low[pair], high[pair], entered.shape[1] - 1
    entered[row, a] += left[b] - (a == b)
    if a != b:
        entered[row, b] += left[a]
    entered[row, last] += _pairs_of(a, b, left)


@inner_part
def _free_of(entered: Counts, row: int, pair: int, low: Counts, high: Counts) -> Any:
    """Count the entered hands without either card of a pair; one less if the pair itself was entered."""
    return entered[row, entered.shape[1] - 1] - entered[row, low[pair]] - entered[row, high[pair]]
