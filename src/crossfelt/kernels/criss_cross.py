"""Criss Cross Poker by backward induction over prospects.

The value of a position is linear in each bet but for the choice to fold, so that the best bet is the smallest or the
largest there is. What one pay table needs is: four sums for each prospect, the best end for each two earlier bets, and
sums of these over the entries of each row. Values and statistics are kernels apart, because a search or a slider asks
for values alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.kernel import Kernel
from crossfelt.kernels.prospects import Prospects
from crossfelt.kernels.threads import in_threads, share_count, share_of

Counts = NDArray[np.int64]

_SMALLEST_SHARE = 1 << 11


def prospect_sums(of: Prospects, values: Counts) -> Counts:
    """For each prospect and each line of `values`, given by two groups, their sum over the middle cards."""
    sums = np.zeros((len(of.outcome_start) - 1, len(values)), dtype=np.int64)
    _sum_outcomes(of.outcome_start, of.outcome_groups, of.outcome_cards, np.ascontiguousarray(values.T), sums)
    return sums


def row_sums(of: Prospects, ends: Counts, rows: slice = slice(None)) -> Counts:
    """For each row and each column of `ends`, given by prospect, their sum over down and middle cards."""
    starts = of.entry_start[:-1][rows], of.entry_start[1:][rows]
    sums = np.zeros((len(starts[0]), ends.shape[1]), dtype=np.int64)
    ends = np.ascontiguousarray(ends)
    shares = share_count(len(sums), _SMALLEST_SHARE)

    def work(share: int) -> None:
        part = share_of(len(sums), share, shares)
        _sum_entries(starts[0][part], starts[1][part], of.entry_prospect, of.entry_ways, ends, sums[part])

    in_threads(work, shares)
    return sums


def prospect_ways(of: Prospects, row_plan: NDArray[np.int8], plans: int) -> Counts:
    """In how many ways each prospect is reached, by the plan of its row: the bets made so far, negative for none."""
    hole_of_row = np.repeat(of.hole_ways, np.diff(of.row_start))
    row_weight = hole_of_row * of.row_ways
    shares = share_count(len(row_plan), _SMALLEST_SHARE)

    def work(share: int) -> Counts:
        ways = np.zeros((plans, len(of.outcome_start) - 1), dtype=np.int64)
        part = share_of(len(row_plan), share, shares)
        bounds = of.entry_start[part.start : part.stop + 1]
        _spread(bounds, of.entry_prospect, of.entry_ways, row_plan[part], row_weight[part], ways)
        return ways

    total: Counts = np.sum(in_threads(work, shares), axis=0)
    return total


def outcome_ways(of: Prospects, ways: Counts, groups: int) -> Counts:
    """In how many deals each two groups come out, given in how many ways each prospect is reached, plan by plan."""
    result = np.zeros((len(ways), groups * groups), dtype=np.int64)
    _spread_outcomes(of.outcome_start, of.outcome_groups, of.outcome_cards, np.ascontiguousarray(ways), result)
    return result


@Kernel
def _sum_outcomes(start: Counts, groups: NDArray[np.int32], cards: Counts, values: Counts, sums: Counts) -> None:
    for prospect in range(sums.shape[0]):
        for outcome in range(start[prospect], start[prospect + 1]):
            for line in range(sums.shape[1]):
                sums[prospect, line] += cards[outcome] * values[groups[outcome], line]


@Kernel
def _sum_entries(
    first: Counts,
    last: Counts,
    prospect: NDArray[np.uint32],
    ways: NDArray[np.int16],
    ends: Counts,
    sums: Counts,
) -> None:
    for row in range(sums.shape[0]):
        for entry in range(first[row], last[row]):
            for column in range(sums.shape[1]):
                sums[row, column] += ways[entry] * ends[prospect[entry], column]


@Kernel
def _spread(
    start: Counts,
    prospect: NDArray[np.uint32],
    ways: NDArray[np.int16],
    row_plan: NDArray[np.int8],
    row_weight: Counts,
    total: Counts,
) -> None:
    for row in range(row_plan.size):
        plan = row_plan[row]
        if plan >= 0:
            for entry in range(start[row], start[row + 1]):
                total[plan, prospect[entry]] += row_weight[row] * ways[entry]


@Kernel
def _spread_outcomes(start: Counts, groups: NDArray[np.int32], cards: Counts, ways: Counts, result: Counts) -> None:
    for plan in range(ways.shape[0]):
        for prospect in range(ways.shape[1]):
            if ways[plan, prospect]:
                for outcome in range(start[prospect], start[prospect + 1]):
                    result[plan, groups[outcome]] += ways[plan, prospect] * cards[outcome]
