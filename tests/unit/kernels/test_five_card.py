"""Five-card kernels against the scalar path, counting arguments and the oracle."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import chain, combinations, permutations, starmap
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from crossfelt.cards.card import Card
from crossfelt.errors import BadInput
from crossfelt.hands.strength import CLASS_COUNT, category_of, strength, strength_of
from crossfelt.kernels.five_card import all_five_card_hands, category_counts, strengths
from oracles import counts as oracle_counts
from oracles import five_card as oracle

HANDS = comb(52, 5)


def all_hands() -> NDArray[np.uint8]:
    cards = chain.from_iterable(combinations(range(52), 5))
    return np.fromiter(cards, dtype=np.uint8, count=5 * HANDS).reshape(-1, 5)


def dealt(count: int, seed: int) -> NDArray[np.uint8]:
    chance = np.random.default_rng(seed)
    return chance.random((count, 52)).argsort(axis=1)[:, :5].astype(np.uint8)


def test_every_hand_has_the_strength_of_the_scalar_path() -> None:
    one_by_one = np.fromiter(starmap(strength, combinations(range(52), 5)), dtype=np.int16, count=HANDS)
    hands = all_hands()
    assert np.array_equal(strengths(hands), one_by_one)
    # The split into three and two cards must not matter.
    assert np.array_equal(strengths(hands[:, ::-1]), one_by_one)
    assert np.array_equal(strengths(hands[:, [3, 0, 4, 1, 2]]), one_by_one)
    assert category_counts(one_by_one) == oracle_counts.five_card_counts()


def test_every_hand_visited_gives_the_counts_of_the_formulas() -> None:
    counts = all_five_card_hands()
    assert sum(counts.values()) == HANDS
    assert counts == oracle_counts.five_card_counts()


def test_where_the_ace_is_never_low_its_straights_are_high_cards_and_flushes() -> None:
    low, never_low = all_five_card_hands(), all_five_card_hands(ace_low_straight=False)
    changes = {category: never_low[category] - low[category] for category in low}
    assert {category: change for category, change in changes.items() if change} == {
        "high_card": 4**5 - 4,
        "straight": -(4**5 - 4),
        "flush": 4,
        "straight_flush": -4,
    }


def test_hands_at_random_have_the_category_of_the_oracle() -> None:
    hands = dealt(20_000, seed=11)
    for hand, number in zip(hands.tolist(), strengths(hands).tolist(), strict=True):
        assert category_of(number) == oracle.category_of([Card(card).text for card in hand]), hand


def test_of_two_hands_at_random_the_oracle_prefers_the_same() -> None:
    hands = dealt(20_000, seed=12)
    numbers = strengths(hands)
    keys = [oracle.key_of([Card(card).text for card in hand]) for hand in hands.tolist()]
    for one in range(0, len(hands), 2):
        ours = np.sign(int(numbers[one]) - int(numbers[one + 1]))
        assert ours == (keys[one] > keys[one + 1]) - (keys[one] < keys[one + 1])


def test_renaming_the_suits_changes_nothing() -> None:
    hands = dealt(50_000, seed=13)
    for suits in permutations(range(4)):
        renamed = hands // 4 * 4 + np.array(suits, dtype=np.uint8)[hands % 4]
        assert np.array_equal(strengths(renamed), strengths(hands))


@pytest.mark.parametrize("count", [0, 1, 7, 4_096, 4_097, 32_768, 65_537, 150_001])
def test_every_hand_of_an_array_is_looked_up(count: int) -> None:
    hands = dealt(max(count, 1), seed=14)[:count]
    numbers = strengths(hands)
    assert numbers.shape == (count,)
    assert numbers.dtype == np.int16
    for row in {0, count // 2, count - 1} if count else ():
        assert numbers[row] == strength_of(hands[row].tolist())


def test_arrays_are_understood_however_they_lie_in_memory() -> None:
    hands = dealt(2_000, seed=15)
    assert np.array_equal(strengths(np.asfortranarray(hands)), strengths(hands))
    assert np.array_equal(strengths(hands[::3]), strengths(hands)[::3])
    # Hands that do not begin at a whole word, and read-only hands.
    assert np.array_equal(strengths(hands[1:]), strengths(hands)[1:])
    assert np.array_equal(strengths(np.frombuffer(hands.tobytes(), np.uint8).reshape(-1, 5)), strengths(hands))


def test_several_threads_may_ask_at_once() -> None:
    hands = dealt(70_000, seed=18)
    expected = strengths(hands)
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(found, expected) for found in pool.map(strengths, [hands] * 8))


GOOD = [0, 4, 8, 12, 21]


@pytest.mark.parametrize(
    ("hands", "complaint"),
    [
        (np.array([GOOD]), r"hands: wrong type of numbers: 'int64' \(allowed: uint8\)"),
        (np.array(GOOD, dtype=np.uint8), r"hands: wrong shape: '\(5,\)' \(allowed: \(n, 5\)\)"),
        (np.array([[*GOOD, 22]], dtype=np.uint8), r"hands: wrong shape: '\(1, 6\)'"),
        (np.array([GOOD, [0, 4, 8, 12, 52]], dtype=np.uint8), r"hands\[1\]: no card of this deck: 52"),
        (np.array([[255, 4, 8, 12, 1]], dtype=np.uint8), r"hands\[0\]: no card of this deck: 255"),
        ([GOOD], "hands: not an array: 'list'"),
    ],
)
def test_invalid_arrays_are_refused(hands: NDArray[np.uint8], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        strengths(hands)


@pytest.mark.parametrize("row", [0, 4_095, 40_000, 199_999])
def test_a_bad_card_is_found_wherever_it_is(row: int) -> None:
    hands = dealt(200_000, seed=16)
    hands[row, row % 5] = 53
    with pytest.raises(BadInput, match=rf"hands\[{row}\]: no card of this deck: 53 \(allowed: 0 … 51\)"):
        strengths(hands)


def test_repeated_cards_are_refused_when_asked_for() -> None:
    hands = dealt(100_000, seed=17)
    assert np.array_equal(strengths(hands, different=True), strengths(hands))
    hands[70_000] = [9, 1, 2, 3, 9]
    with pytest.raises(BadInput, match=r"hands\[70000\]: card given more than once: 9"):
        strengths(hands, different=True)


@pytest.mark.parametrize("wrong", [-1, CLASS_COUNT])
def test_invalid_strengths_are_not_counted(wrong: int) -> None:
    with pytest.raises(BadInput, match="not a class of hands"):
        category_counts(np.array([0, wrong], dtype=np.int16))


def test_nothing_is_counted_as_nothing() -> None:
    assert set(category_counts(np.array([], dtype=np.int16)).values()) == {0}
