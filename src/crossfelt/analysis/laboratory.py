"""The figures of a game with changed odds, weights or limits, and the rules that forbid the changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from crossfelt.analysis.solver.api import at_antes, solve, wheel_returns
from crossfelt.analysis.strategy_grid import grid_of_solution
from crossfelt.analysis.what_if import as_submission, violations_of, with_pay
from crossfelt.errors import BadInput, Problem
from crossfelt.games.round_stakes import ante_range
from crossfelt.progressive.returns import WagerReturn
from crossfelt.rulebooks.game import Game, problems
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.render.json import describe

TOO_LONG: Final = ("distribution", "exact", "seconds")
"""Parts of a solution that the page does not need."""
REFUSED_ONLY: Final = ("requirement", "limit.amount", "limit.notice")
"""Problems that forbid a submission but still leave a playable game, whose figures the page shows."""
OPTIONS: Final = ("flag", "one_of")


class LaboratoryQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game with a submission and any changed odds."""

    rulebook: str
    submission: dict[str, Any] = {}
    pay: dict[str, str] = {}
    """Odds by pay table and line: ``{"bets.flush": "7 to 1"}``."""


def laboratory(book: Rulebook, question: LaboratoryQuestion) -> dict[str, Any]:
    """Compute the figures and best play of a changed game, and list every clause that forbids it.

    >>> question = LaboratoryQuestion(rulebook="nj-criss-cross", pay={"bets.flush": "7 to 1"})
    >>> from crossfelt.rulebooks.loader import load
    >>> told = laboratory(load(question.rulebook), question)
    >>> round(told["solution"]["ev"]["value"], 6), told["problems"][0]["clauses"]
    (-0.102287, ('NJC-51',))
    >>> told["grid"]["AA"]["shares"], told["options"][2]["path"]
    ({'3x': 1.0}, 'wagers.bonus_spin.paytable')
    """
    game = game_of(book, question)
    found = solve(game, pay=question.pay)
    if found.holds_to_cents is not None and (greatest := ante_range(game)[1]) > found.holds_to_cents:
        found = at_antes(game, found, [greatest])
    described = describe(game)
    return {
        "solution": {name: value for name, value in found.as_data().items() if name not in TOO_LONG},
        "grid": msgspec.to_builtins(grid_of_solution(found)),
        "spins": [_spin(wheel.wager, found) for wheel, found in wheel_returns(with_pay(game, question.pay))],
        "problems": [msgspec.to_builtins(problem) for problem in violations(book, question)],
        "submission": as_submission(question.submission, question.pay),
        "game": {name: described[name] for name in ("pays", "wheels", "wagers", "script")},
        "options": list(_options(game)),
    }


def game_of(book: Rulebook, question: LaboratoryQuestion) -> Game:
    """Return the game before its odds are changed, even if the rulebook forbids it."""
    broken = [p for p in problems(book, question.submission) if p.code not in REFUSED_ONLY]
    if broken:
        raise BadInput(*broken)
    return Game(book, question.submission)


def violations(book: Rulebook, question: LaboratoryQuestion) -> tuple[Problem, ...]:
    """List every rule that forbids the changed game."""
    return violations_of(game_of(book, question), question.pay)


def _options(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the operator's choices of wagers and pay tables."""
    for choice in game.book.choices:
        if choice.path.startswith("wagers.") and choice.kind in OPTIONS and choice.path in game.choices:
            value = game.choices[choice.path]
            yield {"path": choice.path, "title": choice.title, "value": value, "of": choice.of or (True, False)}


def _spin(wager: str, found: WagerReturn) -> Mapping[str, Any]:
    average = found.average_meter_cents
    return {
        "wager": wager,
        "stake_cents": found.stake_cents,
        "return_without_meter": float(found.fixed),
        "long_run": float(found.long_run),
        "average_meter_cents": None if average is None else float(average),
        "house_edge": float(1 - found.long_run),
    }
