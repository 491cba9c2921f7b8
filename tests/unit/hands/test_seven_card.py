"""Ranks of seven cards for the progressive wager and the seven-card bonus."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

import pytest

from crossfelt.cards import JOKER, Card, joker_deck, parse_cards, standard_deck
from crossfelt.hands.joker import best_of_seven, rank_no_pair, rank_progressive_seven, rank_seven_card_bonus
from crossfelt.hands.rank import HandRank
from oracles import counts, seven_card
from oracles.classes import flush_classes, hand_of


def progressive(text: str) -> HandRank:
    return rank_progressive_seven(parse_cards(text, joker=True))


def bonus(text: str) -> HandRank:
    return rank_seven_card_bonus(parse_cards(text, joker=True))


def agrees(cards: Sequence[Card]) -> bool:
    held = seven_card.held_in([card.text for card in cards])
    return (rank_progressive_seven(cards).category, rank_seven_card_bonus(cards).category) == (
        seven_card.highest(held, seven_card.PROGRESSIVE_HIGH_TO_LOW),
        seven_card.highest(held, seven_card.BONUS_HIGH_TO_LOW),
    )


@pytest.mark.exhaustive
@pytest.mark.clause("PGP-1", "PGP-2", "PGP-3", "PGP-4", "PGP-5")
def test_seven_random_cards_are_ranked_as_the_oracle_ranks_them() -> None:
    chance = random.Random(21)
    hands = [chance.sample(joker_deck(), 7) for _ in range(4_000)]
    assert [hand for hand in hands if not agrees(hand)] == []


@pytest.mark.exhaustive
@pytest.mark.clause("PGP-1", "PGP-2", "PGP-4")
def test_seven_random_cards_of_one_suit_are_ranked_as_the_oracle_ranks_them() -> None:
    spades = [card for card in standard_deck() if card.text.endswith("s")]
    hands = [*combinations(spades, 7), *((*six, JOKER) for six in combinations(spades, 6))]
    chance = random.Random(22)
    assert [hand for hand in chance.sample(hands, 500) if not agrees(hand)] == []


@pytest.mark.exhaustive
@pytest.mark.clause("PGP-2")
def test_every_seven_card_straight_flush_is_found() -> None:
    spades = [card for card in standard_deck() if card.text.endswith("s")]
    natural = Counter(rank_seven_card_bonus(hand).category for hand in combinations(spades, 7))
    completed = Counter(rank_progressive_seven((*hand, JOKER)).category for hand in combinations(spades, 6))
    assert 4 * natural["natural_seven_card_straight_flush"] == 32
    assert 4 * completed["seven_card_straight_flush"] == 196


@pytest.mark.clause("PGP-1", "PGP-2")
@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("As 2s 3s 4s 5s 6s 7s", "seven-high seven-card straight flush"),
        ("As 2s 3s 4s 5s 6s Jk", "seven-high seven-card straight flush"),
        ("2s 3s 4s 5s 6s 7s Jk", "eight-high seven-card straight flush"),
        ("As Ks Qs Jk Ts 9s 8s", "ace-high seven-card straight flush"),
        ("9s Ts Js Qs Ks As Jk", "ace-high seven-card straight flush"),
    ],
)
def test_the_ace_is_either_end_of_a_seven_card_straight_flush(cards: str, name: str) -> None:
    assert progressive(cards).name == name


@pytest.mark.clause("PGP-1", "PGP-2")
@pytest.mark.parametrize("cards", ["Qs Ks As 2s 3s 4s 5s", "Qs Ks Jk 2s 3s 4s 5s", "2s 3s 4s 5s 6s 7s 8h"])
def test_a_seven_card_straight_flush_is_in_one_suit_and_not_round_the_ace(cards: str) -> None:
    assert progressive(cards).category == "straight_flush"


@pytest.mark.clause("PGP-3")
def test_all_1128_hands_with_four_aces_and_the_joker_are_five_aces() -> None:
    aces = parse_cards("As Ah Ad Ac Jk", joker=True)
    others = [card for card in joker_deck() if card not in aces]
    found = [(*aces, *two) for two in combinations(others, 2)]
    assert len(found) == 1128
    assert {rank_progressive_seven(hand).category for hand in found} == {"five_aces"}


@pytest.mark.clause("PGP-4")
@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("As Ks Qs Js Ts 2d 3d", "royal_flush"),
        ("Jk Ks Qs Js Ts 2d 3d", "royal_flush"),
        ("As Ks Qs Js Jk Ad Ac", "royal_flush"),
        ("9s Ks Qs Js Ts 2d 3d", "straight_flush"),
        ("9s Jk Qs Js Ts 2d 3d", "straight_flush"),
        ("As 2s 3s 4s 5s Kd Kc", "straight_flush"),
        ("As 2s 3s Jk 5s Kd Kc", "straight_flush"),
    ],
)
def test_royal_and_straight_flushes_may_use_the_joker(cards: str, category: str) -> None:
    assert progressive(cards).category == category


@pytest.mark.clause("PGP-5")
@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("7s 7h 7d 7c 2s 3d Jk", "four_of_a_kind"),
        ("As Ah Ad Jk 2s 3d 5c", "four_of_a_kind"),
        ("7s 7h 7d Jk 2s 3d 5c", "nothing"),
        ("7s 7h 7d Jk As 3d 5c", "full_house"),
        ("Ks Kh As Ad Jk 3d 5c", "full_house"),
        ("Ks Kh Qs Qd Jk 3d 5c", "nothing"),
        ("As Ks 9s 7s 5s 3d 3c", "nothing"),
        ("As 2h 3s 4d 5s 3d 3c", "nothing"),
    ],
)
def test_nothing_below_a_full_house_counts_and_the_joker_is_an_ace(cards: str, category: str) -> None:
    assert progressive(cards).category == category


@pytest.mark.clause("PGP-2", "PGP-3", "PGP-4", "PGP-5")
def test_the_order_of_the_progressive_wager() -> None:
    low_to_high = [
        "As Ks 9s 7s 5s 3d 3c",
        "Ks Kh Kd Qd Qc 3d 5c",
        "7s 7h 7d 7c 2s 3d 5c",
        "9s Ks Qs Js Ts 2d 3d",
        "As Ks Qs Js Ts 2d 3d",
        "As Ah Ad Ac Jk 3d 5c",
        "2s 3s 4s 5s 6s 7s Jk",
    ]
    ranks = [progressive(cards) for cards in low_to_high]
    assert ranks == sorted(ranks)
    assert len({hand.category for hand in ranks}) == len(ranks)


@pytest.mark.clause("PGP-5")
def test_only_the_highest_category_counts() -> None:
    assert progressive("As Ah Ad Jk 2s 3s 4s").category == "straight_flush"
    assert progressive("As 2s 3s 4s 2h 2d Jk").category == "straight_flush"


@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("As Ks Qs Js Ts Kd Qd", "royal_flush_and_royal_match"),
        ("As Jk Qs Js Ts Kd Qd", "royal_flush_and_royal_match"),
        ("Jk Ks Qs Js Ts Kd Qd", "royal_flush_and_royal_match"),
        ("As Ks Qs Js Ts Kd Qh", "royal_flush"),
        ("As Ks Qs Js Ts 3d 2d", "royal_flush"),
        ("As Ks Qs Js Ts Kd Jk", "royal_flush"),
        ("As Ks Qs Js Ts Qd Jk", "royal_flush"),
        ("As Ks Qs Js Ts 9s Jk", "seven_card_straight_flush_with_joker"),
    ],
)
def test_a_royal_match_is_the_natural_king_and_queen_of_another_suit(cards: str, category: str) -> None:
    assert bonus(cards).category == category


def test_all_72_royal_matches_are_found() -> None:
    found = 0
    for royal, match in ((a, b) for a in "cdhs" for b in "cdhs" if a != b):
        flush = [Card(face + royal) for face in "AKQJT"]
        pair = [Card("K" + match), Card("Q" + match)]
        hands = [flush, *([card for card in flush if card != missing] + [JOKER] for missing in flush)]
        found += sum(bool(rank_seven_card_bonus(hand + pair).category.endswith("match")) for hand in hands)
    assert found == 72


def test_three_of_a_kind_is_above_a_straight_in_the_bonus() -> None:
    assert bonus("5c 6d 7h 8s 9c 9d 9h").category == "three_of_a_kind"
    assert bonus("As Ah Jk Kd Qc Jh Ts").category == "three_of_a_kind"
    assert bonus("5c 6d 7h 8s 9c 9d 2h").category == "straight"
    assert bonus("5c 5d 5h 8s 9c Kd 2h") > bonus("As Kh Qs Jd Tc 9d 2h")


@pytest.mark.soak
@pytest.mark.clause("PGP-1", "PGP-2", "PGP-3", "PGP-4", "PGP-5")
@pytest.mark.parametrize(
    ("classify", "high_to_low"),
    [
        (best_of_seven, seven_card.PAI_GOW_HIGH_TO_LOW),
        (rank_no_pair, [name + "_high" for name in counts.HIGH_NAMES.values()]),
        (rank_progressive_seven, seven_card.PROGRESSIVE_HIGH_TO_LOW),
        (rank_seven_card_bonus, seven_card.BONUS_HIGH_TO_LOW),
    ],
)
def test_all_154143080_hands_fall_into_the_categories_that_were_counted(
    classify: Callable[[Sequence[Card]], HandRank], high_to_low: list[str]
) -> None:
    found: Counter[str] = Counter()
    for joker in (0, 1):
        for pattern, suited, weight in flush_classes(7 - joker, 5 - joker):
            cards = [*map(Card, hand_of(pattern, suited)), *[JOKER] * joker]
            found[classify(cards).category] += weight
    expected = counts.seven_card_counts(high_to_low)
    # The classes do not tell a royal match from a king and queen of two suits.
    expected["royal_flush"] += expected.pop("royal_flush_and_royal_match", 0)
    found["royal_flush"] += found.pop("royal_flush_and_royal_match", 0)
    assert found == expected
