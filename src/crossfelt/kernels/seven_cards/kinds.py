"""Kinds of seven-card hands from a deck of 52 cards and a joker, independent of their setting.

Four wagers rank the same seven cards in four orders. `KINDS` are the fewest kinds of hand that determine all four
ranks, so one classification, or one census of all hands, serves them all.

The joker is an ace, or the card that completes a straight, a flush or a straight flush. A hand is a set of 52 bits,
with the joker apart. Card ``4 * rank + suit`` puts the four cards of a rank into one group of four bits, so that
arithmetic on the whole set works on all ranks at once: "groups" below is a number made of 13 or 14 groups, the lowest
rank first, each holding a small count.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.hands.rank import (
    HIGH_CARD_CATEGORIES,
    ORDERS,
    PROGRESSIVE_SEVEN_CATEGORIES,
    SEVEN_CARD_BONUS_CATEGORIES,
)
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.random_deals import Hands
from crossfelt.kernels.solver.hand_shapes import shapes_of_hands
from crossfelt.kernels.threads import in_shares

Bits = np.uint64
Counts = NDArray[np.int64]


class Kind(NamedTuple):
    """The category of a hand in each order of `crossfelt.hands.rank` for seven cards."""

    joker_five: str
    progressive_seven: str
    seven_card_bonus: str
    joker_high_card: str


def _kind(best_five: str, *, progressive: str = "", bonus: str = "", high_card: str = "nothing") -> Kind:
    if not progressive:
        progressive = best_five if best_five in PROGRESSIVE_SEVEN_CATEGORIES else "nothing"
    if not bonus:
        bonus = best_five if best_five in SEVEN_CARD_BONUS_CATEGORIES else "nothing"
    return Kind(best_five, progressive, bonus, high_card)


KINDS: Final = (
    *(_kind("high_card", high_card=high_card) for high_card in reversed(HIGH_CARD_CATEGORIES[1:])),
    _kind("pair"),
    _kind("two_pair"),
    _kind("three_of_a_kind"),
    _kind("straight"),
    _kind("straight", bonus="three_of_a_kind"),
    _kind("flush"),
    _kind("full_house"),
    _kind("four_of_a_kind"),
    _kind("straight_flush"),
    _kind("royal_flush"),
    _kind("royal_flush", bonus="royal_flush_and_royal_match"),
    _kind("five_aces"),
    *(
        _kind(best_five, progressive="seven_card_straight_flush", bonus=bonus)
        for bonus in ("seven_card_straight_flush_with_joker", "natural_seven_card_straight_flush")
        for best_five in ("straight_flush", "royal_flush")
    ),
)
"""Kinds in such an order that a hand of two kinds counts as the later one."""

# Indices in KINDS.
NINE_HIGH, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT, STRAIGHT_AND_THREE = 0, 6, 7, 8, 9, 10
FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH, ROYAL_FLUSH, ROYAL_MATCH = 11, 12, 13, 14, 15, 16
FIVE_ACES, SEVEN_WITH_JOKER, NATURAL_SEVEN = 17, 18, 20

JOKER: Final = 52
_CARDS: Final = 7
_SMALLEST_SHARE: Final = 1 << 13

ONES = Bits(0x1_1111_1111_1111)
_ONES_14 = Bits(0x11_1111_1111_1111)
_FOURS = Bits(0x4_4444_4444_4444)
_EIGHTS_14 = Bits(0x88_8888_8888_8888)
_ACE = Bits(48)
# In `runs`, the run from ten to ace.
_ROYAL = Bits(1) << Bits(4 * 9 + 3)
KING_AND_QUEEN = Bits(1) << Bits(44) | Bits(1) << Bits(40)


def kinds(hands: Hands) -> NDArray[np.uint8]:
    """Return the kind of each row of seven different cards, 0 … 51 and 52 for the joker, as an index in `KINDS`.

    >>> ace_to_eight = np.array([[51, 47, 52, 39, 35, 31, 27]], dtype=np.uint8)
    >>> [KINDS[kind].progressive_seven for kind in kinds(ace_to_eight)]
    ['seven_card_straight_flush']
    """
    hands, result = np.ascontiguousarray(hands), np.empty(len(hands), dtype=np.uint8)
    in_shares(lambda rows: _classify(hands[rows], result[rows]), len(hands), _SMALLEST_SHARE)
    return result


# --- census of all 154,143,080 hands: all hands of a shape are of one kind ---


def counted(jokers: tuple[int, ...] = (0, 1)) -> Counts:
    """Count the hands of each of `KINDS`: without the joker (0), with it (1), or both.

    >>> int(counted().sum())
    154143080
    """
    shapes, counts = shapes_of_hands(), np.zeros(len(KINDS), dtype=np.int64)
    wanted = np.isin(shapes.cards[:, -1] == JOKER, jokers)
    np.add.at(counts, kinds(shapes.cards[wanted]), shapes.hands[wanted])
    # Of the nine ways to hold a king and a queen of other suits, three have them of one suit.
    matches = counts[ROYAL_MATCH] // 3
    counts[ROYAL_FLUSH] += counts[ROYAL_MATCH] - matches
    counts[ROYAL_MATCH] = matches
    return counts


def by_category(counts: Counts, order: str) -> dict[str, int]:
    """Convert counts of `KINDS` to counts of the categories of an order, the lowest first.

    >>> by_category(counted(), "progressive_seven")["seven_card_straight_flush"]
    228
    """
    result = dict.fromkeys(ORDERS[order], 0)
    for kind, count in zip(KINDS, counts.tolist(), strict=True):
        result[getattr(kind, order)] += count
    return result


# --- kernels ---


@Kernel
def _classify(hands: Hands, result: NDArray[np.uint8]) -> None:
    for row in range(result.size):
        held = Bits(0)
        for place in range(_CARDS):
            held |= Bits(1) << Bits(hands[row, place])
        result[row] = kind_of(held & (Bits(1) << Bits(JOKER)) - Bits(1), held >> Bits(JOKER))


@part_of_kernel
def kind_of(held: Bits, joker: Bits) -> int:
    """Return the kind of seven cards: a set of natural cards, and 1 for the joker or 0."""
    kind = kind_by_ranks(counts_of(held), joker)
    for suit in range(4):
        in_suit = held >> Bits(suit) & ONES
        if total(in_suit) >= Bits(5) - joker:
            rest = held & ~(in_suit << Bits(suit))
            kind = max(kind, kind_in_suit(in_suit, joker))
            if kind == ROYAL_FLUSH and is_match(rest):
                kind = ROYAL_MATCH
    return kind


@part_of_kernel
def is_match(rest: Bits) -> bool:
    """Return whether the two cards beside a royal flush are the king and queen of one suit."""
    kings = rest >> Bits(44)
    return bool(kings and rest == KING_AND_QUEEN * kings)


@part_of_kernel
def counts_of(held: Bits) -> Bits:
    """Return the number of cards of each rank in a set, as groups."""
    twos = held - (held >> Bits(1) & Bits(0x5_5555_5555_5555))
    return (twos & Bits(0x3_3333_3333_3333)) + (twos >> Bits(2) & Bits(0x3_3333_3333_3333))


@part_of_kernel
def total(groups: Bits) -> Bits:
    """Return the sum of all groups, if it is below 16."""
    return groups * Bits(0x1111_1111_1111_1111) >> Bits(60)


@part_of_kernel
def runs(ranks: Bits, length: int, needed: Bits) -> Bits:
    """Return the runs of `length` ranks with at least `needed` present, as a bit for the lowest rank of each.

    The ace also counts below the two. Runs beyond the ace are found only together with the run that ends there,
    because they lack more cards than the joker can replace.
    """
    with_low_ace = ranks << Bits(4) | ranks >> _ACE
    there = with_low_ace
    for step in range(1, length):
        there += with_low_ace >> Bits(4 * step)
    # This addend brings the sufficient counts, and no others, to 8 or more.
    return (there + _ONES_14 * (Bits(8) - needed)) & _EIGHTS_14


@part_of_kernel
def kind_by_ranks(counts: Bits, joker: Bits) -> int:
    """Return the kind of a hand without its suits, by the counts of its natural cards."""
    ranks = (counts | counts >> Bits(1) | counts >> Bits(2)) & ONES
    counts = counts + (joker << _ACE)
    fours = counts & _FOURS
    threes = counts & counts >> Bits(1) & ONES
    twos = ~counts & counts >> Bits(1) & ONES
    if fours:
        return FIVE_ACES if counts >> _ACE == Bits(5) else FOUR_OF_A_KIND
    if threes and (twos or threes & (threes - Bits(1))):
        return FULL_HOUSE
    if runs(ranks, 5, Bits(5) - joker):
        return STRAIGHT_AND_THREE if threes else STRAIGHT
    if threes:
        return THREE_OF_A_KIND
    if twos:
        return TWO_PAIR if twos & (twos - Bits(1)) else PAIR
    highest = NINE_HIGH
    for rank in range(8, 13):
        highest += counts >> Bits(4 * rank) != Bits(0)
    return highest


@part_of_kernel
def kind_in_suit(ranks: Bits, joker: Bits) -> int:
    """Return the kind of a hand with a flush or better, by the ranks in its suit."""
    straight_flushes = runs(ranks, 5, Bits(5) - joker)
    if not straight_flushes:
        return FLUSH
    royal = 1 if straight_flushes & _ROYAL else 0
    if runs(ranks, 7, Bits(7) - joker):
        return (SEVEN_WITH_JOKER if joker else NATURAL_SEVEN) + royal
    return STRAIGHT_FLUSH + royal
