"""The kinds of seven cards against the rule and the oracle, in each of the four orders."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from crossfelt.cards.card import Card
from crossfelt.hands import kinds as rule
from crossfelt.hands.rank import ORDERS
from crossfelt.kernels.seven_cards.kinds import KINDS, Kind, kinds
from oracles import seven_card as oracle

JOKER = 52
ACES = range(48, 52)


def dealt(count: int, seed: int) -> NDArray[np.uint8]:
    chance = np.random.default_rng(seed)
    return chance.random((count, 53)).argsort(axis=1)[:, :7].astype(np.uint8)


def picked(seed: int, each: int) -> NDArray[np.uint8]:
    """Draw hands from small decks, in which rare hands are common."""
    decks = [
        [*range(53)],
        [*range(3, 52, 4), JOKER],  # one suit
        [*range(3, 52, 4), *range(32, 52, 4), JOKER],  # one suit, and the high cards of another
        [*range(32, 52), JOKER],  # tens to aces
        [*ACES, *range(12), JOKER],  # aces to fours
        [*range(16, 40), JOKER],  # sixes to jacks
        [*ACES, 0, 1, 5, 6, 10, JOKER],
        [*range(16), *range(20, 32)],  # often nine-high: there is no six
        [*range(12), *range(16, 24), *range(28, 36)],  # often ten-high: there is no five and no eight
        [*range(23, 52, 4), JOKER],  # seven in a row, up to the ace
        [51, *range(3, 28, 4), JOKER],  # seven in a row, from the ace
        [35, 39, 43, 47, 51, 40, 44, 42, JOKER],  # a royal flush, and kings and queens
    ]
    chance = random.Random(seed)
    return np.array([chance.sample(deck, 7) for deck in decks for _ in range(each)], dtype=np.uint8)


def oracle_kind(hand: list[int]) -> Kind:
    cards = [Card(card).text for card in hand]
    held = oracle.held_in(cards)
    return Kind(
        joker_five=oracle.highest(held, oracle.PAI_GOW_HIGH_TO_LOW),
        progressive_seven=oracle.highest(held, oracle.PROGRESSIVE_HIGH_TO_LOW),
        seven_card_bonus=oracle.highest(held, oracle.BONUS_HIGH_TO_LOW),
        joker_high_card=oracle.high_card_of(cards),
    )


def rule_kind(hand: list[int]) -> Kind:
    cards = [Card(card) for card in hand]
    names = ("joker_seven", "progressive_seven", "seven_card_bonus", "joker_high_card")
    return Kind(*(rule.KINDS[name].classify(cards).category for name in names))


@pytest.mark.clause("PGP-1", "PGP-2", "PGP-3", "PGP-4", "PGP-5")
def test_kinds_are_those_of_the_oracle() -> None:
    hands = picked(seed=21, each=200)
    for hand, kind in zip(hands.tolist(), kinds(hands).tolist(), strict=True):
        assert KINDS[kind] == oracle_kind(hand), [Card(card) for card in hand]


@pytest.mark.clause("PGP-1", "PGP-2", "PGP-3", "PGP-4", "PGP-5")
def test_kinds_are_those_of_the_rule() -> None:
    hands = picked(seed=22, each=100)
    for hand, kind in zip(hands.tolist(), kinds(hands).tolist(), strict=True):
        assert KINDS[kind] == rule_kind(hand), [Card(card) for card in hand]


def test_every_kind_is_put_to_the_test() -> None:
    found = set(kinds(picked(seed=21, each=200)).tolist())
    assert [KINDS[kind] for kind in range(len(KINDS)) if kind not in found] == []


@pytest.mark.clause("PGP-2")
def test_seven_cards_of_one_suit_in_all_possible_hands() -> None:
    """All C(14, 7) hands of one suit and the joker."""
    hands = np.array(list(combinations([*range(2, 52, 4), JOKER], 7)), dtype=np.uint8)
    names = [KINDS[kind].seven_card_bonus for kind in kinds(hands).tolist()]
    # Eight runs of seven; with the joker one of seven cards is missing, but six in a row lie in two runs.
    assert names.count("natural_seven_card_straight_flush") == 8
    assert names.count("seven_card_straight_flush_with_joker") == 8 * 7 - 7


def test_the_kinds_tell_each_order_all_its_categories() -> None:
    for order in Kind._fields:
        assert {getattr(kind, order) for kind in KINDS} == set(ORDERS[order])
    assert len(set(KINDS)) == len(KINDS)


def test_neither_the_order_of_the_cards_nor_the_names_of_the_suits_matter() -> None:
    hands = np.concatenate([dealt(20_000, seed=23), picked(seed=24, each=500)])
    expected = kinds(hands)
    assert np.array_equal(kinds(hands[:, ::-1]), expected)
    for suits in permutations(range(4)):
        renamed = hands // 4 * 4 + np.array(suits, dtype=np.uint8)[hands % 4]
        assert np.array_equal(kinds(np.where(hands == JOKER, hands, renamed)), expected)


@pytest.mark.parametrize("count", [0, 1, 8_192, 100_001])
def test_every_hand_of_an_array_is_classified(count: int) -> None:
    hands = dealt(max(count, 1), seed=25)[:count]
    found = kinds(hands)
    assert found.shape == (count,)
    for row in {0, count // 2, count - 1} if count else ():
        assert KINDS[found[row]] == rule_kind(hands[row].tolist())
