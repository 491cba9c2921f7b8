"""Criss Cross Poker for a player who has seen one community card before the first decision.

A down card that is known makes the second decision depend on it too; a middle card that is known leaves no chance after
the third, so that groups of hands can be counted instead of prospects.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.kernel import Kernel
from crossfelt.kernels.prospects import NO_POSITION, Bytes, Counts, Ids, pair_ways


@Kernel
def sum_with_known_down(left: Counts, pairs: Counts, positions: Ids, ends: Counts, sums: Counts) -> None:
    """By pair across, known type and column of `ends`: their sum over the other down card."""
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
    """Add the ways in which each prospect is reached, by the plan for its pair across and the known down card."""
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
            # Either card may be the one that was seen; two of a type are two such cases.
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
    """By pair across and known type: the ways of both, and of the down cards that make each group."""
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
