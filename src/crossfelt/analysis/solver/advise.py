"""The exact value of each choice in a position, with best play afterwards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.advice import Advice, Chances
from crossfelt.analysis.solution import RulesIdentity
from crossfelt.analysis.solver import board_advice, nodes, sweep
from crossfelt.analysis.solver.board_game import BoardGame
from crossfelt.analysis.solver.line_positions import chances_at, outcomes_at, values_by_option
from crossfelt.analysis.solver.payoffs import RELATIONS, Payoffs
from crossfelt.analysis.solver.played_out import has_lines, shares_a_board
from crossfelt.analysis.solver.position import Given, Position, read_position
from crossfelt.analysis.solver.round_plan import DEALER, RoundPlan
from crossfelt.analysis.solver.tree import NEVER, Tree, best_play
from crossfelt.analysis.what_if import Pay, pay_texts, with_pay
from crossfelt.kernels.solver.card_sets import card_sets, classes_of
from crossfelt.kernels.solver.hand_tables import DECK, HandTable
from crossfelt.kernels.solver.nodes import Level, nodes_from, start_of
from crossfelt.rulebooks.game import Game


def advise(game: Game, *, cards: Mapping[str, str], pay: Pay | None = None, bets: Given | None = None) -> Advice:
    """Return every choice with the expected net result of the round under best play afterwards.

    Cards are named by group or place, and a hidden card that was flashed may be among them. Bets are those before
    the decision, in units of the first wager.

    >>> advise(compile_game("nj-criss-cross"), cards={"hole": "As Ah"}).best
    '3x'
    """
    asked = with_pay(game, pay or {})
    position = read_position(RoundPlan(asked), cards, bets or {})
    payoffs = Payoffs(position.plan)
    chances: dict[str, Chances] = {}
    if has_lines(payoffs):
        values, chances = _on_lines(payoffs, position)
    else:
        values = values_at(payoffs, position)
    # Of equal values the first option is preferred; a reader expects the smallest stake first.
    best = max(values, key=lambda name: values[name])
    return Advice(
        rules=RulesIdentity.of(game, pay=pay_texts(asked, pay or {})),
        decision=position.decision.name,
        best=best,
        actions=dict(reversed(values.items())),
        chances=chances,
    )


def _on_lines(payoffs: Payoffs, position: Position) -> tuple[dict[str, Fraction], dict[str, Chances]]:
    """Return the values, and the results of each line that can be played."""
    counts = outcomes_at(payoffs, {place: int(card) for place, card in position.seen.items()})
    deals = int(counts[0].sum()) * payoffs.scale * position.courses.unit
    found = values_by_option(payoffs, position.courses, counts)
    chances = {name: Chances(**shares) for name, shares in chances_at(payoffs, counts).items() if name in found}
    return {name: Fraction(int(value), deals) for name, value in found.items()}, chances


def values_at(payoffs: Payoffs, position: Position) -> dict[str, Fraction]:
    """Return the value of each option of a position, in units, the preferred of equal ones first."""
    if shares_a_board(payoffs):
        return board_advice.values_at(BoardGame(payoffs, position.courses), position)
    tree = tree_at(payoffs, position)
    decided = best_play(tree, payoffs, position.courses).decided[0, position.courses.first]
    deals = tree.deals[0] * payoffs.scale * position.courses.unit
    found = {
        option.name: value if isinstance(value, int) else int(value[int(tree.root[0])])
        for option, value in zip(decided.options, decided.values, strict=True)
    }
    return {name: Fraction(value, deals) for name, value in found.items() if value != NEVER}


def tree_at(payoffs: Payoffs, position: Position, only: Collection[str] | None = None) -> Tree:
    """Return the tree of what can follow; with `only`, of the cards at some places."""
    return _against_dealer(payoffs, position) if payoffs.dealer else _by_blocks(payoffs, position, only)


_ONE = np.zeros(1, dtype=np.int32), np.ones(1, dtype=np.int64)
"""The root of a tree that begins in one position."""


def _by_blocks(payoffs: Payoffs, position: Position, only: Collection[str] | None) -> Tree:
    """Return the tree of what can follow in a game without a dealer's hand."""
    hands = [groups.hand.places for groups in payoffs.own]
    here, *later = position.plan.moments[position.moment :]
    blocks: list[tuple[int, tuple[bool, ...]]] = []
    decisions = [here.decisions[-position.decided_here :]]
    for moment in later:
        coming = [p for p in moment.places if p not in position.seen and (only is None or p in only)]
        for block in nodes.blocks_of(coming, hands):
            blocks.append((len(block.places), block.enters))
            decisions.append(())
        decisions[-1] += moment.decisions
    in_hands = [[int(card) for place, card in position.seen.items() if place in places] for places in hands]
    left, ways = DECK - len(position.seen), []
    for size, _ in blocks:
        ways.append(comb(left, size))
        left -= size
    deals = tuple(prod(ways[place:]) for place in range(len(ways) + 1))
    if not blocks:
        root = np.array([_result(payoffs, in_hands)], dtype=np.int32)
        return Tree(root, _ONE[1], (), deals, tuple(decisions))
    draws = nodes.draws_of(payoffs, blocks)
    start = start_of(draws, [int(card) for card in position.seen.values()], in_hands)
    return Tree(*_ONE, tuple(nodes_from(draws, start)[0]), deals, tuple(decisions))


def _against_dealer(payoffs: Payoffs, position: Position) -> Tree:
    """Return the tree of a comparison: every dealer's hand of the cards that are left."""
    sides = sweep.sides_of(payoffs)
    opened = [int(card) for place, card in position.seen.items() if place.startswith(DEALER)]
    own = [int(card) for place, card in position.seen.items() if not place.startswith(DEALER)]
    rest = sides.theirs - len(opened)
    dealer, mine = payoffs.dealer[0], payoffs.own[payoffs.against("")]
    sets = card_sets(rest)
    sets = sets[~np.isin(sets, [*own, *opened]).any(axis=1)]
    classes = classes_of(sets, dealer.order.best_of(sides.theirs), np.array(opened, dtype=np.uint8))
    relation = 1 + np.sign(classes - _class(mine.order.best_of(sides.own), own))
    counts = np.bincount(dealer.of_class[classes] * RELATIONS + relation)
    first = _result(payoffs, [own] * len(payoffs.own))
    child = np.flatnonzero(counts)
    level = Level(np.array([0, len(child)]), (first + child).astype(np.int32), counts[child].astype(np.int64))
    decisions = position.plan.moments[0].decisions[-position.decided_here :]
    return Tree(*_ONE, (level,), (len(sets), 1), (decisions, ()))


def _result(payoffs: Payoffs, in_hands: list[list[int]]) -> int:
    """Return the first result that has the groups of these hands."""
    return sum(
        prod(payoffs.shape[place + 1 :]) * _class(groups.table, cards)
        for place, (groups, cards) in enumerate(zip(payoffs.own, in_hands, strict=True))
    )


def _class(table: HandTable, cards: list[int]) -> int:
    none: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
    return int(classes_of(np.array([sorted(cards)], dtype=np.uint8), table, none)[0])
