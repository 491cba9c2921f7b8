"""Classes of many five-card hands."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from crossfelt.errors import BadInput, Problem
from crossfelt.hands.rank import FIVE_CARD_CATEGORIES
from crossfelt.hands.strength import CLASS_COUNT, PAIRS, TRIPLES, grid, hand_classes
from crossfelt.kernels.array_checks import (
    Hands,
    highest_card,
    require_cards_of_deck,
    require_different_cards,
    require_shape,
)
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads, share_count, share_of

DECK = 52
_CARDS = 5
# Eight hands of five bytes are five words: the smallest group that can be read in words.
_GROUP = 8
# Number of groups whose lookup costs as much as a thread.
_SMALLEST_SHARE = 1 << 12
# Number of hands that stay in the fastest cache between check and lookup.
_BLOCK = 1 << 12

Word = np.uint64
Strengths = NDArray[np.int16]
Tables = tuple[NDArray[np.uint16], NDArray[np.uint16], Strengths]


def strengths(hands: Hands, *, different: bool = False, ace_low_straight: bool = True) -> Strengths:
    """Return the class of each row of five cards, as `crossfelt.hands.strength.strength` numbers it.

    A card is its index, 0 … 51. The cards of a hand are checked to be different only if `different` is set.

    >>> strengths(np.array([[48, 44, 40, 36, 32], [0, 4, 8, 12, 21]], dtype=np.uint8)).tolist()
    [7461, 0]
    """
    hands = require_shape(hands, _CARDS)
    if hands.ctypes.data % Word(0).itemsize:
        hands = hands.copy()
    result = np.empty(len(hands), dtype=np.int16)
    tables = _tables(ace_low_straight)
    groups = len(hands) // _GROUP
    shares = share_count(groups, _SMALLEST_SHARE)

    def work(share: int) -> None:
        part = share_of(groups, share, shares)
        rows = slice(part.start * _GROUP, part.stop * _GROUP)
        _fill(hands[rows], tables, result[rows], first_row=rows.start)

    in_threads(work, shares)
    _fill_rest(hands, tables, result, first_row=groups * _GROUP)
    if different:
        require_different_cards(hands)
    return result


def category_counts(strengths: Strengths, *, ace_low_straight: bool = True) -> dict[str, int]:
    """Count these classes by category, the lowest category first.

    >>> category_counts(np.array([7461, 0, 1], dtype=np.int16))["high_card"]
    2
    """
    if strengths.size and not 0 <= strengths.min() <= strengths.max() < CLASS_COUNT:
        value, allowed = f"{strengths.min()} … {strengths.max()}", f"0 … {CLASS_COUNT - 1}"
        raise BadInput(Problem(code="strength.range", what="not a class of hands", value=value, allowed=allowed))
    return _by_category(np.bincount(strengths, minlength=CLASS_COUNT), ace_low_straight)


def all_five_card_hands(*, ace_low_straight: bool = True) -> dict[str, int]:
    """Count the 2,598,960 hands by category, by enumeration.

    >>> all_five_card_hands()["royal_flush"]
    4
    """
    counts = np.zeros(CLASS_COUNT, dtype=np.int64)
    _visit_all(*_tables(ace_low_straight), counts)
    return _by_category(counts, ace_low_straight)


def _fill(hands: Hands, tables: Tables, result: Strengths, *, first_row: int) -> None:
    """Look up whole groups of hands."""
    cards = hands.reshape(-1)
    if not _look_up(cards, cards.view(Word), *tables, result):
        require_cards_of_deck(hands, DECK, first_row=first_row)


def _fill_rest(hands: Hands, tables: Tables, result: Strengths, *, first_row: int) -> None:
    """Look up the hands after the last whole group, padded to a group."""
    rest = len(hands) - first_row
    group, filled = np.zeros((_GROUP, _CARDS), dtype=np.uint8), np.empty(_GROUP, dtype=np.int16)
    group[:rest] = hands[first_row:]
    _fill(group, tables, filled, first_row=first_row)
    result[first_row:] = filled[:rest]


def _by_category(counts: NDArray[np.integer], ace_low_straight: bool) -> dict[str, int]:
    result = dict.fromkeys(FIVE_CARD_CATEGORIES, 0)
    for rank, count in zip(hand_classes(ace_low_straight=ace_low_straight), counts.tolist(), strict=True):
        result[rank.category] += count
    return result


@cache
def _tables(ace_low_straight: bool) -> Tables:
    """Return the row offset of three ranks, the column of two, and the two grids one after the other."""
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
def _strength(hand: Word, triples: NDArray[np.uint16], pairs: NDArray[np.uint16], classes: Strengths) -> np.int16:
    """Return the class of the five cards in the five lowest bytes of a word."""
    suits = hand & Word(0x03_03_03_03_03)
    ranks = hand >> Word(2) & Word(0x0F_0F_0F_0F_0F)
    # Two ranks side by side: of the first two cards in the first byte, of the next two in the third.
    twos = ranks | ranks >> Word(4)
    row = triples[twos & Word(0xFF) | ranks >> Word(24) & Word(0xF00)]
    column = pairs[twos >> Word(16) & Word(0xFF)]
    place = Word(row) + Word(column)
    if suits == (suits & Word(3)) * Word(0x01_01_01_01_01):
        place += Word(classes.size >> 1)
    strength: np.int16 = classes[place]
    return strength


@Kernel
def _look_up(
    cards: NDArray[np.uint8],
    words: NDArray[Word],
    triples: NDArray[np.uint16],
    pairs: NDArray[np.uint16],
    classes: Strengths,
    result: Strengths,
) -> bool:
    """Fill `result` from cards that are also given as words of eight, the first card lowest.

    Return False if a card is not in the deck; it is detected before its use.
    """
    for start in range(0, result.size, _BLOCK):
        stop = min(start + _BLOCK, result.size)
        if highest_card(cards[_CARDS * start : _CARDS * stop]) >= DECK:
            return False
        block = words[_CARDS * start // _GROUP : _CARDS * stop // _GROUP]
        _look_up_groups(block, triples, pairs, classes, result[start:stop])
    return True


@part_of_kernel
def _look_up_groups(
    words: NDArray[Word],
    triples: NDArray[np.uint16],
    pairs: NDArray[np.uint16],
    classes: Strengths,
    result: Strengths,
) -> None:
    """Look up eight hands at a time, because reading single bytes takes longer than the lookup."""
    for group in range(result.size // _GROUP):
        place, row = _CARDS * group, _GROUP * group
        a, b, c, d, e = words[place], words[place + 1], words[place + 2], words[place + 3], words[place + 4]
        result[row] = _strength(a, triples, pairs, classes)
        result[row + 1] = _strength(a >> Word(40) | b << Word(24), triples, pairs, classes)
        result[row + 2] = _strength(b >> Word(16), triples, pairs, classes)
        result[row + 3] = _strength(b >> Word(56) | c << Word(8), triples, pairs, classes)
        result[row + 4] = _strength(c >> Word(32) | d << Word(32), triples, pairs, classes)
        result[row + 5] = _strength(d >> Word(8), triples, pairs, classes)
        result[row + 6] = _strength(d >> Word(48) | e << Word(16), triples, pairs, classes)
        result[row + 7] = _strength(e >> Word(24), triples, pairs, classes)


@Kernel
def _visit_all(
    triples: NDArray[np.uint16], pairs: NDArray[np.uint16], classes: Strengths, counts: NDArray[np.int64]
) -> None:
    deck = np.arange(DECK).astype(np.uint64)
    for a in deck:
        for b in deck[a + Word(1) :]:
            for c in deck[b + Word(1) :]:
                three = a | b << Word(8) | c << Word(16)
                for d in deck[c + Word(1) :]:
                    for e in deck[d + Word(1) :]:
                        hand = three | d << Word(24) | e << Word(32)
                        counts[_strength(hand, triples, pairs, classes)] += 1
