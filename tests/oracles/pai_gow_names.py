"""Pai gow hands in the dealer's words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from oracles import house_ways, pai_gow_hands, seven_card
from oracles.criss_cross import MANY, ONE
from oracles.criss_cross import name_of as natural_name


def high_name(high: Sequence[str], *, wheel_second: bool) -> str:
    """Five cards, with the joker as what it stands for.

    >>> high_name("Ac 2d 3h Jk 5s".split(), wheel_second=True), high_name("7c 7d 7h Jk 2s".split(), wheel_second=True)
    ('ace-to-five straight', 'three sevens')
    """
    if set(high) == {"As", "Ah", "Ad", "Ac", "Jk"}:
        return "five aces"
    hand = pai_gow_hands.stands_for(high, wheel_second=wheel_second)
    name = natural_name(hand)
    is_wheel = {card[0] for card in hand} == set("A2345")
    return name.replace("five-high", "ace-to-five") if wheel_second and is_wheel else name


def low_name(low: Sequence[str]) -> str:
    """Two cards, the joker an ace.

    >>> low_name(["Qs", "Kd"]), low_name(["Jk", "Ah"])
    ('king-queen', 'pair of aces')
    """
    faces = house_ways.faces_of(low)
    return f"pair of {MANY[faces[0]]}" if faces[0] == faces[1] else f"{ONE[faces[0]]}-{ONE[faces[1]]}"


def best_name(seven: Sequence[str], *, wheel_second: bool) -> str:
    """The best five of seven cards."""
    fives = combinations(seven, 5)
    best = max(fives, key=lambda five: pai_gow_hands.key_of(five, wheel_second=wheel_second))
    return high_name(best, wheel_second=wheel_second)


def bonus_name(seven: list[str], category: str) -> str:
    """The hand of the seven-card bonus, in which A-2-3-4-5 is the lowest straight."""
    if category == "royal_flush_and_royal_match":
        return "royal flush and royal match"
    if "seven_card" in category:
        held = {card[0] for card in seven if card != "Jk"}
        top = [run[-1] for run in seven_card.SEVEN_RUNS if held <= set(run)][-1]
        run = f"{ONE[top]}-high seven-card straight flush"
        return f"natural {run}" if "natural" in category else f"{run} with the joker"
    level = pai_gow_hands.LOW_TO_HIGH.index(category)
    fives = [(pai_gow_hands.key_of(five, wheel_second=False), five) for five in combinations(seven, 5)]
    best = max(((key, five) for key, five in fives if key[0] == level), key=lambda pair: pair[0])[1]
    return high_name(best, wheel_second=False)
