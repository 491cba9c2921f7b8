"""The setting of hands in many rounds: by a house way, or by a user's function of the cards.

A function gets what the seat sees, as at any decision. Its options are the cards in front by their numbers: ``1 2`` …
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.strategies import function_of, way_of
from crossfelt.analysis.solver.courses import Option, Stakes
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.strategies.seen import Play, Seen
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput, Problem
from crossfelt.games.rules import rules_of
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.kernels.random_deals import Hands
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import SetHands

Setter = Callable[[Hands], Hands]
"""Returns the cards in front of each row of cards."""
ACE: Final = 12
PAIR, BETTER = 200, 300


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
    """Refuse a low hand above the high hand. Most settings are lawful by their pairs and high cards alone."""
    in_front = (hands[:, :, None] == lows[:, None, :]).any(axis=2)
    high = hands[~in_front].reshape(len(hands), -1)
    for row in np.flatnonzero(_standing(lows) > _standing(high)).tolist():
        cards, low = ([Card(int(card)) for card in some[row]] for some in (hands, lows))
        if rules_of(game).set(cards, low).foul:
            what = "the strategy sets a foul: the low hand ranks above the high hand"
            shown = f"{' '.join(map(str, low))} of {' '.join(map(str, cards))}"
            raise BadInput(Problem(code="strategy.foul", where="strategy", what=what, value=shown))


def _standing(cards: Hands) -> NDArray[np.int64]:
    """Return a number by which high cards and pairs compare; straights and flushes are left out."""
    ranks = -np.sort(-np.minimum(cards >> 2, ACE).astype(np.int64), axis=1)
    equal = ranks[:, 1:] == ranks[:, :-1]
    pairs, first = equal.sum(axis=1), equal.argmax(axis=1)
    paired = np.take_along_axis(ranks, first[:, None], axis=1)[:, 0]
    return np.select([pairs == 0, pairs == 1], [13 * ranks[:, 0] + ranks[:, 1], PAIR + paired], BETTER)
