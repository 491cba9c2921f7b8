"""The strategies of a simulated seat by name: best play, the same choice always, a house way, a user's own function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.exact.policy import policy_of
from crossfelt.analysis.exact.reach import Unreachable
from crossfelt.analysis.families import multiples
from crossfelt.analysis.simulation.family_strategies import family_names, family_play
from crossfelt.analysis.simulation.seat_courses import round_plan
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.analysis.strategies.functions import read_function, strategy_of
from crossfelt.analysis.strategies.seen import Play, Seen
from crossfelt.play.scripted.file import HOUSE_WAY
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.house_ways import HouseWay, load_house_way
from crossfelt.rulebooks.script import Decide

ALWAYS: Final = "always-"


def names(game: Game) -> tuple[str, ...]:
    """List the strategies of a seat, the preferred first.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> names(compile_game("nj-pai-gow"))[:2]
    ('house-way', 'casino_real')
    """
    if game.book.splits:
        return (HOUSE_WAY, *house_way_ids())
    return tuple(dict.fromkeys((OPTIMAL, *family_names(game), *(f"{ALWAYS}{choice}" for choice in _choices(game)))))


def usual(game: Game) -> str:
    """Return the strategy of a seat unless one is named: best play, where it is a function of what a seat sees."""
    try:
        play_of(game, names(game)[0])
    except Unreachable:
        return names(game)[1]
    return names(game)[0]


def _choices(game: Game) -> Iterator[str]:
    """Yield the choices that can be made always: multiples of a bet, hands to name, a fold."""
    steps = [step for step in game.book.script if isinstance(step, Decide)]
    bets = [action for step in steps for action in step.actions if action.bet and game.offers(action.bet)]
    named = {hand.id: hand.chosen_of for hand in game.book.hands}
    yield from (hand for action in bets if action.choose for hand in named[action.choose])
    most = [max(action.times or multiples(game.wager(action.bet or "").stake)) for action in bets if not action.choose]
    yield from map(str, range(1, 1 + max(most, default=0)))
    forms = dict.fromkeys(form for step in steps for action in step.actions for form in action.forms)
    yield from (form for form in forms if form not in ("bet", "expose", "forfeit"))


class OwnStrategy(str):
    """The name of a user's function, with the function."""

    __slots__ = ("play",)
    play: Play

    @classmethod
    def of(cls, function: Callable[..., Any]) -> Self:
        """Name a function of what a seat sees; `crossfelt.analysis.strategies.functions` has its forms."""
        own = cls(getattr(function, "__name__", "own"))
        own.play = strategy_of(function)
        return own


def is_function(name: str) -> bool:
    """Say if a strategy is a user's function, such as ``mine.py:play``."""
    return isinstance(name, OwnStrategy) or ".py:" in name


def function_of(name: str) -> Play | None:
    """Return a user's function; None for the name of another strategy."""
    if isinstance(name, OwnStrategy):
        return name.play
    return read_function(name) if is_function(name) else None


def way_of(game: Game, strategy: str) -> HouseWay | None:
    """Return the house way by which a seat sets its hands."""
    if not game.book.splits:
        return None
    return game.house_way if strategy == HOUSE_WAY else load_house_way(strategy)


def play_of(game: Game, name: str) -> Play | None:
    """Return a strategy by name; None of a game without decisions, or whose players set their hands."""
    if game.book.splits or round_plan(game) is None:
        return None
    return function_of(name) or _named(game, name)


@lru_cache(maxsize=64)
def _named(game: Game, name: str) -> Play:
    if name.startswith(ALWAYS):
        return always(name.removeprefix(ALWAYS))
    return family_play(game, name) or policy_of(game)


def always(choice: str) -> Play:
    """Return the strategy that makes the same choice at every decision.

    Where a multiple is not open it makes the largest bet below it, else the smallest bet; where another choice is not
    open it checks, else makes the smallest bet.
    """

    def play(seen: Seen) -> NDArray[np.intp]:
        options, most = seen.options, int(choice) if choice.isdigit() else 0
        wanted = [place for place, name in enumerate(options) if name in (choice, f"{choice}x")]
        bets = [place for place, option in enumerate(seen.choices) if option.times]
        below = [place for place in reversed(bets) if seen.choices[place].times < most]
        quiet = [place for place, name in enumerate(options) if name == "check"]
        order = [*wanted, *below, *(bets if most else quiet), *bets, *quiet, *range(len(options))]
        if any(option.ceilings for option in seen.choices):
            found: NDArray[np.intp] = np.array(order)[seen.allowed[:, order].argmax(axis=1)]
            return found
        return np.full(seen.rounds, order[0], dtype=np.intp)

    return play
