"""How seats at Criss Cross Poker decide, in many rounds at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.criss_cross_card import CARD, LONGEST, SHORTEST, card_of
from crossfelt.analysis.criss_cross_induction import Induction, induce
from crossfelt.analysis.criss_cross_plans import PLANS, Plan, bot_plan
from crossfelt.analysis.criss_cross_terms import Terms, terms_of
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.cards.card import Card
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand
from crossfelt.kernels.inputs import Hands
from crossfelt.kernels.prospects import layout, positions, prospects
from crossfelt.rulebooks.game import Game

DECK: Final = 52
Bets = NDArray[np.uint8]
"""A bet as a multiple of the ante, 0 for a fold, in each round."""
Places = NDArray[np.intp]


class Strategy(Protocol):
    """How a seat decides."""

    def decide(self, hole: Hands, seen: Mapping[str, Hands], bets: Mapping[str, Bets]) -> Bets:
        """The next bet, on the player's two cards, the open cards of ``across`` and ``down``, and the bets so far."""


class Always:
    """The same multiple whatever the cards."""

    def __init__(self, times: int) -> None:
        self._times = times

    def decide(self, hole: Hands, seen: Mapping[str, Hands], bets: Mapping[str, Bets]) -> Bets:
        return np.full(len(hole), self._times, dtype=np.uint8)


class BestPlay:
    """What the exact solution says, looked up position by position."""

    def __init__(self, play: Induction) -> None:
        self._play = play
        self._positions = positions(play.terms.grouping)
        self._small = [stakes[0] for stakes in play.terms.stakes]

    def decide(self, hole: Hands, seen: Mapping[str, Hands], bets: Mapping[str, Bets]) -> Bets:
        play, numbers = self._play, _numbers()
        hand = numbers.hand[hole[:, 0], hole[:, 1]]
        if not bets:
            return play.first.take(hand).astype(np.uint8)
        # A bet is the smallest or the largest; what was folded or not asked for is never looked at.
        larger = [bet > small for bet, small in zip(bets.values(), self._small, strict=False)]
        across = pairs_beside(hole, seen["across"])
        if len(bets) == 1:
            row = play.prospects.row_start.take(hand) + across
            return np.asarray(play.second[row, larger[0].astype(np.intp)], dtype=np.uint8)
        down = pairs_beside(hole, seen["down"])
        position = self._positions.start.take(hand) + across * numbers.pairs.take(hand) + down
        prospect = self._positions.prospect.take(position).astype(np.intp)
        return np.asarray(play.third[prospect, 2 * larger[0].astype(np.intp) + larger[1]], dtype=np.uint8)


class ByPlan:
    """A bet for every position, whatever was bet before."""

    def __init__(self, terms: Terms, plan: Plan) -> None:
        self._first, self._second = plan.first, plan.second
        self._row_start = prospects(terms.grouping).row_start
        self._start = positions(terms.grouping).start
        self._third = np.concatenate([plan.third(hole).reshape(-1) for hole in range(len(STARTING_HANDS))])

    def decide(self, hole: Hands, seen: Mapping[str, Hands], bets: Mapping[str, Bets]) -> Bets:
        numbers = _numbers()
        hand = numbers.hand[hole[:, 0], hole[:, 1]]
        if not bets:
            return self._first.take(hand).astype(np.uint8)
        across = pairs_beside(hole, seen["across"])
        if len(bets) == 1:
            return self._second.take(self._row_start.take(hand) + across).astype(np.uint8)
        down = pairs_beside(hole, seen["down"])
        return self._third.take(self._start.take(hand) + across * numbers.pairs.take(hand) + down).astype(np.uint8)


def pairs_beside(hole: Hands, cards: Hands) -> Places:
    """The pair of types that two cards are beside two hole cards, in many rounds."""
    numbers = _numbers()
    hand = numbers.hand[hole[:, 0], hole[:, 1]]
    same_suit = ((cards ^ hole[:, :1]) & 3 == 0).astype(np.intp)
    types = numbers.type[hand[:, None], same_suit, cards >> 2]
    pair: Places = numbers.pair[numbers.suited.take(hand), types[:, 0], types[:, 1]]
    return pair


class _Numbers(NamedTuple):
    """How the solver numbers cards, as tables."""

    hand: Places
    """The starting hand of two cards."""
    suited: Places
    pairs: Places
    """How many pairs of types there are beside each starting hand."""
    type: Places
    """The type of a card, by starting hand, whether it is of the suit of the first card, and rank."""
    pair: Places
    """The number of a pair of types, by whether the starting hand is of one suit."""


@cache
def _numbers() -> _Numbers:
    hand = np.zeros((DECK, DECK), dtype=np.intp)
    for one in range(DECK):
        for two in range(DECK):
            if one != two:
                hand[one, two] = starting_hand((Card(one), Card(two)))
    layouts = [layout(starting) for starting in STARTING_HANDS]
    most_types = max(len(types.rank) for types in layouts)
    type_ = np.zeros((len(layouts), 2, len(layouts[0].rank)), dtype=np.intp)
    pair = np.zeros((2, most_types, most_types), dtype=np.intp)
    for place, (starting, types) in enumerate(zip(STARTING_HANDS, layouts, strict=True)):
        for number, (rank, in_suit) in enumerate(zip(types.rank, types.in_suit, strict=True)):
            type_[place, int(in_suit), rank] = number
            if not starting.suited:
                type_[place, 1, rank] = number
        one, two = types.pairs.T
        pair[int(starting.suited), one, two] = pair[int(starting.suited), two, one] = np.arange(len(types.pairs))
    return _Numbers(
        hand=hand,
        suited=np.array([int(starting.suited) for starting in STARTING_HANDS]),
        pairs=np.array([len(types.pairs) for types in layouts]),
        type=type_,
        pair=pair,
    )


NAMES: Final = (OPTIMAL, *PLANS, *(f"{CARD}{lines}" for lines in range(SHORTEST, LONGEST + 1)))
"""Strategies as `solve` knows them."""


@lru_cache(maxsize=64)
def strategy_of(game: Game, name: str) -> Strategy:
    """A strategy by its name; best play, and the search for a card, are worked out once for a game."""
    if name.startswith("always-"):
        return Always(int(name.removeprefix("always-")))
    terms = terms_of(game)
    if name.startswith(CARD):
        return ByPlan(terms, card_of(game, name.removeprefix(CARD)).plan)
    return ByPlan(terms, bot_plan(game)) if name == "simple" else BestPlay(induce(terms, may_fold=name == OPTIMAL))
