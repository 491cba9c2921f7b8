"""Two hands from one deck: known sums, and plain counting."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest

from crossfelt.cards.card import Card
from crossfelt.hands.joker import rank_no_pair
from crossfelt.kernels.random_deals import deals
from crossfelt.kernels.seven_cards.beside import kinds_beside, rank_sets, suit_ways
from crossfelt.kernels.seven_cards.kinds import KINDS, by_category, counted, kinds

HIGH_CARDS = {7: "nine_high", 8: "ten_high"}


@pytest.mark.parametrize(("rank", "name"), HIGH_CARDS.items())
def test_every_pair_of_hands_is_counted_once(rank: int, name: str) -> None:
    first = by_category(counted(), "joker_high_card")[name]
    assert len(list(rank_sets(rank))) * suit_ways(7, 4) == first
    assert int(kinds_beside(rank).sum()) == first * comb(46, 7)


def test_rank_sets_are_the_hands_that_the_rule_calls_nothing() -> None:
    for ranks in rank_sets(9):
        cards = [Card(4 * rank + place % 4) for place, rank in enumerate(ranks)]
        assert rank_no_pair(cards).category == "jack_high"


def test_suits_without_five_of_one() -> None:
    plain = sum(max(suits.count(suit) for suit in range(3)) < 5 for suits in product(range(3), repeat=6))
    assert suit_ways(6, 3) == plain


def test_the_other_hand_is_dealt_from_what_is_left() -> None:
    """Draw hands beside a nine-high one; every kind must be as frequent as counted."""
    expected = kinds_beside(7).astype(float)
    expected /= expected.sum()
    sets, seen, rounds = list(rank_sets(7)), np.zeros(len(KINDS)), 0
    suits = [way for way in product(range(4), repeat=7) if max(way.count(suit) for suit in range(4)) < 5]
    for number in range(0, len(suits), 60):
        for ranks in sets:
            held = {4 * rank + suit for rank, suit in zip(ranks, suits[number], strict=True)}
            left = [card for card in range(53) if card not in held]
            seen += np.bincount(kinds(deals(f"beside {ranks} {number}", 400, 7, left)), minlength=len(KINDS))
            rounds += 400
    for share, count in zip(expected, seen, strict=True):
        assert abs(count - rounds * share) < 4.5 * (rounds * share * (1 - share)) ** 0.5 + 3


def test_an_ace_is_no_low_high_card() -> None:
    with pytest.raises(ValueError, match="this high card: 12"):
        kinds_beside(12)
