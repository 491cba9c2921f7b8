"""Exact counts of each outcome among all orders of a deck."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Final

FIVE_CARD_HANDS: Final = {
    "straight flush": 40,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "one pair": 1_098_240,
    "high card": 1_302_540,
}
"""Of the 2,598,960 hands of five from 52 cards."""


def runs(cards: int) -> list[int]:
    """Orders by their number of ascending runs, less one: Euler's numbers.

    The same numbers count rising sequences, which are the runs of the inverse order.

    >>> runs(4)
    [1, 11, 11, 1]
    """
    row = [1]
    for size in range(2, cards + 1):
        padded = [0, *row, 0]
        row = [(size - k) * padded[k] + (k + 1) * padded[k + 1] for k in range(size)]
    return row


@cache
def derangements(cards: int) -> int:
    """Orders in which no card lies in its old place.

    >>> [derangements(cards) for cards in range(6)]
    [1, 0, 1, 2, 9, 44]
    """
    return 1 if cards == 0 else cards * derangements(cards - 1) + (-1) ** cards


def fixed_points(cards: int) -> list[int]:
    """Orders by the number of cards in their old place.

    >>> fixed_points(4)
    [9, 8, 6, 0, 1]
    """
    return [comb(cards, fixed) * derangements(cards - fixed) for fixed in range(cards + 1)]


def successions(cards: int) -> list[int]:
    """Orders by the number of cards that still follow their old predecessor.

    >>> successions(4)
    [11, 9, 3, 1]
    """
    return [
        comb(cards - 1, kept) * (derangements(cards - kept) + derangements(cards - kept - 1)) for kept in range(cards)
    ]


def inversions(cards: int) -> list[int]:
    """Orders by the number of pairs of cards that have changed sides.

    >>> inversions(4)
    [1, 3, 5, 6, 5, 3, 1]
    """
    row = [1]
    for size in range(2, cards + 1):
        total, longer = 0, []
        for k in range(len(row) + size - 1):
            total += row[k] if k < len(row) else 0
            total -= row[k - size] if k >= size else 0
            longer.append(total)
        row = longer
    return row


def five_card_hands(cards: int) -> list[int]:
    """Hands of five from a deck of 52, in the order of `FIVE_CARD_HANDS`; from 53, those with the joker last.

    >>> sum(five_card_hands(52)) == comb(52, 5), sum(five_card_hands(53)) == comb(53, 5)
    (True, True)
    """
    return [*FIVE_CARD_HANDS.values(), *([comb(52, 4)] if cards == 53 else [])]


def serial_products(cards: int) -> tuple[float, float]:
    """Mean and variance of the sum of each place times the next, the last followed by the first.

    Places are counted from the middle of the deck. Wald and Wolfowitz, 1943.

    >>> serial_products(3)
    (-1.0, 0.0)
    """
    # Counted from the middle and doubled, so that they are whole numbers that sum to 0.
    places = range(1 - cards, cards, 2)
    squares, fourths = (sum(place**power for place in places) for power in (2, 4))
    mean = -squares / (cards - 1)
    second = (squares**2 - fourths) / (cards - 1) + (squares**2 - 2 * fourths) / ((cards - 1) * (cards - 2))
    return mean / 4, (second - mean**2) / 16


def shares(counts: Sequence[int]) -> list[float]:
    """Counts as parts of their sum.

    >>> shares([1, 2, 1])
    [0.25, 0.5, 0.25]
    """
    total = sum(counts)
    return [count / total for count in counts]
