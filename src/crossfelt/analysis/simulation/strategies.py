"""The strategies of a simulated seat by name: best play, the same choice always, a house way, a user's own function."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Self

from crossfelt.analysis.simulation.seat_courses import round_plan
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.strategies.functions import read_function, strategy_of
from crossfelt.analysis.strategies.named import card_names, read_strategy, strategies_of
from crossfelt.analysis.strategies.seen import Play
from crossfelt.play.scripted.file import HOUSE_WAY
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.house_ways import HouseWay, load_house_way


def names(game: Game) -> tuple[str, ...]:
    """List the strategies of a seat, the preferred first.

    >>> names(compile_game("nj-pai-gow"))[:2]
    ('house-way', 'casino_real')
    """
    if game.book.splits:
        return (HOUSE_WAY, *house_way_ids())
    return (OPTIMAL, *card_names(game), *strategies_of(game))


def usual(game: Game) -> str:
    """Return the strategy of a seat unless one is named: best play, where it is a function of what a seat sees."""
    try:
        play_of(game, names(game)[0])
    except Unreachable:
        return names(game)[-1]
    return names(game)[0]


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
    """Say if a strategy is a user's own: a function such as ``mine.py:play``, or the file of a card."""
    return isinstance(name, OwnStrategy) or ".py:" in name or name.endswith(".json")


def function_of(name: str) -> Play | None:
    """Return a user's function; None for the name of another strategy."""
    if isinstance(name, OwnStrategy):
        return name.play
    return read_function(name) if ".py:" in name else None


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
    return read_strategy(game, name).play
