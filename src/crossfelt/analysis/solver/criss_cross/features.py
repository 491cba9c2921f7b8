"""Visible features of cards for strategy cards: pairs, draws, and points for high cards.

Points follow the pay table of the bets, as the rule of thumb counts them: two for a card whose pair wins, one for a
card whose pair pushes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.criss_cross.payoffs import ANTES, Counts, CrissCrossPayoffs
from crossfelt.analysis.solver.criss_cross.rule_of_thumb import made, points
from crossfelt.cards.card import RANK_NAMES, RANKS, Card
from crossfelt.hands.starting_hands import STARTING_HANDS, StartingHand
from crossfelt.kernels.criss_cross.continuations import continuations, layout, positions
from crossfelt.kernels.criss_cross.induction import prospect_sums, sum_by_cells
from crossfelt.rulebooks.game import Game

Small = NDArray[np.int16]

MADE: Final = ("", "small pair", "pushes", "wins")
"""Values of `made`, in ascending order."""
NO_DRAW, INSIDE, OPEN, FLUSH = range(4)
_RUNS: Final = tuple({rank % len(RANKS) for rank in range(low, low + 5)} for low in range(-1, len(RANKS) - 4))


class Features(NamedTuple):
    """The features of every starting hand, and of every row: a starting hand with two cards of a line."""

    hole_made: Small
    hole_suited: Small
    hole_points: Small
    made: Small
    draw: Small
    points: Small
    """Points of the two cards of the line alone."""


def features_of(game: Game) -> Features:
    """Return the features of all rows, in the order of `crossfelt.kernels.criss_cross.continuations`."""
    holes = [hand.cards for hand in STARTING_HANDS]
    rows = rows_of()
    return Features(
        hole_made=np.array([MADE.index(made(game, hole)) for hole in holes], dtype=np.int16),
        hole_suited=np.array([hand.suited for hand in STARTING_HANDS], dtype=np.int16),
        hole_points=np.array([points(game, hole) for hole in holes], dtype=np.int16),
        made=np.array([MADE.index(made(game, (*hole, *line))) for hole, line in rows], dtype=np.int16),
        draw=_draws(),
        points=np.array([points(game, line) for _, line in rows], dtype=np.int16),
    )


@cache
def _draws() -> Small:
    return np.array([draw((*hole, *line)) for hole, line in rows_of()], dtype=np.int16)


def draw(cards: Sequence[Card]) -> int:
    """Return the draw to one more card: none, an inside or one-sided straight, an open straight, a flush.

    >>> from crossfelt.cards import parse_cards
    >>> [draw(parse_cards(text)) for text in ("2s 9s Ks 4s", "8s 9d Tc Jh", "As Kd Qc Jh", "8s 8d Tc Jh")]
    [3, 2, 1, 0]
    """
    if len({card.suit for card in cards}) == 1:
        return FLUSH
    ranks = {card.rank for card in cards}
    completing = {rank for run in _RUNS if len(ranks & run) == len(cards) for rank in run - ranks}
    return (NO_DRAW, INSIDE, OPEN)[len(completing)]


@cache
def rows_of() -> tuple[tuple[tuple[Card, ...], tuple[Card, ...]], ...]:
    """Return two hole cards and two cards of a line for every row, in the order of the continuations."""
    return tuple((hand.cards, line) for hand in STARTING_HANDS for line in _lines(hand))


def _lines(hand: StartingHand) -> Iterator[tuple[Card, ...]]:
    types = layout(hand)
    suit = hand.cards[0].suit
    for pair in types.pairs.tolist():
        candidates = []
        for place in pair:
            same = [Card(4 * int(types.rank[place]) + s) for s in range(4) if (s == suit) == bool(types.in_suit[place])]
            if not hand.suited:
                same = [Card(4 * int(types.rank[place]) + s) for s in range(4)]
            candidates.append([card for card in same if card not in hand.cards])
        # Last card of one and first of the other, which differ even if the types are the same.
        yield candidates[0][-1], candidates[1][0]


# --- cells of equal features ---

Cells = NDArray[np.int64]

_DRAWS: Final = FLUSH + 1
_HOLE_POINTS: Final = 5
_ROW_POINTS: Final = 9
_POSITION_POINTS: Final = 13
# Two small pairs, one in each line, rank between one small pair and a pair that pushes.
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
    """Sums over all positions, by the cell of the hole cards, the row and the position; empty cells are omitted."""

    sums: Counts
    """Sums of deals, antes, across bet, down bet and middle bet."""
    scale: int
    holes: Cells
    """Existing cells."""
    rows: Cells
    positions: Cells

    def by_last(self, first: Cells, second: Cells, bets: Sequence[int]) -> Counts:
        """Return the value of each middle bet in each cell of positions, given the earlier bets."""
        x, y = first[:, None, None], second[:, :, None]
        deals, antes, across, down, middle = self.sums * ((x > 0) & (y > 0))
        lost = -self.scale * ((len(ANTES) + x + y) * deals).sum(axis=(0, 1))
        so_far, last = (antes + x * across + y * down).sum(axis=(0, 1)), middle.sum(axis=(0, 1))
        return np.stack([so_far + z * last if z else lost for z in bets], axis=1)

    def by_second(self, first: Cells, third: Cells, bets: Sequence[int]) -> Counts:
        """Return the value of each down bet in each cell of hole cards and row, given the other bets."""
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
        """Return the value of each across bet in each cell of hole cards, given the later bets."""
        fold = -self.scale * len(ANTES) * self.sums[0].sum(axis=(1, 2))
        after = sorted(set(second.reshape(-1).tolist()))
        chosen = np.searchsorted(after, second)[:, :, None]
        values = []
        for x in bets:
            of_rows = self.by_second(np.full(len(second), x), third, after)
            values.append(np.take_along_axis(of_rows, chosen, axis=2).sum(axis=(1, 2)) if x else fold)
        return np.stack(values, axis=1)

    def value(self, first: Cells, second: Cells, third: Cells) -> int:
        """Return the value of the game, summed over all deals."""
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
        """Return the features by cell of hole cards and row."""
        hole = self.seen_by_hole()
        shape = (len(self.holes), len(self.rows))
        by_row = np.unravel_index(self.rows, (len(MADE), _DRAWS, _ROW_POINTS))
        of_hole = [np.broadcast_to(one[:, None], shape) for one in (hole.hole_made, hole.hole_suited, hole.hole_points)]
        return Seen(*of_hole, *(np.broadcast_to(one, shape) for one in by_row))

    def seen_by_position(self) -> Seen:
        """Return the features by the better line, without the hole cards."""
        made, draw, points = np.unravel_index(self.positions, (LINES_MADE, _DRAWS, _POSITION_POINTS))
        nothing = np.zeros_like(made)
        return Seen(nothing, nothing, nothing, made, draw, points)


def hole_cell(seen: Features) -> Cells:
    """Return the cell of each starting hand."""
    cell: Cells = (seen.hole_made.astype(np.int64) * 2 + seen.hole_suited) * _HOLE_POINTS + seen.hole_points
    return cell


def row_cell(seen: Features, row_start: Counts, hole: int) -> Cells:
    """Return the cell of each row of a starting hand."""
    rows = slice(row_start[hole], row_start[hole + 1])
    points = seen.points[rows].astype(np.int64) + seen.hole_points[hole]
    cell: Cells = (seen.made[rows].astype(np.int64) * _DRAWS + seen.draw[rows]) * _ROW_POINTS + points
    return cell


def position_cell(seen: Features, row_start: Counts, hole: int) -> NDArray[np.int16]:
    """Return the cell of each position of a starting hand."""
    rows = slice(row_start[hole], row_start[hole + 1])
    made, draw, points = seen.made[rows], seen.draw[rows], seen.points[rows]
    better = np.maximum(made[:, None], made)
    both = (made[:, None] == 1) & (made == 1)
    level = better + (better >= BOTH_SMALL) + both
    lines = (level * _DRAWS + np.maximum(draw[:, None], draw)) * _POSITION_POINTS
    cell: NDArray[np.int16] = (lines + points[:, None] + points + seen.hole_points[hole]).astype(np.int16)
    return cell


def add_up(terms: CrissCrossPayoffs, seen: Features) -> Added:
    """Sum all positions of a game."""
    of, every = continuations(terms.grouping), positions(terms.grouping)
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


# --- conditions ---

Test = Callable[[Seen], NDArray[np.bool_]]


class Condition(NamedTuple):
    """A visible condition."""

    words: str
    holds: Test


class PairWords(NamedTuple):
    """Names of pairs and single cards, by the payment of a pair."""

    pays: str
    """A pair that does not lose."""
    wins: str
    points: str


def pair_words(game: Game) -> PairWords:
    """Return the names for the pay table in force.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> pair_words(compile_game("nj-criss-cross"))
    PairWords(pays='a pair of sixes or better', wins='a pair of jacks or better', \
points='2 for each jack or better, 1 for each six to ten')
    """
    worth = [MADE.index(made(game, (Card(4 * rank), Card(4 * rank + 1)))) for rank in range(len(RANKS))]
    push, win = MADE.index("pushes"), MADE.index("wins")
    pays, wins = (min((rank for rank, found in enumerate(worth) if found >= least), default=0) for least in (push, win))
    if worth != sorted(worth) or worth[-1] < win:
        return PairWords("a pair that is not lost", "a pair that wins", "2 for a card whose pair wins, 1 if it pushes")
    plural = ["sixes" if name == "six" else f"{name}s" for name in RANK_NAMES]
    points = f"2 for each {RANK_NAMES[wins]} or better"
    if pays < wins:
        points += f", 1 for each {RANK_NAMES[pays]} to {RANK_NAMES[wins - 1]}"
    return PairWords(f"a pair of {plural[pays]} or better", f"a pair of {plural[wins]} or better", points)


def conditions(game: Game, decision: str) -> list[Condition]:
    """List the conditions for a line of a card at a decision."""
    words = pair_words(game)
    if decision == "across":
        return _of_hole(words)
    pairs = [("a pair", 1), (words.pays, 2), (words.wins, 3)]
    if decision == "down":
        return [*_of_hole(words)[:4], *_of_lines("in the across hand", pairs, 8)]
    # Two small pairs, one in each line, are a level of their own.
    levels = [("a pair", 1), (f"pairs in both lines, or {words.pays},", 2), (words.pays, 3), (words.wins, 4)]
    return _of_lines("in a line", levels, 10)


def _of_hole(words: PairWords) -> list[Condition]:
    points = [(f"{_points(least)} in hand", _at_least("hole_points", least)) for least in range(1, 5)]
    suited = _at_least("hole_suited", 1)
    return [
        Condition("a pair in hand", _at_least("hole_made", 1)),
        Condition(f"{words.pays} in hand", _at_least("hole_made", 2)),
        Condition(f"{words.wins} in hand", _at_least("hole_made", 3)),
        Condition("one suit in hand", suited),
        *(Condition(told, holds) for told, holds in points),
        *(Condition(f"one suit and {told}", _all(suited, holds)) for told, holds in points),
    ]


def _of_lines(where: str, pairs: Sequence[tuple[str, int]], most_points: int) -> list[Condition]:
    draws = (
        ("four to a flush", FLUSH),
        ("four to a flush or open straight", OPEN),
        ("four to a flush or straight", INSIDE),
    )
    paired = [(f"{told} {where}", _at_least("made", least)) for told, least in pairs]
    drawing = [(f"{told} {where}", _at_least("draw", least)) for told, least in draws]
    points = [(_points(least), _at_least("points", least)) for least in range(1, most_points + 1)]
    single = [Condition(*one) for one in (*paired, *drawing, *points)]
    double = [
        Condition(f"{told} and {count}", _all(holds, enough))
        for told, holds in (paired[0], drawing[-1])
        for count, enough in points
    ]
    return single + double


def _points(least: int) -> str:
    return f"{least} point{'s' if least > 1 else ''} or more"


def _at_least(field: str, least: int) -> Test:
    return lambda seen: getattr(seen, field) >= least


def _all(*tests: Test) -> Test:
    return lambda seen: np.logical_and.reduce([test(seen) for test in tests])
