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

from crossfelt.kernels.jit import Kernel, inner_part
from crossfelt.kernels.solver.card_sets import Cards, Counts
from crossfelt.kernels.solver.class_sort import DIGITS, sort_classes
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


@Kernel
def add_boards(
    boards: Cards,
    shown: Cards,
    line_of: Cards,
    in_line: NDArray[np.uint8],
    weights: Counts,
    plain: NDArray[np.int16],
    flush: NDArray[np.int16],
    groups: NDArray[np.int16],
    bounds: Counts,
    outcome: NDArray[np.int16],
    copies: Counts,
    low: Counts,
    high: Counts,
    by_rank: Counts,
    rank_low: Counts,
    rank_high: Counts,
    sums: Counts,
) -> None:
    """Add the deals of boards by open cards, pair of the player, line, and outcome.

    A row of `boards` has the types of the outer cards, and every shared card is added to it. Boards that are alike but
    for the order of their cards or lines are listed once: a row of `shown` lists the outer cards in one of these
    orders, the open ones first, and a row of `line_of` the line that each line then is. By types a board counts as it
    is, less what it counts by ranks.
    """
    lines, outer = in_line.shape
    kinds, pairs, by_types = copies.size, low.size, copies.size > RANKS
    opened = sums.shape[0]
    left, left_ranks = np.zeros(kinds, dtype=np.int64), np.zeros(RANKS, dtype=np.int64)
    totals, masks = np.zeros((2, lines), dtype=np.int64)
    rank_classes = np.zeros((RANKS, lines, rank_low.size), dtype=np.int64)
    counted = np.zeros(RANKS, dtype=np.bool_)
    classes = np.zeros((lines, pairs), dtype=np.int64)
    best, order, other, line_order, of_line = np.zeros((5, pairs), dtype=np.int64)
    starts = np.zeros(DIGITS + 1, dtype=np.int64)
    scratch = np.zeros((2 + bounds.size, kinds + 1), dtype=np.int64)
    size = RELATIONS * (bounds.size + 1)
    rank_cells = np.zeros((RANKS, lines, rank_low.size, size), dtype=np.int64)
    cells = np.zeros((lines, pairs, size), dtype=np.int64)
    here = np.zeros(sums.shape[1:], dtype=np.int64)
    for board in range(boards.shape[0]):
        here[:] = 0
        # Boards of the same ranks follow each other, and are counted by ranks once.
        for place in range(outer):
            if board == 0 or boards[board, place] % RANKS != boards[board - 1, place] % RANKS:
                counted[:] = False
        for shared in range(RANKS):
            for kind in range(kinds):
                left[kind] = copies[kind]
            ways = left[shared]
            left[shared] -= 1
            for place in range(outer):
                kind = boards[board, place]
                ways *= max(left[kind], 0)
                left[kind] -= 1
            if ways == 0:
                continue
            for rank in range(RANKS):
                left_ranks[rank] = left[rank] + (left[RANKS + rank] if by_types else 0)
            every = left_ranks.sum() - 2
            every = every * (every - 1) // 2
            _line_up(board, boards, shared, in_line, weights, by_types, totals, masks)
            if not counted[shared]:
                for line in range(lines):
                    for pair in range(rank_low.size):
                        total = totals[line] + weights[rank_low[pair]] + weights[rank_high[pair]]
                        # Ranks that five cards of one rank would need have no entry, and no pair asks for it.
                        rank_classes[shared, line, pair] = max(plain[min(total, plain.size - 1)], 0)
                _count(
                    rank_low, rank_high, left_ranks, rank_classes[shared], bounds, every, best, order, other,
                    line_order, of_line, starts, scratch, rank_cells[shared],
                )  # fmt: skip
                counted[shared] = True
            if by_types:
                for line in range(lines):
                    for pair in range(pairs):
                        found = rank_classes[shared, line, by_rank[pair]]
                        if masks[line] and high[pair] < RANKS and low[pair] != high[pair]:
                            found = max(found, flush[masks[line] | 1 << low[pair] | 1 << high[pair]])
                        classes[line, pair] = found
                _count(
                    low,
                    high,
                    left,
                    classes,
                    bounds,
                    every,
                    best,
                    order,
                    other,
                    line_order,
                    of_line,
                    starts,
                    scratch,
                    cells,
                )
            for pair in range(pairs):
                held = left[low[pair]] * left[high[pair]]
                if low[pair] == high[pair]:
                    held = left[low[pair]] * (left[low[pair]] - 1) // 2
                if held <= 0:
                    continue
                of_ranks = by_rank[pair]
                for line in range(lines):
                    at = groups[line, rank_classes[shared, line, of_ranks]] * size
                    to = groups[line, classes[line, pair]] * size
                    for cell in range(size):
                        by_ranks = ways * held * rank_cells[shared, line, of_ranks, cell]
                        if not by_types:
                            here[pair, line, outcome[line, at + cell]] += by_ranks
                        elif at == to:
                            here[pair, line, outcome[line, at + cell]] += (
                                ways * held * cells[line, pair, cell] - by_ranks
                            )
                        else:
                            here[pair, line, outcome[line, at + cell]] -= by_ranks
                            here[pair, line, outcome[line, to + cell]] += ways * held * cells[line, pair, cell]
        for way in range(shown.shape[0]):
            if _is_new(board, boards, way, shown):
                _add(here, board, boards, way, shown, line_of, kinds, opened, sums)


@inner_part
def _add(
    here: Counts,
    board: int,
    boards: Cards,
    way: int,
    shown: Cards,
    line_of: Cards,
    kinds: int,
    opened: int,
    sums: Counts,
) -> None:
    """Add the counts of a board to those of its open cards."""
    target, numbers, place = 0, 1, 0
    while numbers < opened:
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
    board: int,
    boards: Cards,
    shared: int,
    in_line: NDArray[np.uint8],
    weights: Counts,
    by_types: bool,
    totals: Counts,
    masks: Counts,
) -> None:
    """Write the weights of each line, and its mask of ranks if all of it is in the shared card's suit, else 0."""
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
    low: Counts,
    high: Counts,
    left: Counts,
    classes: Counts,
    bounds: Counts,
    every: int,
    best: Counts,
    order: Counts,
    other: Counts,
    line_order: Counts,
    of_line: Counts,
    starts: Counts,
    scratch: Counts,
    cells: Counts,
) -> None:
    """Count the dealer's hands by group and relation, for each line and pair of the player.

    A row of `scratch` counts hands that hold one card of a type, and all of them at the end: those of lower classes,
    those of no higher class, and those below each bound.
    """
    pairs, last = low.size, scratch.shape[1] - 1
    for pair in range(pairs):
        best[pair] = classes[0, pair]
        for line in range(1, classes.shape[0]):
            best[pair] = max(best[pair], classes[line, pair])
    sort_classes(pairs, best, order, other, starts)
    for row in range(2, scratch.shape[0]):
        _clear(scratch, row)
        for pair in range(pairs):
            if best[pair] < bounds[row - 2]:
                _enter(scratch, row, pair, low, high, left)
    for line in range(classes.shape[0]):
        for pair in range(pairs):
            of_line[pair] = classes[line, pair]
        sort_classes(pairs, of_line, line_order, other, starts)
        _clear(scratch, 0)
        _clear(scratch, 1)
        below, not_above = 0, 0
        for place in range(pairs):
            pair = line_order[place]
            rank = classes[line, pair]
            while below < pairs and best[order[below]] < rank:
                _enter(scratch, 0, order[below], low, high, left)
                below += 1
            while not_above < pairs and best[order[not_above]] <= rank:
                _enter(scratch, 1, order[not_above], low, high, left)
                not_above += 1
            lower = _free_of(scratch, 0, last, pair, low, high) + (best[pair] < rank)
            equal_or_lower = _free_of(scratch, 1, last, pair, low, high) + (best[pair] <= rank)
            start, before = -1, 0
            for group in range(bounds.size + 1):
                end, up_to = _NO_CLASS, every
                if group < bounds.size:
                    end = bounds[group]
                    up_to = _free_of(scratch, 2 + group, last, pair, low, high) + (best[pair] < end)
                under = up_to if rank >= end else lower if rank >= start else before
                not_over = up_to if rank >= end else equal_or_lower if rank >= start else before
                cells[line, pair, RELATIONS * group] = under - before
                cells[line, pair, RELATIONS * group + 1] = not_over - under
                cells[line, pair, RELATIONS * group + 2] = up_to - not_over
                start, before = end, up_to


@inner_part
def _clear(scratch: Counts, row: int) -> None:
    for place in range(scratch.shape[1]):
        scratch[row, place] = 0


@inner_part
def _enter(scratch: Counts, row: int, pair: int, low: Counts, high: Counts, left: Counts) -> None:
    """Enter the hands of a pair of types."""
    a, b, last = low[pair], high[pair], scratch.shape[1] - 1
    if a == b:
        scratch[row, a] += left[a] - 1
        scratch[row, last] += left[a] * (left[a] - 1) // 2
    else:
        scratch[row, a] += left[b]
        scratch[row, b] += left[a]
        scratch[row, last] += left[a] * left[b]


@inner_part
def _free_of(scratch: Counts, row: int, last: int, pair: int, low: Counts, high: Counts) -> Any:
    """Count the entered hands without either card of a pair; one less if the pair itself was entered."""
    return scratch[row, last] - scratch[row, low[pair]] - scratch[row, high[pair]]
