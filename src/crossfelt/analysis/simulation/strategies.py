"""The strategies of a simulated seat by name: best play, the same choice always, a house way, a user's own function."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.exact.payoffs import Payoffs
from crossfelt.analysis.exact.played_out import shares_a_board
from crossfelt.analysis.exact.policy import policy_of
from crossfelt.analysis.families import multiples
from crossfelt.analysis.simulation.family_strategies import family_names, family_play
from crossfelt.analysis.simulation.seat_courses import round_plan
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.analysis.strategies.seen import Play, Seen
from crossfelt.play.scripted.file import HOUSE_WAY
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.house_ways import HouseWay, house_way_ids, load_house_way
from crossfelt.rulebooks.script import Decide

ALWAYS: Final = "always-"


def names(game: Game) -> tuple[str, ...]:
    """List the strategies of a seat; the first is the default.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> names(compile_game("nj-pai-gow"))[:2]
    ('house-way', 'foxwoods')
    """
    if game.book.splits:
        return (HOUSE_WAY, *house_way_ids())
    best = (OPTIMAL,) if has_best_play(game) else ()
    return tuple(dict.fromkeys((*best, *family_names(game), *(f"{ALWAYS}{choice}" for choice in _choices(game)))))


@lru_cache(maxsize=64)
def has_best_play(game: Game) -> bool:
    """Say if best play is a function of what a seat sees."""
    if family_names(game):
        return True
    plan = round_plan(game)
    return plan is None or not shares_a_board(Payoffs(plan))


def _choices(game: Game) -> Iterator[str]:
    """Yield the choices that can be made always: multiples of a bet, hands to name, a fold."""
    steps = [step for step in game.book.script if isinstance(step, Decide)]
    bets = [action for step in steps for action in step.actions if action.bet and game.offers(action.bet)]
    named = {hand.id: hand.chosen_of for hand in game.book.hands}
    yield from (hand for action in bets if action.choose for hand in named[action.choose])
    most = [max(action.times or multiples(game.wager(action.bet or "").stake)) for action in bets if not action.choose]
    yield from map(str, range(1, 1 + max(most, default=0)))
    yield from dict.fromkeys(
        form for step in steps for action in step.actions for form in action.forms if form != "bet"
    )


def way_of(game: Game, strategy: str) -> HouseWay | None:
    """Return the house way by which a seat sets its hands."""
    if not game.book.splits:
        return None
    return game.house_way if strategy == HOUSE_WAY else load_house_way(strategy)


@lru_cache(maxsize=64)
def play_of(game: Game, name: str) -> Play | None:
    """Return a strategy by name; None of a game without decisions, or whose players set their hands."""
    if game.book.splits or round_plan(game) is None:
        return None
    if name.startswith(ALWAYS):
        return always(name.removeprefix(ALWAYS))
    return family_play(game, name) or policy_of(game)


def always(choice: str) -> Play:
    """Return the strategy that makes the same choice at every decision: this one or, where it is not open, the largest
    bet below it; else the smallest bet, else no bet."""

    def play(seen: Seen) -> NDArray[np.intp]:
        options = seen.options
        wanted = [place for place, name in enumerate(options) if name in (choice, f"{choice}x")]
        most = int(choice) if choice.isdigit() else 0
        bets = [place for place, option in enumerate(seen.choices) if option.times]
        below = [place for place in reversed(bets) if seen.choices[place].times < most]
        quiet = [place for place, name in enumerate(options) if name == "check"]
        order = [*wanted, *below, *bets, *quiet, *range(len(options))]
        found = np.full(seen.rounds, order[0], dtype=np.intp)
        if any(option.ceilings for option in seen.choices):
            open_ = seen.allowed[:, order]
            found = np.array(order)[open_.argmax(axis=1)]
        return found

    return play
