"""The counts that the battery compares with, counted again by looking at every order and every hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise, permutations
from math import comb, factorial

import numpy as np
import pytest

from crossfelt.proof.shuffle_tests import exact_counts
from crossfelt.proof.shuffle_tests.deck_tests import (
    hand_numbers,
    neighbour_statistic,
    order_statistic,
    place_statistic,
    set_numbers,
)

Order = tuple[int, ...]


def inverse(order: Order) -> Order:
    return tuple(sorted(range(len(order)), key=order.__getitem__))


def descents(order: Order) -> int:
    return sum(second < first for first, second in pairwise(order))


def kept(order: Order) -> int:
    return sum(second == first + 1 for first, second in pairwise(order))


def unmoved(order: Order) -> int:
    return sum(place == card for place, card in enumerate(order))


def exchanged(order: Order) -> int:
    return sum(first > second for first, second in combinations(order, 2))


@pytest.mark.parametrize("cards", range(2, 8))
@pytest.mark.parametrize(
    ("counted", "formula"),
    [
        (descents, exact_counts.runs),
        (lambda order: descents(inverse(order)), exact_counts.runs),
        (kept, exact_counts.successions),
        (unmoved, exact_counts.fixed_points),
        (exchanged, exact_counts.inversions),
    ],
    ids=["runs", "rising sequences", "successions", "fixed points", "inversions"],
)
def test_every_order_is_counted(
    cards: int, counted: Callable[[Order], int], formula: Callable[[int], list[int]]
) -> None:
    found = Counter(map(counted, permutations(range(cards))))
    assert dict(enumerate(formula(cards))) == {number: found[number] for number in range(len(formula(cards)))}


@pytest.mark.parametrize(
    "formula", [exact_counts.runs, exact_counts.successions, exact_counts.fixed_points, exact_counts.inversions]
)
def test_the_orders_of_a_whole_deck_are_all_there(formula: Callable[[int], list[int]]) -> None:
    assert sum(formula(52)) == factorial(52)
    assert sum(formula(53)) == factorial(53)


@pytest.mark.parametrize("cards", [4, 5, 6, 7])
def test_serial_products_have_this_mean_and_variance(cards: int) -> None:
    middle = (cards - 1) / 2
    sums = [
        sum((order[place - 1] - middle) * (order[place] - middle) for place in range(cards))
        for order in permutations(range(cards))
    ]
    assert (np.mean(sums), np.var(sums)) == pytest.approx(exact_counts.serial_products(cards))


@pytest.mark.exhaustive
@pytest.mark.parametrize("cards", [5, 6, 7])
def test_the_tables_have_as_many_degrees_of_freedom_as_they_are_judged_by(cards: int) -> None:
    """A chi-square is on average its degrees of freedom; one shuffle has the same average as many."""
    places, follows, order_excess = [], [], []
    for order in permutations(range(cards)):
        place = np.zeros((cards, cards))
        place[range(cards), order] = 1
        follow = np.zeros((cards, cards))
        follow[order, np.roll(order, -1)] = 1
        places.append(place_statistic(place, 1))
        follows.append(neighbour_statistic(follow, 1))
        where = np.array(inverse(order))
        order_excess.append(order_statistic(np.sign(where - where[:, np.newaxis]).astype(np.float64), 1))
    assert np.mean(places) == pytest.approx((cards - 1) ** 2)
    assert np.mean(follows) == pytest.approx(cards * cards - 3 * cards + 1)
    assert np.mean(order_excess) == pytest.approx(comb(cards, 2))


@pytest.mark.exhaustive
def test_every_hand_of_five_is_counted_once() -> None:
    hands_of_five = bytes(card for hand in combinations(range(53), 5) for card in hand)
    five = np.ascontiguousarray(np.frombuffer(hands_of_five, np.uint8).reshape(-1, 5).T)
    joker = five[4] == 52
    hands, numbers = hand_numbers(five), np.sort(set_numbers(five))
    assert np.bincount(hands).tolist() == exact_counts.five_card_hands(53)
    assert np.bincount(hands[~joker]).tolist() == exact_counts.five_card_hands(52)
    assert np.array_equal(numbers, np.arange(comb(53, 5)))
    assert set_numbers(five[:, ~joker]).max() == comb(52, 5) - 1
