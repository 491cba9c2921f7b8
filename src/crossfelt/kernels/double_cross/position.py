"""One position of Double Cross Poker: every deal of the unseen cards, by enumeration.

This is a second way to the figures of `census`, without ranks, types or symmetry. It also evaluates positions with a
card that the player should not have seen.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.hands.strength import PAIRS, TRIPLES, grid
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads, share_count

Cards = NDArray[np.uint8]
Classes = NDArray[np.int16]
Counts = NDArray[np.int64]
Numbers = NDArray[np.uint16]

NOWHERE: Final = -1
# Above every class, so that a hand that cannot be dealt neither loses to the player nor ties.
_NOT_DEALT: Final = np.int16(32_767)


class Known(NamedTuple):
    """Known cards besides the player's own and the two open ones, as indices in the unseen cards."""

    centre: int = NOWHERE
    bottom: int = NOWHERE
    left: int = NOWHERE
    dealer: int = NOWHERE
    """One of the dealer's two cards."""


class Tables(NamedTuple):
    """Row offset of three ranks, column of two, and the two grids one after the other."""

    triples: Numbers
    pairs: Numbers
    classes: Classes


@cache
def tables() -> Tables:
    """Return the classes of hands, from the ranking rule."""
    triples, pairs = np.zeros((13, 13, 13), dtype=np.uint16), np.zeros((13, 13), dtype=np.uint16)
    for row, three in enumerate(TRIPLES):
        for permuted in permutations(three):
            triples[permuted] = row
    for column, two in enumerate(PAIRS):
        for one, other in permutations(two):
            pairs[one, other] = column
    return Tables(triples, pairs, np.array([grid(one_suit=suited) for suited in (False, True)], dtype=np.int16))


def outcomes(hole: Cards, top: int, right: int, unseen: Cards, line_of: Cards, lines: int, known: Known) -> Counts:
    """Count the deals by the line played (vertical, horizontal) and by result: won by each pay line, tied, lost.

    `line_of` gives the pay line of each class of hands. `unseen` are the cards of the deck outside the player's
    four places.
    """
    table = tables()
    first, second = np.triu_indices(len(unseen), 1)
    if known.dealer != NOWHERE:
        held = (first == known.dealer) | (second == known.dealer)
        first, second = first[held], second[held]
    centres = np.arange(len(unseen)) if known.centre == NOWHERE else np.array([known.centre])
    shares = share_count(len(centres), 1)

    def work(share: int) -> Counts:
        counts = np.zeros((2, lines + 2), dtype=np.int64)
        args = (hole, top, right, unseen, first, second, known, table, line_of, counts)
        _visit(np.ascontiguousarray(centres[share::shares]), *args)
        return counts

    total: Counts = np.sum(in_threads(work, shares), axis=0)
    return total


@Kernel
def _visit(
    centres: Counts,
    hole: Cards,
    top: int,
    right: int,
    unseen: Cards,
    first: Counts,
    second: Counts,
    known: Known,
    table: Tables,
    line_of: Cards,
    counts: Counts,
) -> None:
    size = len(unseen)
    down = np.empty((size, first.size), dtype=np.int16)
    across = np.empty((size, first.size), dtype=np.int16)
    dealers = (size - 3) * (size - 4) // 2 if known.dealer == NOWHERE else size - 4
    for centre in centres:
        if centre == known.dealer:
            continue
        for outer in range(size):
            if known.bottom in (NOWHERE, outer):
                _dealer_classes(top, centre, outer, unseen, first, second, table, down[outer])
            if known.left in (NOWHERE, outer):
                _dealer_classes(right, centre, outer, unseen, first, second, table, across[outer])
        for bottom in range(size):
            if bottom in (centre, known.left, known.dealer) or known.bottom not in (NOWHERE, bottom):
                continue
            vertical = _class_of(hole[0], hole[1], top, unseen[centre], unseen[bottom], table)
            for left in range(size):
                if left in (centre, bottom, known.dealer) or known.left not in (NOWHERE, left):
                    continue
                horizontal = _class_of(hole[0], hole[1], right, unseen[centre], unseen[left], table)
                result = _against_all(vertical, horizontal, down[bottom], across[left])
                _add(counts[0], line_of[vertical], result[0], result[1], dealers)
                _add(counts[1], line_of[horizontal], result[2], result[3], dealers)


def outcomes_by_flashed(hole: Cards, top: int, right: int, unseen: Cards, line_of: Cards, lines: int) -> Counts:
    """Count the same for each card that could be seen in each place: by place in the order of `Known`, and by card."""
    size, table = len(unseen), tables()
    # Every hand of the dealer twice, once under each of its cards.
    first, second = np.nonzero(~np.eye(size, dtype=np.bool_))
    shares = share_count(size, 1)

    def work(share: int) -> Counts:
        counts = np.zeros((len(Known._fields), size, 2, lines + 2), dtype=np.int64)
        _visit_by_card(np.arange(share, size, shares), hole, top, right, unseen, first, second, table, line_of, counts)
        return counts

    total: Counts = np.sum(in_threads(work, shares), axis=0)
    return total


@Kernel
def _visit_by_card(
    centres: Counts,
    hole: Cards,
    top: int,
    right: int,
    unseen: Cards,
    first: Counts,
    second: Counts,
    table: Tables,
    line_of: Cards,
    counts: Counts,
) -> None:
    size = len(unseen)
    hands = size - 1
    by_centre, by_bottom, by_left, by_dealer = counts[0], counts[1], counts[2], counts[3]
    down = np.empty((size, first.size), dtype=np.int16)
    across = np.empty((size, first.size), dtype=np.int16)
    dealers = (size - 3) * (size - 4) // 2
    for centre in centres:
        for outer in range(size):
            _dealer_classes(top, centre, outer, unseen, first, second, table, down[outer])
            _dealer_classes(right, centre, outer, unseen, first, second, table, across[outer])
        for bottom in range(size):
            if bottom == centre:
                continue
            vertical = _class_of(hole[0], hole[1], top, unseen[centre], unseen[bottom], table)
            for left in range(size):
                if left in (centre, bottom):
                    continue
                horizontal = _class_of(hole[0], hole[1], right, unseen[centre], unseen[left], table)
                down_line, across_line = line_of[vertical], line_of[horizontal]
                down_won, down_tied, across_won, across_tied = 0, 0, 0, 0
                for dealer in range(size):
                    if dealer in (centre, bottom, left):
                        continue
                    held = slice(dealer * hands, (dealer + 1) * hands)
                    result = _against_all(vertical, horizontal, down[bottom][held], across[left][held])
                    _add(by_dealer[dealer, 0], down_line, result[0], result[1], size - 4)
                    _add(by_dealer[dealer, 1], across_line, result[2], result[3], size - 4)
                    down_won += int(result[0])
                    down_tied += int(result[1])
                    across_won += int(result[2])
                    across_tied += int(result[3])
                for seen in (by_centre[centre], by_bottom[bottom], by_left[left]):
                    _add(seen[0], down_line, down_won // 2, down_tied // 2, dealers)
                    _add(seen[1], across_line, across_won // 2, across_tied // 2, dealers)


@part_of_kernel
def _add(counts: Counts, line: int, won: int | np.int16, tied: int | np.int16, dealers: int) -> None:
    counts[line] += won
    counts[-2] += tied
    counts[-1] += dealers - won - tied


@part_of_kernel
def _dealer_classes(
    open_card: int,
    centre: int,
    outer: int,
    unseen: Cards,
    first: Counts,
    second: Counts,
    table: Tables,
    classes: Classes,
) -> None:
    """Return the class of every possible dealer's hand on a line."""
    for hand in range(first.size):
        i, j = first[hand], second[hand]
        if i in (centre, outer) or j in (centre, outer):
            classes[hand] = _NOT_DEALT
        else:
            classes[hand] = _class_of(unseen[i], unseen[j], open_card, unseen[centre], unseen[outer], table)


@part_of_kernel
def _class_of(a: int, b: int, c: int, d: int, e: int, table: Tables) -> np.int16:
    one_suit = a & 3 == b & 3 and a & 3 == c & 3 and a & 3 == d & 3 and a & 3 == e & 3
    found: np.int16 = table.classes[int(one_suit), table.triples[c >> 2, d >> 2, e >> 2], table.pairs[a >> 2, b >> 2]]
    return found


@part_of_kernel
def _against_all(
    vertical: np.int16, horizontal: np.int16, down: Classes, across: Classes
) -> tuple[np.int16, np.int16, np.int16, np.int16]:
    """Count the dealer's hands, each on its better line, that the vertical hand beats and ties; then the horizontal.

    Numbers are cut to 16 bits at every step, for the widest possible vectors.
    """
    down_won, down_tied = np.int16(0), np.int16(0)
    across_won, across_tied = np.int16(0), np.int16(0)
    for hand in range(down.size):
        better = max(down[hand], across[hand])
        down_won = np.int16(down_won + np.int16(better < vertical))
        down_tied = np.int16(down_tied + np.int16(better == vertical))
        across_won = np.int16(across_won + np.int16(better < horizontal))
        across_tied = np.int16(across_tied + np.int16(better == horizontal))
    return down_won, down_tied, across_won, across_tied
