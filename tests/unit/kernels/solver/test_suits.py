"""Hands ranked by one suit: products of polynomials against the sweep, which enters each of the dealer's hands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crossfelt.analysis.solver.orders import Order, counts_by_class, order_of
from crossfelt.kernels.solver.card_sets import card_sets, classes_of
from crossfelt.kernels.solver.suits import against_by_suits, numbers_by_suits, swept_by_suits
from crossfelt.kernels.solver.sweep import Facing, swept
from crossfelt.rulebooks.game import compile_game

BOOK = Path(__file__).parents[3] / "data" / "rulebooks" / "high-card-flush.toml"


@pytest.fixture(scope="module")
def order() -> Order:
    return order_of(compile_game(str(BOOK)), "flushes")


def facing(order: Order, own: int, theirs: int) -> Facing:
    bounds = tuple(np.linspace(1, len(order.classes) - 1, 6, dtype=int).tolist())
    table = order.table
    return Facing(own, table, theirs, table, len(order.classes), bounds)


@pytest.mark.parametrize(("own", "theirs"), [(4, 4), (3, 5), (5, 3)])
def test_the_dealers_hands_are_counted_as_one_by_one(order: Order, own: int, theirs: int) -> None:
    asked = facing(order, own, theirs)
    every, by_suits = swept(asked, ()), swept_by_suits(asked)
    number = numbers_by_suits(every.cards)
    assert np.array_equal(np.sort(number), np.arange(len(by_suits.ways)))
    assert np.array_equal(every.ways, by_suits.ways[number])
    assert np.array_equal(every.below, by_suits.below[:, number])
    some = slice(None, None, 97)
    assert np.array_equal(against_by_suits(asked, every.cards[some]).below, every.below[:, some])


def test_hands_are_counted_by_class_as_one_by_one(order: Order) -> None:
    found = classes_of(card_sets(5), order.best_of(5), np.zeros(0, dtype=np.uint8))
    assert np.array_equal(counts_by_class(order, 5), np.bincount(found, minlength=len(order.classes)))
    assert int(counts_by_class(order, 7).sum()) == 133_784_560
