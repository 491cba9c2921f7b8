"""The whole of Criss Cross Poker by brute force: every across, down and middle card for each of the 169 hands.

No types of cards, no prospects, no symmetry between the lines: 10.7 billion deals, each looked at. It is compiled, or
it would take a day. Hands are ranked by counting.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]

# Lines of a pay table, lowest first; what has no odds loses.
LINES = [
    *("nothing", "pair_6s_through_10s", "pair_jacks_or_better", "two_pair", "three_of_a_kind", "straight"),
    *("flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush"),
]


def _line(cards: Ints) -> int:
    """The line of five cards, which are four times the rank plus the suit; an ace ranks 12 and in A2345 low."""
    counts = np.zeros(13, np.int64)
    suits = np.zeros(4, np.int64)
    for card in cards:
        counts[card // 4] += 1
        suits[card % 4] += 1
    most = counts.max()
    pairs = 0
    paired = -1
    for rank in range(13):
        if counts[rank] == 2:
            pairs += 1
            paired = rank
    run = 0
    longest = 0
    for step in range(-1, 13):
        run = run + 1 if counts[step % 13] == 1 else 0
        longest = max(longest, run)
    flush = suits.max() == 5
    if longest >= 5:
        if flush:
            return 10 if counts[12] and counts[8] else 9
        return 5
    if most == 4:
        return 8
    if most == 3:
        return 7 if pairs else 4
    if flush:
        return 6
    if pairs == 2:
        return 3
    if pairs == 1 and paired >= 4:
        return 2 if paired >= 9 else 1
    return 0


line: Any = njit(_line)


def _values_of_hole(hole: Ints, left: Ints, pairs: Ints, ante: Ints, bet: Ints) -> Ints:
    """For an across bet of 1 and of 3: the value with best play after it, summed over all other cards."""
    made = np.zeros((len(pairs), len(left)), np.int64)
    for number in range(len(pairs)):
        cards = np.zeros(5, np.int64)
        cards[:2] = hole
        cards[2:4] = left[pairs[number]]
        for middle in range(len(left)):
            cards[4] = left[middle]
            made[number, middle] = line(cards)
    best = np.zeros((len(pairs), 2), np.int64)
    for across in range(len(pairs)):
        a, b = pairs[across]
        rows = np.zeros((2, 3), np.int64)
        for down in range(len(pairs)):
            c, d = pairs[down]
            if c in (a, b) or d in (a, b):
                continue
            antes = first = second = middle = cards_left = 0
            for m in range(len(left)):
                if m in (a, b, c, d):
                    continue
                one, two = made[across, m], made[down, m]
                antes += ante[one] + ante[two]
                first += bet[one]
                second += bet[two]
                # Better hands are not paid worse here, so that the higher line is the better paid.
                middle += bet[max(one, two)]
                cards_left += 1
            for i in range(2):
                x = 1 + 2 * i
                rows[i, 0] -= (2 + x) * cards_left
                for j in range(2):
                    y = 1 + 2 * j
                    so_far = antes + x * first + y * second
                    rows[i, 1 + j] += max(-(2 + x + y) * cards_left, so_far + middle, so_far + 3 * middle)
        best[across, 0] = rows[0].max()
        best[across, 1] = rows[1].max()
    total: Ints = best.sum(axis=0)
    return total


values_of_hole: Any = njit(_values_of_hole)


def hole_values(hole: tuple[int, int], ante: dict[str, int], bet: dict[str, int]) -> tuple[int, int]:
    """The value of an across bet of 1 and of 3 with these hole cards, in antes, summed over 63,562,800 deals."""
    left = np.array([card for card in range(52) if card not in hole])
    pairs = np.array(list(combinations(range(len(left)), 2)))
    odds = [np.array([table.get(name, -1) for name in LINES]) for table in (ante, bet)]
    one, three = values_of_hole(np.array(hole), left, pairs, *odds).tolist()
    return one, three
