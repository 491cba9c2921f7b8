"""Best play as a strategy over arrays: what a seat sees in many rounds, and the best choice in each.

A table of the solution gives the value of every choice by node. Values over one last card, and values beside a whole
board, are summed when they are asked for, because a table of these positions would be larger than the sums are slow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver import boards, lines, nodes, sweep
from crossfelt.analysis.solver.board_game import HELD, BoardGame
from crossfelt.analysis.solver.courses import Courses, Option, Stakes
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.played_out import has_lines, shares_a_board, tree_of
from crossfelt.analysis.solver.round_plan import DEALER, RoundPlan
from crossfelt.analysis.solver.tree import NEVER, Tree, best_play
from crossfelt.kernels.solver.card_sets import changed_pairs, classes_of, set_kinds, set_number
from crossfelt.kernels.solver.hand_tables import DECK
from crossfelt.kernels.solver.nodes import Draws
from crossfelt.kernels.solver.positions import keys_of, last_card_values
from crossfelt.kernels.solver.sweep import numbers_beside
from crossfelt.kernels.solver.whole_boards import whole_board_values
from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.strategies.seen import Seen

Counts = NDArray[np.int64]
Cards = NDArray[np.uint8]
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
    on_board = BoardGame(payoffs, courses) if shares_a_board(payoffs) and not has_lines(payoffs) else None
    tree = None if on_board else tree_of(payoffs)
    by_kind = _by_lines if has_lines(payoffs) else _by_hands if payoffs.dealer else _by_nodes

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
        ends = [option.then for option in options]
        lost = np.array([[end.lost * game.payoffs.scale] for end in ends])
        wins = game.payoffs.stakes_of(ends) @ game.payoffs.table - lost
        deals = comb(DECK - opened - HELD, HELD)

        def beside(places: Places) -> Values:
            own = _together(places, list(plan.own))
            found = whole_board_values(own, _together(places, board), game.ranking, wins)
            return Values(options, found.T, deals * game.payoffs.scale)

        return beside
    nodes_here, kinds = boards.part_nodes(opened), set_kinds(opened)
    each = np.stack([np.asarray(v) // nodes_here.ways for v in boards.best_play(game).decided[number, stakes].values])
    parts = game.deals_after(game.levels.index(opened)) * game.payoffs.scale

    def values(places: Places) -> Values:
        pair = set_number(np.sort(_together(places, list(plan.own)), axis=1))
        shown = set_number(np.sort(_together(places, board), axis=1)) if opened else np.zeros(len(pair), dtype=np.int64)
        node = nodes_here.of_pair[kinds.number[shown], changed_pairs()[kinds.change[shown], pair]]
        return Values(options, each[:, node], parts)

    return values


def _by_lines(payoffs: Payoffs, tree: Tree, rest: Courses) -> ValuesAt:
    """Return the values of the decision of a game with lines of a shared board."""
    _, made = _level_of(tree, rest)
    options, by_node = _solved(payoffs, tree, 0, made, rest)
    of_position = lines.nodes_of(payoffs).of_position
    opened, own = list(lines.lines_of(payoffs).opened), list(payoffs.plan.own)

    def values(places: Places) -> Values:
        hole = _together(places, own)
        shown = _together(places, opened) if opened else np.zeros((len(hole), 0), dtype=np.uint8)
        node = of_position[lines.position_numbers(shown, hole)]
        return Values(options, by_node[:, node], tree.deals[0] * payoffs.scale * rest.unit)

    return values


def _by_hands(payoffs: Payoffs, tree: Tree, rest: Courses) -> ValuesAt:
    """Return the values of a decision against a dealer's own cards."""
    sides = sweep.sides_of(payoffs)
    level, made = _level_of(tree, rest)
    plan = payoffs.plan
    opened = [place for place in plan.moments[0].places if place.startswith(DEALER)]
    hands = sweep.hands_beside(sides.own, sides.opened)
    of_hand = sweep.nodes_of(payoffs).of_hand
    options, by_node = _solved(payoffs, tree, level, made, rest)

    def values(places: Places) -> Values:
        own = _together(places, list(plan.own))
        theirs = _together(places, opened) if opened else np.zeros((len(own), 0), dtype=np.uint8)
        node = of_hand[numbers_beside(own, theirs, hands)]
        return Values(options, by_node[:, node], tree.deals[0] * payoffs.scale * rest.unit)

    return values


def _solved(payoffs: Payoffs, tree: Tree, level: int, made: int, rest: Courses) -> tuple[tuple[Option, ...], Counts]:
    """Return the options of a decision, and their values by node of its level."""
    decisions = (tree.decisions[level][made:], *tree.decisions[level + 1 :])
    later = tree._replace(
        root=tree.root[:0],
        root_ways=tree.root_ways[:0],
        levels=tree.levels[level:],
        deals=tree.deals[level:],
        decisions=decisions,
    )
    decided = best_play(later, payoffs, rest).decided[0, rest.first]
    size = max((len(value) for value in decided.values if not isinstance(value, int)), default=1)
    return decided.options, np.stack([np.broadcast_to(value, size) for value in decided.values])


def _by_nodes(payoffs: Payoffs, tree: Tree, rest: Courses) -> ValuesAt:
    """Return the values of a decision of a game without a dealer's hand."""
    streets = nodes.require_reach(payoffs)
    level, made = _level_of(tree, rest)
    columns = [place for block in streets.blocks[: level + 1] for place in block.places]
    hands = [groups.hand.places for groups in payoffs.own]
    entered = np.array([[place in hand for hand in hands] for place in columns], dtype=np.uint8)
    draws = nodes.draws_of(payoffs, [(len(block.places), block.enters) for block in streets.blocks[level + 1 :]])
    if level == len(tree.levels) - 1 and nodes.one_card_left(streets):
        return _over_one_card(payoffs, rest, columns, entered, draws)
    options, by_node = _solved(payoffs, tree, level, made, rest)
    parts = tree.deals[level] * payoffs.scale * rest.unit

    def values(places: Places) -> Values:
        cards = _together(places, columns)
        node = _results(payoffs, cards, entered) if level == len(tree.levels) else _nodes(cards)
        return Values(options, by_node[:, node], parts)

    def _nodes(cards: Cards) -> NDArray[np.int32]:
        keyed = nodes.positions_of(payoffs)[level]
        return keyed.nodes[np.searchsorted(keyed.keys, keys_of(cards, entered, draws))]

    return values


def _level_of(tree: Tree, rest: Courses) -> tuple[int, int]:
    """Return the level of the next decision, and the number of decisions that were made at it."""
    before = len(rest.every_decision) - len(rest.decisions)
    for level, steps in enumerate(tree.decisions):
        if before < len(steps):
            return level, before
        before -= len(steps)
    raise AssertionError("a decision is at some level")


def _together(places: Places, columns: list[str]) -> Cards:
    return np.ascontiguousarray(np.stack([places[place] for place in columns], axis=1))


def _results(payoffs: Payoffs, cards: Cards, entered: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the results of hands that are all complete."""
    none = np.zeros(0, dtype=np.uint8)
    found = np.zeros(len(cards), dtype=np.int64)
    for place, groups in enumerate(payoffs.own):
        own = np.ascontiguousarray(cards[:, entered[:, place] == 1])
        found += prod(payoffs.shape[place + 1 :]) * classes_of(own, groups.table, none).astype(np.int64)
    return found


def _over_one_card(
    payoffs: Payoffs, rest: Courses, columns: list[str], entered: NDArray[np.uint8], draws: Draws
) -> ValuesAt:
    options = tuple(rest.options(0, rest.first))
    ends = [option.then for option in options]
    wins = payoffs.stakes_of(ends) @ payoffs.table - np.array([[end.lost * payoffs.scale] for end in ends])

    def values(places: Places) -> Values:
        cards = _together(places, columns)
        found = last_card_values(cards, entered, draws, wins)
        return Values(options, found.T, (DECK - len(columns)) * payoffs.scale * rest.unit)

    return values
