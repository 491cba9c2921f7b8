"""Positions of Criss Cross Poker that a person would not tell apart, added up.

A cell holds all positions with the same features. Whatever a person decides by those features, the value of the game is
a sum over cells: a thousand strategies can be compared without going through the positions again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.criss_cross_features import FLUSH, MADE, Features
from crossfelt.analysis.criss_cross_terms import ANTES, Counts, Terms
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.kernels.criss_cross import prospect_sums
from crossfelt.kernels.prospects import layout, positions, prospects
from crossfelt.kernels.strategies import sum_by_cells

Cells = NDArray[np.int64]

_DRAWS: Final = FLUSH + 1
_HOLE_POINTS: Final = 5
_ROW_POINTS: Final = 9
_POSITION_POINTS: Final = 13
# Two small pairs, one in each line, stand between one of them and a pair that pushes.
BOTH_SMALL: Final = 2
LINES_MADE: Final = len(MADE) + 1

ROW_CELLS: Final = len(MADE) * _DRAWS * _ROW_POINTS
POSITION_CELLS: Final = LINES_MADE * _DRAWS * _POSITION_POINTS


class Seen(NamedTuple):
    """The features of each cell of one decision."""

    hole_made: Cells
    hole_suited: Cells
    hole_points: Cells
    made: Cells
    draw: Cells
    points: Cells


class Added(NamedTuple):
    """All positions, by the cell of the hole cards, of the row and of the position; cells without any are left out."""

    sums: Counts
    """Of deals, antes, across bet, down bet and middle bet."""
    scale: int
    holes: Cells
    """The cells that there are."""
    rows: Cells
    positions: Cells

    def by_last(self, first: Cells, second: Cells, bets: Sequence[int]) -> Counts:
        """The value of each middle bet in each cell of positions, given the bets before."""
        x, y = first[:, None, None], second[:, :, None]
        deals, antes, across, down, middle = self.sums * ((x > 0) & (y > 0))
        lost = -self.scale * ((len(ANTES) + x + y) * deals).sum(axis=(0, 1))
        so_far, last = (antes + x * across + y * down).sum(axis=(0, 1)), middle.sum(axis=(0, 1))
        return np.stack([so_far + z * last if z else lost for z in bets], axis=1)

    def by_second(self, first: Cells, third: Cells, bets: Sequence[int]) -> Counts:
        """The value of each down bet in each cell of hole cards and row, given the bets before and after."""
        x = first[:, None]
        deals = self.sums[0]
        folded = (deals * (third == 0)).sum(axis=2)
        _, antes, across, down, middle = self.sums * (third > 0)
        so_far = (antes + x[..., None] * across + third * middle).sum(axis=2)
        lost, by_down = len(ANTES) + x, down.sum(axis=2)
        fold = -self.scale * lost * deals.sum(axis=2)
        values = [so_far + y * by_down - self.scale * (lost + y) * folded if y else fold for y in bets]
        return np.stack(values, axis=2) * (first > 0)[:, None, None]

    def by_first(self, second: Cells, third: Cells, bets: Sequence[int]) -> Counts:
        """The value of each across bet in each cell of hole cards, given the bets after it."""
        fold = -self.scale * len(ANTES) * self.sums[0].sum(axis=(1, 2))
        after = sorted(set(second.reshape(-1).tolist()))
        chosen = np.searchsorted(after, second)[:, :, None]
        values = []
        for x in bets:
            of_rows = self.by_second(np.full(len(second), x), third, after)
            values.append(np.take_along_axis(of_rows, chosen, axis=2).sum(axis=(1, 2)) if x else fold)
        return np.stack(values, axis=1)

    def value(self, first: Cells, second: Cells, third: Cells) -> int:
        """The value of the game, summed over all deals."""
        x, y, z = first[:, None, None], second[:, :, None], third
        deals, antes, across, down, middle = self.sums
        lost = len(ANTES) + x + np.where(x > 0, y, 0)
        plays = (x > 0) & (y > 0) & (z > 0)
        results = np.where(plays, antes + x * across + y * down + z * middle, -self.scale * lost * deals)
        return int(results.sum())

    def seen_by_hole(self) -> Seen:
        made, suited, points = np.unravel_index(self.holes, (len(MADE), 2, _HOLE_POINTS))
        return Seen(made, suited, points, made, np.zeros_like(made), points)

    def seen_by_row(self) -> Seen:
        """By the cell of the hole cards and that of the row."""
        hole = self.seen_by_hole()
        shape = (len(self.holes), len(self.rows))
        by_row = np.unravel_index(self.rows, (len(MADE), _DRAWS, _ROW_POINTS))
        of_hole = [np.broadcast_to(one[:, None], shape) for one in (hole.hole_made, hole.hole_suited, hole.hole_points)]
        return Seen(*of_hole, *(np.broadcast_to(one, shape) for one in by_row))

    def seen_by_position(self) -> Seen:
        """By the better line; nothing is said of the hole cards."""
        made, draw, points = np.unravel_index(self.positions, (LINES_MADE, _DRAWS, _POSITION_POINTS))
        nothing = np.zeros_like(made)
        return Seen(nothing, nothing, nothing, made, draw, points)


def hole_cell(seen: Features) -> Cells:
    """The cell of each starting hand."""
    cell: Cells = (seen.hole_made.astype(np.int64) * 2 + seen.hole_suited) * _HOLE_POINTS + seen.hole_points
    return cell


def row_cell(seen: Features, row_start: Counts, hole: int) -> Cells:
    """The cell of each row of a starting hand."""
    rows = slice(row_start[hole], row_start[hole + 1])
    points = seen.points[rows].astype(np.int64) + seen.hole_points[hole]
    cell: Cells = (seen.made[rows].astype(np.int64) * _DRAWS + seen.draw[rows]) * _ROW_POINTS + points
    return cell


def position_cell(seen: Features, row_start: Counts, hole: int) -> NDArray[np.int16]:
    """The cell of each position of a starting hand."""
    rows = slice(row_start[hole], row_start[hole + 1])
    made, draw, points = seen.made[rows], seen.draw[rows], seen.points[rows]
    better = np.maximum(made[:, None], made)
    both = (made[:, None] == 1) & (made == 1)
    level = better + (better >= BOTH_SMALL) + both
    lines = (level * _DRAWS + np.maximum(draw[:, None], draw)) * _POSITION_POINTS
    cell: NDArray[np.int16] = (lines + points[:, None] + points + seen.hole_points[hole]).astype(np.int16)
    return cell


def add_up(terms: Terms, seen: Features) -> Added:
    """Add up all positions of a game."""
    of, every = prospects(terms.grouping), positions(terms.grouping)
    deals = np.full((len(of.outcome_start) - 1, 1), terms.deals.middle, dtype=np.int64)
    sums = np.ascontiguousarray(np.concatenate([deals, prospect_sums(of, terms.values)], axis=1))
    holes, cell_of_hole = np.unique(hole_cell(seen), return_inverse=True)
    total = np.zeros((len(holes), ROW_CELLS, POSITION_CELLS, sums.shape[1]), dtype=np.int64)
    for hole, hand in enumerate(STARTING_HANDS):
        types = layout(hand)
        size = len(types.pairs)
        here = every.prospect[every.start[hole] : every.start[hole + 1]].reshape(size, size)
        by_row, by_position = row_cell(seen, of.row_start, hole), position_cell(seen, of.row_start, hole)
        ways = int(of.hole_ways[hole])
        sum_by_cells(types.left, types.pairs, here, by_row, by_position, ways, sums, total[cell_of_hole[hole]])
    rows = np.flatnonzero(total[..., 0].any(axis=(0, 2)))
    last = np.flatnonzero(total[..., 0].any(axis=(0, 1)))
    found = np.ascontiguousarray(np.moveaxis(total[:, rows][:, :, last], -1, 0))
    return Added(found, terms.scale, holes, rows, last)
