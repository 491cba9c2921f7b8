"""Backward induction for Criss Cross Poker over prospects.

The value of a position is linear in each bet except for the option to fold, so the best bet is the smallest or the
largest. A pay table needs four sums for each prospect, the best end for each two earlier bets, and sums of these over
the entries of each kind of row. They are so few that NumPy is about as fast as compiled code, and a new command avoids
starting Numba. Values and statistics are separate, because a search or a slider needs values only.
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
    """Return for each prospect the sum over the middle cards of each line of `values`, given by two groups."""
    return _weighted_sums(values, of.outcome_groups, of.outcome_cards, of.outcome_start[:-1])


def chosen_prospect_sums(of: Continuations, values: Sums, chosen: Places) -> Sums:
    """Return the same sums for some prospects."""
    outcomes, starts = _stretches(of.outcome_start, chosen)
    return _weighted_sums(values, of.outcome_groups[outcomes], of.outcome_cards[outcomes], starts)


def _stretches(start: Sums, chosen: Places) -> tuple[Places, Sums]:
    """Concatenate the indices of some stretches; return also the start of each."""
    sizes = start[chosen + 1] - start[chosen]
    begins = np.cumsum(sizes) - sizes
    return np.repeat(start[chosen] - begins, sizes) + np.arange(sizes.sum()), begins


def _weighted_sums(lines: Sums, places: Places, weights: Sums, starts: Sums) -> Sums:
    """Return for each stretch of places and each line the weighted sum of the line's entries."""
    sums = np.empty((len(lines), len(starts)), dtype=np.int64)
    taken = np.empty(len(places), dtype=np.int64)
    for line, total in zip(np.ascontiguousarray(lines), sums, strict=True):
        # Indices are never out of range; with mode clip NumPy writes to the buffer without a copy.
        np.take(line, places, out=taken, mode="clip")
        np.multiply(taken, weights, out=taken)
        np.add.reduceat(taken, starts, out=total)
    return sums.T


class Stakes(NamedTuple):
    """The stakes for a kernel: bets in antes, amounts in the integers of the payments."""

    ante_units: int
    """Parts of an ante in the first two bets and in all results."""
    antes: int
    """Antes that a fold loses, besides the bets."""
    scale: int
    """One ante in the payments."""
    low: int
    """Smallest and largest middle bet."""
    high: int
    cards: int
    """Number of middle cards left."""
    may_fold: bool = True


def best_ends(sums: Sums, bets: Sums, stakes: Stakes) -> tuple[Sums, NDArray[np.int8]]:
    """Return by prospect and first two bets the value with the best middle bet, and that bet, 0 for a fold.

    Of equal bets the larger is taken.
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
    """Return for each kind of row and each column of `ends` the sum over down and middle cards."""
    return _weighted_sums(ends.T, of.entry_prospect, of.entry_ways, of.entry_start[:-1])


class Reached(NamedTuple):
    """The prospects that some rows reach."""

    prospects: Places
    """Different prospects."""
    entry_place: Places
    """Index among them of the prospect of each entry."""
    entry_ways: Sums
    starts: Sums
    """Start of the entries of each kind of row."""
    kind_of_row: Places

    def row_sums(self, ends: Sums) -> Sums:
        """Return `kind_sums` for each of these rows, with `ends` of these prospects."""
        sums: Sums = _weighted_sums(ends.T, self.entry_place, self.entry_ways, self.starts)[self.kind_of_row]
        return sums


def reached(of: Continuations, rows: slice) -> Reached:
    """Return the prospects that some rows reach."""
    kinds, kind_of_row = np.unique(of.row_kind[rows], return_inverse=True)
    entries, starts = _stretches(of.entry_start, kinds)
    leads_to = of.entry_prospect[entries]
    is_reached = np.zeros(len(of.outcome_start) - 1, dtype=np.bool_)
    is_reached[leads_to] = True
    place = np.cumsum(is_reached) - 1
    return Reached(np.flatnonzero(is_reached), place[leads_to], of.entry_ways[entries], starts, kind_of_row)


def prospect_ways(of: Continuations, row_ways: Sums) -> Sums:
    """Return the number of ways to reach each prospect, given those of each row, plan by plan."""
    sizes = np.diff(of.entry_start)
    ways = np.zeros((len(row_ways), len(of.outcome_start) - 1), dtype=np.int64)
    for by_prospect, by_row in zip(ways, row_ways, strict=True):
        by_kind = np.zeros(len(sizes), dtype=np.int64)
        np.add.at(by_kind, of.row_kind, by_row)
        np.add.at(by_prospect, of.entry_prospect, np.repeat(by_kind, sizes) * of.entry_ways)
    return ways


def outcome_ways(of: Continuations, ways: Sums, groups: int) -> Sums:
    """Return the number of deals by two groups, given the ways to reach each prospect, plan by plan."""
    sizes = np.diff(of.outcome_start)
    result = np.zeros((len(ways), groups * groups), dtype=np.int64)
    for by_groups, by_prospect in zip(result, ways, strict=True):
        np.add.at(by_groups, of.outcome_groups, np.repeat(by_prospect, sizes) * of.outcome_cards)
    return result


# --- fixed strategies, position by position ---

Bets = NDArray[np.int8]


@Kernel
def reach_by_strategy(
    left: Counts, pairs: Counts, positions: Ids, second: Bets, third: Bets, hole_ways: int, reached: Counts
) -> None:
    """Add the ways to reach each prospect by the down and the middle bet; folded rows are omitted."""
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
    """Add the sums of all positions with the same features, by the cell of their row and their own."""
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
