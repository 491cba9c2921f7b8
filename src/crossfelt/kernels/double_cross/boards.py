"""The deals of one board of Double Cross Poker: five ranks, with all hands of player and dealer."""

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
"""Both cards, in an index by which of two cards are of a suit."""
Board = tuple[int, int, int, int, int]
"""Ranks of the centre, of the outer cards of the vertical line, the lower first, and of the horizontal line."""


class Outer(NamedTuple):
    """Deals with the same outer cards on both lines over all centres, by pair and pay line, ties last."""

    by_rank: Whole
    """Deals without regard to flushes."""
    down_off: Whole
    """Deals to subtract if the vertical line is suited, by the cards held in its suit, in cases."""
    down_on: Whole
    """Deals to add in their place if the player holds two cards of the suit, in cases."""
    across_off: Whole
    """Deals to subtract if the horizontal line is suited and the vertical is not."""


class Scratch(NamedTuple):
    """Scratch arrays."""

    left: Whole
    """Remaining cards of each rank beside the board."""
    with_rank: Whole
    """Number of entered dealer's hands that hold a given card of each rank."""
    above: Whole
    not_below: Whole
    """Number of dealer's hands that beat each of the player's by rank, or do not lose, in the player's order."""
    over: Whole
    """Number of dealer's hands better than flushes that beat each of the player's."""
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
    """Return the number of deals of cards of these ranks or types; subtract them from the rest."""
    left[:] = copies
    ways = 1
    for rank in ranks:
        ways *= left[rank]
        left[rank] -= 1
    return max(ways, 0)


@part_of_kernel
def two_of(cards: int) -> int:
    """Return the number of pairs of this number of cards."""
    return cards * (cards - 1) // 2


@part_of_kernel
def hole_hands(pair: int, left: Whole, table: Tables) -> int:
    """Return the number of deals of a pair."""
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
    # If both lines are of the suit, the vertical one counts.
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
    """Add the deals of a board without regard to flushes, and subtract those in which the dealer has one."""
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
        # With two cards of the vertical line's suit the player also has a flush, which is handled separately.
        _take_off(pair, line, down, down_above, (held[0], held[1], held[2], 0), outer.down_off)
        _take_off(pair, line, across, across_above, held, outer.across_off)


@part_of_kernel
def _enter(pair: int, table: Tables, scratch: Scratch) -> int:
    enter(pair, table, scratch.down)
    enter(pair, table, scratch.across)
    return _enter_by_rank(pair, table, scratch)


@part_of_kernel
def _enter_by_rank(pair: int, table: Tables, scratch: Scratch) -> int:
    """Let a dealer's pair enter, and return its number of hands; they also count for each rank, by a given card."""
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
    """Subtract wins and ties by rank, if these cards can be held in the suit."""
    tie = off.shape[1] - 1
    for cards in range(CASES):
        off[pair, line, cards] += below[cards] * held[cards]
        off[pair, tie, cards] += (not_above[cards] - below[cards]) * held[cards]


@part_of_kernel
def _add_flushes(
    line: SuitedLine, cases: int, v: int, h: int, dealers: int, table: Tables, scratch: Scratch, outer: Outer
) -> None:
    """Replace the player's deals by rank with flushes if the vertical line is suited.

    A dealer beats a flush with a higher one, or with better than a flush on the horizontal line. The two cases
    exclude each other: with two cards of a suit that also holds the centre and a whole line, the dealer has at most
    three of a kind.
    """
    flushes, tie = suited_order(v, table), outer.by_rank.shape[1] - 1
    _count_over(flushes, top_order(h, table), table, scratch)
    scratch.noted.above[:] = 0
    scratch.noted.not_below[:] = 0
    # With three ranks on the line nothing beats a flush: the other order is empty or has flushes.
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
    """Count the dealer's hands that beat each of the player's flushes and are not flushes."""
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
    """Correct the deals if only the horizontal line is suited: better than a flush still beats the dealer."""
    better = top_order(v, table)
    scratch.noted.not_below[:] = 0
    _note(better, False, suited_order(h, table), line, cases, table, scratch)
    for place in range(better.size):
        pair = int(table.pairs[v, place])
        held = can_hold(pair, line.centre, table)
        for cards in range(CASES):
            off[pair, table.lines[v, place], cards] -= scratch.noted.not_below[place, cards] * held[cards]
