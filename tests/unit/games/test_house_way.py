"""House ways: what goes in front, which rule put it there, and never a foul."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest

from crossfelt.cards import JOKER, Card, joker_deck, parse_cards
from crossfelt.errors import BadInput
from crossfelt.games.house_way import HandSetter, Holding, house_way
from crossfelt.games.split_hands import HighLowHand, set_hand
from crossfelt.hands.joker import rank_joker_five
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.house_ways import house_way_from_data
from oracles import house_ways as oracle
from oracles.pai_gow_hands import key_of
from properties import given, settings, st

WAYS = ("foxwoods", "trump_plaza", "mgm", "flamingo", "casino_real")

# What tells the published house ways apart: the faces in front, for each of WAYS.
DISTINGUISHING = {
    "9c 9d 3h 3s Kc 8d 2h": "33 K8 33 33 33",
    "5c 5d 3h 3s Qc 9d 2h": "33 33 Q9 Q9 Q9",
    "Jc Jd 4h 4s Ac 9d 2h": "44 A9 A9 A9 A9",
    "Tc Td Th 2s 2c Ad Kh": "22 AK AK AK 22",
    "Jc Jd Jh Js Ac 9d 2h": "JJ A9 JJ JJ A9",
    "8c 8d 8h 8s Kc 9d 2h": "K9 K9 88 88 K9",
    "8c 8d 8h 8s Qc 9d 2h": "88 88 88 88 Q9",
}

NATURAL = {
    # no pair
    "Ac Kd 9h 7s 5c 4d 2h": "K9 K9 K9 K9 K9",
    "Ac Kd 9h 8s 7c 6d 5h": "AK AK AK AK AK",
    "Kh Qh 9h 7h 5h 4h 2h": "KQ KQ KQ KQ KQ",
    "Jh 8h 7h 6h 3h 5c 4d": "J8 J8 J8 54 J8",
    "As 2s 3s 4s 5s 6d Kh": "AK AK AK AK AK",
    "As 2s 3s 4s 5s 6d Th": "AT AT AT T6 AT",
    "As Ks Qs Js Ts 4d 2h": "42 42 42 42 42",
    "As Ks Qs Js Ts 9d 8h": "AK AK AK AK AK",
    # one pair
    "9c 9d Ah Ks 7c 5d 2h": "AK AK AK AK AK",
    "2c 2d Ah Ks 7c 5d 9h": "AK AK AK AK AK",
    "9c 9d 8h 7s 6c 5d 2h": "92 92 92 92 92",
    "Tc Td 9h 8s 7c 6d 5h": "TT TT TT TT TT",
    "Qs Qh As 9s 5s 2s 3d": "A9 Q3 A9 Q3 Q3",
    "9s 9h As Ks 5s 2s 3d": "93 93 93 93 93",
    "Kc Kd Qh Js Tc 9d Ah": "AK AK AK AK AK",
    "Tc Td Ah 5s 4c 3d 2h": "TT TT A5 TT TT",
    "As Ks Qs Js Ts Kd 4h": "AQ K4 AQ K4 K4",
    # two pair
    "5c 5d 3h 3s Kc 9d 2h": "K9 K9 K9 K9 K9",
    "5c 5d 3h 3s Jc 9d 2h": "33 33 J9 J9 33",
    "6c 6d 5h 5s 4c 3d 2h": "55 55 65 65 55",
    "5c 5d 4h 4s 3c 2d Ah": "A3 A3 A3 A3 A3",
    "9c 9d 3h 3s Ac 8d 2h": "A8 A8 A8 A8 A8",
    "9c 9d 8h 8s Kc 4d 2h": "88 88 88 88 88",
    "9c 9d 8h 8s Ac 4d 2h": "A4 A4 A4 A4 A4",
    "9s 8s 7s 6s 5s 9d 8h": "88 88 88 98 88",
    "7c 7d 3h 3s Kc 9d 2h": "33 K9 33 33 K9",
    "7c 7d 3h 3s Qc 9d 2h": "33 33 33 33 33",
    "Kc Kd 6h 6s Ac 8d 2h": "66 A8 A8 66 66",
    "Jc Jd 4h 4s Kc 9d 2h": "44 44 44 44 44",
    "Jc Jd 9h 9s Ac 4d 2h": "99 99 99 99 A4",
    "Kc Kd Qh Qs Ac 4d 2h": "QQ QQ QQ QQ QQ",
    "Ac Ad 4h 4s Kc 9d 2h": "44 44 44 44 44",
    "As Ks Qs Js Ts Ad Kd": "KK KK KK KK KK",
    "Kc Kd 8h 8s 5c 5d Ah": "KK KK KK KK KK",
    # three of a kind
    "8c 8d 8h Ks 9c 5d 2h": "K9 K9 K9 K9 K9",
    "9c 9d 9h 8s 7c 6d 5h": "99 99 99 99 99",
    "9s 8s 7s 6s 5s 9d 9h": "99 99 99 99 99",
    "As Ks Qs Js Ts Ad Ah": "AA AA AA AA AA",
    "Ac Ad Ah Ks 9c 5d 2h": "AK AK AK AK AK",
    "Kc Kd Kh 9s 9c 9d 5h": "KK KK KK KK KK",
    # full house
    "Tc Td Th 3s 3c Ad Kh": "33 33 33 33 33",
    "Tc Td Th 2s 2c Ad Qh": "22 22 22 22 22",
    "Tc Td Th 5s 5c 8d 8h": "88 88 88 88 88",
    "Ac Ad Ah Ks Kc Qd Qh": "KK KK KK KK KK",
    # four of a kind
    "4c 4d 4h 4s Jc 9d 2h": "J9 J9 J9 J9 J9",
    "5c 5d 5h 5s 8c 8d 2h": "88 88 88 88 88",
    "8c 8d 8h 8s Jc 9d 2h": "88 88 88 88 88",
    "8c 8d 8h 8s Ac Jd 2h": "AJ AJ AJ AJ AJ",
    "8c 8d 8h 8s Ac Td 2h": "AT AT AT 88 AT",
    "Tc Td Th Ts Kc 9d 2h": "K9 K9 TT TT K9",
    "Tc Td Th Ts Qc 9d 2h": "TT TT TT TT TT",
    "Jc Jd Jh Js Kc 9d 2h": "JJ JJ JJ JJ K9",
    "Qc Qd Qh Qs Ac 9d 2h": "QQ A9 QQ QQ QQ",
    "Qc Qd Qh Qs Tc Td 2h": "TT TT TT TT TT",
    "Qc Qd Qh Qs 9c 9d 2h": "99 99 99 QQ 99",
    "Ac Ad Ah As Kc 9d 2h": "AA AA AA AA AA",
    "Ac Ad Ah As Kc Kd 2h": "KK KK KK KK KK",
    "Ac Ad Ah As 7c 7d 2h": "77 77 AA 77 77",
    "Ac Ad Ah As 6c 6d 2h": "66 66 AA AA 66",
    "Ac Ad Ah As 6c 6d 6h": "66 66 AA AA 66",
    "9c 9d 9h 9s 5c 5d 5h": "55 55 55 55 55",
}

WITH_JOKER = {
    "Jk Kd 9h 7s 5c 4d 2h": "K9 K9 K9 K9 K9",
    # The pair of aces cannot stand aside: the straight needs the joker.
    "Jk Ad 9h 8s 7c 6d 2h": "A2 A2 A2 A2 A2",
    "Jk Ad 9h 8s 7c 6d 5h": "AA AA AA AA AA",
    "9c 9d 3h 3s Jk 8d 2h": "A8 A8 A8 A8 A8",
    "5c 5d 3h 3s Jk 9d 2h": "A9 A9 A9 A9 A9",
    "Jc Jd 4h 4s Jk 9d 2h": "44 A9 A9 A9 A9",
    "Ac Jk 5h 5s Kc 9d 2h": "55 55 55 55 55",
    "Ac Jk Ks Kh Qs Qd Jc": "AA AA AA AA AA",
    "7c 7d 7h Jk Kc 9d 2h": "AK AK AK AK AK",
    # Three aces and a straight that needs two of them: only Flamingo keeps the straight.
    "Ac Ad Jk Ks Qc Jd 4h": "AK AK AK A4 AK",
    "Ac Ad Jk 9s 8c 7d 6h": "AA AA AA AA AA",
    "Tc Td Th 2s 2c Jk Kh": "22 AK AK AK 22",
    "8c 8d 8h 8s Jk 9d 2h": "A9 A9 A9 88 A9",
    "Ac Ad Ah Jk Kc Qd Jh": "AA AA AA AA AA",
    "Ks Qs Js Ts Jk 4d 2h": "42 42 42 42 42",
    "Ks Qs Js Ts Jk 9d 8h": "AK AK AK AK AK",
    "Kc Kd Jk Qs Js 9s 2s": "KK KK AQ KK KK",
    "Ah Jk Kh 9h 4h 7c 2d": "72 72 72 72 72",
    "Ac Jk 4h 3s 2c 9d 8h": "98 98 98 98 98",
    "Ac Ad Ah As Jk Kc Kd": "KK KK KK KK AA",
    "Ac Ad Ah As Jk Qc Qd": "AA AA AA AA AA",
    "Ac Ad Ah As Jk Kc 9d": "AA AA AA AA AA",
}

# A hand for each rule of each house way.
RULES = {
    "foxwoods": {
        "no_pair_straight": "Ac Kd 9h 8s 7c 6d 5h",
        "no_pair": "Ac Kd 9h 7s 5c 4d 2h",
        "one_pair_front": "Tc Td 9h 8s 7c 6d 5h",
        "one_pair_and_ace": "Qs Qh As 9s 5s 2s 3d",
        "one_pair_straight": "9c 9d 8h 7s 6c 5d 2h",
        "one_pair": "9c 9d Ah Ks 7c 5d 2h",
        "two_pair_jacks_up": "Jc Jd 4h 4s Ac 9d 2h",
        "two_pair_sevens_up": "9c 9d 3h 3s Kc 8d 2h",
        "two_pair_threes_up": "5c 5d 3h 3s Qc 9d 2h",
        "three_pair": "Kc Kd 8h 8s 5c 5d Ah",
        "three_straight": "9c 9d 9h 8s 7c 6d 5h",
        "three_aces": "Ac Ad Ah Ks 9c 5d 2h",
        "three": "8c 8d 8h Ks 9c 5d 2h",
        "two_threes": "Kc Kd Kh 9s 9c 9d 5h",
        "full_house": "Tc Td Th 2s 2c Ad Kh",
        "full_house_and_pair": "Tc Td Th 5s 5c 8d 8h",
        "four_high": "Jc Jd Jh Js Ac 9d 2h",
        "four_medium": "8c 8d 8h 8s Kc 9d 2h",
        "four_low": "4c 4d 4h 4s Jc 9d 2h",
        "four_and_more": "9c 9d 9h 9s 5c 5d 5h",
        "five_aces": "Ac Ad Ah As Jk Kc Kd",
    },
    "trump_plaza": {
        "no_pair_straight": "Kh Qh 9h 7h 5h 4h 2h",
        "no_pair": "Ac Kd 9h 7s 5c 4d 2h",
        "one_pair_straight": "Qs Qh As 9s 5s 2s 3d",
        "one_pair": "9c 9d Ah Ks 7c 5d 2h",
        "two_pair_low_and_low": "5c 5d 3h 3s Qc 9d 2h",
        "two_pair_low_and_medium": "9c 9d 3h 3s Kc 8d 2h",
        "two_pair_medium_and_medium": "9c 9d 8h 8s Ac 4d 2h",
        "two_pair_low_and_high": "Jc Jd 4h 4s Ac 9d 2h",
        "two_pair_medium_and_high": "Jc Jd 9h 9s Ac 4d 2h",
        "two_pair_high_and_high": "Kc Kd Qh Qs Ac 4d 2h",
        "two_pair_aces": "Ac Ad 4h 4s Kc 9d 2h",
        "three_pair": "Kc Kd 8h 8s 5c 5d Ah",
        "three_straight": "9c 9d 9h 8s 7c 6d 5h",
        "three_aces": "Ac Ad Ah Ks 9c 5d 2h",
        "three": "8c 8d 8h Ks 9c 5d 2h",
        "two_threes": "Kc Kd Kh 9s 9c 9d 5h",
        "full_house_twos": "Tc Td Th 2s 2c Ad Kh",
        "full_house": "Tc Td Th 3s 3c Ad Kh",
        "full_house_and_pair": "Tc Td Th 5s 5c 8d 8h",
        "four_low": "4c 4d 4h 4s Jc 9d 2h",
        "four_medium": "8c 8d 8h 8s Qc 9d 2h",
        "four_high": "Jc Jd Jh Js Ac 9d 2h",
        "four_aces": "Ac Ad Ah As Kc 9d 2h",
        "four_and_more": "Ac Ad Ah As Kc Kd 2h",
        "five_aces": "Ac Ad Ah As Jk Qc Qd",
    },
    "mgm": {
        "no_pair_straight": "Ac Kd 9h 8s 7c 6d 5h",
        "no_pair": "Ac Kd 9h 7s 5c 4d 2h",
        "one_pair_and_ace": "Tc Td Ah 5s 4c 3d 2h",
        "one_pair_straight": "9c 9d 8h 7s 6c 5d 2h",
        "one_pair": "9c 9d Ah Ks 7c 5d 2h",
        "two_pair_low_straight": "6c 6d 5h 5s 4c 3d 2h",
        "two_pair_low_and_low": "5c 5d 3h 3s Qc 9d 2h",
        "two_pair_medium": "9c 9d 3h 3s Kc 8d 2h",
        "two_pair_low_and_high": "Jc Jd 4h 4s Ac 9d 2h",
        "two_pair_high": "Jc Jd 9h 9s Ac 4d 2h",
        "two_pair_aces": "Ac Ad 4h 4s Kc 9d 2h",
        "three_pair": "Kc Kd 8h 8s 5c 5d Ah",
        "three_straight": "9c 9d 9h 8s 7c 6d 5h",
        "three_aces": "Ac Ad Ah Ks 9c 5d 2h",
        "three": "8c 8d 8h Ks 9c 5d 2h",
        "two_threes": "Kc Kd Kh 9s 9c 9d 5h",
        "full_house_twos": "Tc Td Th 2s 2c Ad Kh",
        "full_house": "Tc Td Th 3s 3c Ad Kh",
        "full_house_and_pair": "Tc Td Th 5s 5c 8d 8h",
        "four_low": "4c 4d 4h 4s Jc 9d 2h",
        "four_medium": "8c 8d 8h 8s Kc 9d 2h",
        "four_high": "Jc Jd Jh Js Ac 9d 2h",
        "four_aces_and_more": "Ac Ad Ah As 7c 7d 2h",
        "four_and_more": "Qc Qd Qh Qs 9c 9d 2h",
        "five_aces": "Ac Ad Ah As Jk Kc Kd",
    },
    "flamingo": {
        "three_pair": "Kc Kd 8h 8s 5c 5d Ah",
        "two_pair_aces": "As Ks Qs Js Ts Ad Kd",
        "two_pair_tens_up": "Kc Kd Qh Qs Ac 4d 2h",
        "two_pair_and_ace": "5c 5d 4h 4s 3c 2d Ah",
        "royal_flush": "As Ks Qs Js Ts 9d 8h",
        "straight_flush": "As 2s 3s 4s 5s 6d Th",
        "straight_or_flush": "Jh 8h 7h 6h 3h 5c 4d",
        "no_pair": "Ac Kd 9h 7s 5c 4d 2h",
        "one_pair": "9c 9d Ah Ks 7c 5d 2h",
        "two_pair_low": "5c 5d 3h 3s Qc 9d 2h",
        "two_pair_face_and_low": "Jc Jd 4h 4s Ac 9d 2h",
        "two_pair": "Kc Kd 6h 6s Ac 8d 2h",
        "three_aces": "Ac Ad Ah Ks 9c 5d 2h",
        "three": "8c 8d 8h Ks 9c 5d 2h",
        "two_threes": "Kc Kd Kh 9s 9c 9d 5h",
        "full_house_twos": "Tc Td Th 2s 2c Ad Kh",
        "full_house": "Tc Td Th 3s 3c Ad Kh",
        "full_house_and_pair": "Tc Td Th 5s 5c 8d 8h",
        "four_low": "4c 4d 4h 4s Jc 9d 2h",
        "four_medium": "8c 8d 8h 8s Ac Td 2h",
        "four_high": "Qc Qd Qh Qs 9c 9d 2h",
        "four_aces": "Ac Ad Ah As 7c 7d 2h",
        "five_aces": "Ac Ad Ah As Jk Kc Kd",
    },
    "casino_real": {
        "no_pair_straight": "Ac Kd 9h 8s 7c 6d 5h",
        "no_pair": "Ac Kd 9h 7s 5c 4d 2h",
        "one_pair_straight": "Tc Td 9h 8s 7c 6d 5h",
        "one_pair": "9c 9d Ah Ks 7c 5d 2h",
        "two_pair_queens_up": "Kc Kd Qh Qs Ac 4d 2h",
        "two_pair_nines_up": "Jc Jd 4h 4s Ac 9d 2h",
        "two_pair_sixes_up": "7c 7d 3h 3s Kc 9d 2h",
        "two_pair_threes_up": "5c 5d 3h 3s Qc 9d 2h",
        "three_pair": "Kc Kd 8h 8s 5c 5d Ah",
        "three_straight": "9c 9d 9h 8s 7c 6d 5h",
        "three_aces": "Ac Ad Ah Ks 9c 5d 2h",
        "three": "8c 8d 8h Ks 9c 5d 2h",
        "two_threes": "Kc Kd Kh 9s 9c 9d 5h",
        "full_house": "Tc Td Th 2s 2c Ad Kh",
        "full_house_and_pair": "Tc Td Th 5s 5c 8d 8h",
        "four_high": "Qc Qd Qh Qs Ac 9d 2h",
        "four_nines_up": "Jc Jd Jh Js Ac 9d 2h",
        "four_sixes_up": "8c 8d 8h 8s Qc 9d 2h",
        "four_low": "4c 4d 4h 4s Jc 9d 2h",
        "five_aces": "Ac Ad Ah As Jk Kc Kd",
    },
}


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text, count=7, joker=True)


def faces(front: Sequence[Card]) -> str:
    return oracle.faces_of([card.text for card in front])


def made_by(setter: HandSetter, held: Holding) -> HighLowHand:
    made = setter.decide(held)
    assert sorted((*made.low, *made.high)) == held.cards
    return set_hand(held.cards, made.low)


@pytest.mark.parametrize(("hand", "fronts"), (DISTINGUISHING | NATURAL | WITH_JOKER).items())
def test_each_house_way_sets_the_published_fronts(hand: str, fronts: str) -> None:
    held = Holding(cards(hand))
    assert [faces(house_way(way).decide(held).low) for way in WAYS] == fronts.split()


def test_the_hands_that_tell_house_ways_apart_hold_no_straight_or_flush() -> None:
    for hand in DISTINGUISHING:
        assert not Holding(cards(hand)).categories & {"straight", "flush", "straight_flush", "royal_flush"}


def test_all_house_ways_are_put_to_the_test() -> None:
    assert sorted(WAYS) == sorted(RULES) == list(house_way_ids())


@pytest.mark.parametrize("way", WAYS)
def test_every_rule_sets_its_hand(way: str) -> None:
    setter = house_way(way)
    assert {rule: setter.set(cards(hand)).rule for rule, hand in RULES[way].items()} == {r: r for r in RULES[way]}
    assert list(RULES[way]) == [rule.id for rule in setter.way.rules]


def test_the_trace_names_the_holding_and_the_attempts_of_each_rule() -> None:
    made = house_way("trump_plaza").set(cards("5c 5d 3h 3s Qc 9d 2h"))
    assert made.rule == "two_pair_low_and_low"
    assert made.trace == (
        "two pair: pair of fives, pair of threes",
        "two_pair_low_and_low: Two pair, both low: together with a king or ace in front, else split",
        "king high or better in front, two pair behind: cannot be set",
        "a pair in front, anything behind: pair of threes, pair of fives",
    )


def test_the_trace_names_assumptions() -> None:
    made = house_way("casino_real").set(cards("Kc Kd 8h 8s 5c 5d Ah"))
    assert "(assumed: as in every other house way)" in made.trace[1]


def test_a_rule_that_applies_but_cannot_be_followed_gives_way_to_the_next() -> None:
    made = house_way("foxwoods").set(cards("Ac Ad Jk Ks Qc Jd 4h"))
    assert made.trace[1].startswith("three_straight: ")
    assert made.trace[2].endswith("cannot be set")
    assert made.rule == "three_aces"


def test_of_equal_settings_the_joker_and_the_higher_suits_stay_behind() -> None:
    assert house_way("foxwoods").set(cards("As Ah Jk Kd 9c 5d 2h")).low == (Card("Ah"), Card("Kd"))
    assert house_way("foxwoods").set(cards("9s 9h 9d 9c Qc 7d 2h")).low == (Card("9d"), Card("9c"))


def test_of_equal_fronts_the_one_before_the_higher_hand_is_set() -> None:
    made = house_way("trump_plaza").set(cards("As Ac Ad Jk Ks Qs 9s"))
    assert made.low == (Card("Ad"), Card("Ac"))
    assert rank_joker_five(made.high).category == "flush"


# --- the guard ------------------------------------------------------------------------------------------------


def way_of(*rules: dict[str, Any]) -> HandSetter:
    data = {"id": "ours", "name": "Ours", "house_rule": "ours", "confidence": "read", "rule": rules}
    return HandSetter(house_way_from_data(data, where="ours"))


PAIR_IN_FRONT = {
    "id": "pair_in_front",
    "says": "One pair: in front",
    "when": {"holds": ["one pair"]},
    "play": [{"front": "a pair"}],
}


def test_a_hand_that_no_rule_sets_is_left_to_the_guard() -> None:
    made = way_of(PAIR_IN_FRONT).set(cards("Ac Kd 9h 7s 5c 4d 2h"))
    assert (made.rule, faces(made.low)) == ("guard", "K9")
    assert made.trace == (
        "no pair: ace high",
        "guard, the highest front that is not a foul: king-nine, ace-high",
    )


def test_a_rule_that_would_foul_is_not_followed() -> None:
    made = way_of(PAIR_IN_FRONT).set(cards("9c 9d Ah Ks 7c 5d 2h"))
    assert (made.rule, faces(made.low)) == ("guard", "AK")
    assert made.trace[2] == "a pair in front, anything behind: cannot be set"
    assert way_of(PAIR_IN_FRONT).set(cards("Tc Td 9h 8s 7c 6d 5h")).rule == "pair_in_front"


def test_the_guard_sets_the_highest_lawful_front_and_then_the_highest_hand() -> None:
    chance = random.Random(41)
    setter = way_of(PAIR_IN_FRONT)
    for _ in range(200):
        held = Holding(chance.sample(joker_deck(), 7))
        if (made := setter.decide(held)).rule != "guard":
            continue
        hands = set_hand(held.cards, made.low)
        lawful = [option.hands for option in held.options]
        assert hands.low == max(other.low for other in lawful)
        assert hands.high == max(other.high for other in lawful if other.low == hands.low)


# --- any cards ---------------------------------------------------------------------------------------


def hand_from(deck: Sequence[Card]) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.sampled_from(deck), min_size=7, max_size=7, unique=True)


# Small decks hold what is rare in the whole one: one suit, few ranks, many aces.
ANY_SEVEN = st.one_of(
    hand_from(joker_deck()),
    hand_from([*(Card(4 * rank + 3) for rank in range(13)), JOKER]),
    hand_from([*map(Card, range(32, 52)), JOKER]),
    hand_from([*map(Card, range(16)), *map(Card, range(48, 52)), JOKER]),
    hand_from([*map(Card, range(20, 36)), Card("As"), JOKER]),
)


@pytest.mark.exhaustive
@settings(max_examples=300)
@given(seven=ANY_SEVEN)
def test_no_house_way_ever_fouls(seven: list[Card]) -> None:
    held = Holding(seven)
    for way in WAYS:
        setter = house_way(way)
        assert not made_by(setter, held).foul
        assert setter.decide(held).rule in RULES[way]


@pytest.mark.exhaustive
@settings(max_examples=60)
@given(seven=ANY_SEVEN, suits=st.permutations(range(4)), order=st.randoms(use_true_random=False))
def test_neither_the_names_of_the_suits_nor_the_order_of_the_cards_matter(
    seven: list[Card], suits: list[int], order: random.Random
) -> None:
    renamed = [card if card == JOKER else Card(4 * card.rank + suits[card.suit]) for card in seven]
    order.shuffle(renamed)
    held, other = Holding(seven), Holding(renamed)
    for way in WAYS:
        one, two = house_way(way).decide(held), house_way(way).decide(other)
        assert (faces(one.low), one.rule, one.trace) == (faces(two.low), two.rule, two.trace)
        assert (JOKER in one.low) == (JOKER in two.low)


def test_the_place_of_ace_to_five_among_straights_makes_no_difference() -> None:
    """Settings with equal fronts have the same ranks behind, with the joker as an ace."""
    deck = [*map(Card, range(16)), *map(Card, range(48, 52)), JOKER]
    chance = random.Random(42)
    for _ in range(150):
        held = Holding(chance.sample(deck, 7))
        for front in {option.hands.low for option in held.options}:
            options = [option.front for option in held.options if option.hands.low == front]
            best = [
                max(options, key=lambda pair: set_hand(held.cards, pair, wheel_second=second).high)
                for second in (True, False)
            ]
            assert best[0] == best[1]


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", oracle.HOUSE_WAYS)
@pytest.mark.parametrize("seed", range(2))
def test_random_hands_are_set_as_the_oracle_sets_them(way: str, seed: int) -> None:
    chance = random.Random(seed)
    setter = house_way(way)
    for _ in range(500):
        held = Holding(chance.sample(joker_deck(), 7))
        made = setter.decide(held)
        assert faces(made.low) == oracle.HOUSE_WAYS[way]([card.text for card in held.cards]), held.cards


def test_behind_a_front_stands_the_best_hand_that_the_oracle_finds() -> None:
    chance = random.Random(43)
    deck = sorted({*map(Card, range(3, 52, 4)), *map(Card, range(40, 52)), JOKER})
    for _ in range(60):
        seven = chance.sample(deck, 7)
        made = house_way("foxwoods").set(seven)
        alike = {
            tuple(sorted(pair)): key_of([card.text for card in seven if card not in pair])
            for pair in permutations(seven, 2)
            if faces(pair) == faces(made.low)
        }
        assert key_of([card.text for card in made.high]) == max(alike.values())


@pytest.mark.parametrize("hand", ["As Ks Qs Js Ts 9s", "As As Qs Js Ts 9s 8s", "?? Ks Qs Js Ts 9s 8s"])
def test_cards_that_are_not_a_hand_of_seven_are_refused(hand: str) -> None:
    with pytest.raises(BadInput):
        house_way("foxwoods").set([Card(card) for card in hand.split()])
