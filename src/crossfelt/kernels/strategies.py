"""Strategies of Criss Cross Poker that are not the best one: position by position, exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.kernel import Kernel
from crossfelt.kernels.prospects import NO_POSITION, Counts, Ids, pair_ways

Bets = NDArray[np.int8]


@Kernel
def reach_by_strategy(
    left: Counts, pairs: Counts, positions: Ids, second: Bets, third: Bets, hole_ways: int, reached: Counts
) -> None:
    """Add the ways in which each prospect is reached, by the down and the middle bet; folded rows are left out."""
    rest = left.copy()
    for across in range(pairs.shape[0]):
        y = second[across]
        if y == 0:
            continue
        ways = hole_ways * pair_ways(rest, pairs[across, 0], pairs[across, 1])
        for place in range(2):
            rest[pairs[across, place]] -= 1
        for down in range(pairs.shape[0]):
            number = positions[across, down]
            if number != NO_POSITION:
                z = third[across, down]
                reached[y, z, number] += ways * pair_ways(rest, pairs[down, 0], pairs[down, 1])
        for place in range(2):
            rest[pairs[across, place]] += 1


@Kernel
def sum_by_cells(
    left: Counts,
    pairs: Counts,
    positions: Ids,
    row_cell: Counts,
    position_cell: NDArray[np.int16],
    hole_ways: int,
    sums: Counts,
    total: Counts,
) -> None:
    """Add the sums of all positions that a person would not tell apart, by the cell of their row and their own."""
    rest = left.copy()
    for across in range(pairs.shape[0]):
        ways = hole_ways * pair_ways(rest, pairs[across, 0], pairs[across, 1])
        for place in range(2):
            rest[pairs[across, place]] -= 1
        for down in range(pairs.shape[0]):
            number = positions[across, down]
            if number != NO_POSITION:
                all_ways = ways * pair_ways(rest, pairs[down, 0], pairs[down, 1])
                for column in range(sums.shape[1]):
                    total[row_cell[across], position_cell[across, down], column] += all_ways * sums[number, column]
        for place in range(2):
            rest[pairs[across, place]] += 1
