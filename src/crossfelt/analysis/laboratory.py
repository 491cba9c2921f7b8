"""What becomes of a game when its odds, weights or limits are changed, and whether the rulebook permits it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from crossfelt.analysis.question import with_pay
from crossfelt.analysis.solving import solve
from crossfelt.problems import Problem
from crossfelt.progressive.returns import WagerReturn, spin_return, xtreme_return
from crossfelt.rulebooks.game import Game, compile_game, problems
from crossfelt.rulebooks.loading import shipped

TOO_LONG: Final = ("distribution", "exact", "seconds")
"""Parts of a solution that a page does not show."""


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game with changes: a submission that must hold, and odds that may be anything."""

    rulebook: str
    submission: dict[str, Any] = {}
    pay: dict[str, str] = {}
    """By table and hand: ``{"bets.flush": "7 to 1"}``."""


def laboratory(question: Question) -> dict[str, Any]:
    """The exact figures of a changed game, and every clause that forbids it.

    >>> told = laboratory(Question(rulebook="nj-criss-cross", pay={"bets.flush": "7 to 1"}))
    >>> round(told["solution"]["ev"]["value"], 6), told["problems"][0]["clauses"]
    (-0.102287, ('NJC-51',))
    """
    game = compile_game(shipped(question.rulebook), question.submission)
    solution = solve(game, pay=question.pay).as_data()
    return {
        "solution": {name: value for name, value in solution.items() if name not in TOO_LONG},
        "spins": [_spin(name, of) for name, of in _spins(with_pay(game, question.pay))],
        "problems": [msgspec.to_builtins(problem) for problem in _forbidden(question)],
        "submission": _as_submission(question),
    }


def _as_submission(question: Question) -> dict[str, Any]:
    """The same changes as a submission states them."""
    pays: dict[str, dict[str, str]] = {}
    for path, odds in question.pay.items():
        table, _, hand = path.rpartition(".")
        pays.setdefault(table, {})[hand] = odds
    return {**question.submission, "pays": pays} if pays else question.submission


def _forbidden(question: Question) -> Iterator[Problem]:
    return problems(shipped(question.rulebook), _as_submission(question))


def _spins(game: Game) -> Iterator[tuple[str, WagerReturn]]:
    """Every wheel on offer for one bettor alone."""
    for wheel in game.wheels:
        if wheel.ring == "spin":
            yield wheel.wager, spin_return(game, wheel)
        elif wheel.ring == "hot_spot":
            yield wheel.wager, xtreme_return(game, wheel.stake_cents)


def _spin(wager: str, of: WagerReturn) -> Mapping[str, Any]:
    average = of.average_meter_cents
    return {
        "wager": wager,
        "stake_cents": of.stake_cents,
        "return_without_meter": float(of.fixed),
        "long_run": float(of.long_run),
        "average_meter_cents": None if average is None else float(average),
        "house_edge": float(1 - of.long_run),
    }
