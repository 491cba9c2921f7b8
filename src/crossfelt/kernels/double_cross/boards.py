"""The deals of one board of Double Cross Poker: its five ranks, with all hands that player and dealer can have."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from crossfelt.kernels.double_cross.dealer_hands import (
    BOTH_CASE,
    CASES,
    PAIR_COUNT,
    RANK_COUNT,
    Entering,
    Held,
    Noted,
    Order,
    Suited,
    SuitedLine,
    Tables,
    Whole,
    begin,
    can_hold,
    cases_of,
    enter,
    follow_suited,
    hands_beside_two,
    merge,
    new_entering,
    new_noted,
    new_suited,
    not_entered,
    plain_order,
    suited_order,
    top_order,
)
from crossfelt.kernels.jit import part_of_kernel

BOTH: Final = 3
"""Both cards, where something goes by which of two are of a suit."""
Board = tuple[int, int, int, int, int]
"""The ranks of the centre, of the outer cards of the vertical line, the lower first, and of the horizontal line."""


class Outer(NamedTuple):
    """Deals with the same outer cards on both lines, and all centres: by pair and pay line, ties last."""

    by_rank: Whole
    """As if there were no flushes."""
    down_off: Whole
    """Taken off where the vertical line is of one suit: by the cards held in it, in cases."""
    down_on: Whole
    """Put in their place where the player holds two cards of it, in cases."""
    across_off: Whole
    """Taken off where the horizontal line is of one suit, and the vertical is not."""


class Scratch(NamedTuple):
    """Room to work in."""

    left: Whole
    """The cards of each rank that the board has left over."""
    with_rank: Whole
    """How many of the dealer's hands that have entered hold a given card of each rank."""
    above: Whole
    not_below: Whole
    """How many of the dealer's hands beat each of the player's by rank, or do not lose, in the player's order."""
    over: Whole
    """How many of the dealer's hands are better than flushes, and beat each of the player's."""
    entering: Entering
    down: Suited
    across: Suited
    noted: Noted


@part_of_kernel
def new_outer(lines: int) -> Outer:
    counts, cases = (
        np.zeros((2, PAIR_COUNT, lines), dtype=np.int64),
        np.zeros((2, PAIR_COUNT, lines, CASES), dtype=np.int64),
    )
    return Outer(counts[0], cases[0], counts[1], cases[1])


@part_of_kernel
def clear(outer: Outer) -> None:
    outer.by_rank[:] = 0
    outer.down_off[:] = 0
    outer.down_on[:] = 0
    outer.across_off[:] = 0


@part_of_kernel
def new_scratch() -> Scratch:
    ranks, counts = np.zeros((2, RANK_COUNT), dtype=np.int64), np.zeros((3, PAIR_COUNT), dtype=np.int64)
    return Scratch(
        ranks[0], ranks[1], counts[0], counts[1], counts[2], new_entering(), new_suited(), new_suited(), new_noted()
    )


@part_of_kernel
def dealt(ranks: tuple[int, ...], copies: Whole, left: Whole) -> int:
    """In how many ways cards of these ranks, or types, can be dealt; and what is left of each."""
    left[:] = copies
    ways = 1
    for rank in ranks:
        ways *= left[rank]
        left[rank] -= 1
    return max(ways, 0)


@part_of_kernel
def two_of(cards: int) -> int:
    """In how many ways two can be taken of so many cards."""
    return cards * (cards - 1) // 2


@part_of_kernel
def hole_hands(pair: int, left: Whole, table: Tables) -> int:
    """In how many ways a pair can be dealt."""
    low, high = table.low[pair], table.high[pair]
    return two_of(left[low]) if low == high else left[low] * left[high]


@part_of_kernel
def add_board(board: Board, table: Tables, copies: Whole, scratch: Scratch, outer: Outer) -> None:
    """Add the deals of a board."""
    ways = dealt(board, copies, scratch.left)
    if ways == 0:
        return
    centre, a, b, c, d = board
    v, h = int(table.triple[centre, a, b]), int(table.triple[centre, c, d])
    gone = 1 << centre
    for rank in range(RANK_COUNT):
        if copies[rank] == 0:
            gone |= 1 << rank
    vertical = SuitedLine(centre, gone | 1 << a | 1 << b, c, d)
    horizontal = SuitedLine(centre, gone | 1 << c | 1 << d, a, b)
    down_cases = cases_of(vertical) if table.suited_size[v] else 0
    # Where both lines are of the suit, the vertical one is asked.
    across_cases = cases_of(horizontal) & ~BOTH_CASE if table.suited_size[h] else 0
    begin(vertical, down_cases, scratch.down)
    begin(horizontal, across_cases, scratch.across)
    dealers = two_of(scratch.left.sum() - 2)
    merge(plain_order(v), True, plain_order(h), table, scratch.entering)
    _follow(v, centre, ways, dealers, table, scratch, outer)
    if down_cases:
        _add_flushes(vertical, down_cases, v, h, dealers, table, scratch, outer)
    if across_cases and table.top_size[v]:
        _put_back_better_hands(horizontal, across_cases, v, h, table, scratch, outer.across_off)


@part_of_kernel
def _follow(v: int, centre: int, ways: int, dealers: int, table: Tables, scratch: Scratch, outer: Outer) -> None:
    """Add the deals of a board as if there were no flushes, and take off those in which the dealer has one."""
    entering, entered, with_rank = scratch.entering, scratch.entering.entered, scratch.with_rank
    entered[:] = False
    with_rank[:] = 0
    tie = outer.by_rank.shape[1] - 1
    total, next_pair = 0, 0
    for place in range(PAIR_COUNT):
        pair, line = int(table.pairs[v, place]), int(table.lines[v, place])
        low, high = table.low[pair], table.high[pair]
        while next_pair < entering.above[place]:
            total += _enter(entering.pairs[next_pair], table, scratch)
            next_pair += 1
        above = total - with_rank[low] - with_rank[high] + entered[pair]
        down_above = not_entered(pair, entered[pair], table, scratch.down)
        across_above = not_entered(pair, entered[pair], table, scratch.across)
        while next_pair < entering.not_below[place]:
            total += _enter(entering.pairs[next_pair], table, scratch)
            next_pair += 1
        not_below = total - with_rank[low] - with_rank[high] + entered[pair]
        down = not_entered(pair, entered[pair], table, scratch.down)
        across = not_entered(pair, entered[pair], table, scratch.across)
        scratch.above[place], scratch.not_below[place] = above, not_below
        deals = ways * hole_hands(pair, scratch.left, table)
        outer.by_rank[pair, line] += deals * (dealers - not_below)
        outer.by_rank[pair, tie] += deals * (not_below - above)
        held = can_hold(pair, centre, table)
        # With two cards of the vertical line's suit the player has a flush too, which is looked at apart.
        _take_off(pair, line, down, down_above, (held[0], held[1], held[2], 0), outer.down_off)
        _take_off(pair, line, across, across_above, held, outer.across_off)


@part_of_kernel
def _enter(pair: int, table: Tables, scratch: Scratch) -> int:
    enter(pair, table, scratch.down)
    enter(pair, table, scratch.across)
    return _enter_by_rank(pair, table, scratch)


@part_of_kernel
def _enter_by_rank(pair: int, table: Tables, scratch: Scratch) -> int:
    """Have a dealer's pair enter: how many hands it has. They count for either rank too, by a given card of it."""
    scratch.entering.entered[pair] = True
    low, high = table.low[pair], table.high[pair]
    of_low, of_high = int(scratch.left[low]), int(scratch.left[high])
    if low == high:
        scratch.with_rank[low] += of_low - 1
        return two_of(of_low)
    scratch.with_rank[low] += of_high
    scratch.with_rank[high] += of_low
    return of_low * of_high


@part_of_kernel
def _take_off(pair: int, line: int, below: Held, not_above: Held, held: Held, off: Whole) -> None:
    """Take off what was won and tied by rank, where these cards can be held in the suit."""
    tie = off.shape[1] - 1
    for cards in range(CASES):
        off[pair, line, cards] += below[cards] * held[cards]
        off[pair, tie, cards] += (not_above[cards] - below[cards]) * held[cards]


@part_of_kernel
def _add_flushes(
    line: SuitedLine, cases: int, v: int, h: int, dealers: int, table: Tables, scratch: Scratch, outer: Outer
) -> None:
    """Where the vertical line is of one suit, so may be the player's hand: its deals by rank give way to flushes.

    A dealer beats a flush with a higher one, or with better than a flush on the horizontal line. The two do not meet:
    with two cards of a suit that also holds the centre and a whole line, the dealer has three of a kind at most.
    """
    flushes, tie = suited_order(v, table), outer.by_rank.shape[1] - 1
    _count_over(flushes, top_order(h, table), table, scratch)
    scratch.noted.above[:] = 0
    scratch.noted.not_below[:] = 0
    # With three ranks on the line nothing is better than a flush: the other order has nobody in it, or flushes.
    _note(flushes, True, top_order(v, table), line, cases & ~BOTH_CASE, table, scratch)
    _note(flushes, True, suited_order(h, table), line, cases & BOTH_CASE, table, scratch)
    in_suit = hands_beside_two(line, cases)
    for place in range(flushes.size):
        pair, flush = int(table.pairs[flushes.row, place]), int(table.lines[flushes.row, place])
        by_rank = int(table.place[v, pair])
        above, not_below = scratch.above[by_rank], scratch.not_below[by_rank]
        outer.down_off[pair, table.lines[v, by_rank], BOTH] += cases * (dealers - not_below)
        outer.down_off[pair, tie, BOTH] += cases * (not_below - above)
        below, not_above = scratch.noted.not_below[place, BOTH], scratch.noted.above[place, BOTH]
        outer.down_on[pair, flush] += cases * (dealers - scratch.over[place]) - in_suit + below
        outer.down_on[pair, tie] += not_above - below


@part_of_kernel
def _count_over(flushes: Order, better: Order, table: Tables, scratch: Scratch) -> None:
    """Count the dealer's hands that beat each of the player's flushes without being one."""
    scratch.over[:] = 0
    if better.size == 0:
        return
    entering, entered, with_rank = scratch.entering, scratch.entering.entered, scratch.with_rank
    merge(flushes, False, better, table, entering)
    entered[:] = False
    with_rank[:] = 0
    total, next_pair = 0, 0
    for place in range(flushes.size):
        pair = int(table.pairs[flushes.row, place])
        while next_pair < entering.above[place]:
            total += _enter_by_rank(entering.pairs[next_pair], table, scratch)
            next_pair += 1
        scratch.over[place] = total - with_rank[table.low[pair]] - with_rank[table.high[pair]] + entered[pair]


@part_of_kernel
def _note(
    players: Order, own: bool, other: Order, line: SuitedLine, cases: int, table: Tables, scratch: Scratch
) -> None:
    """Add, in these cases, the dealer's hands of the suit as they enter by the player's order and by another one."""
    begin(line, cases, scratch.down)
    merge(players, own, other, table, scratch.entering)
    follow_suited(players, scratch.entering, table, scratch.down, scratch.noted)


@part_of_kernel
def _put_back_better_hands(
    line: SuitedLine, cases: int, v: int, h: int, table: Tables, scratch: Scratch, off: Whole
) -> None:
    """Where only the horizontal line is of one suit, a player with better than a flush still beats the dealer's."""
    better = top_order(v, table)
    scratch.noted.not_below[:] = 0
    _note(better, False, suited_order(h, table), line, cases, table, scratch)
    for place in range(better.size):
        pair = int(table.pairs[v, place])
        held = can_hold(pair, line.centre, table)
        for cards in range(CASES):
            off[pair, table.lines[v, place], cards] -= scratch.noted.not_below[place, cards] * held[cards]
