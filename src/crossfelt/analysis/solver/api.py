"""Finds the solver of a game; kernels are imported when they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, Final

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.solution import OPTIMAL, SideBet, Solution
from crossfelt.analysis.what_if import Pay
from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.game import Game, compile_game

SOLVERS: Final[Mapping[str, str]] = {
    "criss_cross": "crossfelt.analysis.solver.criss_cross.solve",
    "pai_gow": "crossfelt.analysis.pai_gow_solution",
    "double_cross": "crossfelt.analysis.solver.double_cross.solve",
}
"""The module that solves each game: it has `solve` and `advise`."""
WITH_STRATEGIES: Final = frozenset({"criss_cross", "double_cross"})
"""Games whose `solve` takes other strategies than the best one."""


def solve(game: Game | str, *, pay: Pay | None = None, known: str = "", strategy: str = OPTIMAL) -> Solution:
    """The exact return of a game, under its best strategy or another one.

    `game` is a compiled game, or a rulebook's id or file. `pay` changes odds for this question, and `known` names a
    card that the player has seen before the first decision. Strategies are known by the names of the table's bots.

    >>> float(round(solve("nj-criss-cross").ev, 6))
    -0.086571
    """
    compiled = _compiled(game)
    other = {} if strategy == OPTIMAL else {"strategy": strategy}
    if other and compiled.book.game not in WITH_STRATEGIES:
        what = "no other strategies are known for this game"
        raise BadInput(Problem(code="strategy.unknown", where="strategy", what=what, value=strategy, allowed=OPTIMAL))
    solution: Solution = _solver(compiled).solve(compiled, pay=pay or {}, known=known, **other)
    return solution


def advise(
    game: Game | str,
    *,
    pay: Pay | None = None,
    bets: Mapping[str, int | str | Fraction] | None = None,
    exact: bool = False,
    **cards: str,
) -> Advice:
    """What each choice is worth in a position: the cards in sight by name, and the bets already made, in antes.

    Where the answer is sampled, `exact` has every possibility gone through instead.

    >>> advise("nj-criss-cross", hole="As Ah").best
    '3x'
    """
    advice: Advice = _solver(game).advise(_compiled(game), pay=pay or {}, bets=bets or {}, cards=cards, exact=exact)
    return advice


def side_bets_of(game: Game) -> dict[str, SideBet]:
    """The wagers of a game that need no decision and whose every outcome is counted."""
    bets: dict[str, SideBet] = _solver(game).side_bets(game)
    return bets


def _compiled(game: Game | str) -> Game:
    return compile_game(game) if isinstance(game, str) else game


def require_solver(game: Game) -> None:
    """BadInput where a game has no exact solution."""
    kind = game.book.game
    if kind not in SOLVERS:
        what, allowed = "this game has no exact solution here", ", ".join(SOLVERS)
        raise BadInput(Problem(code="game.unsolved", what=what, value=kind, allowed=allowed))


def _solver(game: Game | str) -> Any:
    compiled = _compiled(game)
    require_solver(compiled)
    return import_module(SOLVERS[compiled.book.game])
