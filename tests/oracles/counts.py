"""Number of hands of each category, by counting arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from math import comb

from oracles.classes import FACES, flush_classes
from oracles.five_card import RUNS

RUN_RANKS = [frozenset(map(FACES.index, run)) for run in RUNS]
SEVEN_RUN_RANKS = [frozenset(map(FACES.index, "A234567")), *(frozenset(range(n, n + 7)) for n in range(7))]
ACE = FACES.index("A")
HIGH_NAMES = dict(enumerate(("nine", "ten", "jack", "queen", "king", "ace"), start=FACES.index("9")))


def five_card_counts() -> dict[str, int]:
    """The ten categories of the C(52, 5) five-card hands."""
    runs = len(RUNS)
    return {
        "royal_flush": 4,
        "straight_flush": 4 * (runs - 1),
        "four_of_a_kind": 13 * 48,
        "full_house": 13 * comb(4, 3) * 12 * comb(4, 2),
        "flush": 4 * (comb(13, 5) - runs),
        "straight": runs * (4**5 - 4),
        "three_of_a_kind": 13 * comb(4, 3) * comb(12, 2) * 4**2,
        "two_pair": comb(13, 2) * comb(4, 2) ** 2 * 44,
        "pair": 13 * comb(4, 2) * comb(12, 3) * 4**3,
        "high_card": (comb(13, 5) - runs) * (4**5 - 4),
    }


def three_card_counts() -> dict[str, int]:
    """The six categories of the C(52, 3) three-card hands; runs go from A-2-3 to Q-K-A."""
    runs = 12
    return {
        "straight_flush": 4 * runs,
        "three_of_a_kind": 13 * comb(4, 3),
        "straight": runs * (4**3 - 4),
        "flush": 4 * (comb(13, 3) - runs),
        "pair": 13 * comb(4, 2) * 48,
        "high_card": (comb(13, 3) - runs) * (4**3 - 4),
    }


def two_card_counts() -> dict[str, int]:
    """The C(53, 2) two-card hands; with the joker there are five aces."""
    return {"pair": 12 * comb(4, 2) + comb(5, 2), "high_card": comb(12, 2) * 4**2 + 12 * 4 * 5}


def joker_five_card_counts() -> dict[str, int]:
    """The C(52, 4) hands of four natural cards and the joker."""
    # Of four different ranks, `near` sets lack one card of a run: five in each run, but a set of four in a
    # row lies in two runs. Eight of them hold an ace, and five complete a royal flush.
    near, near_with_ace, near_royal = 10 * 5 - 9, 2 * 4, 5
    return {
        "five_aces": 1,
        "royal_flush": 4 * near_royal,
        "straight_flush": 4 * (near - near_royal),
        "four_of_a_kind": 12 + comb(4, 3) * 48,
        "full_house": comb(4, 2) * 12 * comb(4, 2) + 12 * comb(4, 3) * 4,
        "flush": 4 * (comb(13, 4) - near),
        "straight": near * (4**4 - 4),
        "three_of_a_kind": comb(4, 2) * comb(12, 2) * 4**2 + 12 * comb(4, 3) * 11 * 4,
        "two_pair": comb(12, 2) * comb(4, 2) ** 2 + 12 * comb(4, 2) * 4 * 11 * 4,
        "pair": (comb(12, 3) - near_with_ace) * (4**4 - 4) + 12 * comb(4, 2) * comb(11, 2) * 4**2,
        "high_card": (comb(12, 4) - near + near_with_ace) * (4**4 - 4),
    }


@cache
def seven_card_held(jokers: Sequence[int] = (0, 1)) -> Counter[frozenset[str]]:
    """The C(53, 7) seven-card hands, or those without (0) or with (1) the joker, by the set of categories they hold."""
    held: Counter[frozenset[str]] = Counter()
    for joker in jokers:
        for pattern, suited, hands in flush_classes(7 - joker, 5 - joker):
            held[frozenset(_held(pattern, suited, joker))] += hands
    # A royal flush in a suit, natural or without one card, and king and queen of another suit.
    matches, royal = 4 * 3 * sum((1, 5)[joker] for joker in jokers), frozenset({"royal_flush_and_royal_match"})
    source = frozenset({"high_card", "pair", "two_pair", "straight", "flush", "straight_flush", "royal_flush"})
    held[source] -= matches
    held[source | royal] += matches
    return held


def seven_card_counts(high_to_low: Sequence[str], jokers: Sequence[int] = (0, 1)) -> Counter[str]:
    """The seven-card hands by the first category of an order that they hold, or ``nothing``."""
    counts: Counter[str] = Counter()
    for held, hands in seven_card_held(jokers).items():
        counts[next((category for category in high_to_low if category in held), "nothing")] += hands
    return counts


def _held(pattern: Sequence[int], suited: Sequence[int] | None, joker: int) -> Iterator[str]:
    yield "high_card"
    ranks = {rank for rank, copies in enumerate(pattern) if copies}
    copies = list(pattern)
    copies[ACE] += joker
    sizes = sorted(copies, reverse=True)
    straight = any(len(run - ranks) <= joker for run in RUN_RANKS)
    if sizes[0] == 5:
        yield "five_aces"
    if sizes[0] >= 4:
        yield "four_of_a_kind"
    if sizes[0] >= 3 and sizes[1] >= 2:
        yield "full_house"
    if sizes[0] >= 3:
        yield "three_of_a_kind"
    if sizes[1] >= 2:
        yield "two_pair"
    if sizes[0] >= 2:
        yield "pair"
    if straight:
        yield "straight"
    if suited is not None:
        yield from _held_suited(frozenset(suited), joker)
    if sizes[0] == 1 and not straight and suited is None:
        yield HIGH_NAMES[max(ACE if joker else 0, *ranks)] + "_high"


def _held_suited(ranks: frozenset[int], joker: int) -> Iterator[str]:
    yield "flush"
    if any(len(run - ranks) <= joker for run in RUN_RANKS):
        yield "straight_flush"
    if len(RUN_RANKS[-1] - ranks) <= joker:
        yield "royal_flush"
    if any(len(run - ranks) <= joker for run in SEVEN_RUN_RANKS):
        yield "seven_card_straight_flush"
        yield "seven_card_straight_flush_with_joker" if joker else "natural_seven_card_straight_flush"
