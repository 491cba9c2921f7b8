"""Seven-card hands a second time: ranks and suits of all seven are counted at once, never five at a time.

The joker is tried as each of the 52 cards. As an ace it may make anything; as another card, only what the
rule lets it complete: straights and flushes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache

from oracles.five_card import FACES, RUNS
from oracles.pai_gow_hands import COMPLETED_BY_JOKER, DECK, LOW_TO_HIGH

SEVEN_RUNS = ["A234567", *(FACES[start : start + 7] for start in range(len(FACES) - 6))]

PAI_GOW_HIGH_TO_LOW = LOW_TO_HIGH[::-1]
PROGRESSIVE_HIGH_TO_LOW = [
    *("seven_card_straight_flush", "five_aces", "royal_flush", "straight_flush", "four_of_a_kind"),
    "full_house",
]
BONUS_HIGH_TO_LOW = [
    *(
        "natural_seven_card_straight_flush",
        "royal_flush_and_royal_match",
        "seven_card_straight_flush_with_joker",
    ),
    *(
        "five_aces",
        "royal_flush",
        "straight_flush",
        "four_of_a_kind",
        "full_house",
        "flush",
        "three_of_a_kind",
    ),
    "straight",
]


def held_in(cards: Sequence[str]) -> frozenset[str]:
    """Every category that can be found in seven cards."""
    return _held_in(frozenset(cards))


@lru_cache(maxsize=64)  # asked for every wager of every seat
def _held_in(cards: frozenset[str]) -> frozenset[str]:
    if "Jk" not in cards:
        held = _held_naturally([*cards])
        return frozenset(held) | {"natural_" + category for category in held if category == "seven_card_straight_flush"}
    natural = [card for card in cards if card != "Jk"]
    held = set[str]()
    for card in DECK:
        if card in natural:
            continue
        found = _held_naturally([*natural, card])
        if card[0] != "A":
            found &= {*COMPLETED_BY_JOKER, "seven_card_straight_flush", "royal_flush_and_royal_match"}
        if card[0] in "KQ" and card[1] not in _suits_of_royals(natural):
            found -= {"royal_flush_and_royal_match"}
        held |= found
    if sum(card[0] == "A" for card in natural) == 4:
        held |= {"five_aces"}
    return frozenset(held) | {category + "_with_joker" for category in held if category == "seven_card_straight_flush"}


def highest(held: Collection[str], high_to_low: Sequence[str]) -> str:
    """The first category of an order that is held, or ``nothing``."""
    return next((category for category in high_to_low if category in held), "nothing")


def high_card_of(cards: Sequence[str]) -> str:
    """``nine_high`` … ``ace_high`` for seven cards with no pair, straight or flush, else ``nothing``."""
    if held_in(cards) != {"high_card"}:
        return "nothing"
    faces = {"A" if card == "Jk" else card[0] for card in cards}
    names = {"9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
    return names[max(faces, key=FACES.index)] + "_high"


def _suits_of_royals(natural: Sequence[str]) -> set[str]:
    """Suits in which four cards of a royal flush lie, so that the joker could be the fifth."""
    return {suit for suit in "shdc" if sum(card[1] == suit and card[0] in "TJQKA" for card in natural) >= 4}


def _held_naturally(cards: Sequence[str]) -> set[str]:
    faces = Counter(card[0] for card in cards)
    by_suit = {suit: {card[0] for card in cards if card[1] == suit} for suit in "shdc"}
    sizes = sorted(faces.values(), reverse=True)
    suited_runs = {run for run in [*RUNS, *SEVEN_RUNS] for held in by_suit.values() if held.issuperset(run)}
    match = sorted(map("".join, map(sorted, by_suit.values())))[-2:]
    tests = {
        "high_card": True,
        "pair": sizes[0] >= 2,
        "two_pair": sizes[1] >= 2,
        "three_of_a_kind": sizes[0] >= 3,
        "straight": any(set(faces).issuperset(run) for run in RUNS),
        "flush": any(len(held) >= 5 for held in by_suit.values()),
        "full_house": sizes[0] >= 3 and sizes[1] >= 2,
        "four_of_a_kind": sizes[0] == 4,
        "straight_flush": any(len(run) == 5 for run in suited_runs),
        "royal_flush": "TJQKA" in suited_runs,
        "royal_flush_and_royal_match": match == ["AJKQT", "KQ"],
        "seven_card_straight_flush": any(len(run) == 7 for run in suited_runs),
    }
    return {category for category, found in tests.items() if found}
