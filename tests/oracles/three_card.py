"""Three-card hands of double cross poker a second time, by lists of runs."""

from __future__ import annotations

from collections.abc import Sequence

from oracles.five_card import weight_of

RUNS = ["A23", "234", "345", "456", "567", "678", "789", "89T", "9TJ", "TJQ", "JQK", "QKA"]
LOW_TO_HIGH = ["high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush"]


def category_of(cards: Sequence[str]) -> str:
    """The category of three cards such as ``As``."""
    faces = "".join(sorted(card[0] for card in cards))
    suited = len({card[1] for card in cards}) == 1
    in_a_row = faces in {"".join(sorted(run)) for run in RUNS}
    match len(set(faces)), in_a_row, suited:
        case 1, _, _:
            return "three_of_a_kind"
        case 2, _, _:
            return "pair"
        case _, True, True:
            return "straight_flush"
        case _, True, False:
            return "straight"
        case _, False, True:
            return "flush"
    return "high_card"


def key_of(cards: Sequence[str]) -> tuple[int, int]:
    """A key that is higher for the higher hand and equal for equal hands."""
    category = category_of(cards)
    faces = "".join(card[0] for card in cards)
    if "straight" in category:
        return LOW_TO_HIGH.index(category), next(n for n, run in enumerate(RUNS) if set(run) == set(faces))
    return LOW_TO_HIGH.index(category), weight_of(faces)
