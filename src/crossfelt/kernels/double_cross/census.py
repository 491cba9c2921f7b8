"""Census of Double Cross Poker: wins by pay line and ties of every position, on its vertical line.

A position is two hole cards, the top card of the vertical line and the right card of the horizontal one. Nothing
depends on odds, so one census serves every pay table. The horizontal line of a position is the vertical line of the
position with top and right exchanged.

Suits matter only through flushes, and both lines share the centre, so a flush can only be of the centre's suit.

*By rank.* A board is five ranks. The dealer's 91 pairs of ranks enter in descending order of hands, each with the
better of its two lines, by which it enters first. When they reach a player's hand, the entered hands beat it. Hands
that hold one of the player's own cards are subtracted by inclusion and exclusion, for which the number of entered hands
is kept in total and for each rank.

*By type.* If a line is suited, the dealer's and the player's hands of that suit are corrected. A card is then a type,
its rank in the suit or out of it, and the same order of entry gives the counts.

Deals are counted together for all positions of the same ranks or types, and divided by their number.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from crossfelt.kernels.double_cross.boards import (
    BOTH,
    Outer,
    add_board,
    clear,
    dealt,
    hole_hands,
    new_outer,
    new_scratch,
    two_of,
)
from crossfelt.kernels.double_cross.dealer_hands import (
    CASE_BITS,
    CASES,
    ONE_CASE,
    PAIR_COUNT,
    RANK_COUNT,
    Bytes,
    Half,
    Tables,
    Whole,
    tables,
)
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads, processors

_TYPES: Final = 2 * RANK_COUNT
_MOST_THREADS: Final = 16


class Sums(NamedTuple):
    """Deals of all positions with the same ranks or types: by top card, right card, pair and pay line."""

    by_rank: Whole
    """Deals without regard to flushes."""
    down: Half
    """Correction for a suited vertical line: by suit of the right card, and by cards held in the suit."""
    across: Half
    """Correction for a suited horizontal line only: by suit of the top card, and by cards held in the suit."""


def count(line_of: Bytes, lines: int, copies: Whole, suits: Bytes) -> Half:
    """Count by position the deals in which the vertical hand wins, by pay line, and ties, which are last.

    `line_of` gives the pay line of each class of hands, `copies` the cards of each rank in the deck (four, or none
    in a short deck), and `suits` the suits of the right card and the higher and lower hole card, the top card being
    of suit 0. Positions are indexed by the ranks of top card, right card and hole cards (`PAIRS`), and by suits.
    """
    table = tables(line_of)
    shape = (RANK_COUNT, RANK_COUNT, PAIR_COUNT, lines + 1)
    verticals = iter(range(PAIR_COUNT))

    def work(_: int) -> Sums:
        changes = np.zeros((2, *shape, 2 * CASES), dtype=np.int32)
        sums = Sums(np.zeros(shape, dtype=np.int64), changes[0], changes[1])
        for vertical in verticals:
            _count_vertical(vertical, table, copies, sums)
        return sums

    total, *rest = in_threads(work, min(processors(), _MOST_THREADS))
    for sums in rest:
        for of_all, of_some in ((total.by_rank, sums.by_rank), (total.down, sums.down), (total.across, sums.across)):
            np.add(of_all, of_some, out=of_all)
    result = np.zeros((*shape[:-1], len(suits), lines + 1), dtype=np.int32)
    in_threads(lambda top: _by_position(top, total, table, copies, suits, result[top]), RANK_COUNT)
    return result


@Kernel
def _count_vertical(vertical: int, table: Tables, copies: Whole, sums: Sums) -> None:
    """Add the boards with these outer cards on the vertical line."""
    outer, scratch = new_outer(sums.by_rank.shape[3]), new_scratch()
    a, b = table.low[vertical], table.high[vertical]
    for horizontal in range(PAIR_COUNT):
        c, d = table.low[horizontal], table.high[horizontal]
        clear(outer)
        for centre in range(RANK_COUNT):
            add_board((centre, a, b, c, d), table, copies, scratch, outer)
        _spread((a, b), (c, d), table, copies, outer, sums)


@part_of_kernel
def _spread(ab: tuple[int, int], cd: tuple[int, int], table: Tables, copies: Whole, outer: Outer, sums: Sums) -> None:
    """Distribute the deals: either outer card of the vertical line may be the top one, either of the other the
    right one."""
    tops, rights = 1 if ab[0] == ab[1] else 2, 1 if cd[0] == cd[1] else 2
    for i in range(tops):
        for j in range(rights):
            _add(outer.by_rank.reshape(-1), sums.by_rank[ab[i], cd[j]].reshape(-1))
    lines = outer.by_rank.shape[1]
    weights = np.empty((PAIR_COUNT, CASES, CASES), dtype=np.int64)
    by_card = np.empty((2, 2 * CASES), dtype=np.int64)
    if tops == 2:
        _weigh(ab, cd, table, copies, weights)
        for pair in range(PAIR_COUNT):
            for line in range(lines):
                if _unpack(pair, line, weights, outer.down_off, outer.down_on[pair, line], by_card):
                    for top in ab:
                        for j in range(rights):
                            for place in range(2 * CASES):
                                sums.down[top, cd[j], pair, line, place] += by_card[j, place]
    if rights == 2:
        _weigh(cd, ab, table, copies, weights)
        for pair in range(PAIR_COUNT):
            for line in range(lines):
                if _unpack(pair, line, weights, outer.across_off, 0, by_card):
                    for right in cd:
                        for i in range(tops):
                            for place in range(2 * CASES):
                                sums.across[ab[i], right, pair, line, place] += by_card[i, place]


@part_of_kernel
def _add(what: Whole, to: Whole) -> None:
    """Add arrays; this form compiles to a few vector instructions."""
    for place in range(what.size):
        to[place] += what[place]


@part_of_kernel
def _weigh(line: tuple[int, int], other: tuple[int, int], table: Tables, copies: Whole, weights: Whole) -> None:
    """Return the number of deals of the outer cards of a suited line and of the other, and of the player's cards.

    By pair, cards held in the suit, and case.
    """
    by_type, left = _copies_by_type(copies), np.empty(_TYPES, dtype=np.int64)
    for case in range(CASES):
        first, second = other[0] + (0 if case & 1 else RANK_COUNT), other[1] + (0 if case & 2 else RANK_COUNT)
        ways = dealt((line[0], line[1], first, second), by_type, left)
        for pair in range(PAIR_COUNT):
            for held in range(CASES):
                weights[pair, held, case] = ways * _hands_of_types(pair, held, left, table)


@part_of_kernel
def _unpack(pair: int, line: int, weights: Whole, off: Whole, on: int, by_card: Whole) -> bool:
    """Weigh the cases, and sum them by outer card of the other line, its suit, and cards held."""
    if not (off[pair, line, 0] | off[pair, line, 1] | off[pair, line, 2] | off[pair, line, 3] | on):
        return False
    for held in range(CASES):
        taken, put = off[pair, line, held], on if held == BOTH else 0
        neither = weights[pair, held, 0] * ((put & ONE_CASE) - (taken & ONE_CASE))
        put, taken = put >> CASE_BITS, taken >> CASE_BITS
        first = weights[pair, held, 1] * ((put & ONE_CASE) - (taken & ONE_CASE))
        put, taken = put >> CASE_BITS, taken >> CASE_BITS
        second = weights[pair, held, 2] * ((put & ONE_CASE) - (taken & ONE_CASE))
        put, taken = put >> CASE_BITS, taken >> CASE_BITS
        both = weights[pair, held, 3] * ((put & ONE_CASE) - (taken & ONE_CASE))
        by_card[0, held], by_card[0, CASES + held] = neither + second, first + both
        by_card[1, held], by_card[1, CASES + held] = neither + first, second + both
    return True


@part_of_kernel
def _copies_by_type(copies: Whole) -> Whole:
    """Return the cards of each rank in a suit, and out of it."""
    left = np.empty(_TYPES, dtype=np.int64)
    left[:RANK_COUNT] = np.minimum(copies, 1)
    left[RANK_COUNT:] = np.maximum(copies - 1, 0)
    return left


@part_of_kernel
def _hands_of_types(pair: int, held: int, left: Whole, table: Tables) -> int:
    """Return the number of deals of a pair with these of its cards in the suit."""
    low, high = table.low[pair], table.high[pair]
    if low != high:
        of_low, of_high = left[low + (0 if held & 1 else RANK_COUNT)], left[high + (0 if held & 2 else RANK_COUNT)]
        return int(of_low * of_high)
    if held == 0:
        return two_of(left[low + RANK_COUNT])
    return int(left[low] * left[low + RANK_COUNT]) if held == 1 else 0


@Kernel
def _by_position(top: int, sums: Sums, table: Tables, copies: Whole, suits: Bytes, result: Half) -> None:
    """For one top card, divide by the number of positions of the same ranks or types, and add both."""
    by_type = _copies_by_type(copies)
    left, left_by_type = np.empty(RANK_COUNT, dtype=np.int64), np.empty((3, _TYPES), dtype=np.int64)
    # Corrections for a centre of the suit of: both open cards, the top card, the right one; by cards held.
    lines = result.shape[3]
    changes = np.zeros((3, CASES, lines), dtype=np.int64)
    for right in range(RANK_COUNT):
        ways = dealt((top, right), copies, left)
        of_both = dealt((top, right), by_type, left_by_type[0])
        of_top = dealt((top, right + RANK_COUNT), by_type, left_by_type[1])
        of_right = dealt((top + RANK_COUNT, right), by_type, left_by_type[2])
        for pair in range(PAIR_COUNT):
            positions = ways * hole_hands(pair, left, table)
            if positions == 0:
                continue
            for held in range(CASES):
                both = of_both * _hands_of_types(pair, held, left_by_type[0], table)
                down = of_top * _hands_of_types(pair, held, left_by_type[1], table)
                across = of_right * _hands_of_types(pair, held, left_by_type[2], table)
                for line in range(lines):
                    suited = sums.down[top, right, pair, line, CASES + held]
                    suited += sums.across[top, right, pair, line, CASES + held]
                    changes[0, held, line] = suited // both if both else 0
                    changes[1, held, line] = sums.down[top, right, pair, line, held] // down if down else 0
                    changes[2, held, line] = sums.across[top, right, pair, line, held] // across if across else 0
            for pattern in range(len(suits)):
                right_suit, high, low = suits[pattern]
                held = _held(pair, high == 0, low == 0, table)
                held_of_right = _held(pair, high == right_suit, low == right_suit, table)
                for line in range(lines):
                    of_suits = changes[1, held, line] + changes[2, held_of_right, line]
                    changed = of_suits if right_suit else changes[0, held, line]
                    result[right, pair, pattern, line] = sums.by_rank[top, right, pair, line] // positions + changed


@part_of_kernel
def _held(pair: int, high: bool, low: bool, table: Tables) -> int:
    """Return which hole cards are of a suit; of a pair with one such card, the first."""
    held = int(low) + 2 * int(high)
    return 1 if held == 2 and table.low[pair] == table.high[pair] else held
