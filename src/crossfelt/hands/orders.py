"""Every order in which hands are ranked, lowest category first.

A category is a stable id; pay tables, reports and results use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FIVE_CARD_CATEGORIES: Final = (
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)

THREE_CARD_CATEGORIES: Final = (
    "high_card",
    "one_pair",
    "flush",
    "straight",
    "three_of_a_kind",
    "straight_flush",
)

TWO_CARD_CATEGORIES: Final = ("high_card", "pair")

PAI_GOW_CATEGORIES: Final = (*FIVE_CARD_CATEGORIES, "five_aces")

# The lower the high card of a hand with nothing in it, the rarer it is and the more it pays.
PAI_GOW_HIGH_CARD_CATEGORIES: Final = (
    "nothing",
    "ace_high",
    "king_high",
    "queen_high",
    "jack_high",
    "ten_high",
    "nine_high",
)

PROGRESSIVE_SEVEN_CATEGORIES: Final = (
    "nothing",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_aces",
    "seven_card_straight_flush",
)

SEVEN_CARD_BONUS_CATEGORIES: Final = (
    "nothing",
    "straight",
    "three_of_a_kind",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_aces",
    "seven_card_straight_flush_with_joker",
    "royal_flush_and_royal_match",
    "natural_seven_card_straight_flush",
)

ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "five_card": FIVE_CARD_CATEGORIES,
    "three_card": THREE_CARD_CATEGORIES,
    "two_card": TWO_CARD_CATEGORIES,
    "pai_gow_five": PAI_GOW_CATEGORIES,
    "pai_gow_high_card": PAI_GOW_HIGH_CARD_CATEGORIES,
    "progressive_seven": PROGRESSIVE_SEVEN_CATEGORIES,
    "seven_card_bonus": SEVEN_CARD_BONUS_CATEGORIES,
}

LEVELS: Final[Mapping[str, Mapping[str, int]]] = {
    order: {category: level for level, category in enumerate(categories)} for order, categories in ORDERS.items()
}
