"""A round as a tree whose branches are counted: nodes at each level, and results at the end.

Backward induction sums the winnings over the branches and takes the best option at each decision. A second pass
counts how often each result happens under that play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.courses import Courses, Option, Stakes
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.kernels.solver.nodes import Level
from crossfelt.rulebooks.script import Decide

Counts = NDArray[np.int64]
NEVER = np.iinfo(np.int64).min
"""The value of an option that is not allowed."""


class Tree(NamedTuple):
    """The positions of a round. The children of the last level are results."""

    root: NDArray[np.int32]
    """Nodes of the first level in which a round begins."""
    root_ways: Counts
    levels: tuple[Level, ...]
    deals: tuple[int, ...]
    """The number of ways in which the cards after each level can come, and 1 at the end."""
    decisions: tuple[tuple[Decide, ...], ...]
    """The decisions at each level, and at the end."""
    named: Mapping[str, Level] = {}
    """The last level by the hand that the player has named, where results depend on it."""

    @property
    def all_deals(self) -> int:
        return int(self.root_ways.sum()) * self.deals[0]


class Decided(NamedTuple):
    """The options of one decision with some stakes, and the best of them by node."""

    options: tuple[Option, ...]
    values: tuple[Counts | int, ...]
    """Value of each option by node, summed over the deals of the level; one number where no node differs."""
    chosen: NDArray[np.int8]


class Play(NamedTuple):
    """Best play of a tree."""

    decided: Mapping[tuple[int, Stakes], Decided]
    """By the number of the decision, and the stakes before it."""
    total: int
    """Value of the game, summed over all deals."""


Values = dict[Stakes, Counts | int]


def best_play(tree: Tree, payoffs: Payoffs, courses: Courses) -> Play:
    """Return best play by backward induction; of equal options the first listed is taken."""
    payoffs.require_sums_that_fit(courses.ends, tree.all_deals)
    decided: dict[tuple[int, Stakes], Decided] = {}
    number = len(courses.decisions)
    values = _at_the_end(tree, payoffs, courses)
    first = len(tree.levels) if tree.decisions[-1] else len(tree.levels) - 1
    for level in range(first, -1, -1):
        if level < first:
            values = _summed(tree.levels[level], values, payoffs.scale, tree.deals[level])
        for _ in tree.decisions[level]:
            number -= 1
            offered = {stakes: courses.options(number, stakes) for stakes in courses.before[number]}
            barred = _barred(tree, level, payoffs, offered)
            values = {
                stakes: decide(decided, number, stakes, options, values, barred) for stakes, options in offered.items()
            }
    value = values[courses.first]
    total = (
        value * int(tree.root_ways.sum()) if isinstance(value, int) else int((value[tree.root] * tree.root_ways).sum())
    )
    return Play(decided, total)


def _at_the_end(tree: Tree, payoffs: Payoffs, courses: Courses) -> Values:
    """Return the value of every end: by result if there are decisions at the end or no levels, else by node of the
    last level."""
    by_result = bool(tree.decisions[-1]) or not tree.levels
    deals = 1 if by_result else tree.deals[-2]
    open_ends = [end for end in courses.ends if not end.settled]
    stakes = payoffs.stakes_of(open_ends)
    values: Values = {end: -end.lost * payoffs.scale * deals for end in courses.ends if end.settled}
    table = payoffs.table if by_result or tree.named else tree.levels[-1].summed(payoffs.table)
    for end, units in zip(open_ends, stakes, strict=True):
        wins = units @ table
        if tree.named:
            (wins,) = tree.named[end.named].summed(wins[None])
        values[end] = wins - end.lost * payoffs.scale * deals
    return values


def _summed(level: Level, values: Values, scale: int, deals: int) -> Values:
    """Return values one level nearer to the start."""
    arrays = {stakes: value for stakes, value in values.items() if not isinstance(value, int)}
    found: Values = {stakes: -stakes.lost * scale * deals for stakes in values if stakes not in arrays}
    if arrays:
        found |= dict(zip(arrays, level.summed(np.stack(list(arrays.values()))), strict=True))
    return found


Barred = Mapping[Stakes, NDArray[np.bool_]]
"""The nodes at which the player's hand does not allow an option, by the stakes that follow it."""


def _barred(tree: Tree, level: int, payoffs: Payoffs, offered: Mapping[Stakes, list[Option]]) -> Barred:
    limited = [option for options in offered.values() for option in options if option.ceilings]
    if not limited:
        return {}
    # A hand that a ceiling depends on is complete, so that every result of a node has the same group of it.
    results = np.arange(payoffs.results, dtype=np.int32)
    for below in reversed(tree.levels[level:]):
        results = results[below.child[below.start[:-1]]]
    return {option.then: ~payoffs.allows(option, results) for option in limited}


def decide(
    decided: dict[tuple[int, Stakes], Decided],
    number: int,
    stakes: Stakes,
    options: list[Option],
    values: Values,
    barred: Barred | None = None,
) -> Counts | int:
    """Note the best option of a decision at every node, and return its value; of equal options the first."""
    if not options[0].name:
        return values[options[0].then]
    barred, ends = barred or {}, [option.then for option in options]
    found = tuple(np.where(barred[end], NEVER, values[end]) if end in barred else values[end] for end in ends)
    size = max((len(value) for value in found if not isinstance(value, int)), default=1)
    best: Counts = np.full(size, found[0], dtype=np.int64)
    chosen = np.zeros(size, dtype=np.int8)
    for place, value in enumerate(found[1:], start=1):
        chosen[best < value] = place
        np.maximum(best, value, out=best)
    decided[number, stakes] = Decided(tuple(options), found, chosen)
    return best


# --- counting -----------------------------------------------------------------------------------------------------


class Tally(NamedTuple):
    """The frequency of each end."""

    settled: dict[Stakes, int]
    """Deals by end, where nothing depends on cards any more."""
    played: Mapping[Stakes, Counts]
    """Deals by end and result."""
    choices: dict[tuple[int, str], int]
    """Deals by the number of the decision and the option."""


Reached = Mapping[Stakes, Counts]
"""The ways to each node, by the stakes with which a seat comes there."""


def tally(tree: Tree, courses: Courses, play: Play, results: int) -> Tally:
    """Count every end of a round under best play."""
    nodes = tree.levels[0].nodes if tree.levels else results
    begin = np.zeros(nodes, dtype=np.int64)
    np.add.at(begin, tree.root, tree.root_ways)
    reached: Reached = {courses.first: begin}
    counted = Tally({}, {}, {})
    number = 0
    for level, deals in enumerate(tree.deals):
        for _ in tree.decisions[level]:
            reached = follow(play.decided, number, reached, deals, counted)
            number += 1
        if level < len(tree.levels) and reached:
            size = tree.levels[level + 1].nodes if level + 1 < len(tree.levels) else results
            if tree.named and size == results:
                reached = {end: tree.named[end.named].spread(at[None], size)[0] for end, at in reached.items()}
            else:
                counts = tree.levels[level].spread(np.stack(list(reached.values())), size)
                reached = dict(zip(reached, counts, strict=True))
    return counted._replace(played=reached)


def follow(
    decided: Mapping[tuple[int, Stakes], Decided], number: int, reached: Reached, deals: Counts | int, counted: Tally
) -> Reached:
    """Return the ways to each node after the choices of a decision, and count choices and settled ends; `deals` follow
    each way to a node."""
    then: dict[Stakes, Counts] = {}
    for stakes, ways in reached.items():
        here = decided.get((number, stakes))
        for place, option in enumerate(here.options if here else (Option("", stakes),)):
            taken = np.where(here.chosen == place, ways, 0) if here else ways
            count = int((taken * deals).sum())
            if option.name:
                counted.choices[number, option.name] = counted.choices.get((number, option.name), 0) + count
            if option.then.settled:
                counted.settled[option.then] = counted.settled.get(option.then, 0) + count
            else:
                then[option.then] = then[option.then] + taken if option.then in then else taken
    return then


# --- nodes that are alike ---


def distinct_rows(rows: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the different rows, and the place of each given row among them.

    Words that look random tell rows apart, and a comparison shows that they do.

    >>> distinct_rows(np.array([[1, 2], [3, 4], [1, 2]], dtype=np.int32))[1].tolist() in ([0, 1, 0], [1, 0, 1])
    True
    """
    words = np.random.default_rng(0).integers(1, 1 << 63, size=rows.shape[1], dtype=np.uint64) | np.uint64(1)
    keys = (rows.astype(np.uint64) * words).sum(axis=1, dtype=np.uint64)
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    if not np.array_equal(rows[first][number], rows):
        raise RuntimeError("random words did not tell two positions apart")
    return rows[first], number
