"""How seats at Double Cross Poker decide, in many rounds at once."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.double_cross_play import best_play
from crossfelt.analysis.double_cross_positions import position_of
from crossfelt.analysis.double_cross_strategies import CARDS, STRATEGIES, strategy_named
from crossfelt.analysis.double_cross_terms import terms_of
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.cards.card import RANKS, SUITS, Card
from crossfelt.hands.strength import PAIRS
from crossfelt.kernels.inputs import Hands
from crossfelt.rulebooks.game import Game

Choices = NDArray[np.uint8]
"""A place among the choices of `crossfelt.analysis.double_cross_terms`, in each round."""
Cards = NDArray[np.uint8]


class Strategy:
    """How a seat decides, looked up position by position."""

    def __init__(self, choices: NDArray[np.int8]) -> None:
        self._choices = choices

    def choose(self, hole: Hands, top: Cards, right: Cards) -> Choices:
        """Which line, or a fold, on the player's two cards and the two that lie open."""
        swapped = hole[:, 0] >> 2 < hole[:, 1] >> 2
        high, low = (np.where(swapped, hole[:, one], hole[:, 1 - one]) for one in (1, 0))
        pair = _pairs()[low >> 2, high >> 2]
        is_pair = (high >> 2 == low >> 2).astype(np.intp)
        way = _ways()[is_pair, top & 3, right & 3, high & 3, low & 3]
        return np.asarray(self._choices[top >> 2, right >> 2, pair, way], dtype=np.uint8)


@cache
def _pairs() -> NDArray[np.intp]:
    """The number of two ranks, the lower first."""
    pairs = np.zeros((len(RANKS), len(RANKS)), dtype=np.intp)
    for number, (low, high) in enumerate(PAIRS):
        pairs[low, high] = number
    return pairs


@cache
def _ways() -> NDArray[np.intp]:
    """The suits of a position, by whether the hole cards are a pair, and the suits of top, right, high and low card."""
    ways = np.zeros((2, *[len(SUITS)] * 4), dtype=np.intp)
    for is_pair in (0, 1):
        for top, right, high, low in product(range(len(SUITS)), repeat=4):
            # Any ranks will do, as long as no card comes twice.
            ranks = (0, 1, 3, 3) if is_pair else (0, 1, 3, 2)
            cards = [Card(4 * rank + suit) for rank, suit in zip(ranks, (top, right, high, low), strict=True)]
            if len(set(cards)) == len(cards):
                ways[is_pair, top, right, high, low] = position_of(cards[2:], cards[0], cards[1])[3]
    return ways


NAMES: Final = (OPTIMAL, *STRATEGIES, *CARDS)
"""Strategies as `solve` knows them."""


@lru_cache(maxsize=64)
def strategy_of(game: Game, name: str) -> Strategy:
    """A strategy by its name."""
    return Strategy(best_play(terms_of(game)).choices if name == OPTIMAL else strategy_named(name, game))
