"""The exact solver in the form in which commands ask a solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.exact import nodes, sweep
from crossfelt.analysis.exact.advise import advise as advise_exactly
from crossfelt.analysis.exact.board_game import BoardGame
from crossfelt.analysis.exact.courses import Courses
from crossfelt.analysis.exact.payoffs import Payoffs
from crossfelt.analysis.exact.played_out import shares_a_board
from crossfelt.analysis.exact.position import Given
from crossfelt.analysis.exact.round_plan import RoundPlan
from crossfelt.analysis.exact.side_bets import side_bets_of
from crossfelt.analysis.exact.solve import ExactSolution, solve
from crossfelt.analysis.solution import SideBet
from crossfelt.analysis.what_if import Pay
from crossfelt.cards.card import Card
from crossfelt.cards.notation import format_cards
from crossfelt.rulebooks.game import Game

__all__ = ["ExactSolution", "advise", "choices_by_hole", "require_reach", "side_bets", "solve"]


def advise(game: Game, *, pay: Pay, bets: Given, cards: Mapping[str, str], exact: bool = True) -> Advice:
    """Return the value of each choice in a position; always exact."""
    return advise_exactly(game, cards=cards, pay=pay, bets=bets)


def choices_by_hole(
    game: Game, *, bets: Given, cards: Mapping[str, str]
) -> Callable[[Sequence[Card]], tuple[str, Mapping[str, Fraction]]]:
    """Return a function from own cards to the best choice and the values, beside the open cards."""
    own = RoundPlan(game).own

    def choice(hole: Sequence[Card]) -> tuple[str, Mapping[str, Fraction]]:
        held = {place: format_cards([card]) for place, card in zip(own, hole, strict=True)}
        advice = advise_exactly(game, cards={**held, **cards}, bets=bets)
        return advice.best, advice.actions

    return choice


def side_bets(game: Game) -> dict[str, SideBet]:
    """Return the side bets with an exact figure."""
    plan = RoundPlan(game)
    return dict(side_bets_of(plan, Payoffs(plan)).solved)


def require_reach(game: Game) -> None:
    """Raise BadInput, with the reason, if the game has no exact solution; nothing is counted yet."""
    plan = RoundPlan(game)
    payoffs, courses = Payoffs(plan), Courses(plan)
    if shares_a_board(payoffs):
        BoardGame(payoffs, courses)
    elif payoffs.dealer:
        sweep.sides_of(payoffs)
    else:
        nodes.require_reach(payoffs)
    payoffs.require_sums_that_fit(courses.ends, 1)
