"""Strategies by name, in any game: best play, the best short card found, the same choice always, a file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solution import OPTIMAL, SIMPLE, Solution
from crossfelt.analysis.solver.courses import FOLD, Courses
from crossfelt.analysis.solver.policy import policy_of
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.strategies.cards import LINES, LONGEST_CARD, best_card, lines_of, play_of, read_card
from crossfelt.analysis.strategies.evaluate import solve_with
from crossfelt.analysis.strategies.functions import read_function
from crossfelt.analysis.strategies.seen import Play, Seen
from crossfelt.errors import BadInput
from crossfelt.kernels.threads import Done
from crossfelt.rulebooks.game import Game

CARD: Final = "card-"
"""Prefix of the names of cards: ``card-6`` has at most six lines."""
ALWAYS: Final = "always-"
NEVER_FOLD: Final = "never-fold"


class Strategy(NamedTuple):
    name: str
    play: Play
    own: bool = False
    """True for a function of the user's, which may tell suits apart that make no flush."""
    kept: bool = True
    """True if the name determines the strategy, so that its counts may be kept."""


def strategies_of(game: Game) -> tuple[str, ...]:
    """List the strategies that have a name besides best play; none where players set their hands or decide nothing.

    >>> strategies_of(compile_game("nj-criss-cross"))
    ('simple', 'never-fold', 'always-fold', 'always-1', 'always-2', 'always-3')
    """
    try:
        choices = _choices(game)
    except Unreachable:
        return ()
    if not choices:
        return ()
    return (SIMPLE, *([NEVER_FOLD] if FOLD in choices else []), *(f"{ALWAYS}{choice}" for choice in choices))


def card_names(game: Game) -> tuple[str, ...]:
    """List the names of the best cards with at most a number of lines."""
    return tuple(f"{CARD}{lines}" for lines in range(1, LONGEST_CARD + 1)) if strategies_of(game) else ()


def _choices(game: Game) -> tuple[str, ...]:
    """Return the names of all choices of a game, from the smallest stake; of a multiple its number."""
    courses = Courses(RoundPlan(game))
    found: dict[str, None] = {}
    for number, step in enumerate(courses.decisions):
        for stakes in courses.before[number]:
            for option in reversed(courses.options_at(step, stakes, every=True)):
                found[_short(option.name)] = None
    return tuple(name for name in found if name)


def _short(choice: str) -> str:
    return choice.removesuffix("x") if choice.removesuffix("x").isdigit() else choice


def strategy_named(game: Game, name: str) -> Strategy:
    """Return a strategy by its name."""
    if name in card_names(game):
        return Strategy(name, _card(game, int(name.removeprefix(CARD))))
    if name == OPTIMAL:
        return Strategy(name, policy_of(game))
    if name not in strategies_of(game):
        allowed = ", ".join((OPTIMAL, *strategies_of(game), f"{CARD}1 … {CARD}{LONGEST_CARD}"))
        raise BadInput.at("strategy", "strategy.unknown", "no such strategy", name, allowed)
    play = {SIMPLE: lambda: _card(game, LINES), NEVER_FOLD: lambda: never_fold(policy_of(game))}.get(name)
    return Strategy(name, play() if play else always(name.removeprefix(ALWAYS)))


def read_strategy(game: Game, text: str) -> Strategy:
    """Return a strategy by name, of a card file, or of a function such as ``mine.py:play``."""
    if text.endswith(".json"):
        return Strategy(text, read_card(game, text), kept=False)
    if ":" in text or text.endswith(".py"):
        return Strategy(text, read_function(text), own=True, kept=False)
    return strategy_named(game, text)


def solve_named(game: Game, strategy: Strategy, advance: Done = lambda done, of: None) -> Solution:
    """Return the exact figures of a game under a strategy."""
    return solve_with(game, strategy.play, strategy.name, kept=strategy.kept, all_suits=strategy.own, advance=advance)


@lru_cache(maxsize=16)
def _card(game: Game, lines: int) -> Play:
    return play_of(game, best_card(lines_of(game), lines).lines)


def never_fold(best: Play) -> Play:
    """Return a strategy that makes the smallest bet where it would fold."""

    def play(seen: Seen) -> NDArray[np.int64]:
        chosen = best(seen)
        return np.where(chosen == 0, 1, chosen) if seen.options[0] == FOLD else chosen

    return play


def always(choice: str) -> Play:
    """Return the strategy that makes the same choice at every decision.

    If a multiple is not open, it makes the largest bet below it, or else the smallest bet. If another choice is not
    open, it checks, or else makes the smallest bet.
    """

    def play(seen: Seen) -> NDArray[np.int64]:
        order = list(_order(seen, choice))
        chosen: NDArray[np.int64] = np.array(order)[seen.allowed[:, order].argmax(axis=1)]
        return chosen

    return play


def _order(seen: Seen, choice: str) -> Iterator[int]:
    """Yield the places of choices, the preferred first."""
    most = int(choice) if choice.isdigit() else 0
    yield from (place for place, name in enumerate(seen.options) if _short(name) == choice)
    bets = [place for place, option in enumerate(seen.choices) if option.times]
    yield from (place for place in reversed(bets) if seen.choices[place].times < most)
    quiet = [place for place, name in enumerate(seen.options) if name == "check"]
    yield from (*(bets if most else quiet), *bets, *quiet, *range(len(seen.options)))
