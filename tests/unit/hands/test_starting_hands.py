"""The 169 starting hands against all 1,326 deals of two cards."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from crossfelt.cards import Card
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand


def test_every_two_cards_are_one_of_169_as_often_as_it_says() -> None:
    dealt = Counter(starting_hand((Card(one), Card(two))) for one, two in permutations(range(52), 2))
    assert len(STARTING_HANDS) == len(dealt) == 169
    assert [dealt[place] for place in range(169)] == [2 * hand.ways for hand in STARTING_HANDS]


def test_a_hand_is_found_by_its_own_cards() -> None:
    for place, hand in enumerate(STARTING_HANDS):
        assert starting_hand(hand.cards) == starting_hand(hand.cards[::-1]) == place
