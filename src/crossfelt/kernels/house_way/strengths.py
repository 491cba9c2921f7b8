"""Strengths of the two hands that seven cards are set as, as comparable numbers, for many hands.

The rule is `rank_joker_five`, which ranks one hand of each class once. The joker is a rank of its own above the ace,
so that three ranks (`_THREES`) and two (`_TWOS`) index every high hand in one grid, and every suited one in another, as
for five-card hands.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.cards.card import JOKER as JOKER_CARD
from crossfelt.cards.card import Card
from crossfelt.games.split_hands import HighLowHand
from crossfelt.hands.joker import rank_joker_five
from crossfelt.hands.rank import HandRank
from crossfelt.kernels.array_checks import Hands, require_shape
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads, share_count, share_of
from crossfelt.rulebooks.house_ways import two_card_ladder

_JOKER: Final = 52
_ACE: Final = 12
_JOKER_RANK: Final = 13
_CARDS: Final = 7
_SMALLEST_SHARE: Final = 1 << 12

_THREES: Final = tuple(combinations_with_replacement(range(_JOKER_RANK + 1), 3))
_TWOS: Final = tuple(combinations_with_replacement(range(_JOKER_RANK + 1), 2))

Numbers = NDArray[np.int16]
Starts = NDArray[np.int32]


class SetStrengths(NamedTuple):
    """The strengths of set hands: better hands have larger numbers, equal hands the same."""

    high: Numbers
    low: Numbers


def set_strengths(hands: Hands, lows: Hands, *, wheel_second: bool = True) -> SetStrengths:
    """Return the strengths of rows of seven different cards, with two of them in front.

    >>> aces_and_kings = np.array([[51, 50, 47, 46, 1, 6, 11]], dtype=np.uint8)
    >>> high, low = set_strengths(aces_and_kings, aces_and_kings[:, 2:4])
    >>> other = set_strengths(aces_and_kings, aces_and_kings[:, 2:6:3])
    >>> bool(other.low < low), bool(other.high > high)
    (True, True)
    """
    hands, lows = require_shape(hands, _CARDS), require_shape(lows, 2)
    high, low = np.empty(len(hands), dtype=np.int16), np.empty(len(hands), dtype=np.int16)
    tables, shares = _tables(wheel_second), share_count(len(hands), _SMALLEST_SHARE)

    def work(share: int) -> None:
        rows = share_of(len(hands), share, shares)
        _rank_set(hands[rows], lows[rows], *tables, high[rows], low[rows])

    in_threads(work, shares)
    return SetStrengths(high, low)


def strength_counts(*, wheel_second: bool = True) -> tuple[int, int]:
    """Return the number of different strengths of high and low hands.

    >>> strength_counts()[1]
    91
    """
    tables = _tables(wheel_second)
    return int(tables.highs.max()) + 1, int(tables.lows.max()) + 1


class _Tables(NamedTuple):
    threes: Starts
    """Row offset of three ranks, four bits for each rank."""
    twos: Starts
    """Column of two ranks."""
    highs: NDArray[np.int16]
    """Classes of high hands: not suited, and suited."""
    lows: Numbers
    """Class of a low hand, by its two ranks."""


@cache
def _tables(wheel_second: bool) -> _Tables:
    threes, twos = np.zeros(1 << 12, dtype=np.int32), np.zeros(1 << 8, dtype=np.int32)
    lows = np.zeros(1 << 8, dtype=np.int16)
    for row, three in enumerate(_THREES):
        for x, y, z in permutations(three):
            threes[x << 8 | y << 4 | z] = row * len(_TWOS)
    place_of = {low.ranks: place for place, low in enumerate(two_card_ladder())}
    for column, ranks in enumerate(_TWOS):
        low = sorted((min(rank, _ACE) for rank in ranks), reverse=True)
        for x, y in permutations(ranks):
            twos[x << 4 | y] = column
            lows[x << 4 | y] = place_of[tuple(low if low[0] != low[1] else low[:1])]
    return _Tables(threes, twos, _high_classes(wheel_second), lows)


@cache
def highest_lows(wheel_second: bool) -> Numbers:
    """Return the strength of the highest low hand that is no foul, by the strength of the high hand.

    >>> int(highest_lows(True).max())
    90
    """
    ladder = two_card_ladder()
    highs = sorted({rank for one_suit in (False, True) for rank in _ranked(one_suit, wheel_second).values()})
    return np.array([_first_foul(high, ladder) - 1 for high in highs], dtype=np.int16)


def _first_foul(high: HandRank, ladder: Sequence[HandRank]) -> int:
    return bisect_left(ladder, True, key=lambda low: HighLowHand(high=high, low=low).foul)


@cache
def _high_classes(wheel_second: bool) -> NDArray[np.int16]:
    ranked = [_ranked(one_suit, wheel_second) for one_suit in (False, True)]
    every = sorted(set().union(*(hands.values() for hands in ranked)))
    number = {rank: place for place, rank in enumerate(every)}
    grids = np.full((2, len(_THREES), len(_TWOS)), -1, dtype=np.int16)
    for one_suit, hands in enumerate(ranked):
        for row, three in enumerate(_THREES):
            for column, two in enumerate(_TWOS):
                rank = hands.get(tuple(sorted(three + two)))
                if rank is not None:
                    grids[one_suit, row, column] = number[rank]
    return grids.reshape(2, -1)


def _ranked(one_suit: bool, wheel_second: bool) -> dict[tuple[int, ...], HandRank]:
    """Rank one hand of each class by the rule, by its ranks."""
    hands: dict[tuple[int, ...], HandRank] = {}
    for ranks in combinations_with_replacement(range(_JOKER_RANK + 1), 5):
        natural = [rank for rank in ranks if rank != _JOKER_RANK]
        # Equal ranks are adjacent, so these suits never repeat a card except for five of a rank.
        suits = [0] * 5 if one_suit else [0, 1, 2, 3, 0]
        cards = [Card(4 * rank + suit) for rank, suit in zip(natural, suits, strict=False)]
        if len(set(cards)) == len(natural) >= 4:
            hands[ranks] = rank_joker_five((*cards, *[JOKER_CARD] * (5 - len(natural))), wheel_second=wheel_second)
    return hands


@part_of_kernel
def high_class(five: NDArray[np.int64], threes: Starts, twos: Starts, highs: Numbers) -> int:
    """Return the class of five cards, in any order."""
    suits = 0
    for card in five:
        suits |= 0 if card == _JOKER else 1 << (card & 3)
    row = threes[five[0] >> 2 << 8 | five[1] >> 2 << 4 | five[2] >> 2]
    column = twos[five[3] >> 2 << 4 | five[4] >> 2]
    high: int = highs[1 if suits & suits - 1 == 0 else 0, row + column]
    return high


@Kernel
def _rank_set(
    hands: Hands,
    fronts: Hands,
    threes: Starts,
    twos: Starts,
    highs: Numbers,
    lows: Numbers,
    high: Numbers,
    low: Numbers,
) -> None:
    five = np.empty(_CARDS, dtype=np.int64)
    for row in range(hands.shape[0]):
        first, second, place = fronts[row, 0], fronts[row, 1], 0
        for card in hands[row]:
            five[place] = card
            place += card != first and card != second
        high[row] = high_class(five[:5], threes, twos, highs)
        low[row] = lows[first >> 2 << 4 | second >> 2]
