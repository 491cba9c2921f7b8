"""Ranks of hands are totally ordered within their order, and not comparable across orders."""

from __future__ import annotations

import operator
import random
from collections.abc import Sequence

import msgspec
import pytest

from crossfelt.cards import JOKER, SUITS, Card, deck_of, parse_cards
from crossfelt.hands.kinds import KINDS, HandKind
from crossfelt.hands.rank import HandRank
from properties import given, settings, st

repeatable = settings(derandomize=True)
kinds = st.sampled_from(list(KINDS.values()))


def hands_of(kind: HandKind) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.sampled_from(deck_of(kind.deck)), min_size=kind.cards, max_size=kind.cards, unique=True)


def several_hands(how_many: int) -> st.SearchStrategy[tuple[HandKind, list[list[Card]]]]:
    return kinds.flatmap(
        lambda kind: st.tuples(st.just(kind), st.lists(hands_of(kind), min_size=how_many, max_size=how_many))
    )


@pytest.mark.exhaustive
@repeatable
@given(several_hands(2))
def test_of_two_hands_one_is_higher_or_they_are_equal(case: tuple[HandKind, list[list[Card]]]) -> None:
    kind, hands = case
    one, other = map(kind.classify, hands)
    assert [one < other, one == other, one > other].count(True) == 1
    assert (one <= other, one >= other) == (not one > other, not one < other)
    assert (other > one) == (one < other)
    assert (hash(one) == hash(other)) or one != other


@pytest.mark.exhaustive
@repeatable
@given(several_hands(3))
def test_the_order_is_transitive(case: tuple[HandKind, list[list[Card]]]) -> None:
    kind, hands = case
    low, middle, high = sorted(map(kind.classify, hands))
    assert low <= middle <= high
    assert low <= high


def relabelled(cards: Sequence[Card], suits: str) -> list[Card]:
    return [card if card == JOKER else Card(card.text[0] + suits[card.suit]) for card in cards]


@repeatable
@given(several_hands(1), st.permutations(SUITS))
def test_the_names_of_the_suits_do_not_matter(case: tuple[HandKind, list[list[Card]]], suits: list[str]) -> None:
    kind, [cards] = case
    assert kind.classify(relabelled(cards, "".join(suits))) == kind.classify(cards)


@pytest.mark.exhaustive
@repeatable
@given(several_hands(1), st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_matter(case: tuple[HandKind, list[list[Card]]], chance: random.Random) -> None:
    kind, [cards] = case
    mixed = list(cards)
    chance.shuffle(mixed)
    assert kind.classify(mixed) == kind.classify(cards)


def test_hands_of_different_orders_are_neither_equal_nor_comparable() -> None:
    pair = HandRank("five_card", "pair", (12, 11, 10, 9))
    other = HandRank("joker_five", "pair", (12, 11, 10, 9))
    assert pair != other
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        with pytest.raises(TypeError, match="five_card hand cannot be compared with a joker_five hand"):
            compare(pair, other)


def test_a_rank_survives_being_sent() -> None:
    rank = KINDS["five_card"].classify(parse_cards("Kd 9c Kc 9h 2d"))
    assert msgspec.json.decode(msgspec.json.encode(rank), type=HandRank) == rank


def test_a_rank_cannot_be_changed() -> None:
    rank = HandRank("two_card", "pair", (12,))
    with pytest.raises(AttributeError):
        rank.category = "high_card"  # type: ignore[misc]
