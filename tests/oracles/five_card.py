"""Five-card hands a second time: equal pairs are counted, and straights looked up in a list of runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

FACES = "23456789TJQKA"
RUNS = ["A2345", "23456", "34567", "45678", "56789", "6789T", "789TJ", "89TJQ", "9TJQK", "TJQKA"]
FACES_OF_RUNS = [set(run) for run in RUNS]

# Among five cards, how many of the ten pairs of cards match in rank.
MATCHES = {
    0: "high_card",
    1: "pair",
    2: "two_pair",
    3: "three_of_a_kind",
    4: "full_house",
    6: "four_of_a_kind",
}

LOW_TO_HIGH = [
    *("high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush"),
    *("full_house", "four_of_a_kind", "straight_flush", "royal_flush"),
]


def category_of(cards: Sequence[str]) -> str:
    """The category of five cards such as ``As``."""
    faces = faces_of(cards)
    if any(card[1] != cards[0][1] for card in cards):
        return category_of_several_suits(faces)
    if faces == faces_of("TJQKA"):
        return "royal_flush"
    return "straight_flush" if category_of_several_suits(faces) == "straight" else "flush"


@cache
def category_of_several_suits(faces: str) -> str:
    if set(faces) in FACES_OF_RUNS:
        return "straight"
    return MATCHES[sum(one == other for one, other in combinations(faces, 2))]


def faces_of(cards: Sequence[str]) -> str:
    """The faces in one order, whatever the order of the cards."""
    return "".join(sorted([card[0] for card in cards]))


def key_of(cards: Sequence[str]) -> tuple[int, int]:
    """A key that is higher for the higher hand and equal for equal hands."""
    category = category_of(cards)
    faces = faces_of(cards)
    if category in ("straight", "straight_flush", "royal_flush"):
        return LOW_TO_HIGH.index(category), FACES_OF_RUNS.index(set(faces))
    return LOW_TO_HIGH.index(category), weight_of(faces)


@cache
def weight_of(faces: str) -> int:
    """Each card weighs 14 to the power of its rank, more if it is one of several; the heavier hand wins."""
    return sum(14 ** (FACES.index(face) + 13 * (faces.count(face) - 1)) for face in faces)
