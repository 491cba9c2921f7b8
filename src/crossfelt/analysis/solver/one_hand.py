"""Entry points of the solver for games whose players set no hands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from crossfelt.analysis.solution import SideBet
from crossfelt.analysis.solver import lines, nodes, sweep
from crossfelt.analysis.solver.advise import advise
from crossfelt.analysis.solver.boards import BoardGame
from crossfelt.analysis.solver.courses import Courses
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.policy import values_of
from crossfelt.analysis.solver.position import Given, read_position
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.solver.side_bets import side_bets_of
from crossfelt.analysis.solver.solve import ExactSolution, at_antes, solve
from crossfelt.cards.card import Card
from crossfelt.cards.notation import format_cards, parse_cards
from crossfelt.kernels.solver.hand_tables import DECK
from crossfelt.rulebooks.game import Game

__all__ = ["ExactSolution", "advise", "at_antes", "choices_by_hole", "require_reach", "side_bets", "solve"]


def choices_by_hole(
    game: Game, *, bets: Given, cards: Mapping[str, str]
) -> Callable[[Sequence[Card]], tuple[str, Mapping[str, Fraction]]]:
    """Return a function from own cards to the best choice and the values, beside the open cards."""
    plan = RoundPlan(game)
    open_cards = {card for text in cards.values() for card in parse_cards(text)}
    left = [card for card in map(Card, range(DECK)) if card not in open_cards]
    holes = list(combinations(left, len(plan.own)))
    first = dict(zip(plan.own, (format_cards([card]) for card in holes[0]), strict=True))
    position = read_position(plan, {**first, **cards}, bets)
    seen = {place: np.full(len(holes), card, dtype=np.uint8) for place, card in position.seen.items()}
    seen |= dict(zip(plan.own, np.array(holes, dtype=np.uint8).T, strict=True))
    found = values_of(game)(position.decision.id, position.courses.first)(seen)
    names = [option.name for option in found.options]
    rows = dict(zip(map(frozenset, holes), found.by_option.T.tolist(), strict=True))
    parts = found.parts * position.courses.unit

    def choice(hole: Sequence[Card]) -> tuple[str, Mapping[str, Fraction]]:
        values = dict(zip(names, (Fraction(value, parts) for value in rows[frozenset(hole)]), strict=True))
        return max(names, key=lambda name: values[name]), dict(reversed(values.items()))

    return choice


def side_bets(game: Game) -> dict[str, SideBet]:
    """Return the side bets with an exact figure."""
    plan = RoundPlan(game)
    return dict(side_bets_of(plan, Payoffs(plan)).solved)


def require_reach(game: Game, known: str = "") -> None:
    """Raise BadInput, with the reason, if the game has no exact solution; nothing is counted yet."""
    plan = RoundPlan(game, known)
    payoffs, courses = Payoffs(plan), Courses(plan)
    if payoffs.has_lines:
        lines.lines_of(payoffs)
    elif payoffs.on_board:
        BoardGame(payoffs, courses)
    elif payoffs.dealer:
        sweep.sides_of(payoffs)
    else:
        nodes.require_reach(payoffs)
    payoffs.require_sums_that_fit(courses.ends, 1)


def keeps_its_counts(game: Game) -> bool:
    """Say if the counts of a game do not depend on its odds, so that another pay table is a sum over them."""
    return not Payoffs(RoundPlan(game)).on_board
