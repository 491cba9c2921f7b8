"""The numbers of `strength` against the rule, and against the oracle."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise, permutations
from math import comb

import pytest

from crossfelt.cards.card import HIDDEN, JOKER, Card
from crossfelt.cards.notation import format_cards
from crossfelt.errors import BadInput
from crossfelt.hands.poker import rank_five
from crossfelt.hands.rank import FIVE_CARD_CATEGORIES
from crossfelt.hands.strength import grid, hand_classes, strength, strength_of
from oracles import five_card as oracle

Hand = tuple[Card, ...]


def one_of_each_class() -> list[Hand]:
    """Each five ranks that a deck can give, in mixed suits and, if they differ, in one suit."""
    mixed = [
        tuple(Card(4 * rank + place % 4) for place, rank in enumerate(ranks))
        for ranks in combinations_with_replacement(range(13), 5)
        if len(set(ranks)) > 1
    ]
    return mixed + [tuple(Card(4 * rank + 2) for rank in ranks) for ranks in combinations(range(13), 5)]


def dealt(count: int, seed: int) -> list[Hand]:
    """Hands at random, every fourth of one suit."""
    chance = random.Random(seed)
    hands = []
    for number in range(count):
        suits = [chance.randrange(4)] if number % 4 == 0 else range(4)
        deck = [Card(4 * rank + suit) for rank in range(13) for suit in suits]
        hands.append(tuple(chance.sample(deck, 5)))
    return hands


def test_each_class_has_one_number() -> None:
    assert sorted(strength(*hand) for hand in one_of_each_class()) == list(range(7_462))


@pytest.mark.clause("NJC-16", "MAC-14", "MDC-16", "DCP-11")
def test_numbers_follow_the_rule_in_all_classes() -> None:
    assert all(low < high for low, high in pairwise(hand_classes()))
    assert all(hand_classes()[strength(*hand)] == rank_five(hand) for hand in one_of_each_class())


def test_numbers_follow_the_oracle_in_all_classes() -> None:
    hands = sorted(one_of_each_class(), key=lambda hand: strength(*hand))
    keys = [oracle.key_of([card.text for card in hand]) for hand in hands]
    assert all(low < high for low, high in pairwise(keys))


@pytest.mark.exhaustive
def test_hands_at_random_have_the_number_of_their_class() -> None:
    for hand in dealt(10_000, seed=1):
        assert hand_classes()[strength(*hand)] == rank_five(hand), format_cards(hand)
        assert strength(*hand) == strength_of(hand), format_cards(hand)


def test_cards_and_plain_numbers_give_the_same() -> None:
    for hand in dealt(1_000, seed=2):
        assert strength(*map(int, hand)) == strength(*hand)


def test_neither_the_order_of_the_cards_nor_the_names_of_the_suits_matter() -> None:
    for hand in dealt(40, seed=3):
        relabelled = [[4 * card.rank + suits[card.suit] for card in hand] for suits in permutations(range(4))]
        numbers = {strength(*cards) for cards in [*permutations(hand), *relabelled]}
        assert numbers == {strength(*hand)}, format_cards(hand)


def test_classes_of_each_category() -> None:
    classes = Counter(rank.category for rank in hand_classes())
    assert list(classes) == list(FIVE_CARD_CATEGORIES)
    assert classes == {
        "high_card": comb(13, 5) - 10,
        "pair": 13 * comb(12, 3),
        "two_pair": comb(13, 2) * 11,
        "three_of_a_kind": 13 * comb(12, 2),
        "straight": 10,
        "flush": comb(13, 5) - 10,
        "full_house": 13 * 12,
        "four_of_a_kind": 13 * 12,
        "straight_flush": 9,
        "royal_flush": 1,
    }


def test_grids_hold_no_hand_that_cannot_be_dealt() -> None:
    plain = Counter(number < 0 for row in grid(one_suit=False) for number in row)
    suited = Counter(number < 0 for row in grid(one_suit=True) for number in row)
    # Five of a rank; of one suit, each five different ranks are three and two in ten ways.
    assert plain[True] == 13
    assert suited[False] == 10 * comb(13, 5)


@pytest.mark.parametrize(
    ("cards", "complaint"),
    [
        ([0, 1, 2, 3], "wrong number of cards: 4"),
        ([0, 1, 2, 3, 4, 5], "wrong number of cards: 6"),
        ([0, 1, 2, 3, 3], "card given more than once: '2s'"),
        ([0, 1, 2, 3, JOKER], "no joker in this hand"),
        ([0, 1, 2, 3, HIDDEN], "every card must be known"),
        ([0, 1, 2, 3, 54], "not a card: 54"),
        ([0, 1, 2, 3, -1], "not a card: -1"),
    ],
)
def test_cards_that_are_not_a_hand_are_refused(cards: list[int], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        strength_of(cards)


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("wrong", [JOKER, HIDDEN, 54, 1_000])
def test_the_fast_path_refuses_invalid_cards(wrong: int, place: int) -> None:
    cards = [4, 9, 14, 19, 24]
    cards[place] = wrong
    with pytest.raises(BadInput):
        strength(*cards)
