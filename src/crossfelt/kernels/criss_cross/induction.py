"""Criss Cross Poker by backward induction over prospects.

The value of a position is linear in each bet but for the choice to fold, so that the best bet is the smallest or the
largest there is. What one pay table needs is: four sums for each prospect, the best end for each two earlier bets, and
sums of these over the entries of each kind of row. There are so few of them that NumPy takes about as long as compiled
code would, and a fresh command is spared the start of Numba. Values and statistics are apart, because a search or a
slider asks for values alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.criss_cross.continuations import NO_POSITION, Continuations, Counts, Ids, pair_ways
from crossfelt.kernels.jit import Kernel

Sums = NDArray[np.int64]
Places = NDArray[np.intp]


def prospect_sums(of: Continuations, values: Sums) -> Sums:
    """For each prospect and each line of `values`, given by two groups, their sum over the middle cards."""
    return _weighted_sums(values, of.outcome_groups, of.outcome_cards, of.outcome_start[:-1])


def chosen_prospect_sums(of: Continuations, values: Sums, chosen: Places) -> Sums:
    """The same for some prospects."""
    outcomes, starts = _stretches(of.outcome_start, chosen)
    return _weighted_sums(values, of.outcome_groups[outcomes], of.outcome_cards[outcomes], starts)


def _stretches(start: Sums, chosen: Places) -> tuple[Places, Sums]:
    """The places of some stretches, one after the other, and where each begins among them."""
    sizes = start[chosen + 1] - start[chosen]
    begins = np.cumsum(sizes) - sizes
    return np.repeat(start[chosen] - begins, sizes) + np.arange(sizes.sum()), begins


def _weighted_sums(lines: Sums, places: Places, weights: Sums, starts: Sums) -> Sums:
    """For each stretch of places and each line, the sum of what the line has there, so many times each."""
    sums = np.empty((len(lines), len(starts)), dtype=np.int64)
    taken = np.empty(len(places), dtype=np.int64)
    for line, total in zip(np.ascontiguousarray(lines), sums, strict=True):
        # Places are never beyond the line; told to clip, NumPy takes into the buffer without a copy of its own.
        np.take(line, places, out=taken, mode="clip")
        np.multiply(taken, weights, out=taken)
        np.add.reduceat(taken, starts, out=total)
    return sums.T


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


def best_ends(sums: Sums, bets: Sums, stakes: Stakes) -> tuple[Sums, NDArray[np.int8]]:
    """By prospect and the first two bets: the value with the best middle bet, and that bet, 0 for a fold.

    Of bets that are worth the same the larger is taken.
    """
    x, y = bets.T
    antes, across, down, middle = stakes.ante_units * sums[:, 0, None], sums[:, 1, None], sums[:, 2, None], sums[:, 3]
    bet = np.where(middle >= 0, stakes.high, stakes.low)
    values = antes + x * across + y * down + (stakes.ante_units * bet * middle)[:, None]
    chosen = np.broadcast_to(bet.astype(np.int8)[:, None], values.shape)
    if not stakes.may_fold:
        return values, chosen
    fold = -(stakes.ante_units * stakes.antes + x + y) * stakes.scale * stakes.cards
    return np.maximum(values, fold), np.where(values >= fold, chosen, np.int8(0))


def kind_sums(of: Continuations, ends: Sums) -> Sums:
    """For each kind of row and each column of `ends`, given by prospect, their sum over down and middle cards."""
    return _weighted_sums(ends.T, of.entry_prospect, of.entry_ways, of.entry_start[:-1])


class Reached(NamedTuple):
    """What some rows lead to."""

    prospects: Places
    """Which prospects, each once."""
    entry_place: Places
    """Where the prospect of each entry stands among them."""
    entry_ways: Sums
    starts: Sums
    """Where the entries of each kind of row begin."""
    kind_of_row: Places

    def row_sums(self, ends: Sums) -> Sums:
        """As `kind_sums`, for each of these rows, with `ends` of these prospects."""
        sums: Sums = _weighted_sums(ends.T, self.entry_place, self.entry_ways, self.starts)[self.kind_of_row]
        return sums


def reached(of: Continuations, rows: slice) -> Reached:
    """The prospects that some rows lead to, and how."""
    kinds, kind_of_row = np.unique(of.row_kind[rows], return_inverse=True)
    entries, starts = _stretches(of.entry_start, kinds)
    leads_to = of.entry_prospect[entries]
    is_reached = np.zeros(len(of.outcome_start) - 1, dtype=np.bool_)
    is_reached[leads_to] = True
    place = np.cumsum(is_reached) - 1
    return Reached(np.flatnonzero(is_reached), place[leads_to], of.entry_ways[entries], starts, kind_of_row)


def prospect_ways(of: Continuations, row_ways: Sums) -> Sums:
    """In how many ways each prospect is reached, given in how many ways each row is, plan by plan."""
    sizes = np.diff(of.entry_start)
    ways = np.zeros((len(row_ways), len(of.outcome_start) - 1), dtype=np.int64)
    for by_prospect, by_row in zip(ways, row_ways, strict=True):
        by_kind = np.zeros(len(sizes), dtype=np.int64)
        np.add.at(by_kind, of.row_kind, by_row)
        np.add.at(by_prospect, of.entry_prospect, np.repeat(by_kind, sizes) * of.entry_ways)
    return ways


def outcome_ways(of: Continuations, ways: Sums, groups: int) -> Sums:
    """In how many deals each two groups come out, given in how many ways each prospect is reached, plan by plan."""
    sizes = np.diff(of.outcome_start)
    result = np.zeros((len(ways), groups * groups), dtype=np.int64)
    for by_groups, by_prospect in zip(result, ways, strict=True):
        np.add.at(by_groups, of.outcome_groups, np.repeat(by_prospect, sizes) * of.outcome_cards)
    return result


# --- Strategies of Criss Cross Poker that are not the best one: position by position, exactly.

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
