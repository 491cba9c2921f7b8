"""Hands are called as a dealer would call them."""

from __future__ import annotations

import pytest

from crossfelt.cards import parse_cards
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.rank import ORDERS, plural

EXAMPLES = [
    ("five_card", "Ks Qd 9c 5h 3s", "high_card", "king-high"),
    ("five_card", "6s 6d 9c 5h 3s", "pair", "pair of sixes"),
    ("five_card", "Kd 9c Kc 9h 2d", "two_pair", "kings and nines"),
    ("five_card", "6d 2c 6c 2h 3d", "two_pair", "sixes and twos"),
    ("five_card", "Kd Kc Ks 9h 2d", "three_of_a_kind", "three kings"),
    ("five_card", "4d 5c 6s 7h 8d", "straight", "eight-high straight"),
    ("five_card", "Ad 2c 3s 4h 5d", "straight", "five-high straight"),
    ("five_card", "Ad Kc Qs Jh Td", "straight", "ace-high straight"),
    ("five_card", "Qd 9d 5d 3d 2d", "flush", "queen-high flush"),
    ("five_card", "Ad Ac As 9h 9d", "full_house", "aces full of nines"),
    ("five_card", "6d 6c 6s Th Td", "full_house", "sixes full of tens"),
    ("five_card", "Td Tc Ts Th 9d", "four_of_a_kind", "four tens"),
    ("five_card", "4d 5d 6d 7d 8d", "straight_flush", "eight-high straight flush"),
    ("five_card", "Ad 2d 3d 4d 5d", "straight_flush", "five-high straight flush"),
    ("five_card", "Ad Kd Qd Jd Td", "royal_flush", "royal flush"),
    ("three_card", "Ad Kc Js", "high_card", "ace-high"),
    ("three_card", "Jd Jc 2s", "pair", "pair of jacks"),
    ("three_card", "Jd 7d 2d", "flush", "jack-high flush"),
    ("three_card", "Ad 2c 3s", "straight", "three-high straight"),
    ("three_card", "3d 3c 3s", "three_of_a_kind", "three threes"),
    ("three_card", "Qd Kd Ad", "straight_flush", "ace-high straight flush"),
    ("two_card", "Qd Kc", "high_card", "king-queen"),
    ("two_card", "Jk Kc", "high_card", "ace-king"),
    ("two_card", "Qd Qc", "pair", "pair of queens"),
    ("joker_five", "Ad Ac As Ah Jk", "five_aces", "five aces"),
    ("joker_five", "Ad 2c 3s 4h 5d", "straight", "ace-to-five straight"),
    ("joker_five", "Ad 2d 3d Jk 5d", "straight_flush", "ace-to-five straight flush"),
    ("joker_five", "Ad Kc Qs Jh Jk", "straight", "ace-high straight"),
    ("joker_five", "Ad Kd Qd Jd Jk", "royal_flush", "royal flush"),
    ("joker_seven", "Qs Jd 9h 8c 6s 4d 2h", "high_card", "queen-high"),
    ("joker_seven", "5h 5d 6d 6s 6h 2c 2d", "full_house", "sixes full of fives"),
    ("joker_high_card", "9s 8d 7h 5c 4s 3d 2h", "nine_high", "nine-high"),
    ("joker_high_card", "Ts 8d 7h 5c 4s 3d 2h", "ten_high", "ten-high"),
    ("joker_high_card", "Js 8d 7h 5c 4s 3d 2h", "jack_high", "jack-high"),
    ("joker_high_card", "Qs 8d 7h 5c 4s 3d 2h", "queen_high", "queen-high"),
    ("joker_high_card", "Ks 8d 7h 5c 4s 3d 2h", "king_high", "king-high"),
    ("joker_high_card", "As 9d 8h 6c 4s 3d 2h", "ace_high", "ace-high"),
    ("joker_high_card", "9s 9d 7h 5c 4s 3d 2h", "nothing", "no qualifying hand"),
    (
        "progressive_seven",
        "As 2s 3s 4s 5s 6s 7s",
        "seven_card_straight_flush",
        "seven-high seven-card straight flush",
    ),
    ("progressive_seven", "As Ad Ac Ah Jk 6s 7s", "five_aces", "five aces"),
    ("progressive_seven", "As Ks Qs Js Ts 6s 7s", "royal_flush", "royal flush"),
    ("progressive_seven", "As 2s 3s 4s 5s Kd Qd", "straight_flush", "five-high straight flush"),
    ("progressive_seven", "7s 7d 7c 7h 5s Kd Qd", "four_of_a_kind", "four sevens"),
    ("progressive_seven", "7s 7d 7c 5h 5s Kd Qd", "full_house", "sevens full of fives"),
    ("progressive_seven", "7s 8s 9s 2s 3s Kd Qd", "nothing", "no qualifying hand"),
    (
        "seven_card_bonus",
        "3s 4s 5s 6s 7s 8s 9s",
        "natural_seven_card_straight_flush",
        "natural nine-high seven-card straight flush",
    ),
    (
        "seven_card_bonus",
        "As Ks Qs Js Ts Kh Qh",
        "royal_flush_and_royal_match",
        "royal flush and royal match",
    ),
    (
        "seven_card_bonus",
        "3s 4s 5s 6s 7s 8s Jk",
        "seven_card_straight_flush_with_joker",
        "nine-high seven-card straight flush with the joker",
    ),
    ("seven_card_bonus", "As Ad Ac Ah Jk 6s 7s", "five_aces", "five aces"),
    ("seven_card_bonus", "As Ks Qs Js Ts Kh Qd", "royal_flush", "royal flush"),
    ("seven_card_bonus", "Ks Qs Js Ts 9s Kh Qd", "straight_flush", "king-high straight flush"),
    ("seven_card_bonus", "Ks Kh Kd Kc 9s 3h Qd", "four_of_a_kind", "four kings"),
    ("seven_card_bonus", "Ks Kh Kd 9c 9s 3h Qd", "full_house", "kings full of nines"),
    ("seven_card_bonus", "Ks Jk 8s 7s 2s 3h Qd", "flush", "ace-high flush"),
    ("seven_card_bonus", "6s 6h 6d 7c 8s 9h Td", "three_of_a_kind", "three sixes"),
    ("seven_card_bonus", "6s 6h 2d 7c 8s 9h Td", "straight", "ten-high straight"),
    ("seven_card_bonus", "6s 6h 2d 7c 7s 9h Td", "nothing", "no qualifying hand"),
]


@pytest.mark.parametrize(("kind", "cards", "category", "name"), EXAMPLES)
def test_a_hand_is_named(kind: str, cards: str, category: str, name: str) -> None:
    ranked = KINDS[kind].classify(parse_cards(cards, joker=True))
    assert (ranked.category, ranked.name) == (category, name)


@pytest.mark.parametrize("order", [order for order in ORDERS if order != "joker_five"])
def test_there_is_an_example_for_every_category(order: str) -> None:
    assert {category for kind, _, category, _ in EXAMPLES if kind == order} == set(ORDERS[order])


def test_only_six_has_an_unusual_plural() -> None:
    names = "twos threes fours fives sixes sevens eights nines tens jacks queens kings aces"
    assert [plural(rank) for rank in range(13)] == names.split()
