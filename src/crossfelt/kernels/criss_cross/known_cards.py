"""Criss Cross Poker for a player who sees one community card before the first decision.

A known down card also affects the second decision. With a known middle card nothing is random after the third, so
groups of hands are counted instead of prospects.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.criss_cross.continuations import NO_POSITION, Bytes, Counts, Ids, pair_ways
from crossfelt.kernels.jit import Kernel, part_of_kernel


@Kernel
def sum_with_known_down(left: Counts, pairs: Counts, positions: Ids, ends: Counts, sums: Counts) -> None:
    """Return by pair across, known type and column of `ends` the sum over the other down card."""
    rest = left.copy()
    for across in range(pairs.shape[0]):
        for place in range(2):
            rest[pairs[across, place]] -= 1
        for down in range(pairs.shape[0]):
            number = positions[across, down]
            if number == NO_POSITION:
                continue
            one, two = pairs[down, 0], pairs[down, 1]
            for column in range(ends.shape[1]):
                sums[across, one, column] += (rest[two] - (one == two)) * ends[number, column]
                if one != two:
                    sums[across, two, column] += rest[one] * ends[number, column]
        for place in range(2):
            rest[pairs[across, place]] += 1


@Kernel
def reach_with_known_down(
    left: Counts, pairs: Counts, positions: Ids, plan: NDArray[np.int8], hole_ways: int, reached: Counts
) -> None:
    """Add the ways to reach each prospect, by the plan for its pair across and the known down card."""
    rest = left.copy()
    for across in range(pairs.shape[0]):
        ways = hole_ways * pair_ways(rest, pairs[across, 0], pairs[across, 1])
        for place in range(2):
            rest[pairs[across, place]] -= 1
        for down in range(pairs.shape[0]):
            number = positions[across, down]
            if number == NO_POSITION:
                continue
            one, two = pairs[down, 0], pairs[down, 1]
            # Either card may be the known one; two of a type are two such cases.
            both = pair_ways(rest, one, two)
            if plan[across, one] >= 0:
                reached[plan[across, one], number] += ways * both
            if plan[across, two] >= 0:
                reached[plan[across, two], number] += ways * both
        for place in range(2):
            rest[pairs[across, place]] += 1


@Kernel
def count_with_known_middle(
    left: Counts, pairs: Counts, profile: Bytes, across_ways: Counts, down_counts: Counts
) -> None:
    """Return by pair across and known type the ways of both, and of the down cards that make each group."""
    rest = left.copy()
    for middle in range(left.size):
        if not left[middle]:
            continue
        rest[middle] -= 1
        for across in range(pairs.shape[0]):
            ways = pair_ways(rest, pairs[across, 0], pairs[across, 1])
            across_ways[across, middle] = left[middle] * ways
            if ways:
                for place in range(2):
                    rest[pairs[across, place]] -= 1
                for down in range(pairs.shape[0]):
                    made = profile[down, middle]
                    down_counts[across, middle, made] += pair_ways(rest, pairs[down, 0], pairs[down, 1])
                for place in range(2):
                    rest[pairs[across, place]] += 1
        rest[middle] += 1


# --- a player who knows some cards that are no longer in the deck ---

Sums = NDArray[np.int64]
Groups = NDArray[np.uint8]
Choices = NDArray[np.int8]


class Payments(NamedTuple):
    """Payments as integers; `scale` of them make an ante."""

    across_line: Sums
    """Win of the ante across, by group."""
    down_line: Sums
    across: Sums
    """Win of a bet of one ante, by group."""
    down: Sums
    middle: Sums
    """Win by both groups: across times the number of groups, plus down."""


class StrategyTables(NamedTuple):
    """The strategy of a player who knows only the own cards, by pair of types across, and down."""

    first: int
    second: Choices
    """Down bet by pair of types and first bet, the smaller first."""
    third: Choices
    """Middle bet by pair of types across and down, and by the first two bets."""
    types: Sums
    """Pair of types of each pair of cards."""


def values(
    pairs: Sums, groups: Groups, payments: Payments, stakes: Sums, scale: int, alone: StrategyTables
) -> tuple[int, int]:
    """Return the value of a round summed over all remaining deals: with best play, and with basic strategy.

    `pairs` are all pairs of remaining cards by index. `groups` has for each pair and each remaining card the group
    of the hand they make with the hole cards.
    """
    result = np.zeros(2, dtype=np.int64)
    _sum(pairs, groups, *payments, stakes, scale, *alone, result)
    return int(result[0]), int(result[1])


@part_of_kernel
def _line_sums(pairs: Sums, groups: Groups, worth: Sums) -> Sums:
    """Return for each pair the win of a line, summed over all middle cards except its own."""
    sums = np.zeros(pairs.shape[0], dtype=np.int64)
    for pair in range(pairs.shape[0]):
        total = 0
        for middle in range(groups.shape[1]):
            if middle != pairs[pair, 0] and middle != pairs[pair, 1]:
                total += worth[groups[pair, middle]]
        sums[pair] = total
    return sums


@part_of_kernel
def _without(sums: Sums, groups: Groups, worth: Sums, pair: int, one: int, two: int) -> int:
    """Return the sum of a line when two more cards are gone."""
    rest: int = sums[pair] - worth[groups[pair, one]] - worth[groups[pair, two]]
    return rest


@part_of_kernel
def _middle_sum(groups: Groups, middle: Sums, size: int, across: int, down: int) -> int:
    total = 0
    for card in range(groups.shape[1]):
        total += middle[size * groups[across, card] + groups[down, card]]
    return total


@Kernel
def _sum(
    pairs: Sums,
    groups: Groups,
    across_line: Sums,
    down_line: Sums,
    across_bet: Sums,
    down_bet: Sums,
    middle_bet: Sums,
    stakes: Sums,
    scale: int,
    first: int,
    second: Choices,
    third: Choices,
    types: Sums,
    result: Sums,
) -> None:
    size, cards = across_line.size, groups.shape[1]
    left = cards - 4
    downs = (cards - 2) * (cards - 3) // 2
    line_across, line_down = _line_sums(pairs, groups, across_line), _line_sums(pairs, groups, down_line)
    sum_across, sum_down = _line_sums(pairs, groups, across_bet), _line_sums(pairs, groups, down_bet)
    best_first, played = np.zeros(2, dtype=np.int64), 0
    ends, alone = np.zeros((2, 2), dtype=np.int64), np.zeros((2, 2), dtype=np.int64)
    for a in range(pairs.shape[0]):
        a1, a2 = pairs[a, 0], pairs[a, 1]
        ends[:], alone[:] = 0, 0
        for d in range(pairs.shape[0]):
            d1, d2 = pairs[d, 0], pairs[d, 1]
            if d1 in (a1, a2) or d2 in (a1, a2):
                continue
            antes = _without(line_across, groups, across_line, a, d1, d2)
            antes += _without(line_down, groups, down_line, d, a1, a2)
            across = _without(sum_across, groups, across_bet, a, d1, d2)
            down = _without(sum_down, groups, down_bet, d, a1, a2)
            middle = _middle_sum(groups, middle_bet, size, a, d)
            for card in (a1, a2, d1, d2):
                middle -= middle_bet[size * groups[a, card] + groups[d, card]]
            most = max(stakes[2, 0] * middle, stakes[2, 1] * middle)
            for x in range(2):
                for y in range(2):
                    lost = -(2 + stakes[0, x] + stakes[1, y]) * scale * left
                    so_far = antes + stakes[0, x] * across + stakes[1, y] * down
                    ends[x, y] += max(lost, so_far + most)
                    bet = third[types[a], types[d], 2 * x + y]
                    alone[x, y] += so_far + bet * middle if bet else lost
        for x in range(2):
            lost = -(2 + stakes[0, x]) * scale * left * downs
            best_first[x] += max(lost, ends[x, 0], ends[x, 1])
            if first == stakes[0, x]:
                bet = second[types[a], x]
                played += lost if bet == 0 else alone[x, 0] if bet == stakes[1, 0] else alone[x, 1]
    folded = -2 * scale * left * downs * pairs.shape[0]
    result[0] = max(folded, best_first[0], best_first[1])
    result[1] = played if first else folded
