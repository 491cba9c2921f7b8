"""The strategies of a simulated seat by name: best play, the same choice always, a house way, a user's own function."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Any, Self

import numpy as np

from crossfelt.analysis.simulation.seat_courses import round_plan
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.analysis.solver.courses import Option, Stakes
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.strategies.functions import read_function, strategy_of
from crossfelt.analysis.strategies.named import card_names, read_strategy, strategies_of
from crossfelt.analysis.strategies.seen import Play, Seen
from crossfelt.cards.card import Card
from crossfelt.cards.notation import format_cards
from crossfelt.errors import BadInput
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.kernels.house_way.strengths import highest_lows, set_strengths
from crossfelt.kernels.random_deals import Hands
from crossfelt.play.scripted.file import HOUSE_WAY
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.house_ways import HouseWay, load_house_way
from crossfelt.rulebooks.script import SetHands


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


# --- hands that a seat sets ---


Setter = Callable[[Hands], Hands]
"""Returns the cards in front of each row of cards."""


def setter_of(game: Game, strategy: str) -> Setter:
    """Return the way in which a seat sets its hands."""
    play = function_of(strategy)
    if play is not None:
        return _by_function(game, play)
    way = way_of(game, strategy)
    assert way is not None
    return lambda hands: set_hands(way, hands).low


class _SplitPlan(RoundPlan):
    """The plan of a round in which players set their hands. It is never solved, so it need not be in reach."""

    def _require_reach(self) -> None:
        pass


def _by_function(game: Game, play: Play) -> Setter:
    step = next(step for step in game.book.script if isinstance(step, SetHands) and step.who == "players")
    pairs = list(combinations(range(len(game.hand_places)), 2))
    nothing = Stakes((), (), ())
    options = tuple(Option(f"{first + 1} {second + 1}", nothing) for first, second in pairs)
    plan, front = _SplitPlan(game), np.array(pairs)

    def lows(hands: Hands) -> Hands:
        places = {place: hands[:, column] for column, place in enumerate(game.hand_places)}
        chosen = play(Seen(plan, step.id, options, places, {}, nothing))
        low: Hands = np.take_along_axis(hands, front[chosen], axis=1)
        _refuse_fouls(game, hands, low)
        return low

    return lows


def _refuse_fouls(game: Game, hands: Hands, lows: Hands) -> None:
    """Refuse a low hand above the high hand."""
    wheel_second = bool(game.settings["wheel_second_highest"])
    made = set_strengths(hands, lows, wheel_second=wheel_second)
    for row in np.flatnonzero(made.low > highest_lows(wheel_second)[made.high]).tolist():
        shown = f"{format_cards(map(Card, lows[row].tolist()))} of {format_cards(map(Card, hands[row].tolist()))}"
        what = "the strategy sets a foul: the low hand ranks above the high hand"
        raise BadInput.at("strategy", "strategy.foul", what, shown)
