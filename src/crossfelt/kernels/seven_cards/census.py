"""Census of all 154,143,080 seven-card hands of a deck with a joker by kind, in two ways.

`counted` enumerates the ranks of seven cards and the ranks of one suit among them, and multiplies by the number of
hands. `visited` enumerates every hand. Both use the same definition of a kind, but count independently.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from crossfelt.hands.rank import ORDERS
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.seven_cards.kinds import (
    JOKER,
    KINDS,
    KING_AND_QUEEN,
    ROYAL_FLUSH,
    ROYAL_MATCH,
    Bits,
    kind_by_ranks,
    kind_in_suit,
    kind_of,
)
from crossfelt.kernels.threads import in_threads

Counts = NDArray[np.int64]
Table = NDArray[np.uint8]
Steps = NDArray[np.uint32]

_RANKS = 13
_SHARES = 64


def counted(jokers: tuple[int, ...] = (0, 1)) -> Counts:
    """Count the hands of each of `KINDS`: without the joker (0), with it (1), or both.

    >>> int(counted().sum()) == comb(53, 7)
    True
    """
    counts = np.zeros(len(KINDS), dtype=np.int64)
    for joker in jokers:
        _count(joker, counts)
    return counts


def visited() -> Counts:
    """Count the hands of each of `KINDS` by enumeration."""
    steps = _steps()
    natural, with_joker = _tables(steps)
    # By the first two cards, distributed in turn so that the shares are about equal.
    starts = np.array(list(combinations(range(JOKER), 2)), dtype=np.uint32)

    def work(share: int) -> Counts:
        counts = np.zeros(len(KINDS), dtype=np.int64)
        _visit(np.ascontiguousarray(starts[share::_SHARES]), steps, natural, with_joker, counts)
        return counts

    total = np.zeros(len(KINDS), dtype=np.int64)
    for counts in in_threads(work, _SHARES):
        total += counts
    return total


def by_category(counts: Counts, order: str) -> dict[str, int]:
    """Convert counts of `KINDS` to counts of the categories of an order, the lowest first.

    >>> by_category(counted(), "progressive_seven")["seven_card_straight_flush"]
    228
    """
    result = dict.fromkeys(ORDERS[order], 0)
    for kind, count in zip(KINDS, counts.tolist(), strict=True):
        result[getattr(kind, order)] += count
    return result


def _steps() -> Steps:
    """Return the contribution of each card to the number of its ranks, by its place in ascending order.

    Non-decreasing ranks are numbered without gaps by the sum of C(rank + place, place + 1), with places from 0.
    """
    cards = [[comb(card // 4 + place, place + 1) for card in range(JOKER)] for place in range(7)]
    return np.array(cards, dtype=np.uint32)


def _tables(steps: Steps) -> tuple[Table, Table]:
    """Return the kind of seven natural cards, and of six with the joker, by the number of their ranks."""
    tables = []
    for joker in (0, 1):
        cards = 7 - joker
        table = np.zeros(comb(_RANKS - 1 + cards, cards), dtype=np.uint8)
        _tabulate(joker, steps, table)
        tables.append(table)
    return tables[0], tables[1]


@part_of_kernel
def _advance(ranks: Counts) -> bool:
    """Advance to the next non-decreasing ranks; return False after the last."""
    place = ranks.size - 1
    while place >= 0 and ranks[place] == _RANKS - 1:
        place -= 1
    if place < 0:
        return False
    ranks[place:] = ranks[place] + 1
    return True


@Kernel
def _tabulate(joker: int, steps: Steps, table: Table) -> None:
    ranks = np.zeros(7 - joker, dtype=np.int64)
    more = True
    while more:
        number, groups = np.uint32(0), Bits(0)
        for place, rank in enumerate(ranks):
            number += steps[place, 4 * rank]
            groups += Bits(1) << Bits(4 * rank)
        table[number] = kind_by_ranks(groups, Bits(joker))
        more = _advance(ranks)


@Kernel
def _visit(starts: Steps, steps: Steps, natural: Table, with_joker: Table, counts: Counts) -> None:
    """Add all hands whose first two cards are among `starts`: seven natural cards, or six and the joker."""
    deck = np.arange(JOKER).astype(np.uint32)
    seventh = steps[6]
    # One row for each suit of the seventh card, because consecutive additions to one number would stall.
    rows = np.zeros((4, counts.size), dtype=np.int64)
    for start in range(starts.shape[0]):
        a, b = starts[start, 0], starts[start, 1]
        for c in deck[b + 1 :]:
            for d in deck[c + 1 :]:
                four = _bit(a) | _bit(b) | _bit(c) | _bit(d)
                four_suits = _suit(a) + _suit(b) + _suit(c) + _suit(d)
                four_number = steps[0, a] + steps[1, b] + steps[2, c] + steps[3, d]
                for e in deck[d + 1 :]:
                    for f in deck[e + 1 :]:
                        suits = four_suits + _suit(e) + _suit(f)
                        number = four_number + steps[4, e] + steps[5, f]
                        if suits & Bits(0x4444):
                            six = four | _bit(e) | _bit(f)
                            _visit_with_flushes(six, suits, number, deck[f + 1 :], seventh, natural, counts)
                            continue
                        counts[with_joker[np.uint32(number)]] += 1
                        for g in deck[f + 1 :]:
                            rows[g & np.uint32(3), natural[np.uint32(number + seventh[g])]] += 1
    for row in rows:
        counts += row


@part_of_kernel
def _visit_with_flushes(
    six: Bits,
    suits: Bits,
    number: np.uint32,
    cards: Steps,
    seventh: Steps,
    natural: Table,
    counts: Counts,
) -> None:
    """Add the hands of six cards with four or more of one suit, with the joker and with each card."""
    counts[kind_of(six, Bits(1))] += 1
    for card in cards:
        # Only counts of five or more become 8 or more.
        if (suits + _suit(card) + Bits(0x3333)) & Bits(0x8888):
            counts[kind_of(six | _bit(card), Bits(0))] += 1
        else:
            counts[natural[np.uint32(number + seventh[card])]] += 1


@part_of_kernel
def _bit(card: np.uint32) -> Bits:
    return Bits(1) << Bits(card)


@part_of_kernel
def _suit(card: np.uint32) -> Bits:
    """Return one card of its suit, in four groups."""
    return Bits(1) << (Bits(card & np.uint32(3)) << Bits(2))


@Kernel
def _count(joker: int, counts: Counts) -> None:
    """Add all hands with the joker (1), or all without it (0)."""
    ranks = np.zeros(7 - joker, dtype=np.int64)
    different, copies = np.zeros(7, dtype=np.uint64), np.zeros(7, dtype=np.int64)
    more = True
    while more:
        size = _group(ranks, different, copies)
        if copies.max() <= 4:
            _count_suits(different[:size], copies[:size], Bits(joker), counts)
        more = _advance(ranks)


@part_of_kernel
def _group(ranks: Counts, different: NDArray[Bits], copies: Counts) -> int:
    """Write the different ranks as a one in their groups, and the copies of each; return their number."""
    copies[:] = 0
    size = 0
    for place, rank in enumerate(ranks):
        if place and rank != ranks[place - 1]:
            size += 1
        different[size] = Bits(1) << Bits(4 * rank)
        copies[size] += 1
    return size + 1


@part_of_kernel
def _count_suits(different: NDArray[Bits], copies: Counts, joker: Bits, counts: Counts) -> None:
    """Add the hands of these ranks, in any suits."""
    of_four = (1, 4, 6, 4, 1)
    groups, hands = Bits(0), 1
    for place in range(copies.size):
        groups += different[place] * Bits(copies[place])
        hands *= of_four[copies[place]]
    kind = kind_by_ranks(groups, joker)
    needed = 5 - int(joker)
    if copies.size >= needed:
        for subset in range(1 << copies.size):
            if _ones(subset) < needed:
                continue
            in_suit, ways = _in_one_suit(subset, different, copies)
            if ways:
                _add_suited(kind, groups, in_suit, ways, joker, counts)
                hands -= ways
    counts[kind] += hands


@part_of_kernel
def _ones(subset: int) -> int:
    """Return the number of set bits of eight, by adding neighbours."""
    subset = (subset & 0x55) + (subset >> 1 & 0x55)
    subset = (subset & 0x33) + (subset >> 2 & 0x33)
    return (subset & 0x0F) + (subset >> 4)


@part_of_kernel
def _in_one_suit(subset: int, different: NDArray[Bits], copies: Counts) -> tuple[Bits, int]:
    """Return the ranks of a subset, and the number of ways to hold exactly these in one suit.

    If the suit holds one of m cards of a rank, the others are m - 1 of three suits, else m of three.
    """
    of_three = (1, 3, 3, 1, 0)
    in_suit, ways = Bits(0), 4
    for place in range(copies.size):
        held = subset >> place & 1
        ways *= of_three[copies[place] - held]
        in_suit |= different[place] * Bits(held)
    return in_suit, ways


@part_of_kernel
def _add_suited(kind: int, groups: Bits, in_suit: Bits, ways: int, joker: Bits, counts: Counts) -> None:
    """Add the ways to hold a flush or better in one suit; at most one suit has enough cards."""
    suited = max(kind, kind_in_suit(in_suit, joker))
    if suited == ROYAL_FLUSH and groups - in_suit == KING_AND_QUEEN:
        # Of the nine ways to hold a king and a queen of other suits, three have them of one suit.
        counts[ROYAL_MATCH] += ways // 3
        ways -= ways // 3
    counts[suited] += ways
