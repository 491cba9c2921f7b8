"""The exact value of each choice in a position, with best play afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.advice import Advice, Chances
from crossfelt.analysis.solution import RulesIdentity
from crossfelt.analysis.solver import nodes, sweep
from crossfelt.analysis.solver.boards import HELD, BoardGame, origins, part_nodes
from crossfelt.analysis.solver.boards import best_play as best_on_boards
from crossfelt.analysis.solver.courses import Option, Stakes
from crossfelt.analysis.solver.lines import chances_at, outcomes_at, values_by_option
from crossfelt.analysis.solver.payoffs import RELATIONS, Payoffs
from crossfelt.analysis.solver.position import Given, Position, read_position
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.solver.tree import NEVER, Tree, best_play
from crossfelt.analysis.what_if import Pay, pay_texts, with_pay
from crossfelt.kernels.solver.boards import PAIRS, sum_boards
from crossfelt.kernels.solver.card_sets import Counts, card_sets, classes_of
from crossfelt.kernels.solver.hand_tables import DECK, HandTable
from crossfelt.kernels.solver.nodes import Level, nodes_from, start_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager


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
    if payoffs.has_lines:
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
    if payoffs.on_board:
        return _beside_board(BoardGame(payoffs, position.courses), position)
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
    blocks: list[nodes.Block] = []
    decisions = [here.decisions[-position.decided_here :]]
    for moment in later:
        coming = [p for p in moment.places if p not in position.seen and (only is None or p in only)]
        for block in nodes.blocks_of(coming, hands):
            blocks.append(block)
            decisions.append(())
        decisions[-1] += moment.decisions
    in_hands = [[int(card) for place, card in position.seen.items() if place in places] for places in hands]
    deals = nodes.deals_of([len(block.places) for block in blocks], DECK - len(position.seen))
    if not blocks:
        root = np.array([_result(payoffs, in_hands)], dtype=np.int32)
        return Tree(root, _ONE[1], (), deals, tuple(decisions))
    draws = nodes.draws_of(payoffs, blocks)
    start = start_of(draws, [int(card) for card in position.seen.values()], in_hands)
    return Tree(*_ONE, tuple(nodes_from(draws, start)[0]), deals, tuple(decisions))


def _against_dealer(payoffs: Payoffs, position: Position) -> Tree:
    """Return the tree of a comparison: every dealer's hand of the cards that are left."""
    sides, plan = sweep.sides_of(payoffs), position.plan
    opened = [int(card) for place, card in position.seen.items() if place in plan.theirs]
    own = [int(card) for place, card in position.seen.items() if place not in plan.theirs]
    counts = sweep.counts_by_suits(payoffs, own) if sides.by_suits else _counts(payoffs, sides, own, opened)
    first = _result(payoffs, [own] * len(payoffs.own))
    child = np.flatnonzero(counts)
    level = Level(np.array([0, len(child)]), (first + child).astype(np.int32), counts[child].astype(np.int64))
    decisions = plan.moments[0].decisions[-position.decided_here :]
    return Tree(*_ONE, (level,), (int(counts.sum()), 1), (decisions, ()))


def _counts(payoffs: Payoffs, sides: sweep.Sides, own: list[int], opened: list[int]) -> NDArray[np.int64]:
    """Return the number of the dealer's hands by group and relation."""
    dealer, mine = payoffs.dealer[0], payoffs.own[payoffs.against("")]
    sets = card_sets(sides.theirs - sides.opened)
    sets = sets[~np.isin(sets, [*own, *opened]).any(axis=1)]
    classes = classes_of(sets, dealer.order.best_of(sides.theirs), np.array(opened, dtype=np.uint8))
    relation = 1 + np.sign(classes - _class(mine.order.best_of(sides.own), own))
    return np.bincount(dealer.of_class[classes] * RELATIONS + relation)


def _result(payoffs: Payoffs, in_hands: list[list[int]]) -> int:
    """Return the first result that has the groups of these hands."""
    return sum(
        prod(payoffs.shape[place + 1 :]) * _class(groups.table, cards)
        for place, (groups, cards) in enumerate(zip(payoffs.own, in_hands, strict=True))
    )


def _class(table: HandTable, cards: list[int]) -> int:
    none: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
    return int(classes_of(np.array([sorted(cards)], dtype=np.uint8), table, none)[0])


# --- a shared board -----------------------------------------------------------------------------------------------


def _beside_board(game: BoardGame, position: Position) -> dict[str, Fraction]:
    """Return the value of each option beside a shared board."""
    plan = position.plan
    if position.seen.keys() & set(plan.theirs):
        raise Unreachable.form(plan.game, "a card of the dealer beside a shared board is known")
    low, high = sorted(int(position.seen[place]) for place in plan.own)
    opened = [int(card) for place, card in position.seen.items() if place not in plan.own]
    pair = high * (high - 1) // 2 + low
    options = game.courses.options(0, game.courses.first)
    if not opened:
        return _before_the_board(game, options, pair)
    return _beside_open_cards(game, options, pair, opened, [low, high])


def _before_the_board(game: BoardGame, options: Sequence[Option], pair: int) -> dict[str, Fraction]:
    """Return the values of the first decision; they take as long as the game itself, and are kept."""
    values = best_on_boards(game).decided[0, game.courses.first].values
    starts = part_nodes(0)
    node = starts.of_pair[0, pair]
    deals = int(starts.ways[node]) * game.deals_after(0) * game.payoffs.scale * game.courses.unit
    return {o.name: Fraction(int(np.asarray(v)[node]), deals) for o, v in zip(options, values, strict=True)}


def _beside_open_cards(
    game: BoardGame, options: Sequence[Option], pair: int, opened: list[int], own: list[int]
) -> dict[str, Fraction]:
    left = [card for card in range(DECK) if card not in opened and card not in own]
    whole = [sorted([*opened, *rest]) for rest in combinations(left, game.board - len(opened))]
    boards = np.array(whole, dtype=np.uint8)
    last = game.decisions_at(game.board)
    choosing = [stakes for stakes in game.arriving if len(game.options_of(stakes)) > 1] if len(boards) > 1 else []
    arriving = game.options(choosing)
    columns = len(game.wins)
    sums = np.zeros((1, PAIRS, columns + len(choosing)), dtype=np.int64)
    ways = np.ones(len(boards), dtype=np.int64)
    sum_boards(boards, ways, game.ranking, game.wins, arriving, origins(game.board, 0), card_sets(HELD), sums)
    found: Counts = sums[0, pair]
    deals = len(boards) * comb(DECK - HELD - game.board, HELD)

    def value(stakes: Stakes) -> int:
        if stakes in choosing:
            return int(found[columns + choosing.index(stakes)])
        if len(boards) > 1 and last and not stakes.settled:
            (stakes,) = (option.then for option in game.options_of(stakes))
        return int(found[:columns] @ game.units_of(stakes)) - stakes.lost * game.payoffs.scale * deals

    parts = deals * game.payoffs.scale * game.courses.unit
    return {option.name: Fraction(value(option.then), parts) for option in options}


# --- one wager ----------------------------------------------------------------------------------------------------


def chances_of(payoffs: Payoffs, position: Position, wager: Wager) -> Chances | None:
    """Return how often a wager wins, pushes and loses if the round is dealt to the end; None before the first card of a
    shared board, or if it is never open at the end."""
    if (wager.id, "") not in payoffs.columns or payoffs.has_lines:
        return None
    if payoffs.on_board:
        reached = _on_boards(payoffs, position)
        return None if reached is None else _shares_of(payoffs, wager, reached)
    hands = [hand for hand in payoffs.plan.hands_of([wager.id]) if not hand.of_dealer]
    tree = tree_at(payoffs, position, only={place for hand in hands for place in hand.places})
    reached = np.ones((1, 1), dtype=np.int64)
    for place, level in enumerate(tree.levels):
        last = place + 1 == len(tree.levels)
        reached = level.spread(reached, payoffs.results if last else tree.levels[place + 1].nodes)
    if not tree.levels:
        reached = np.zeros((1, payoffs.results), dtype=np.int64)
        reached[0, tree.root] = 1
    return _shares_of(payoffs, wager, reached[0])


def _on_boards(payoffs: Payoffs, position: Position) -> Counts | None:
    """Return the deals by result: every end of the board and every pair of the dealer; None if they are too many."""
    plan, dealer = position.plan, payoffs.dealer[0]
    held = [int(position.seen[place]) for place in plan.own]
    opened = [int(card) for place, card in position.seen.items() if place not in plan.own]
    hidden = [place for place in plan.board if place not in position.seen]
    if len(hidden) > _MOST_HIDDEN:
        return None
    table, pairs = payoffs.own[0].order.best_of(len(held) + len(opened) + len(hidden)), card_sets(HELD)
    free = pairs[~np.isin(pairs, [*held, *opened]).any(axis=1)]
    reached = np.zeros(payoffs.results, dtype=np.int64)
    for rest in combinations([card for card in range(DECK) if card not in (*held, *opened)], len(hidden)):
        board = [*opened, *rest]
        classes = classes_of(free, table, np.array(board, dtype=np.uint8))
        classes = classes[classes >= 0]
        mine = _class(table, [*held, *board])
        relation = 1 + np.sign(classes - mine)
        first = int(payoffs.own[0].of_class[mine]) * dealer.number * RELATIONS
        found = np.bincount(dealer.of_class[classes] * RELATIONS + relation)
        reached[first : first + len(found)] += found
    return reached


_MOST_HIDDEN: Final = 2
"""Hidden cards of a shared board up to which every deal is counted."""


def _shares_of(payoffs: Payoffs, wager: Wager, reached: Counts) -> Chances:
    counts: Counter[str] = Counter()
    for settled, _, count in payoffs.outcomes(wager.id, "", reached):
        counts[settled.result] += count
    deals = counts.total()
    return Chances(**{result: Fraction(counts[result], deals) for result in ("win", "push", "lose")})
