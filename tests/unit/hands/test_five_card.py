"""Five-card hands of criss cross and double cross poker."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import comb

import pytest

from crossfelt.cards import Card, parse_cards
from crossfelt.errors import BadInput
from crossfelt.hands.poker import rank_five
from crossfelt.hands.rank import FIVE_CARD_CATEGORIES, HandRank
from oracles import counts, five_card
from oracles.agreement import disagreement
from oracles.classes import suit_classes


def rank(text: str) -> HandRank:
    return rank_five(parse_cards(text))


@pytest.mark.exhaustive
@pytest.mark.clause("NJC-16", "MAC-14", "MAC-15", "MDC-16", "DCP-11")
def test_all_2598960_hands_are_ranked_as_the_oracle_ranks_them() -> None:
    # One hand of each of the 134,459 classes that differ in more than the choice of suits.
    ranked = [(rank_five(list(map(Card, texts))), texts, weight) for texts, weight in suit_classes(5)]
    assert [case for case in ranked if case[0].category != five_card.category_of(case[1])] == []
    assert disagreement((hand, five_card.key_of(texts)) for hand, texts, _ in ranked) == ""
    assert len({hand for hand, _, _ in ranked}) == 7462

    hands: Counter[str] = Counter()
    for hand, _, weight in ranked:
        hands[hand.category] += weight
    assert hands == counts.five_card_counts()
    assert hands.total() == comb(52, 5)


@pytest.mark.clause("NJC-16", "MAC-15", "MDC-16", "DCP-11")
def test_each_category_beats_the_one_below() -> None:
    best_and_worst = [
        ("As Kd Qc Jh 9s", "7s 5d 4c 3h 2s"),
        ("As Ad Kc Qh Js", "2s 2d 5c 4h 3s"),
        ("As Ad Kc Kh Qs", "3s 3d 2c 2h 4s"),
        ("As Ad Ac Kh Qs", "2s 2d 2c 4h 3s"),
        ("As Kd Qc Jh Ts", "As 2d 3c 4h 5s"),
        ("As Ks Qs Js 9s", "7s 5s 4s 3s 2s"),
        ("As Ad Ac Kh Ks", "2s 2d 2c 3h 3s"),
        ("As Ad Ac Ah Ks", "2s 2d 2c 2h 3s"),
        ("Ks Qs Js Ts 9s", "As 2s 3s 4s 5s"),
        ("Ah Kh Qh Jh Th", "Ac Kc Qc Jc Tc"),
    ]
    for category, (best, worst) in zip(FIVE_CARD_CATEGORIES, best_and_worst, strict=True):
        assert rank(best).category == rank(worst).category == category
    for (best, _), (_, worst_above) in pairwise(best_and_worst):
        assert rank(best) < rank(worst_above)


@pytest.mark.clause("NJC-16", "MAC-14", "DCP-11")
def test_an_ace_completes_two_three_four_five_as_the_lowest_straight() -> None:
    wheel = rank("As 2d 3c 4h 5s")
    assert wheel.category == "straight"
    assert rank("As Kd Qc Jh 9s") < wheel < rank("2s 3d 4c 5h 6s")


@pytest.mark.clause("MAC-14", "DCP-11")
def test_an_ace_completes_two_three_four_five_as_the_lowest_straight_flush() -> None:
    wheel = rank("As 2s 3s 4s 5s")
    assert wheel.category == "straight_flush"
    assert rank("As Ad Ac Ah Ks") < wheel < rank("2s 3s 4s 5s 6s")


@pytest.mark.clause("MDC-16")
def test_the_ace_may_be_read_as_high_only_where_the_document_is_silent() -> None:
    def high_only(text: str) -> HandRank:
        return rank_five(parse_cards(text), ace_low_straight=False)

    assert high_only("As 2d 3c 4h 5s").category == "high_card"
    assert high_only("As 2s 3s 4s 5s").category == "flush"
    assert high_only("As Kd Qc Jh Ts") == rank("As Kd Qc Jh Ts")
    assert high_only("2s 3d 4c 5h 6s") == rank("2s 3d 4c 5h 6s")


@pytest.mark.clause("MAC-14")
@pytest.mark.parametrize("text", ["Qs Kd Ac 2h 3s", "Js Qd Kc Ah 2s", "Ks Ad 2c 3h 4s"])
def test_a_straight_does_not_go_round_the_ace(text: str) -> None:
    assert rank(text).category == "high_card"
    suited = [Card(card.text[0] + "h") for card in parse_cards(text)]
    assert rank_five(suited).category == "flush"


@pytest.mark.clause("MAC-14", "MDC-16", "DCP-11")
def test_suits_are_equal() -> None:
    assert rank("As Ks 9s 5s 3s") == rank("Ac Kc 9c 5c 3c")
    assert rank("Ks Kd 9s 5s 3s") == rank("Kh Kc 9c 5c 3c")


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ks Kd 9c 5h 4s", "Kh Kc 9d 5s 3c"),
        ("Ks Kd 9c 9h 3s", "Qh Qc Js Jd Ac"),
        ("Ks Kd 9c 9h 3s", "Kh Kc 8s 8d Ac"),
        ("2s 2d 2c 5h 4s", "2s 2d 2c 5h 3s"),
        ("3s 3d 3c 2h 2s", "2s 2d 2c Ah As"),
        ("As Qd 9c 5h 3s", "As Jd Tc 9h 8s"),
    ],
)
def test_ties_are_broken_by_the_groups_and_then_by_the_highest_other_card(higher: str, lower: str) -> None:
    assert rank(higher) > rank(lower)


@pytest.mark.parametrize("text", ["As Ks Qs Js", "As Ks Qs Js Ts 9s"])
def test_any_other_number_of_cards_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"wrong number of cards: \d \(allowed: 5\)"):
        rank(text)


@pytest.mark.parametrize("texts", [["As", "As", "Qs", "Js", "Ts"], ["As", "Jk", "Qs", "Js", "Ts"]])
def test_a_hand_that_one_deck_of_52_cannot_deal_is_refused(texts: list[str]) -> None:
    with pytest.raises(BadInput):
        rank_five(list(map(Card, texts)))
