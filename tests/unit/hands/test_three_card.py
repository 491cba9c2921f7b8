"""Three-card hands of double cross poker."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from crossfelt.cards import parse_cards, standard_deck
from crossfelt.hands.poker import rank_three
from crossfelt.hands.rank import HandRank
from oracles import counts, three_card
from oracles.agreement import disagreement


def rank(text: str) -> HandRank:
    return rank_three(parse_cards(text))


@pytest.mark.exhaustive
@pytest.mark.clause("DCP-12")
def test_all_22100_hands_are_ranked_as_the_oracle_ranks_them() -> None:
    hands = list(combinations(standard_deck(), 3))
    ranked = [(rank_three(hand), [card.text for card in hand]) for hand in hands]
    assert [pair for pair in ranked if pair[0].category != three_card.category_of(pair[1])] == []
    assert disagreement((hand, three_card.key_of(texts)) for hand, texts in ranked) == ""
    assert Counter(hand.category for hand, _ in ranked) == counts.three_card_counts()


@pytest.mark.clause("DCP-12")
@pytest.mark.parametrize("text", ["Kd Ah 2s", "2d Kh As", "Ad 2h Ks"])
def test_king_ace_two_is_not_a_straight(text: str) -> None:
    assert rank(text).category == "high_card"


@pytest.mark.clause("DCP-12")
def test_king_ace_two_of_one_suit_is_a_flush() -> None:
    assert rank("Kh Ah 2h").category == "flush"


@pytest.mark.clause("DCP-12")
def test_the_ace_is_below_the_two_or_above_the_king() -> None:
    assert rank("Ad 2h 3s").category == rank("Qd Kh As").category == "straight"
    assert rank("Ah 2h 3h").category == rank("Qh Kh Ah").category == "straight_flush"
    assert rank("Ad 2h 3s") < rank("2d 3h 4s") < rank("Qd Kh As")


@pytest.mark.clause("DCP-12")
def test_two_suits_are_enough_for_a_straight() -> None:
    assert rank("4h 5h 6s").category == "straight"


@pytest.mark.clause("DCP-12")
def test_the_order_is_that_of_the_pay_table() -> None:
    high_to_low = ["4h 5h 6h", "2h 2d 2s", "4h 5h 6s", "2h 4h 7h", "2h 2d 4s", "Ah Kd Js"]
    ranks = [rank(text) for text in high_to_low]
    assert ranks == sorted(ranks, reverse=True)
    assert [hand.category for hand in ranks] == [
        "straight_flush",
        "three_of_a_kind",
        "straight",
        "flush",
        "pair",
        "high_card",
    ]
