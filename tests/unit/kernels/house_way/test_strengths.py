"""Strengths of pai gow hands, against the rule that ranks them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from crossfelt.cards.card import Card
from crossfelt.games.split_hands import HighLowHand, set_hand
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.kernels.house_way.strengths import set_strengths
from crossfelt.kernels.random_deals import deals


def _hands(rows: Sequence[Sequence[int]], lows: Sequence[Sequence[int]], wheel_second: bool) -> list[HighLowHand]:
    return [
        set_hand([Card(card) for card in row], [Card(card) for card in low], wheel_second=wheel_second)
        for row, low in zip(rows, lows, strict=True)
    ]


@pytest.mark.parametrize("wheel_second", [True, False])
def test_numbers_order_hands_as_the_rule_does(wheel_second: bool) -> None:
    seven = deals("order", 4000, 7, 53)
    low = set_hands("trump_plaza", seven).low
    strengths = set_strengths(seven, low, wheel_second=wheel_second)
    plain = _hands(seven.tolist(), low.tolist(), wheel_second)
    by_high = sorted(range(len(plain)), key=lambda row: plain[row].high)
    by_low = sorted(range(len(plain)), key=lambda row: plain[row].low)
    for one, other in pairwise(by_high):
        assert (plain[one].high < plain[other].high) == (strengths.high[one] < strengths.high[other])
    for one, other in pairwise(by_low):
        assert (plain[one].low < plain[other].low) == (strengths.low[one] < strengths.low[other])


def test_the_place_of_the_wheel_is_a_setting() -> None:
    def straight(*ranks: int) -> list[int]:
        return [4 * rank + place % 3 for place, rank in enumerate(ranks)]

    wheel, kings = straight(12, 0, 1, 2, 3), straight(11, 10, 9, 8, 7)
    rest = [27, 18]  # no part of either hand
    rows = np.array([wheel + rest, kings + rest], dtype=np.uint8)
    lows = np.array([rest, rest], dtype=np.uint8)
    second = set_strengths(rows, lows, wheel_second=True).high
    lowest = set_strengths(rows, lows, wheel_second=False).high
    assert second[0] > second[1]
    assert lowest[0] < lowest[1]


def test_the_order_of_the_cards_does_not_matter() -> None:
    seven = deals("any", 500, 7, 53)
    low = set_hands("foxwoods", seven).low
    turned = np.ascontiguousarray(seven[:, ::-1])
    one, other = set_strengths(seven, low), set_strengths(turned, np.ascontiguousarray(low[:, ::-1]))
    assert (one.high == other.high).all()
    assert (one.low == other.low).all()
