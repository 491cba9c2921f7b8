"""Five-card hands, by the hundred million."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from crossfelt.hands.orders import FIVE_CARD_CATEGORIES
from crossfelt.hands.strength import CLASS_COUNT, PAIRS, TRIPLES, grid, hand_classes
from crossfelt.kernels.inputs import (
    Hands,
    highest_card,
    require_cards_of_deck,
    require_different_cards,
    require_shape,
)
from crossfelt.kernels.kernel import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads, share_count, share_of
from crossfelt.problems import BadInput, Problem

DECK = 52
_CARDS = 5
# A thread costs as much as looking up so many hands.
_SMALLEST_SHARE = 1 << 15
# So many hands stay in the fastest cache between being checked and being looked up.
_BLOCK = 1 << 12
# Where the grid of hands of one suit begins, behind the grid of the others.
_ONE_SUIT = len(TRIPLES) * len(PAIRS)

Strengths = NDArray[np.int16]


def strengths(hands: Hands, *, different: bool = False, ace_low_straight: bool = True) -> Strengths:
    """The class of each row of five cards, as `crossfelt.hands.strength.strength` numbers it.

    A card is its index, 0 … 51. That the cards of a hand are `different` is checked only when asked for.

    >>> strengths(np.array([[48, 44, 40, 36, 32], [0, 4, 8, 12, 21]], dtype=np.uint8)).tolist()
    [7461, 0]
    """
    hands = require_shape(hands, _CARDS)
    result = np.empty(len(hands), dtype=np.int16)
    triples, pairs, classes = _tables(ace_low_straight)

    shares = share_count(len(hands), _SMALLEST_SHARE)

    def work(share: int) -> None:
        rows = share_of(len(hands), share, shares)
        if different:
            require_different_cards(hands[rows], first_row=rows.start)
        if not _look_up(hands[rows], triples, pairs, classes, result[rows]):
            require_cards_of_deck(hands[rows], DECK, first_row=rows.start)

    in_threads(work, shares)
    return result


def category_counts(strengths: Strengths, *, ace_low_straight: bool = True) -> dict[str, int]:
    """How many of these classes are of each category, lowest category first.

    >>> category_counts(np.array([7461, 0, 1], dtype=np.int16))["high_card"]
    2
    """
    if strengths.size and not 0 <= strengths.min() <= strengths.max() < CLASS_COUNT:
        value, allowed = f"{strengths.min()} … {strengths.max()}", f"0 … {CLASS_COUNT - 1}"
        raise BadInput(
            Problem(code="strength.range", what="not a class of hands", value=value, allowed=allowed)
        )
    return _by_category(np.bincount(strengths, minlength=CLASS_COUNT), ace_low_straight)


def all_five_card_hands(*, ace_low_straight: bool = True) -> dict[str, int]:
    """How many of the 2,598,960 hands are of each category; every one of them is visited.

    >>> all_five_card_hands()["royal_flush"]
    4
    """
    counts = np.zeros(CLASS_COUNT, dtype=np.int64)
    _visit_all(*_tables(ace_low_straight), counts)
    return _by_category(counts, ace_low_straight)


def _by_category(counts: NDArray[np.integer], ace_low_straight: bool) -> dict[str, int]:
    result = dict.fromkeys(FIVE_CARD_CATEGORIES, 0)
    for rank, count in zip(hand_classes(ace_low_straight=ace_low_straight), counts.tolist(), strict=True):
        result[rank.category] += count
    return result


@cache
def _tables(ace_low_straight: bool) -> tuple[NDArray[np.uint16], NDArray[np.uint16], Strengths]:
    """Where the row of three ranks begins, the column of two, and the two grids, one behind the other."""
    triples = np.zeros(1 << 12, dtype=np.uint16)
    for row, ranks in enumerate(TRIPLES):
        for x, y, z in permutations(ranks):
            triples[x << 8 | y << 4 | z] = row * len(PAIRS)
    pairs = np.zeros(1 << 8, dtype=np.uint16)
    for column, ranks in enumerate(PAIRS):
        for x, y in permutations(ranks):
            pairs[x << 4 | y] = column
    grids = [grid(one_suit=one_suit, ace_low_straight=ace_low_straight) for one_suit in (False, True)]
    return triples, pairs, np.array(grids, dtype=np.int16).reshape(-1)


@part_of_kernel
def _strength(
    a: np.uint32,
    b: np.uint32,
    c: np.uint32,
    d: np.uint32,
    e: np.uint32,
    triples: NDArray[np.uint16],
    pairs: NDArray[np.uint16],
    classes: Strengths,
) -> np.int16:
    """The class of five cards given as 32-bit numbers, which keep the arithmetic narrow."""
    rank, suit, two, six = np.uint32(60), np.uint32(3), np.uint32(2), np.uint32(6)
    row = triples[((a & rank) << six) | ((b & rank) << two) | (c >> two)]
    column = pairs[((d & rank) << two) | (e >> two)]
    place = np.uint32(row) + np.uint32(column)
    # Cards of one suit differ by nothing in their lowest bits.
    if not ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & suit:
        place += np.uint32(_ONE_SUIT)
    strength: np.int16 = classes[place]
    return strength


@Kernel
def _look_up(
    hands: Hands,
    triples: NDArray[np.uint16],
    pairs: NDArray[np.uint16],
    classes: Strengths,
    result: Strengths,
) -> bool:
    """Fill in `result`; false if a card is none of the deck, which is noticed before it is used."""
    for start in range(0, result.size, _BLOCK):
        block, filled = hands[start : start + _BLOCK], result[start : start + _BLOCK]
        if highest_card(block) >= DECK:
            return False
        for row in range(filled.size):
            a, b, c = np.uint32(block[row, 0]), np.uint32(block[row, 1]), np.uint32(block[row, 2])
            d, e = np.uint32(block[row, 3]), np.uint32(block[row, 4])
            filled[row] = _strength(a, b, c, d, e, triples, pairs, classes)
    return True


@Kernel
def _visit_all(
    triples: NDArray[np.uint16], pairs: NDArray[np.uint16], classes: Strengths, counts: NDArray[np.int64]
) -> None:
    deck = np.arange(DECK).astype(np.uint32)
    for a in deck:
        for b in deck[a + 1 :]:
            for c in deck[b + 1 :]:
                for d in deck[c + 1 :]:
                    for e in deck[d + 1 :]:
                        counts[_strength(a, b, c, d, e, triples, pairs, classes)] += 1
