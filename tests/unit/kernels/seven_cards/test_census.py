"""The census of all seven-card hands against itself, counting arguments and published figures."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
import pytest

from benchmarks.every_hand import every_hand
from crossfelt.kernels.seven_cards import kinds as census
from crossfelt.kernels.seven_cards.kinds import KINDS, Kind, kinds
from oracles import counts as oracle_counts
from oracles import seven_card as oracle

HANDS = comb(53, 7)


@cache
def by_category(order: str) -> dict[str, int]:
    return census.by_category(census.counted(), order)


def test_each_kind_has_hands() -> None:
    counted = census.counted()
    assert counted.sum() == HANDS == 154_143_080
    assert [kind for kind, count in zip(KINDS, counted, strict=True) if not count] == []


@pytest.mark.soak
def test_visiting_every_hand_gives_the_same_counts() -> None:
    visited = sum(np.bincount(kinds(hands), minlength=len(KINDS)) for hands in every_hand(7, range(53)))
    assert np.array_equal(visited, census.counted())


@pytest.mark.parametrize("order", Kind._fields)
def test_each_order_divides_all_hands(order: str) -> None:
    assert sum(by_category(order).values()) == HANDS


@pytest.mark.clause("PGP-1", "PGP-2", "PGP-3", "PGP-4", "PGP-5")
def test_counts_are_those_of_the_oracle_in_each_order() -> None:
    orders = {
        "joker_five": oracle.PAI_GOW_HIGH_TO_LOW,
        "progressive_seven": oracle.PROGRESSIVE_HIGH_TO_LOW,
        "seven_card_bonus": oracle.BONUS_HIGH_TO_LOW,
        "joker_high_card": [f"{face}_high" for face in ("nine", "ten", "jack", "queen", "king", "ace")],
    }
    for order, high_to_low in orders.items():
        counts = {category: count for category, count in by_category(order).items() if count}
        assert counts == oracle_counts.seven_card_counts(high_to_low), order


def test_counts_are_those_published_for_the_seven_card_bonus() -> None:
    """Wizard of Odds, pai gow poker, appendix 5.

    Three of a kind is above a straight there, as the bonus pays it, and royal and straight flushes include
    those of seven cards.
    """
    best_five, bonus = by_category("joker_five"), by_category("seven_card_bonus")
    assert best_five["five_aces"] == 1_128
    assert best_five["royal_flush"] == 26_132
    assert best_five["straight_flush"] == 184_832
    assert bonus["four_of_a_kind"] == 307_472
    assert bonus["full_house"] == 4_188_528
    assert bonus["flush"] == 6_172_088
    assert bonus["three_of_a_kind"] == 7_672_500
    assert bonus["straight"] == 11_034_204


@pytest.mark.clause("PGP-2")
def test_straight_flushes_of_seven_cards() -> None:
    progressive, best_five = by_category("progressive_seven"), by_category("joker_five")
    # Eight runs in four suits; with the joker one of the seven is missing, but six in a row lie in two runs.
    assert by_category("seven_card_bonus")["natural_seven_card_straight_flush"] == 4 * 8
    assert by_category("seven_card_bonus")["seven_card_straight_flush_with_joker"] == 4 * (8 * 7 - 7)
    assert progressive["seven_card_straight_flush"] == 228
    shorter = ("royal_flush", "straight_flush")
    assert sum(best_five[category] - progressive[category] for category in shorter) == 228


@pytest.mark.clause("PGP-3")
def test_five_aces_leave_two_cards_free() -> None:
    assert by_category("progressive_seven")["five_aces"] == comb(48, 2)


def test_a_royal_match_is_a_royal_flush_and_the_king_and_queen_of_another_suit() -> None:
    # Natural, or with the joker for one of five.
    assert by_category("seven_card_bonus")["royal_flush_and_royal_match"] == 4 * 3 * (1 + 5)
