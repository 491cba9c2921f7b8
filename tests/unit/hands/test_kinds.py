"""The kinds of hand that pay tables are written for."""

from __future__ import annotations

import random

import pytest

from crossfelt.cards import RANKS, Card, deck_of, parse_cards
from crossfelt.errors import BadInput
from crossfelt.hands.kinds import KINDS, HandKind

every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


@every_kind
def test_a_kind_is_found_under_its_id(kind: HandKind) -> None:
    assert KINDS[kind.id] is kind


@every_kind
def test_every_hand_has_a_category_of_its_kind_or_none(kind: HandKind) -> None:
    chance = random.Random(31)
    for _ in range(300):
        rank = kind.classify(chance.sample(deck_of(kind.deck), kind.cards))
        assert rank.category in (*kind.categories, "nothing")
        assert rank.name


@every_kind
def test_the_joker_is_refused_where_the_deck_has_none(kind: HandKind) -> None:
    cards = [Card("Jk"), *deck_of(52)[: kind.cards - 1]]
    if kind.deck == 53:
        assert kind.classify(cards)
    else:
        with pytest.raises(BadInput, match="no joker in this hand"):
            kind.classify(cards)


@every_kind
def test_another_number_of_cards_is_refused(kind: HandKind) -> None:
    for count in (0, kind.cards - 1, kind.cards + 1):
        with pytest.raises(BadInput):
            kind.classify(deck_of(52)[:count])


@pytest.mark.parametrize(
    ("kind", "categories"),
    [
        ("three_card", "straight_flush three_of_a_kind straight flush pair high_card"),
        ("two_card", "pair high_card"),
        ("joker_high_card", "nine_high ten_high jack_high queen_high king_high ace_high"),
        (
            "progressive_seven",
            "seven_card_straight_flush five_aces royal_flush straight_flush four_of_a_kind full_house",
        ),
    ],
)
def test_categories_are_listed_as_pay_tables_list_them(kind: str, categories: str) -> None:
    assert KINDS[kind].categories == tuple(categories.split())


@every_kind
def test_the_first_of_the_tie_breakers_of_a_pair_is_its_rank(kind: HandKind) -> None:
    pairs = {"pair"} & set(kind.categories)
    if pairs:
        jacks = kind.classify(parse_cards("Js Jd 2c 4h 6s 8d 9h")[: kind.cards])
        assert jacks.category in pairs
        assert RANKS[jacks.ranks[0]] == "J"
