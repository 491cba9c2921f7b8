"""Best play as a strategy over arrays: what a seat sees in many rounds, and the best choice in each.

A table of the solution gives the value of every choice by node. Values over one last card, and values beside a whole
board, are summed when they are asked for, because a table of these positions would be larger than the sums are slow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver import boards, lines, nodes, sweep
from crossfelt.analysis.solver.boards import HELD, BoardGame
from crossfelt.analysis.solver.courses import Courses, Option, Stakes
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.played_out import tree_of
from crossfelt.analysis.solver.round_plan import DEALER, RoundPlan
from crossfelt.analysis.solver.tree import NEVER, Tree, best_play
from crossfelt.kernels.solver.boards import whole_board_values
from crossfelt.kernels.solver.card_sets import Cards, Counts, changed_pairs, set_kinds, set_number
from crossfelt.kernels.solver.hand_tables import DECK
from crossfelt.kernels.solver.nodes import keys_of
from crossfelt.kernels.solver.position_list import sum_results
from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.strategies.seen import Seen

Places = Mapping[str, Cards]
"""The cards that a seat sees, by place, one for each round."""


class Values(NamedTuple):
    """The value of each option in some positions, summed over the deals that can follow; the preferred of equal options
    first."""

    options: tuple[Option, ...]
    by_option: Counts
    """A row for each option, a column for each position."""
    parts: int
    """The deals that can follow, in the integers of the payoffs: what a value is divided by."""


ValuesAt = Callable[[Places], Values]


def policy_of(game: Game) -> Callable[[Seen], NDArray[np.int64]]:
    """Return best play as a function of what a seat sees; of equal choices the one with the larger stake.

    >>> from crossfelt.analysis.strategies.seen import Seen
    >>> game = compile_game("nj-criss-cross")
    >>> courses = Courses(RoundPlan(game))
    >>> hole = {"hole_1": np.array([51, 0], dtype=np.uint8), "hole_2": np.array([50, 5], dtype=np.uint8)}
    >>> seen = Seen.at(courses, courses.decisions[0], courses.first, hole)
    >>> [seen.options[choice] for choice in policy_of(game)(seen)]
    ['3x', 'fold']
    """
    solver = values_of(game)

    def play(seen: Seen) -> NDArray[np.int64]:
        values = solver(seen.decision, seen.before)(seen.places)
        place = {name: number for number, name in enumerate(seen.options)}
        ours = np.array([place[option.name] for option in values.options])
        by_option = values.by_option
        if any(option.ceilings for option in values.options):
            by_option = np.where(seen.allowed[:, ours].T, by_option, NEVER)
        chosen: NDArray[np.int64] = ours[by_option.argmax(axis=0)]
        return chosen

    return play


@lru_cache(maxsize=8)
def values_of(game: Game) -> Callable[[str, Stakes], ValuesAt]:
    """Return a function from a decision and the stakes before it to the values of its options in any position."""
    payoffs = Payoffs(RoundPlan(game))
    courses = Courses(payoffs.plan)
    number = {step.id: place for place, step in enumerate(courses.every_decision)}
    on_board = BoardGame(payoffs, courses) if payoffs.on_board else None
    tree = None if on_board else tree_of(payoffs)
    by_kind = _by_lines if payoffs.has_lines else _by_hands if payoffs.dealer else _by_nodes

    @lru_cache(maxsize=64)
    def at(decision: str, stakes: Stakes) -> ValuesAt:
        if on_board is not None:
            return _by_board(on_board, number[decision], stakes)
        assert tree is not None
        return by_kind(payoffs, tree, Courses(payoffs.plan, [stakes] * (number[decision] + 1)))

    return at


def _by_board(game: BoardGame, number: int, stakes: Stakes) -> ValuesAt:
    """Return the values of a decision beside a shared board; when all of it is open, by every hand of the dealer."""
    plan = game.payoffs.plan
    opened = next(stage.opened for stage in game.stages if number in stage.decisions)
    board = [place for moment in plan.moments for place in moment.places if place in plan.hidden][:opened]
    options = tuple(game.courses.options(number, stakes))
    if opened == game.board:
        wins = game.payoffs.nets([option.then for option in options])
        deals = comb(DECK - opened - HELD, HELD)

        def beside(places: Places) -> Values:
            own, whole = _together(places, plan.own), _together(places, board)
            found = whole_board_values(own, whole, game.ranking, wins)
            return Values(options, found.T, deals * game.payoffs.scale)

        return beside
    here, kinds = boards.part_nodes(opened), set_kinds(opened)
    each = np.stack([np.asarray(value) // here.ways for value in boards.best_play(game).decided[number, stakes].values])
    parts = game.deals_after(game.levels.index(opened)) * game.payoffs.scale

    def node_of(places: Places) -> NDArray[np.int32]:
        pair = set_number(np.sort(_together(places, plan.own), axis=1))
        shown = set_number(np.sort(_together(places, board), axis=1))
        return here.of_pair[kinds.number[shown], changed_pairs()[kinds.change[shown], pair]]

    return lambda places: Values(options, each[:, node_of(places)], parts)


def _by_lines(payoffs: Payoffs, tree: Tree, rest: Courses) -> ValuesAt:
    """Return the values of the decision of a game with lines of a shared board."""
    of_position, opened = lines.nodes_of(payoffs).of_position, lines.lines_of(payoffs).opened

    def node_of(places: Places) -> NDArray[np.int32]:
        return of_position[lines.position_numbers(_together(places, opened), _together(places, payoffs.plan.own))]

    return _by_node(payoffs, tree, rest, node_of)


def _by_hands(payoffs: Payoffs, tree: Tree, rest: Courses) -> ValuesAt:
    """Return the values of a decision against a dealer's own cards."""
    sides, plan = sweep.sides_of(payoffs), payoffs.plan
    opened = [place for place in plan.moments[0].places if place.startswith(DEALER)]
    of_hand = sweep.nodes_of(payoffs).of_hand

    def node_of(places: Places) -> NDArray[np.int32]:
        return of_hand[sweep.hand_numbers(sides, _together(places, plan.own), _together(places, opened))]

    return _by_node(payoffs, tree, rest, node_of)


def _by_nodes(payoffs: Payoffs, tree: Tree, rest: Courses) -> ValuesAt:
    """Return the values of a decision of a game without a dealer's hand."""
    streets = nodes.require_reach(payoffs)
    level, _ = _level_of(tree, rest)
    columns = [place for block in streets.blocks[: level + 1] for place in block.places]
    hands = [groups.hand.places for groups in payoffs.own]
    entered = np.array([[place in hand for hand in hands] for place in columns], dtype=np.uint8)
    draws = nodes.draws_of(payoffs, streets.blocks[level + 1 :])
    if level == len(tree.levels) - 1 and nodes.one_card_left(streets):
        return _over_one_card(payoffs, rest, columns, np.vstack([entered, draws.enters]))

    def node_of(places: Places) -> NDArray[np.integer]:
        cards = _together(places, columns)
        if level == len(tree.levels):
            return nodes.results_of(payoffs, cards, entered)
        keyed = nodes.positions_of(payoffs)[level]
        return keyed.nodes[np.searchsorted(keyed.keys, keys_of(cards, entered, draws))]

    return _by_node(payoffs, tree, rest, node_of)


def _by_node(payoffs: Payoffs, tree: Tree, rest: Courses, node_of: Callable[[Places], NDArray[np.integer]]) -> ValuesAt:
    """Return the values of a decision from those of each node of its level."""
    level, made = _level_of(tree, rest)
    later = tree._replace(
        root=tree.root[:0],
        root_ways=tree.root_ways[:0],
        levels=tree.levels[level:],
        deals=tree.deals[level:],
        decisions=(tree.decisions[level][made:], *tree.decisions[level + 1 :]),
    )
    decided = best_play(later, payoffs, rest).decided[0, rest.first]
    size = max((len(value) for value in decided.values if not isinstance(value, int)), default=1)
    by_node = np.stack([np.broadcast_to(value, size) for value in decided.values])
    parts = tree.deals[level] * payoffs.scale * rest.unit
    return lambda places: Values(decided.options, by_node[:, node_of(places)], parts)


def _level_of(tree: Tree, rest: Courses) -> tuple[int, int]:
    """Return the level of the next decision, and the number of decisions that were made at it."""
    before = len(rest.every_decision) - len(rest.decisions)
    for level, steps in enumerate(tree.decisions):
        if before < len(steps):
            return level, before
        before -= len(steps)
    raise AssertionError("a decision is at some level")


def _together(places: Places, columns: Sequence[str]) -> Cards:
    """Return the cards at some places, a row for each round."""
    rows = len(next(iter(places.values())))
    return np.array([places[place] for place in columns], dtype=np.uint8).reshape(len(columns), rows).T.copy()


def _over_one_card(payoffs: Payoffs, rest: Courses, columns: list[str], entered: NDArray[np.uint8]) -> ValuesAt:
    """Return the values of a decision before the last card; `entered` has that card's hands in the last row."""
    options = tuple(rest.options(0, rest.first))
    wins = payoffs.nets([option.then for option in options])
    inside = np.ascontiguousarray(entered.T)

    def values(places: Places) -> Values:
        found = sum_results(_together(places, columns), inside, payoffs.tables, wins)
        return Values(options, found.T, (DECK - len(columns)) * payoffs.scale * rest.unit)

    return values
