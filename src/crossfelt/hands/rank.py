"""The orders of hands, lowest category first, and the names of hands.

A category is a stable id that pay tables, reports and results use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Final

import msgspec

from crossfelt.cards.card import RANK_NAMES


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


FIVE_CARD_CATEGORIES: Final = _listed(
    "high_card pair two_pair three_of_a_kind straight flush full_house four_of_a_kind straight_flush royal_flush"
)
JOKER_CATEGORIES: Final = (*FIVE_CARD_CATEGORIES, "five_aces")
# Without a pair, straight or flush, a lower high card is rarer and pays more.
HIGH_CARD_CATEGORIES: Final = _listed("nothing ace_high king_high queen_high jack_high ten_high nine_high")
PROGRESSIVE_SEVEN_CATEGORIES: Final = _listed(
    "nothing full_house four_of_a_kind straight_flush royal_flush five_aces seven_card_straight_flush"
)
SEVEN_CARD_BONUS_CATEGORIES: Final = _listed(
    "nothing straight three_of_a_kind flush full_house four_of_a_kind straight_flush royal_flush five_aces"
    " seven_card_straight_flush_with_joker royal_flush_and_royal_match natural_seven_card_straight_flush"
)

ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "five_card": FIVE_CARD_CATEGORIES,
    "three_card": _listed("high_card pair flush straight three_of_a_kind straight_flush"),
    "two_card": ("high_card", "pair"),
    "joker_five": JOKER_CATEGORIES,
    "joker_high_card": HIGH_CARD_CATEGORIES,
    "progressive_seven": PROGRESSIVE_SEVEN_CATEGORIES,
    "seven_card_bonus": SEVEN_CARD_BONUS_CATEGORIES,
}

LEVELS: Final[dict[str, Mapping[str, int]]] = {
    order: {category: level for level, category in enumerate(categories)} for order, categories in ORDERS.items()
}


def register_order(name: str, categories: tuple[str, ...]) -> str:
    """Add an order of hands that a rulebook states, lowest category first; return the name by which hands refer to it.

    Equal orders have one name, also in different rulebooks; different orders of one name are kept apart.
    """
    order = f"{name}:{','.join(categories)}"
    LEVELS.setdefault(order, {category: level for level, category in enumerate(categories)})
    return order


# --- names of hands, as a dealer calls them


@cache
def name_of(category: str, ranks: tuple[int, ...]) -> str:
    """Return the spoken name of a hand.

    >>> name_of("two_pair", (11, 7, 3))
    'kings and nines'
    >>> name_of("straight", (6,))
    'eight-high straight'
    >>> name_of("three_of_a_kind", (4, 12, 0))
    'three sixes'
    """
    return _NAMES[category](ranks)


def plural(rank: int) -> str:
    """Return the plural of a rank."""
    name = RANK_NAMES[rank]
    return name + "es" if name == "six" else name + "s"


def _high(ranks: tuple[int, ...]) -> str:
    return f"{RANK_NAMES[ranks[0]]}-high"


def _high_card(ranks: tuple[int, ...]) -> str:
    # A two-card hand is named by both cards.
    return f"{RANK_NAMES[ranks[0]]}-{RANK_NAMES[ranks[1]]}" if len(ranks) == 2 else _high(ranks)


def _run(ranks: tuple[int, ...]) -> str:
    # Where A-2-3-4-5 ranks second its tie-breakers are the ace and the five, and "five-high" would mislead.
    return "ace-to-five" if ranks == (12, 3) else _high(ranks)


def _pair(ranks: tuple[int, ...]) -> str:
    return f"pair of {plural(ranks[0])}"


def _seven_card_run(ranks: tuple[int, ...]) -> str:
    return f"{_high(ranks)} seven-card straight flush"


def _in_suit(count: str, what: str, ranks: tuple[int, ...]) -> str:
    return f"{_high(ranks)} {count}-card {what}"


NUMBERS: Final = ("two", "three", "four", "five", "six", "seven")
_NAMES: Final[Mapping[str, Callable[[tuple[int, ...]], str]]] = {
    "nothing": lambda ranks: "no qualifying hand",
    "high_card": _high_card,
    **dict.fromkeys(HIGH_CARD_CATEGORIES[1:], _high),
    "pair": _pair,
    "two_pair": lambda ranks: f"{plural(ranks[0])} and {plural(ranks[1])}",
    "three_of_a_kind": lambda ranks: f"three {plural(ranks[0])}",
    "straight": lambda ranks: f"{_run(ranks)} straight",
    "flush": lambda ranks: f"{_high(ranks)} flush",
    "full_house": lambda ranks: f"{plural(ranks[0])} full of {plural(ranks[1])}",
    "four_of_a_kind": lambda ranks: f"four {plural(ranks[0])}",
    "straight_flush": lambda ranks: f"{_run(ranks)} straight flush",
    "royal_flush": lambda ranks: "royal flush",
    "five_aces": lambda ranks: "five aces",
    "seven_card_straight_flush": _seven_card_run,
    "seven_card_straight_flush_with_joker": lambda ranks: f"{_seven_card_run(ranks)} with the joker",
    "royal_flush_and_royal_match": lambda ranks: "royal flush and royal match",
    "natural_seven_card_straight_flush": lambda ranks: f"natural {_seven_card_run(ranks)}",
    **{f"{count}_card_flush": partial(_in_suit, count, "flush") for count in NUMBERS},
    **{f"{count}_card_straight_flush": partial(_in_suit, count, "straight flush") for count in NUMBERS},
}


# --- What a hand is worth against another hand.


class HandRank(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A category and the ranks that break a tie inside it, in one of the orders of `crossfelt.hands.rank`.

    Hands of different orders are never equal, and asking which of them is higher is refused.

    >>> kings = HandRank("five_card", "pair", (11, 9, 4, 2))
    >>> nines = HandRank("five_card", "pair", (7, 12, 11, 10))
    >>> kings > nines, max(kings, nines).name
    (True, 'pair of kings')
    >>> kings < HandRank("two_card", "pair", (12,))
    Traceback (most recent call last):
    TypeError: a five_card hand cannot be compared with a two_card hand
    """

    order: str
    category: str
    ranks: tuple[int, ...]
    """Tie-breakers, most significant first, 0 for a two … 12 for an ace. A pair's own rank comes first."""

    @property
    def name(self) -> str:
        """The name that a dealer calls."""
        return name_of(self.category, self.ranks)

    @property
    def level(self) -> int:
        """The place of the category in its order, 0 for the lowest."""
        return LEVELS[self.order][self.category]

    def _compare(self, other: HandRank) -> int:
        if self.order != other.order:
            raise TypeError(f"a {self.order} hand cannot be compared with a {other.order} hand")
        mine, theirs = (self.level, self.ranks), (other.level, other.ranks)
        return (mine > theirs) - (mine < theirs)

    def __lt__(self, other: HandRank) -> bool:
        return self._compare(other) < 0

    def __le__(self, other: HandRank) -> bool:
        return self._compare(other) <= 0

    def __gt__(self, other: HandRank) -> bool:
        return self._compare(other) > 0

    def __ge__(self, other: HandRank) -> bool:
        return self._compare(other) >= 0
