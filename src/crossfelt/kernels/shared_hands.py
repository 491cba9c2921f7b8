"""Criss Cross Poker for one player who knows some cards that are no longer in the deck.

Every deal of the cards that are left is gone through twice in one: with the best play for these very cards, and with a
strategy that knows nothing of them. Two lines share only the middle card, so that what antes, across and down bets
bring is a sum for each line; the middle bet alone looks at both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.kernel import Kernel, part_of_kernel

Counts = NDArray[np.int64]
Groups = NDArray[np.uint8]
Choices = NDArray[np.int8]


class Payments(NamedTuple):
    """In whole numbers, of which `scale` make an ante."""

    across_line: Counts
    """What the ante across brings, by group."""
    down_line: Counts
    across: Counts
    """What a bet of one ante brings, by group."""
    down: Counts
    middle: Counts
    """By both groups: across times the number of groups, plus down."""


class Strategy(NamedTuple):
    """What a player does who knows nothing of the other cards: by pair of types across, and down."""

    first: int
    second: Choices
    """By pair of types and first bet, the smaller first."""
    third: Choices
    """By pair of types across and down, and by the first two bets."""
    types: Counts
    """The pair of types of each pair of cards."""


def values(
    pairs: Counts, groups: Groups, payments: Payments, stakes: Counts, scale: int, alone: Strategy
) -> tuple[int, int]:
    """The value of a round summed over all deals that are left: with best play, and played as if nothing were known.

    `pairs` are all pairs of cards that are left, by their places; `groups` has for each pair and each card that is left
    the group of the hand they make with the hole cards.
    """
    result = np.zeros(2, dtype=np.int64)
    _sum(pairs, groups, *payments, stakes, scale, *alone, result)
    return int(result[0]), int(result[1])


@part_of_kernel
def _line_sums(pairs: Counts, groups: Groups, worth: Counts) -> Counts:
    """For each pair: what a line brings, summed over all middle cards but the pair's own."""
    sums = np.zeros(pairs.shape[0], dtype=np.int64)
    for pair in range(pairs.shape[0]):
        total = 0
        for middle in range(groups.shape[1]):
            if middle != pairs[pair, 0] and middle != pairs[pair, 1]:
                total += worth[groups[pair, middle]]
        sums[pair] = total
    return sums


@part_of_kernel
def _without(sums: Counts, groups: Groups, worth: Counts, pair: int, one: int, two: int) -> int:
    """The sum of a line when two more cards are gone."""
    rest: int = sums[pair] - worth[groups[pair, one]] - worth[groups[pair, two]]
    return rest


@part_of_kernel
def _middle_sum(groups: Groups, middle: Counts, size: int, across: int, down: int) -> int:
    total = 0
    for card in range(groups.shape[1]):
        total += middle[size * groups[across, card] + groups[down, card]]
    return total


@Kernel
def _sum(
    pairs: Counts,
    groups: Groups,
    across_line: Counts,
    down_line: Counts,
    across_bet: Counts,
    down_bet: Counts,
    middle_bet: Counts,
    stakes: Counts,
    scale: int,
    first: int,
    second: Choices,
    third: Choices,
    types: Counts,
    result: Counts,
) -> None:
    size, cards = across_line.size, groups.shape[1]
    left = cards - 4
    downs = (cards - 2) * (cards - 3) // 2
    line_across, line_down = _line_sums(pairs, groups, across_line), _line_sums(pairs, groups, down_line)
    sum_across, sum_down = _line_sums(pairs, groups, across_bet), _line_sums(pairs, groups, down_bet)
    best_first, played = np.zeros(2, dtype=np.int64), 0
    ends, alone = np.zeros((2, 2), dtype=np.int64), np.zeros((2, 2), dtype=np.int64)
    for a in range(pairs.shape[0]):
        a1, a2 = pairs[a, 0], pairs[a, 1]
        ends[:], alone[:] = 0, 0
        for d in range(pairs.shape[0]):
            d1, d2 = pairs[d, 0], pairs[d, 1]
            if d1 in (a1, a2) or d2 in (a1, a2):
                continue
            antes = _without(line_across, groups, across_line, a, d1, d2)
            antes += _without(line_down, groups, down_line, d, a1, a2)
            across = _without(sum_across, groups, across_bet, a, d1, d2)
            down = _without(sum_down, groups, down_bet, d, a1, a2)
            middle = _middle_sum(groups, middle_bet, size, a, d)
            for card in (a1, a2, d1, d2):
                middle -= middle_bet[size * groups[a, card] + groups[d, card]]
            most = max(stakes[2, 0] * middle, stakes[2, 1] * middle)
            for x in range(2):
                for y in range(2):
                    lost = -(2 + stakes[0, x] + stakes[1, y]) * scale * left
                    so_far = antes + stakes[0, x] * across + stakes[1, y] * down
                    ends[x, y] += max(lost, so_far + most)
                    bet = third[types[a], types[d], 2 * x + y]
                    alone[x, y] += so_far + bet * middle if bet else lost
        for x in range(2):
            lost = -(2 + stakes[0, x]) * scale * left * downs
            best_first[x] += max(lost, ends[x, 0], ends[x, 1])
            if first == stakes[0, x]:
                bet = second[types[a], x]
                played += lost if bet == 0 else alone[x, 0] if bet == stakes[1, 0] else alone[x, 1]
    folded = -2 * scale * left * downs * pairs.shape[0]
    result[0] = max(folded, best_first[0], best_first[1])
    result[1] = played if first else folded
