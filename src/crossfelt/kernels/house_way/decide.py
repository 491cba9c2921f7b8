"""The setting of one hand in the kernel: seven sorted cards against the lines of a house way.

Sorted cards make a setting two places of seven. Sorted ranks are numbered without gaps by the sum of C(rank + place,
place + 1), with places from 0. Hands with the joker and six cards follow after all others.
"""

from __future__ import annotations

from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel, inner_part, part_of_kernel
from crossfelt.kernels.random_deals import Hands

DECK: Final = 53
JOKER: Final = 52
ACE: Final = 12
RANKS: Final = 13
CARDS: Final = 7
SETTINGS: Final = comb(7, 2)

# Columns of the lines.
HOLDS, PAIR, SECOND_PAIR, THREE, FOUR, MAKES, LEAST, MOST, BEHIND = range(9)
# The rank of a missing group.
NO_RANK: Final = 13

Numbers = NDArray[np.int64]
Table = NDArray[np.int16]


class Compiled(NamedTuple):
    """A house way as numbers."""

    lines: Numbers
    patterns: Numbers
    """Index in `PATTERNS`, by the number of groups of two, three, four and five."""
    steps: Numbers
    """Contribution of a card to the number of the sorted cards, by its place."""
    lows: Numbers
    """Index of a two-card hand among all of them, by its two ranks."""
    worths: Table
    """Rank of five cards by their number: not suited, and suited."""
    by_ranks: Table
    """Setting of seven cards without a flush, by their number."""


@part_of_kernel
def sort_hand(hands: Hands, row: int, cards: Numbers) -> None:
    """Sort the cards of a hand, the lowest first."""
    a, b, c, d = hands[row, 0], hands[row, 1], hands[row, 2], hands[row, 3]
    e, f, g = hands[row, 4], hands[row, 5], hands[row, 6]
    # The shortest sorting network for seven, without branches.
    a, g = min(a, g), max(a, g)
    c, d = min(c, d), max(c, d)
    e, f = min(e, f), max(e, f)
    a, c = min(a, c), max(a, c)
    b, e = min(b, e), max(b, e)
    d, g = min(d, g), max(d, g)
    a, b = min(a, b), max(a, b)
    c, f = min(c, f), max(c, f)
    d, e = min(d, e), max(d, e)
    b, c = min(b, c), max(b, c)
    e, g = min(e, g), max(e, g)
    c, d = min(c, d), max(c, d)
    e, f = min(e, f), max(e, f)
    b, c = min(b, c), max(b, c)
    d, e = min(d, e), max(d, e)
    f, g = min(f, g), max(f, g)
    cards[0], cards[1], cards[2], cards[3], cards[4], cards[5], cards[6] = a, b, c, d, e, f, g


@inner_part
def decide(cards: Numbers, way: Compiled, scratch: Numbers) -> int:
    """Return the setting of sorted cards: the line, and the two places in front in three bits each."""
    lines = way.lines
    makes = _weigh(cards, way.steps, way.lows, way.worths, scratch)
    pattern, pair, second_pair, three, four = groups(cards, way.patterns)
    for line in range(lines.shape[0]):
        if not lines[line, HOLDS] >> pattern & lines[line, PAIR] >> pair & 1:
            continue
        if not lines[line, SECOND_PAIR] >> second_pair & lines[line, THREE] >> three & 1:
            continue
        if not lines[line, FOUR] >> four & 1 or not lines[line, MAKES] & makes:
            continue
        places = _best(scratch, lines[line, LEAST], lines[line, MOST], lines[line, BEHIND])
        if places >= 0:
            return line << 6 | places
    return len(lines) << 6 | _best(scratch, 0, 0xFF, -1)


@part_of_kernel
def _weigh(cards: Numbers, steps: Numbers, lows: Numbers, worths: Table, scratch: Numbers) -> int:
    """Write the value of each setting of sorted cards, negative for a foul; return the possible categories.

    A value is one number for "the highest front, then the highest hand behind". Of equal settings the first is
    preferred: the joker and the higher suits stay behind.
    """
    makes, setting = 0, 0
    for higher in range(1, CARDS):
        for lower in range(higher):
            worth = behind(cards, lower, higher, steps, worths)
            low = lows[min(cards[lower] >> 2, ACE), min(cards[higher] >> 2, ACE)]
            lawful = low <= worth & 0xFF
            scratch[setting] = low << 8 | worth >> 8 if lawful else -1
            makes |= 1 << (worth >> 8) if lawful else 0
            setting += 1
    return makes


@part_of_kernel
def behind(cards: Numbers, lower: int, higher: int, steps: Numbers, worths: Table) -> int:
    """Return the rank of the five sorted cards that stay behind, by the places of the two others."""
    number, suits, place = 0, 0, 0
    for index in range(CARDS):
        if index != lower and index != higher:
            card = cards[index]
            number += steps[place, card]
            suits |= 0 if card == JOKER else 1 << (card & 3)
            place += 1
    worth: int = worths[1 if suits & suits - 1 == 0 else 0, number]
    return worth


@part_of_kernel
def groups(cards: Numbers, patterns: Numbers) -> tuple[int, int, int, int, int]:
    """Return the pattern of sorted cards, and the ranks of the higher pair, the lower pair, the three and the four."""
    code, pair, second_pair, three, four = 0, NO_RANK, NO_RANK, NO_RANK, NO_RANK
    start = 0
    for index in range(1, CARDS + 1):
        rank = min(cards[start] >> 2, ACE)
        if index < CARDS and min(cards[index] >> 2, ACE) == rank:
            continue
        size, start = index - start, index
        if size < 2:
            continue
        code += 1 << 2 * (size - 2)
        if size == 2:
            # In ascending order of rank, so that of three pairs the two highest remain.
            pair, second_pair = rank, pair
        elif size == 3:
            three = rank
        elif size == 4:
            four = rank
    return patterns[code], pair, second_pair, three, four


@part_of_kernel
def _best(scratch: Numbers, least: int, most: int, behind: int) -> int:
    """Return the places in front of the best allowed setting; negative if there is none."""
    best, places, setting = -1, -1, 0
    for higher in range(1, CARDS):
        for lower in range(higher):
            worth = scratch[setting]
            setting += 1
            if worth > best and least <= worth >> 8 <= most and behind >> (worth & 0xFF) & 1:
                best, places = worth, higher << 3 | lower
    return places


@part_of_kernel
def may_flush(cards: Numbers) -> bool:
    """Return whether seven sorted cards can make a flush."""
    suits = 0
    for place in range(CARDS - 1):
        suits += 1 << ((cards[place] & 3) << 2)
    last = cards[CARDS - 1]
    # Four of a suit suffice with the joker, else five: only these counts become 8 or more.
    suits += 0x4444 if last == JOKER else 0x3333 + (1 << ((last & 3) << 2))
    return suits & 0x8888 != 0


@part_of_kernel
def number_of(cards: Numbers, steps: Numbers) -> int:
    """Return the number of seven sorted cards by their ranks."""
    number: int = 0
    for place in range(CARDS):
        number += steps[place, cards[place]]
    return number


# --- hands by ranks, without a possible flush ---


@Kernel
def tabulate(joker: int, way: Compiled) -> None:
    """Fill `by_ranks` for the hands with the joker (1), or without it (0)."""
    cards, scratch = np.empty(CARDS, dtype=np.int64), np.empty(SETTINGS, dtype=np.int64)
    ranks = np.zeros(CARDS - joker, dtype=np.int64)
    more = True
    while more:
        if without_flush(ranks, cards):
            way.by_ranks[number_of(cards, way.steps)] = decide(cards, way, scratch)
        more = advance(ranks, RANKS - 1)


@part_of_kernel
def advance(ranks: Numbers, last: int) -> bool:
    """Advance to the next non-decreasing ranks; return False after the last."""
    place = ranks.size - 1
    while place >= 0 and ranks[place] == last:
        place -= 1
    if place >= 0:
        ranks[place:] = ranks[place] + 1
    return place >= 0


@part_of_kernel
def without_flush(ranks: Numbers, cards: Numbers) -> int:
    """Write cards of these ranks, no three of one suit; return the number of hands of these ranks in any suits."""
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
    """Write cards of these ranks with spades at the places of `subset`; return the number of such hands.

    Return 0 if they make no flush, or if of equal ranks two are spades or the last is not.
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
