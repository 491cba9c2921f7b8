"""Strengths of the two hands that seven cards are set as, as comparable numbers, for many hands."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.hands.rank import HandRank
from crossfelt.kernels.house_way.compiler import (
    five_card_ranks,
    five_card_table,
    highest_low,
    low_places,
    steps_of_ranks,
)
from crossfelt.kernels.house_way.decide import ACE, CARDS, Numbers, Table, behind, sort_hand
from crossfelt.kernels.jit import Kernel
from crossfelt.kernels.random_deals import Hands
from crossfelt.kernels.threads import in_shares
from crossfelt.rulebooks.house_ways import two_card_ladder

_SMALLEST_SHARE: Final = 1 << 12


class SetStrengths(NamedTuple):
    """The strengths of set hands: better hands have larger numbers, equal hands the same."""

    high: NDArray[np.int16]
    low: NDArray[np.int16]


def set_strengths(hands: Hands, lows: Hands, *, wheel_second: bool = True) -> SetStrengths:
    """Return the strengths of rows of seven different cards, with two of them in front.

    >>> aces_and_kings = np.array([[51, 50, 47, 46, 1, 6, 11]], dtype=np.uint8)
    >>> high, low = set_strengths(aces_and_kings, aces_and_kings[:, 2:4])
    >>> other = set_strengths(aces_and_kings, aces_and_kings[:, 2:6:3])
    >>> bool(other.low < low), bool(other.high > high)
    (True, True)
    """
    hands, lows = np.ascontiguousarray(hands), np.ascontiguousarray(lows)
    high, low = np.empty(len(hands), dtype=np.int16), np.empty(len(hands), dtype=np.int16)
    tables = steps_of_ranks(), _high_classes(wheel_second), low_places()
    in_shares(
        lambda rows: _rank_set(hands[rows], lows[rows], *tables, high[rows], low[rows]), len(hands), _SMALLEST_SHARE
    )
    return SetStrengths(high, low)


def strength_counts(*, wheel_second: bool = True) -> tuple[int, int]:
    """Return the number of different strengths of high and low hands.

    >>> strength_counts()[1]
    91
    """
    return len(_highs(wheel_second)), len(two_card_ladder())


@cache
def highest_lows(wheel_second: bool) -> NDArray[np.int16]:
    """Return the strength of the highest low hand that is no foul, by the strength of the high hand.

    >>> int(highest_lows(True).max())
    90
    """
    return np.array([highest_low(high) for high in _highs(wheel_second)], dtype=np.int16)


@cache
def _highs(wheel_second: bool) -> list[HandRank]:
    """Return every rank of a high hand, the lowest first."""
    return sorted(set(five_card_ranks(wheel_second).values()))


@cache
def _high_classes(wheel_second: bool) -> Table:
    number = {rank: place for place, rank in enumerate(_highs(wheel_second))}
    return five_card_table(number.__getitem__, wheel_second=wheel_second)


@Kernel
def _rank_set(
    hands: Hands,
    fronts: Hands,
    steps: Numbers,
    highs: Table,
    lows: Numbers,
    high: NDArray[np.int16],
    low: NDArray[np.int16],
) -> None:
    cards = np.empty(CARDS, dtype=np.int64)
    for row in range(hands.shape[0]):
        sort_hand(hands, row, cards)
        lower, higher = -1, -1
        for place in range(CARDS):
            if cards[place] == fronts[row, 0] or cards[place] == fronts[row, 1]:
                lower, higher = higher, place
        high[row] = behind(cards, lower, higher, steps, highs)
        low[row] = lows[min(cards[lower] >> 2, ACE), min(cards[higher] >> 2, ACE)]
