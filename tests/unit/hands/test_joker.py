"""High hands of pai gow poker, with the joker, and the best of seven cards."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from crossfelt.cards import Card, joker_deck, parse_cards
from crossfelt.errors import BadInput
from crossfelt.hands.joker import best_of_seven, rank_joker_five, rank_no_pair
from crossfelt.hands.rank import HandRank
from oracles import counts, pai_gow_hands, seven_card
from oracles.agreement import disagreement
from oracles.classes import flush_classes, hand_of, suit_classes


def rank(text: str, *, wheel_second: bool = True) -> HandRank:
    return rank_joker_five(parse_cards(text, joker=True), wheel_second=wheel_second)


def random_hands(size: int, how_many: int, *, seed: int) -> list[list[Card]]:
    chance = random.Random(seed)
    return [chance.sample(joker_deck(), size) for _ in range(how_many)]


def texts(cards: list[Card]) -> list[str]:
    return [card.text for card in cards]


@pytest.mark.exhaustive
@pytest.mark.parametrize("wheel_second", [True, False])
def test_all_270725_hands_with_the_joker_are_ranked_as_the_oracle_ranks_them(wheel_second: bool) -> None:
    # Only the ranks of the four natural cards matter, and whether they are of one suit.
    hands: Counter[str] = Counter()
    ranked = []
    for pattern, suited, weight in flush_classes(4, 4):
        cards = [*hand_of(pattern, suited), "Jk"]
        hand = rank_joker_five(list(map(Card, cards)), wheel_second=wheel_second)
        key = pai_gow_hands.key_of(cards, wheel_second=wheel_second)
        assert hand.category == pai_gow_hands.LOW_TO_HIGH[key[0]], cards
        ranked.append((hand, key))
        hands[hand.category] += weight
    assert disagreement(ranked) == ""
    assert hands == counts.joker_five_card_counts()


@pytest.mark.exhaustive
def test_only_ranks_and_a_common_suit_matter_beside_the_joker() -> None:
    by_shape: dict[object, set[HandRank]] = {}
    for cards, _ in suit_classes(4):
        shape = (tuple(sorted(card[0] for card in cards)), len({card[1] for card in cards}) == 1)
        by_shape.setdefault(shape, set()).add(rank_joker_five([*map(Card, cards), Card("Jk")]))
    assert [shape for shape, ranks in by_shape.items() if len(ranks) > 1] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("wheel_second", [True, False])
def test_random_five_card_hands_are_ranked_as_the_oracle_ranks_them(wheel_second: bool) -> None:
    ranked = []
    for cards in random_hands(5, 5_000, seed=11):
        hand = rank_joker_five(cards, wheel_second=wheel_second)
        ranked.append((hand, pai_gow_hands.key_of(texts(cards), wheel_second=wheel_second)))
    assert disagreement(ranked) == ""


@pytest.mark.exhaustive
def test_the_best_of_seven_random_cards_is_the_one_the_oracle_finds() -> None:
    ranked = [
        (best_of_seven(cards), pai_gow_hands.best_key_of_seven(texts(cards)))
        for cards in random_hands(7, 1_000, seed=12)
    ]
    assert disagreement(ranked) == ""


@pytest.mark.exhaustive
def test_seven_random_cards_hold_what_the_oracle_counts_in_them() -> None:
    for cards in random_hands(7, 10_000, seed=13):
        expected = seven_card.highest(seven_card.held_in(texts(cards)), seven_card.PAI_GOW_HIGH_TO_LOW)
        assert best_of_seven(cards).category == expected, texts(cards)


@pytest.mark.parametrize(
    ("cards", "equal_to"),
    [
        ("7c 7d 7h Jk 2s", "7c 7d 7h As 2s"),
        ("Ac Ad Ah Jk 2s", "Ac Ad Ah As 2s"),
        ("Kc Kd Ah Jk 2s", "Kc Kd Ah As 2s"),
        ("Kc Kd Qh Qs Jk", "Kc Kd Qh Qs Ac"),
        ("Kc Qd 9h 7s Jk", "Kc Qd 9h 7s Ac"),
        ("9c 8d 7h Jk 5s", "9c 8d 7h 6s 5s"),
        ("9c 8d 7h 6s Jk", "Tc 9c 8d 7h 6s"),
        ("Qc Jd Th 9s Jk", "Kc Qc Jd Th 9s"),
        ("Ac Kd Qh Js Jk", "Ac Kd Qh Js Ts"),
        ("2c 3d 4h 5s Jk", "Ac 2c 3d 4h 5s"),
        ("Kh 9h 4h 2h Jk", "Ah Kh 9h 4h 2h"),
        ("Ah 9h 4h 2h Jk", "Ah Kh 9h 4h 2h"),
        ("Ah Kh 4h 2h Jk", "Ah Kh Qh 4h 2h"),
        ("9h 8h 7h Jk 5h", "9h 8h 7h 6h 5h"),
        ("Ah Kh Qh Jk Th", "Ah Kh Qh Jh Th"),
        ("Kh Qh Jh Th Jk", "Ah Kh Qh Jh Th"),
    ],
)
def test_the_joker_is_an_ace_or_completes_a_straight_or_flush(cards: str, equal_to: str) -> None:
    assert rank(cards) == rank(equal_to)


def test_five_aces_beat_a_royal_flush() -> None:
    assert rank("Ac Ad Ah As Jk").category == "five_aces"
    assert rank("Ac Ad Ah As Jk") > rank("Ah Kh Qh Jh Th")


def test_a_straight_does_not_go_round_the_ace_even_with_the_joker() -> None:
    assert rank("Qs Kd Jk 2h 3s").category == "high_card"
    assert rank("Qs Kd Ac 2h Jk").category == "pair"


@pytest.mark.parametrize("suits", ["shdcs", "sssss"])
def test_ace_to_five_is_the_second_highest_straight_unless_set_otherwise(suits: str) -> None:
    def run(faces: str, *, wheel_second: bool = True) -> HandRank:
        cards = [Card(face + suit) for face, suit in zip(faces, suits, strict=True)]
        return rank_joker_five(cards, wheel_second=wheel_second)

    assert run("AKQJT") > run("A2345") > run("KQJT9") > run("65432")
    assert run("A2345", wheel_second=False) < run("65432", wheel_second=False)
    assert run("AKQJT", wheel_second=False) > run("KQJT9", wheel_second=False)


def test_no_two_jokers_and_no_hidden_card() -> None:
    for cards in (["Jk", "Jk", "As", "Ks", "Qs"], ["??", "2s", "As", "Ks", "Qs"]):
        with pytest.raises(BadInput):
            rank_joker_five(list(map(Card, cards)))


@pytest.mark.exhaustive
def test_a_pai_gow_is_a_hand_without_pair_straight_or_flush() -> None:
    for cards in random_hands(7, 2_000, seed=14):
        expected = seven_card.high_card_of(texts(cards))
        assert rank_no_pair(cards).category == expected, texts(cards)


@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("Qs Jd 8h 7c 5s 3d 2h", "queen_high"),
        ("Qs Jd 8h 7c 5s 3d Jk", "ace_high"),
        ("Qs Jd 8h 7c 5s 3d Ah", "ace_high"),
        ("Qs Jd 8h 7c 5s 3d Kh", "king_high"),
        ("Qs Jd 8h 7c 5s 3d Qh", "nothing"),
        ("Qs Jd 9h 8c 5s 3d Jk", "nothing"),
        ("Qs Jd 9h 8c Ts 4d 2h", "nothing"),
        ("Qs Js 9s 8s 6s 4d 2h", "nothing"),
        ("Qs Js 9s 8s 6d 4d Jk", "nothing"),
        ("9s 8d 7h 5c 4s 3d 2h", "nine_high"),
    ],
)
def test_a_queen_high_pai_gow_has_no_ace_king_or_joker(cards: str, category: str) -> None:
    assert rank_no_pair(parse_cards(cards, joker=True)).category == category


def test_nine_high_is_the_lowest_pai_gow() -> None:
    # Seven different ranks below the nine are all of them, and hold a straight.
    lowest = [Card(face + suit) for face, suit in zip("2345678", "shdcshd", strict=True)]
    assert rank_no_pair(lowest).category == "nothing"
    nine_high = [
        faces
        for faces in combinations("23456789", 7)
        if rank_no_pair([Card(face + suit) for face, suit in zip(faces, "shdcshd", strict=True)]).category
        == "nine_high"
    ]
    # Of the seven, only those that miss the five or the six hold no five in a row.
    assert ["".join(faces) for faces in nine_high] == ["2345789", "2346789"]
