"""Best play of a game by the kernel that its cards ask for, and the number of deals that lead to every end."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from crossfelt.analysis.solver import boards, lines, nodes, sweep
from crossfelt.analysis.solver.boards import HELD, BoardGame
from crossfelt.analysis.solver.courses import Courses
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.tree import Decided, Tally, Tree, best_play, tally
from crossfelt.cards.card import Card
from crossfelt.hands.starting_hands import starting_hand
from crossfelt.kernels.solver.card_sets import Cards, Counts, card_sets, set_kinds


class Starts(NamedTuple):
    """The first decision with each two cards that a seat may begin with, up to suits, beside each open cards."""

    decided: Decided
    hand: Counts
    """The number of the starting hand."""
    place: Counts
    """The place of its values."""
    ways: Counts
    deals: Counts
    """Deals over which the values are summed."""


class Solved(msgspec.Struct, frozen=True, kw_only=True):
    """The counts, and the play under which they were made."""

    payoffs: Payoffs
    courses: Courses
    deals: int
    counted: Tally
    total: int | None = None
    """Value of best play by backward induction, summed over all deals, in the integers of the payoffs."""
    starts: Starts | None = None
    """None where a seat has another number of cards, or no cards yet when it first decides."""


def tree_of(payoffs: Payoffs) -> Tree:
    """Return the tree of a game in which nothing is decided while parts of a shared board are open."""
    if payoffs.has_lines:
        return lines.tree_of(payoffs)
    return sweep.tree_of(payoffs) if payoffs.dealer else nodes.tree_of(payoffs)


def play_out(payoffs: Payoffs, courses: Courses) -> Solved:
    """Solve a game under best play."""
    if payoffs.on_board:
        return _on_boards(BoardGame(payoffs, courses))
    tree = tree_of(payoffs)
    play = best_play(tree, payoffs, courses)
    first = play.decided.get((0, courses.first))
    return Solved(
        payoffs=payoffs,
        courses=courses,
        deals=tree.all_deals,
        total=play.total,
        counted=tally(tree, courses, play, payoffs.results),
        starts=_starts(payoffs, tree, first) if first else None,
    )


def _starts(payoffs: Payoffs, tree: Tree, first: Decided) -> Starts | None:
    if len(payoffs.plan.own) != HELD or not tree.decisions[0]:
        return None
    if payoffs.has_lines:
        hand, place, ways = lines.starts_of(payoffs)
    elif payoffs.dealer or len(payoffs.plan.moments[0].places) != HELD:
        return None
    else:
        kinds = set_kinds(HELD)
        hand, place, ways = _starting_hands(kinds.example), tree.root.astype(np.int64), kinds.ways
    return Starts(first, hand, place, ways, np.full(len(hand), tree.deals[0], dtype=np.int64))


def _starting_hands(cards: Cards) -> Counts:
    return np.array([starting_hand([Card(card) for card in pair]) for pair in cards.tolist()], dtype=np.int64)


def _on_boards(game: BoardGame) -> Solved:
    play = boards.best_play(game)
    hands = boards.part_nodes(0)
    first = play.decided.get((0, game.courses.first)) if game.decisions_at(0) else None
    cards = card_sets(HELD)[hands.pair]
    deals = hands.ways * game.deals_after(0)
    return Solved(
        payoffs=game.payoffs,
        courses=game.courses,
        deals=game.deals,
        total=play.total,
        counted=boards.tally(game, play.decided),
        starts=Starts(first, _starting_hands(cards), np.arange(len(cards)), hands.ways, deals) if first else None,
    )
