"""House ways in the kernel against the plain interpreter, the oracle and counting arguments."""

from __future__ import annotations

import random
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.every_hand import every_hand
from crossfelt.cards.card import RANK_NAMES, Card
from crossfelt.errors import BadInput
from crossfelt.games.house_way import HandSetter, Holding, house_way
from crossfelt.games.split_hands import set_hand
from crossfelt.hands.rank import JOKER_CATEGORIES
from crossfelt.kernels.house_way.batch import line_counts, lines_of, rule_counts, set_hands
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.house_ways import GROUPS, PATTERNS, HouseWay, house_way_from_data, load_house_way
from oracles import classes
from oracles import house_ways as oracle

JOKER = 52
HANDS = comb(53, 7)
TEXTS = [Card(card).text for card in range(53)]
WAYS = house_way_ids()

Hands = NDArray[np.uint8]


def dealt(count: int, seed: int) -> Hands:
    chance = np.random.default_rng(seed)
    return chance.random((count, 53)).argsort(axis=1)[:, :7].astype(np.uint8)


def picked(seed: int, each: int) -> Hands:
    """Draw hands from small decks, in which rare hands are common."""
    aces = range(48, 52)
    decks = [
        [*range(3, 52, 4), JOKER],  # one suit
        [*range(3, 52, 4), *range(32, 52, 4), JOKER],  # one suit, and the high cards of another
        [*range(32, 52), JOKER],  # tens to aces
        [*aces, *range(16), JOKER],  # aces to fives
        [*range(16, 40), JOKER],  # sixes to jacks
        [*aces, *range(44, 48), 0, 1, 2, 5, 6, JOKER],  # aces, kings and a few others
    ]
    chance = random.Random(seed)
    return np.array([chance.sample(deck, 7) for deck in decks for _ in range(each)], dtype=np.uint8)


def faces(front: list[int]) -> str:
    return oracle.faces_of([TEXTS[card] for card in front])


def assert_set_alike(way: HouseWay, hands: Hands, held: list[Holding]) -> None:
    setter, lines = HandSetter(way), lines_of(way)
    made = set_hands(way, hands)
    for cards, low, line in zip(held, made.low.tolist(), made.line.tolist(), strict=True):
        expected = setter.decide(cards)
        assert (low, lines[line]) == (list(map(int, expected.low)), expected.rule), (way.id, cards.cards)


# --- the same as the plain interpreter and the oracle ----------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_hands_are_set_as_the_plain_interpreter_sets_them(seed: int) -> None:
    hands = np.concatenate([dealt(700, seed), picked(seed, each=50)])
    held = [Holding([Card(card) for card in hand]) for hand in hands.tolist()]
    for way in WAYS:
        assert_set_alike(load_house_way(way), hands, held)


@pytest.mark.parametrize("way", oracle.HOUSE_WAYS)
def test_hands_are_set_as_the_oracle_sets_them(way: str) -> None:
    hands = np.concatenate([dealt(20_000, seed=51), picked(seed=52, each=500)])
    for hand, low in zip(hands.tolist(), set_hands(way, hands).low.tolist(), strict=True):
        assert faces(low) == oracle.HOUSE_WAYS[way]([TEXTS[card] for card in hand]), [TEXTS[card] for card in hand]


def any_way(chance: random.Random) -> HouseWay:
    """Make a house way of meaningless rules that use every term."""

    def span() -> str:
        low, high = sorted(chance.choices(range(13), k=2))
        return "-".join("23456789TJQKA"[rank] for rank in (low, high))

    def behind() -> list[str]:
        words = chance.sample(JOKER_CATEGORIES, chance.randrange(3))
        return [word.replace("_", " ") + chance.choice(["", " or better"]) for word in words]

    def front() -> str:
        name = chance.choice(RANK_NAMES[1:])
        return chance.choice(["anything", "a pair", f"{name} high", f"{name} high or better", "ace-king or better"])

    def rule(number: int) -> dict[str, Any]:
        holds = chance.sample(PATTERNS, chance.randint(1, 4))
        groups = [group for group, having in GROUPS.items() if having >= set(holds) and chance.random() < 0.5]
        when = {"holds": holds, "makes": behind()} | {group: span() for group in groups}
        plays = [{"front": front(), "behind": behind()} for _ in range(chance.randint(1, 3))]
        return {"id": f"rule_{number}", "says": "anything", "when": when, "play": plays}

    rules = [rule(number) for number in range(chance.randint(1, 40))]
    data = {"id": "any", "name": "Any", "house_rule": "none", "confidence": "read", "rule": rules}
    return house_way_from_data(data, where="any")


def test_rules_of_any_kind_are_followed_as_the_plain_interpreter_follows_them() -> None:
    chance = random.Random(53)
    hands = np.concatenate([dealt(60, seed=54), picked(seed=55, each=15)])
    held = [Holding([Card(card) for card in hand]) for hand in hands.tolist()]
    for _ in range(25):
        assert_set_alike(any_way(chance), hands, held)


# --- invariance -------------------------------------------------------------------------------------------------


def fouls(hands: Hands, low: Hands) -> NDArray[np.bool_]:
    """Return the fouls of all hands at once by another method: counts of ranks behind."""
    in_front = (hands[:, :, None] == low[:, None, :]).any(axis=2)
    behind = hands[~in_front].reshape(-1, 5)
    joker = (behind == JOKER).any(axis=1)
    ranks = np.where(behind == JOKER, 12, behind // 4).astype(np.int64)
    counts = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    natural = np.where(joker[:, None], np.sort(behind, axis=1)[:, [0, 1, 2, 3, 0]], behind)
    different = np.array([len(set(row)) for row in (natural // 4).tolist()]) == 5 - joker
    flush = (natural % 4 == natural[:, :1] % 4).all(axis=1)
    wheel = np.where(natural // 4 == 12, -1, natural.astype(np.int64) // 4)
    straight = (np.ptp(natural // 4, axis=1) < 5) | (np.ptp(wheel, axis=1) < 5)
    pairs = (counts >= 2).sum(axis=1)
    strong = different & (flush | straight) | (pairs >= 2) | (counts.max(axis=1) >= 3)
    pair_behind = np.where(pairs > 0, (counts == 2).argmax(axis=1), -1)
    front = np.sort(np.where(low == JOKER, 12, low // 4).astype(np.int64), axis=1)
    paired = front[:, 0] == front[:, 1]
    top = np.sort(ranks, axis=1)
    higher_cards = front[:, 1] * 13 + front[:, 0] > top[:, 4] * 13 + top[:, 3]
    foul: NDArray[np.bool_] = ~strong & np.where(paired, front[:, 0] > pair_behind, (pairs == 0) & higher_cards)
    return foul


def test_the_check_for_fouls_finds_them() -> None:
    hands = np.sort(np.concatenate([dealt(300, seed=56), picked(seed=57, each=60)]), axis=1)
    low = np.concatenate([hands[:300, 5:], hands[300:, [2, 5]]])
    expected = [
        set_hand(list(map(Card, hand)), list(map(Card, front))).foul for hand, front in zip(hands, low, strict=True)
    ]
    assert fouls(hands, low).tolist() == expected
    assert 100 < sum(expected) < len(expected) - 100


@pytest.mark.parametrize("way", WAYS)
def test_no_hand_of_a_large_sample_is_fouled(way: str) -> None:
    hands = np.concatenate([dealt(150_000, seed=58), picked(seed=59, each=5_000)])
    made = set_hands(way, hands)
    assert not fouls(hands, made.low).any()
    assert (made.line < len(lines_of(way)) - 1).all()


@pytest.mark.parametrize("way", WAYS)
def test_neither_the_order_of_the_cards_nor_the_names_of_the_suits_matter(way: str) -> None:
    hands = np.concatenate([dealt(5_000, seed=60), picked(seed=61, each=500)])
    expected = set_hands(way, hands)
    backwards = set_hands(way, hands[:, ::-1])
    assert np.array_equal(backwards.low, expected.low)
    for suits in permutations(range(4)):
        renamed = np.where(hands == JOKER, hands, hands // 4 * 4 + np.array(suits, dtype=np.uint8)[hands % 4])
        made = set_hands(way, renamed)
        assert np.array_equal(made.low // 4, expected.low // 4)
        assert np.array_equal(made.line, expected.line)


@pytest.mark.parametrize("count", [0, 1, 8_192, 100_001])
def test_every_hand_of_an_array_is_set(count: int) -> None:
    hands = dealt(max(count, 1), seed=62)[:count]
    made = set_hands("trump_plaza", hands)
    assert made.low.shape == (count, 2)
    for row in {0, count // 2, count - 1} if count else ():
        assert made.low[row].tolist() == list(house_way("trump_plaza").set(list(map(Card, hands[row]))).low)


# --- all hands -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_every_play_of_every_rule_sets_some_hand_and_the_guard_none(way: str) -> None:
    counts = line_counts(way)
    assert counts.sum() == HANDS == 154_143_080
    assert [rule for rule, count in zip(lines_of(way)[:-1], counts[:-1], strict=True) if not count] == []
    assert counts[-1] == 0


def test_a_rule_that_can_never_apply_is_found_out() -> None:
    never = {
        "id": "never",
        "says": "Five aces, and a straight flush of five others",
        "when": {"holds": ["five aces"], "makes": ["straight flush"]},
        "play": [{"front": "anything"}],
    }
    data = {"id": "ours", "name": "Ours", "house_rule": "none", "confidence": "read", "rule": [never]}
    way = house_way_from_data(data, where="ours")
    assert rule_counts(way) == {"never": 0, "guard": HANDS}


def test_patterns_are_as_many_as_counting_says() -> None:
    """Count without the joker by the ranks of the groups and their suits; with it, one more ace."""
    play = {"says": "By pattern", "play": [{"front": "anything"}]}
    rules = [{"id": f"p{place}", "when": {"holds": [pattern]}, **play} for place, pattern in enumerate(PATTERNS)]
    data = {"id": "ours", "name": "Ours", "house_rule": "none", "confidence": "read", "rule": rules}
    counts = dict(zip(PATTERNS, rule_counts(house_way_from_data(data, where="ours")).values(), strict=False))
    assert counts["five aces"] == comb(48, 2)
    assert counts["four and three"] == 13 * 12 * 4 + 12 * 4 * 4 + 12 * 6
    # The joker is none of them, or a third ace, or the single card.
    assert counts["two threes"] == comb(13, 2) * 4**2 * 44 + 12 * 6 * 4 * 44 + comb(12, 2) * 4**2
    assert counts["no pair"] == comb(13, 7) * 4**7 + comb(12, 6) * 4**6


def test_how_much_of_the_chart_is_assumed() -> None:
    counts = rule_counts("casino_real")
    stated = sum(counts[rule.id] for rule in load_house_way("casino_real").rules if not rule.assumed)
    assert (stated, HANDS - stated) == (39_079_780, 115_063_300)


@pytest.mark.soak
@pytest.mark.parametrize("way", WAYS)
def test_all_hands_are_set_as_often_by_each_line_as_counted(way: str) -> None:
    lines = len(lines_of(way))
    visited = sum(np.bincount(set_hands(way, hands).line, minlength=lines) for hands in every_hand(7, range(53)))
    assert np.array_equal(visited, line_counts(way))


def all_classes() -> list[list[str]]:
    """Yield a hand for each choice of ranks, and of the ranks of a possible flush."""
    natural = [classes.hand_of(pattern, suited) for pattern, suited, _ in classes.flush_classes(7, 5)]
    with_joker = [[*classes.hand_of(pattern, suited), "Jk"] for pattern, suited, _ in classes.flush_classes(6, 4)]
    return natural + with_joker


@pytest.mark.soak
def test_no_hand_is_fouled() -> None:
    numbers = np.array([[Card(card) for card in hand] for hand in all_classes()], dtype=np.uint8)
    assert [way for way in WAYS if fouls(numbers, set_hands(way, numbers).low).any()] == []


@pytest.mark.soak
@pytest.mark.parametrize("way", oracle.HOUSE_WAYS)
def test_the_oracle_agrees_on_all_hands(way: str) -> None:
    hands = all_classes()
    numbers = np.array([[Card(card) for card in hand] for hand in hands], dtype=np.uint8)
    for hand, low in zip(hands, set_hands(way, numbers).low.tolist(), strict=True):
        assert faces(low) == oracle.HOUSE_WAYS[way](hand), hand


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_the_plain_interpreter_agrees_on_many_kinds_of_hand(part: int) -> None:
    numbers = np.array([[Card(card) for card in hand] for hand in all_classes()[part::20]], dtype=np.uint8)
    held = [Holding([Card(card) for card in hand]) for hand in numbers.tolist()]
    for way in WAYS:
        assert_set_alike(load_house_way(way), numbers, held)


# --- refusals ---------------------------------------------------------------------------------------------------


def test_a_house_way_of_more_plays_than_there_are_numbers_is_refused() -> None:
    rule = {"id": "r", "says": "s", "when": {"holds": ["no pair"]}, "play": [{"front": "anything"}] * 600}
    data = {"id": "long", "name": "Long", "house_rule": "none", "confidence": "read", "rule": [rule]}
    way = house_way_from_data(data, where="long")
    with pytest.raises(BadInput, match="too many plays: 600"):
        rule_counts(way)
