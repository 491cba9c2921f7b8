"""Hands by their ranks: where no flush is possible nothing else matters, and each set of ranks is set once."""

from __future__ import annotations

import numpy as np

from crossfelt.kernels.house_way.deciding import CARDS, JOKER, RANKS, SETTINGS, Numbers, Table, decide, number_of
from crossfelt.kernels.kernel import Kernel, part_of_kernel


@Kernel
def tabulate(
    joker: int,
    lines: Numbers,
    patterns: Numbers,
    steps: Numbers,
    lows: Numbers,
    worths: Table,
    by_ranks: Table,
) -> None:
    """Fill in `by_ranks` for the hands with the joker (1), or without it (0)."""
    cards, scratch = np.empty(CARDS, dtype=np.int64), np.empty(SETTINGS, dtype=np.int64)
    ranks = np.zeros(CARDS - joker, dtype=np.int64)
    more = True
    while more:
        if without_flush(ranks, cards):
            made = decide(cards, lines, patterns, steps, lows, worths, scratch)
            by_ranks[number_of(cards, steps)] = made
        more = advance(ranks)


@part_of_kernel
def advance(ranks: Numbers) -> bool:
    """Go on to the next ranks that never fall; false after the last."""
    place = ranks.size - 1
    while place >= 0 and ranks[place] == RANKS - 1:
        place -= 1
    if place < 0:
        return False
    ranks[place:] = ranks[place] + 1
    return True


@part_of_kernel
def without_flush(ranks: Numbers, cards: Numbers) -> int:
    """Put down cards of these ranks, no three of one suit; the number of hands of these ranks in any suits."""
    of_four = (1, 4, 6, 4, 1)
    hands, copies = 1, 0
    cards[CARDS - 1] = JOKER
    for place in range(ranks.size):
        cards[place] = 4 * ranks[place] + place % 4
        copies += 1
        if place + 1 == ranks.size or ranks[place + 1] != ranks[place]:
            hands *= of_four[copies] if copies <= 4 else 0
            copies = 0
    return hands


@part_of_kernel
def suited(subset: int, ranks: Numbers, joker: int, cards: Numbers) -> int:
    """Put down cards of these ranks, spades at the places of `subset`; how many hands have them in one suit.

    None, if they would be no flush; or if of equal ranks not the last would be the spade, or two of them.
    """
    of_three = (1, 3, 3, 1, 0)
    ways, spades, copies = 4, 0, 0
    for place in range(ranks.size):
        spade = subset >> place & 1
        last = place + 1 == ranks.size or ranks[place + 1] != ranks[place]
        if spade and not last:
            return 0
        cards[place] = 4 * ranks[place] + (3 if spade else copies)
        spades += spade
        copies += 1 - spade
        if last:
            ways *= of_three[copies]
            copies = 0
    return ways if spades >= 5 - joker else 0
