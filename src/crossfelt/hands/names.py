"""Hands as a dealer calls them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from crossfelt.cards.card import RANK_NAMES


@cache
def name_of(category: str, ranks: tuple[int, ...]) -> str:
    """The spoken name of a hand.

    >>> name_of("two_pair", (11, 7, 3))
    'kings and nines'
    >>> name_of("straight", (6,))
    'eight-high straight'
    >>> name_of("three_of_a_kind", (4, 12, 0))
    'three sixes'
    """
    return _NAMES[category](ranks)


def plural(rank: int) -> str:
    """Several cards of a rank.

    >>> plural(4), plural(8), plural(12)
    ('sixes', 'tens', 'aces')
    """
    name = RANK_NAMES[rank]
    return name + "es" if name == "six" else name + "s"


def _high(ranks: tuple[int, ...]) -> str:
    return f"{RANK_NAMES[ranks[0]]}-high"


def _high_card(ranks: tuple[int, ...]) -> str:
    # Of a two-card hand both cards are called.
    return f"{RANK_NAMES[ranks[0]]}-{RANK_NAMES[ranks[1]]}" if len(ranks) == 2 else _high(ranks)


def _run(ranks: tuple[int, ...]) -> str:
    # Where A-2-3-4-5 ranks second its tie-breakers are the ace and the five, and "five-high" would mislead.
    return "ace-to-five" if ranks == (12, 3) else _high(ranks)


def _pair(ranks: tuple[int, ...]) -> str:
    return f"pair of {plural(ranks[0])}"


def _seven_card_run(ranks: tuple[int, ...]) -> str:
    return f"{_high(ranks)} seven-card straight flush"


_NAMES: Final[Mapping[str, Callable[[tuple[int, ...]], str]]] = {
    "nothing": lambda ranks: "no qualifying hand",
    "high_card": _high_card,
    "nine_high": _high,
    "ten_high": _high,
    "jack_high": _high,
    "queen_high": _high,
    "king_high": _high,
    "ace_high": _high,
    "pair": _pair,
    "one_pair": _pair,
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
}
