"""What becomes of a game when its odds, weights or limits are changed, and whether the rulebook permits it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from crossfelt.analysis.solver.api import solve
from crossfelt.analysis.what_if import as_submission, violations_of, with_pay
from crossfelt.errors import BadInput, Problem
from crossfelt.progressive.returns import WagerReturn, spin_return, xtreme_return
from crossfelt.rulebooks.game import Game, problems
from crossfelt.rulebooks.loader import load_shipped
from crossfelt.rulebooks.render.json import describe

TOO_LONG: Final = ("distribution", "exact", "seconds")
"""Parts of a solution that a page does not show."""
REFUSED_ONLY: Final = ("requirement", "limit.amount", "limit.notice")
"""Problems of a submission that still says what is played: its figures are told beside the clause that forbids it."""
OPTIONS: Final = ("flag", "one_of")


class LaboratoryQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game with changes: a submission, and odds that may be anything."""

    rulebook: str
    submission: dict[str, Any] = {}
    pay: dict[str, str] = {}
    """By table and hand: ``{"bets.flush": "7 to 1"}``."""


def laboratory(question: LaboratoryQuestion) -> dict[str, Any]:
    """The exact figures of a changed game, its best play, and every clause that forbids it.

    >>> told = laboratory(LaboratoryQuestion(rulebook="nj-criss-cross", pay={"bets.flush": "7 to 1"}))
    >>> round(told["solution"]["ev"]["value"], 6), told["problems"][0]["clauses"]
    (-0.102287, ('NJC-51',))
    >>> told["strategy"]["AA"], told["options"][2]["path"]
    ({'3x': 1.0}, 'wagers.bonus_spin.paytable')
    """
    game = game_of(question)
    found = solve(game, pay=question.pay)
    described = describe(game)
    return {
        "solution": {name: value for name, value in found.as_data().items() if name not in TOO_LONG},
        "strategy": {
            hand: {choice: float(share) for choice, share in shares.items()}
            for hand, shares in found.by_starting_hand().items()
        },
        "spins": [_spin(name, of) for name, of in _spins(with_pay(game, question.pay))],
        "problems": [msgspec.to_builtins(problem) for problem in violations(question)],
        "submission": as_submission(question.submission, question.pay),
        "game": {name: described[name] for name in ("pays", "wheels")},
        "options": list(_options(game)),
    }


def game_of(question: LaboratoryQuestion) -> Game:
    """The game of a question before its odds are changed; one that may not be played is a game all the same."""
    book = load_shipped(question.rulebook)
    broken = [p for p in problems(book, question.submission) if p.code not in REFUSED_ONLY]
    if broken:
        raise BadInput.of(broken)
    return Game(book, question.submission)


def violations(question: LaboratoryQuestion) -> tuple[Problem, ...]:
    """Everything in which the rulebook refuses the changed game."""
    return violations_of(game_of(question), question.pay)


def _options(game: Game) -> Iterator[dict[str, Any]]:
    """What may be chosen of the wagers of a game: which are offered, on which pay table."""
    for choice in game.book.choices:
        if choice.path.startswith("wagers.") and choice.kind in OPTIONS and choice.path in game.choices:
            value = game.choices[choice.path]
            yield {"path": choice.path, "title": choice.title, "value": value, "of": choice.of or (True, False)}


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
