"""Criss Cross Poker by backward induction over prospects.

The value of a position is linear in each bet but for the choice to fold, so that the best bet is the smallest or the
largest there is. What one pay table needs is: four sums for each prospect, the best end for each two earlier bets, and
sums of these over the entries of each kind of row. It is over so soon that a second thread would cost more than it
saves. Values and statistics are kernels apart, because a search or a slider asks for values alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.kernel import Kernel
from crossfelt.kernels.prospects import Prospects

Counts = NDArray[np.int64]


def prospect_sums(of: Prospects, values: Counts) -> Counts:
    """For each prospect and each line of `values`, given by two groups, their sum over the middle cards."""
    sums = np.zeros((len(of.outcome_start) - 1, len(values)), dtype=np.int64)
    _sum_outcomes(of.outcome_start, of.outcome_groups, of.outcome_cards, np.ascontiguousarray(values.T), sums)
    return sums


class Stakes(NamedTuple):
    """What a kernel has to know of the stakes: bets in antes, amounts in the whole numbers of the payments."""

    ante_units: int
    """Into how many parts an ante is cut in the first two bets and in all results."""
    antes: int
    """How many antes a fold loses, beside the bets."""
    scale: int
    """What one ante is in the payments."""
    low: int
    """The smallest middle bet, and the largest."""
    high: int
    cards: int
    """How many middle cards are left."""
    may_fold: bool = True


def best_ends(sums: Counts, bets: Counts, stakes: Stakes) -> tuple[Counts, NDArray[np.int8]]:
    """By prospect and the first two bets: the value with the best middle bet, and that bet, 0 for a fold.

    Of bets that are worth the same the larger is taken.
    """
    values = np.empty((len(sums), len(bets)), dtype=np.int64)
    chosen = np.empty(values.shape, dtype=np.int8)
    _choose_ends(np.ascontiguousarray(sums), bets, *stakes, values, chosen)
    return values, chosen


def row_sums(of: Prospects, ends: Counts, rows: slice | None = None) -> Counts:
    """For each row and each column of `ends`, given by prospect, their sum over down and middle cards."""
    if rows is None:
        kinds, kind_of_row = np.arange(len(of.entry_start) - 1), of.row_kind
    else:
        kinds, kind_of_row = np.unique(of.row_kind[rows], return_inverse=True)
    first, last = of.entry_start[kinds], of.entry_start[kinds + 1]
    sums = np.zeros((len(kinds), ends.shape[1]), dtype=np.int64)
    _sum_entries(first, last, of.entry_prospect, of.entry_ways, np.ascontiguousarray(ends), sums)
    every: Counts = sums[kind_of_row]
    return every


def prospect_ways(of: Prospects, row_ways: Counts) -> Counts:
    """In how many ways each prospect is reached, given in how many ways each row is, plan by plan."""
    kind_ways = np.zeros((len(row_ways), len(of.entry_start) - 1), dtype=np.int64)
    for by_kind, by_row in zip(kind_ways, row_ways, strict=True):
        np.add.at(by_kind, of.row_kind, by_row)
    ways = np.zeros((len(row_ways), len(of.outcome_start) - 1), dtype=np.int64)
    _spread(of.entry_start, of.entry_prospect, of.entry_ways, kind_ways, ways)
    return ways


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
def _choose_ends(
    sums: Counts,
    bets: Counts,
    units: int,
    antes: int,
    scale: int,
    low: int,
    high: int,
    cards: int,
    may_fold: bool,
    values: Counts,
    chosen: NDArray[np.int8],
) -> None:
    for prospect in range(sums.shape[0]):
        for column in range(bets.shape[0]):
            x, y = bets[column, 0], bets[column, 1]
            so_far = units * sums[prospect, 0] + x * sums[prospect, 1] + y * sums[prospect, 2]
            middle = units * sums[prospect, 3]
            bet = high if middle >= 0 else low
            fold = -(units * antes + x + y) * scale * cards
            value = so_far + bet * middle
            stays = value >= fold or not may_fold
            values[prospect, column] = value if stays else fold
            chosen[prospect, column] = bet if stays else 0


@Kernel
def _sum_entries(
    first: Counts,
    last: Counts,
    prospect: NDArray[np.uint32],
    ways: NDArray[np.int16],
    ends: Counts,
    sums: Counts,
) -> None:
    for kind in range(sums.shape[0]):
        for entry in range(first[kind], last[kind]):
            for column in range(sums.shape[1]):
                sums[kind, column] += ways[entry] * ends[prospect[entry], column]


@Kernel
def _spread(
    start: Counts, prospect: NDArray[np.uint32], ways: NDArray[np.int16], kind_ways: Counts, total: Counts
) -> None:
    for plan in range(total.shape[0]):
        for kind in range(kind_ways.shape[1]):
            if kind_ways[plan, kind]:
                for entry in range(start[kind], start[kind + 1]):
                    total[plan, prospect[entry]] += kind_ways[plan, kind] * ways[entry]


@Kernel
def _spread_outcomes(start: Counts, groups: NDArray[np.int32], cards: Counts, ways: Counts, result: Counts) -> None:
    for plan in range(ways.shape[0]):
        for prospect in range(ways.shape[1]):
            if ways[plan, prospect]:
                for outcome in range(start[prospect], start[prospect + 1]):
                    result[plan, groups[outcome]] += ways[plan, prospect] * cards[outcome]
