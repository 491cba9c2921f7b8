"""The named strategies of Criss Cross and Double Cross Poker, as functions of what a seat sees."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.families import family_of
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.analysis.solver.criss_cross.induction import Induction, induce
from crossfelt.analysis.solver.criss_cross.payoffs import CrissCrossPayoffs, terms_of
from crossfelt.analysis.solver.criss_cross.strategies import PLANS, FixedStrategy, thumb_plan
from crossfelt.analysis.solver.criss_cross.strategy_card import CARD, LONGEST, SHORTEST, card_of
from crossfelt.analysis.solver.double_cross.payoffs import CHOICES
from crossfelt.analysis.solver.double_cross.positions import position_of
from crossfelt.analysis.solver.double_cross.strategies import CARDS, STRATEGIES, strategy_named
from crossfelt.analysis.strategies.seen import Play, Seen
from crossfelt.cards.card import RANKS, SUITS, Card
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand
from crossfelt.hands.strength import PAIRS
from crossfelt.kernels.array_checks import Hands
from crossfelt.kernels.criss_cross.continuations import continuations, layout, positions
from crossfelt.rulebooks.game import Game


def family_names(game: Game) -> tuple[str, ...]:
    """List the strategies that `solve` knows besides best play."""
    match family_of(game):
        case "criss_cross":
            return (*PLANS, *(f"{CARD}{lines}" for lines in range(SHORTEST, LONGEST + 1)))
        case "double_cross":
            return (*STRATEGIES, *CARDS)
        case _:
            return ()


def family_play(game: Game, name: str) -> Play | None:
    """Return a strategy by name; None where best play is found in another way."""
    match family_of(game):
        case "criss_cross" if name != OPTIMAL:
            return _criss_cross(game, name)
        case "double_cross" if name != OPTIMAL:
            return _double_cross(game, name)
        case _:
            return None


def _criss_cross(game: Game, name: str) -> Play:
    terms = terms_of(game)
    found: CrissCrossStrategy
    if name.startswith(CARD):
        found = ByPlan(terms, card_of(game, name.removeprefix(CARD)).plan)
    else:
        found = ByPlan(terms, thumb_plan(game)) if name == "simple" else BestPlayStrategy(induce(terms, may_fold=False))

    def play(seen: Seen) -> NDArray[np.intp]:
        cards = seen.cards
        open_ = {"across": ("across_left", "across_right"), "down": ("down_far", "down_near")}
        lines = {
            line: np.stack([cards[place] for place in places], axis=1)
            for line, places in open_.items()
            if places[0] in cards
        }
        bets = {
            wager: np.full(seen.rounds, seen.stakes[wager], dtype=np.uint8) for wager in open_ if wager in seen.stakes
        }
        times = found.decide(cards["hole"], lines, bets)
        return np.array([option.times for option in seen.choices]).searchsorted(times)

    return play


def _double_cross(game: Game, name: str) -> Play:
    strategy = DoubleCrossStrategy(strategy_named(name, game))

    def play(seen: Seen) -> NDArray[np.intp]:
        taken = strategy.choose(seen.cards["hole"], seen.cards["down_far"], seen.cards["across_right"])
        return np.array([seen.options.index(name) for name in CHOICES]).take(taken)

    return play


DECK_CARDS: Final = 52
Bets = NDArray[np.uint8]
"""Bets as multiples of the ante, 0 for a fold, by round."""
Places = NDArray[np.intp]


class CrissCrossStrategy(Protocol):
    """Decides for a seat."""

    def decide(self, hole: Hands, seen: Mapping[str, Hands], bets: Mapping[str, Bets]) -> Bets:
        """Return the next bets, given the hole cards, the open cards of ``across`` and ``down``, and earlier bets."""


class BestPlayStrategy:
    """Looks up the exact solution, position by position."""

    def __init__(self, play: Induction) -> None:
        self._play = play
        self._positions = positions(play.terms.grouping)
        self._small = [stakes[0] for stakes in play.terms.stakes]

    def decide(self, hole: Hands, seen: Mapping[str, Hands], bets: Mapping[str, Bets]) -> Bets:
        play, numbers = self._play, _numbers()
        hand = numbers.hand[hole[:, 0], hole[:, 1]]
        if not bets:
            return play.first.take(hand).astype(np.uint8)
        # Every bet is the smallest or the largest; entries after a fold are never read.
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
    """Looks up a bet for every position, independent of earlier bets."""

    def __init__(self, terms: CrissCrossPayoffs, plan: FixedStrategy) -> None:
        self._first, self._second = plan.first, plan.second
        self._row_start = continuations(terms.grouping).row_start
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
    """Return the pair of types of two cards beside two hole cards, by round."""
    numbers = _numbers()
    hand = numbers.hand[hole[:, 0], hole[:, 1]]
    same_suit = ((cards ^ hole[:, :1]) & 3 == 0).astype(np.intp)
    types = numbers.type[hand[:, None], same_suit, cards >> 2]
    pair: Places = numbers.pair[numbers.suited.take(hand), types[:, 0], types[:, 1]]
    return pair


class _Numbers(NamedTuple):
    """The solver's numbering of cards, as arrays."""

    hand: Places
    """Starting hand of two cards."""
    suited: Places
    pairs: Places
    """Number of pairs of types beside each starting hand."""
    type: Places
    """Type of a card, by starting hand, suit of the first card (or another) and rank."""
    pair: Places
    """Number of a pair of types, by suitedness of the starting hand."""


@cache
def _numbers() -> _Numbers:
    hand = np.zeros((DECK_CARDS, DECK_CARDS), dtype=np.intp)
    for one in range(DECK_CARDS):
        for two in range(DECK_CARDS):
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


Choices = NDArray[np.uint8]
"""Index of a choice of `crossfelt.analysis.solver.double_cross.payoffs`, by round."""
Cards = NDArray[np.uint8]


class DoubleCrossStrategy:
    """Looks up a choice for every position."""

    def __init__(self, choices: NDArray[np.int8]) -> None:
        self._choices = choices

    def choose(self, hole: Hands, top: Cards, right: Cards) -> Choices:
        """Return the line or a fold, given the hole cards and the two open cards."""
        swapped = hole[:, 0] >> 2 < hole[:, 1] >> 2
        high, low = (np.where(swapped, hole[:, one], hole[:, 1 - one]) for one in (1, 0))
        pair = _pairs()[low >> 2, high >> 2]
        is_pair = (high >> 2 == low >> 2).astype(np.intp)
        way = _ways()[is_pair, top & 3, right & 3, high & 3, low & 3]
        return np.asarray(self._choices[top >> 2, right >> 2, pair, way], dtype=np.uint8)


@cache
def _pairs() -> NDArray[np.intp]:
    """Return the number of each pair of ranks, the lower first."""
    pairs = np.zeros((len(RANKS), len(RANKS)), dtype=np.intp)
    for number, (low, high) in enumerate(PAIRS):
        pairs[low, high] = number
    return pairs


@cache
def _ways() -> NDArray[np.intp]:
    """Return the suit pattern of a position, by pair in the hand and the suits of top, right, high and low card."""
    ways = np.zeros((2, *[len(SUITS)] * 4), dtype=np.intp)
    for is_pair in (0, 1):
        for top, right, high, low in product(range(len(SUITS)), repeat=4):
            # Any ranks work if no card is repeated.
            ranks = (0, 1, 3, 3) if is_pair else (0, 1, 3, 2)
            cards = [Card(4 * rank + suit) for rank, suit in zip(ranks, (top, right, high, low), strict=True)]
            if len(set(cards)) == len(cards):
                ways[is_pair, top, right, high, low] = position_of(cards[2:], cards[0], cards[1])[3]
    return ways
