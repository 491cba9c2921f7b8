"""Pai gow hands a second time: the joker is tried as each of the 52 cards, within what the rule permits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from oracles import five_card

DECK = [face + suit for face in five_card.FACES for suit in "shdc"]
LOW_TO_HIGH = [*five_card.LOW_TO_HIGH, "five_aces"]
COMPLETED_BY_JOKER = ("straight", "flush", "straight_flush", "royal_flush")

# Where A-2-3-4-5 is the second-highest straight.
RUNS_WHEEL_SECOND = [*five_card.RUNS[1:-1], "A2345", "TJQKA"]


def hands_for(cards: Sequence[str]) -> list[list[str]]:
    """The natural hands that five cards may stand for."""
    if "Jk" not in cards:
        return [list(cards)]
    held = [card for card in cards if card != "Jk"]
    tried = [[*held, card] for card in DECK if card not in held]
    return [hand for hand in tried if hand[-1][0] == "A" or five_card.category_of(hand) in COMPLETED_BY_JOKER]


def key_of(cards: Sequence[str], *, wheel_second: bool = True) -> tuple[int, int]:
    """A key that is higher for the higher hand: the category's place in `LOW_TO_HIGH` and a tie-breaker."""
    return _key_of(frozenset(cards), wheel_second)


@lru_cache(maxsize=1024)  # the 21 fives of a seat's cards are asked for by each of its wagers
def _key_of(cards: frozenset[str], wheel_second: bool) -> tuple[int, int]:
    if cards == {"As", "Ah", "Ad", "Ac", "Jk"}:
        return LOW_TO_HIGH.index("five_aces"), 0
    return max(_natural_key(hand, wheel_second) for hand in hands_for([*cards]))


def stands_for(cards: Sequence[str], *, wheel_second: bool = True) -> Sequence[str]:
    """The natural hand that five cards stand for; five aces stand for none."""
    return max(hands_for(cards), key=lambda hand: _natural_key(hand, wheel_second))


def best_key_of_seven(cards: Sequence[str], *, wheel_second: bool = True) -> tuple[int, int]:
    """The key of the best five of seven cards."""
    return max(key_of(five, wheel_second=wheel_second) for five in combinations(cards, 5))


def _natural_key(hand: Sequence[str], wheel_second: bool) -> tuple[int, int]:
    level, tie = five_card.key_of(hand)
    if wheel_second and "straight" in five_card.LOW_TO_HIGH[level]:
        tie = RUNS_WHEEL_SECOND.index(five_card.RUNS[tie])
    return level, tie
