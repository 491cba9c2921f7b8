"""A street game a second time: cards turned up one at a time, a bet of one or three antes or a fold before each.

Every card is dealt as it is, with its suit; nothing is merged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from oracles.five_card import FACES, category_of

DECK = [face + suit for face in FACES for suit in "cdhs"]
Hand = tuple[str, ...]


def profit_of(odds: dict[str, int], pairs: Sequence[tuple[str, int]]) -> Callable[[Hand], int]:
    """The profit of five cards for each unit staked; pairs pay from a face on, the highest faces first."""

    def profit(cards: Hand) -> int:
        category = category_of(cards)
        if category != "pair":
            return odds.get(category, -1)
        faces = [card[0] for card in cards]
        paired = next(FACES.index(face) for face in faces if faces.count(face) == 2)
        return next((paid for least, paid in pairs if paired >= FACES.index(least)), -1)

    return profit


def bets(profit: Callable[[Hand], int], hole: Hand) -> dict[str, Fraction]:
    """The value of each choice with two cards and one ante staked; best play afterwards."""

    @cache
    def after(seen: frozenset[str]) -> Fraction:
        """The average profit of four cards and a fifth."""
        left = [card for card in DECK if card not in seen]
        return Fraction(sum(profit((*seen, card)) for card in left), len(left))

    @cache
    def choices(seen: frozenset[str], staked: int) -> dict[str, Fraction]:
        if len(seen) == 4:
            played = {f"{bet}x": (staked + bet) * after(seen) for bet in (1, 3)}
        else:
            left = [card for card in DECK if card not in seen]
            played = {
                f"{bet}x": sum((max(choices(seen | {card}, staked + bet).values()) for card in left), Fraction(0))
                / len(left)
                for bet in (1, 3)
            }
        return {"fold": Fraction(-staked), **played}

    return choices(frozenset(hole), 1)
