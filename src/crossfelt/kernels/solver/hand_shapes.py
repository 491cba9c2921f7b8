"""Shapes of seven cards that are set as two hands, their settings, and the hands that another player may hold.

A shape is all that can matter for setting a hand and for its strength: the ranks of the cards where no flush is
possible, else the ranks in the suit of the flush and the ranks of the other cards. There are 292,253 shapes of
154,143,080 hands.

A setting has a code, ``high << LOW_BITS | low``, of the strengths of its hands.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.house_way.compiler import steps_of_ranks
from crossfelt.kernels.house_way.decide import CARDS, JOKER, RANKS, advance, number_of, suited, without_flush
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.random_deals import Hands
from crossfelt.kernels.solver.card_sets import choose_table

Numbers = NDArray[np.int64]
Indices = NDArray[np.int32]

SUITS: Final = 4
FLUSH: Final = 5
LOWS: Final = 91
"""Different hands of two cards."""
LOW_BITS: Final = 7
LOW_MASK: Final = (1 << LOW_BITS) - 1
MOST_SETTINGS: Final = comb(CARDS, 2)
NO_HAND: Final = -1
"""In place of a code: a foul, or a hand to leave out."""
WITHOUT_FLUSH: Final = comb(RANKS + 6, 7) + comb(RANKS + 5, 6)
"""The number of the first shape with a flush."""

Deck = tuple[int, ...]
"""The number of cards of each rank, four or none, and of jokers."""
FULL: Final[Deck] = (SUITS,) * RANKS + (1,)


class Shapes(NamedTuple):
    """All shapes: first those without a flush, by the number of their ranks."""

    cards: Hands
    """One sorted hand of each; its flush, if any, is of the last suit."""
    hands: Numbers
    """The number of hands; 0 where there are no such ranks."""
    plain: Indices
    """The shape of the same ranks without a flush."""
    flush: Indices
    """Ranks of a flush as bits; 0 where there is none."""
    rest: Indices
    """Ranks of the other cards as bits; all ranks where there is no flush."""
    starts: Indices
    """First shape by joker and ranks of the flush; -1 where these make none."""
    steps: Numbers
    """Contribution of each card to the number of sorted ranks, by its place."""


@cache
def shapes_of_hands() -> Shapes:
    """Return all shapes.

    >>> shapes = shapes_of_hands()
    >>> int(shapes.hands.sum()) == comb(53, 7), int((shapes.hands > 0).sum())
    (True, 292253)
    """
    starts = np.full((2, 1 << RANKS), -1, dtype=np.int32)
    end = WITHOUT_FLUSH
    for joker in (0, 1):
        for ranks in range(1 << RANKS):
            others = CARDS - joker - ranks.bit_count()
            if ranks.bit_count() >= FLUSH - joker and others >= 0:
                starts[joker, ranks] = end
                end += comb(RANKS - 1 + others, others)
    cards = np.tile(np.arange(CARDS, dtype=np.uint8), (end, 1))
    hands = np.zeros(end, dtype=np.int64)
    plain, flush, rest = (np.zeros(end, dtype=np.int32) for _ in range(3))
    shapes = Shapes(cards, hands, plain, flush, rest, starts, steps_of_ranks())
    for joker in (0, 1):
        _fill_shapes(joker, shapes)
    return shapes


@Kernel
def _fill_shapes(joker: int, shapes: Shapes) -> None:
    cards, ranks = np.empty(CARDS, dtype=np.int64), np.zeros(CARDS - joker, dtype=np.int64)
    more = True
    while more:
        left = without_flush(ranks, cards)
        if left:
            number = number_of(cards, shapes.steps)
            shapes.plain[number] = number
            for place in range(CARDS):
                shapes.cards[number, place] = cards[place]
            for rank in ranks:
                shapes.rest[number] |= 1 << rank
            for subset in range(1 << ranks.size):
                ways = suited(subset, ranks, joker, cards)
                if ways:
                    _fill_flush(subset, ranks, joker, cards, ways, number, shapes)
                    left -= ways
            shapes.hands[number] = left
        more = advance(ranks, RANKS - 1)


@part_of_kernel
def _fill_flush(
    subset: int, ranks: Numbers, joker: int, cards: Numbers, ways: int, number: int, shapes: Shapes
) -> None:
    flush, rest, others, place = 0, 0, 0, 0
    for index in range(ranks.size):
        if subset >> index & 1:
            flush |= 1 << ranks[index]
        else:
            rest |= 1 << ranks[index]
            others += shapes.steps[place, 4 * ranks[index]]
            place += 1
    shape = shapes.starts[joker, flush] + others
    shapes.hands[shape], shapes.plain[shape] = ways, number
    shapes.flush[shape], shapes.rest[shape] = flush, rest
    for place in range(CARDS):
        shapes.cards[shape, place] = cards[place]


def dealt_from(deck: Deck) -> NDArray[np.bool_]:
    """Return whether a deck can deal each shape."""
    shapes = shapes_of_hands()
    there = np.append(np.repeat(deck[:-1], SUITS), deck[-1]) > 0
    return (shapes.hands > 0) & there[shapes.cards].all(axis=1)


# --- settings ---


class Settings(NamedTuple):
    """Settings of every shape."""

    firsts: Indices
    """First setting of each shape, and the number of all."""
    codes: Indices
    chosen: Indices
    """Setting of each shape by each way, counted from the shape's first."""


def list_settings(every: Indices, ways: Indices, *, deck: Deck = FULL) -> Settings:
    """List the settings of every shape that no other surpasses, and those of some ways.

    `every` has a code for each shape and each two cards, `NO_HAND` for a foul; `ways` for each way and shape.
    """
    codes = np.empty((len(every), ways.shape[0] + MOST_SETTINGS), dtype=np.int32)
    counts, chosen = np.zeros(len(every), dtype=np.int32), np.zeros_like(ways)
    _list_settings(every, ways, dealt_from(deck), codes, counts, chosen)
    firsts = np.zeros(len(every) + 1, dtype=np.int32)
    np.cumsum(counts, out=firsts[1:])
    return Settings(firsts, codes[np.arange(codes.shape[1]) < counts[:, None]], chosen)


@Kernel
def _list_settings(
    every: Indices, ways: Indices, dealt: NDArray[np.bool_], codes: Indices, counts: Indices, chosen: Indices
) -> None:
    for shape in range(dealt.size):
        if not dealt[shape]:
            continue
        size = 0
        for one in range(every.shape[1]):
            if _is_wanted(every[shape], one):
                codes[shape, size] = every[shape, one]
                size += 1
        for way in range(ways.shape[0]):
            place = 0
            while place < size and codes[shape, place] != ways[way, shape]:
                place += 1
            if place == size:
                codes[shape, size] = ways[way, shape]
                size += 1
            chosen[way, shape] = place
        counts[shape] = size


@part_of_kernel
def _is_wanted(codes: Indices, one: int) -> bool:
    """Return whether a setting is lawful, the first of its code, and no other is as strong in both hands."""
    code = codes[one]
    if code == NO_HAND:
        return False
    for other in range(codes.size):
        rival = codes[other]
        if rival == code:
            if other < one:
                return False
        elif rival != NO_HAND and rival & LOW_MASK >= code & LOW_MASK and rival >> LOW_BITS >= code >> LOW_BITS:
            return False
    return True


# --- all hands beside one ---


def hands_beside(cards: Hands, dealer: Indices, highs: int, *, deck: Deck = FULL) -> Numbers:
    """Count the hands that the rest of the deck allows, by the strengths that a dealer's code gives their shapes.

    >>> shapes = shapes_of_hands()
    >>> int(hands_beside(shapes.cards[0], np.zeros(len(shapes.hands), dtype=np.int32), 1)[0, 0]) == comb(46, 7)
    True
    """
    counts = np.zeros((highs, LOWS), dtype=np.int64)
    _count_beside(cards, np.array(deck), shapes_of_hands(), dealer, choose_table(), counts)
    return counts


@Kernel
def _count_beside(
    cards: Hands, deck: Numbers, shapes: Shapes, dealer: Indices, choose: Numbers, counts: Numbers
) -> None:
    """Take every hand at the code of its ranks, then move those with a flush to their own code."""
    left, in_suit = deck.copy(), np.zeros(SUITS, dtype=np.int64)
    others = np.empty((SUITS, RANKS + 1), dtype=np.int64)
    for rank in range(RANKS):
        # A card that the deck lacks is as good as held.
        in_suit |= 0 if deck[rank] else 1 << rank
    for card in cards:
        left[card >> 2] -= 1
        if card != JOKER:
            in_suit[card & 3] |= 1 << (card >> 2)
    for suit in range(SUITS):
        for rank in range(RANKS + 1):
            own = in_suit[suit] >> rank & 1
            others[suit, rank] = left[rank] - (1 - own if rank < RANKS and deck[rank] else 0)
    for shape in range(shapes.hands.size):
        plain = shapes.plain[shape]
        if not shapes.hands[shape]:
            continue
        if shape == plain:
            _count(dealer[shape], _ways(shapes.cards[shape], False, left, choose), counts)
        elif dealer[shape] != dealer[plain]:
            for suit in range(SUITS):
                if not shapes.flush[shape] & in_suit[suit]:
                    ways = _ways(shapes.cards[shape], True, others[suit], choose)
                    _count(dealer[shape], ways, counts)
                    _count(dealer[plain], -ways, counts)


@part_of_kernel
def _ways(cards: Hands, flush: bool, left: Numbers, choose: Numbers) -> int:
    """Return the number of hands of these ranks; of a flush the cards beside it are counted, all it needs are there."""
    ways, place = 1, 0
    while place < CARDS:
        rank, copies = cards[place] >> 2, 0
        while place < CARDS and cards[place] >> 2 == rank:
            if not flush or cards[place] == JOKER or cards[place] & 3 != SUITS - 1:
                copies += 1
            place += 1
        ways *= choose[left[rank], copies]
    return ways


@part_of_kernel
def _count(code: int, ways: int, counts: Numbers) -> None:
    if code != NO_HAND:
        counts[code >> LOW_BITS, code & LOW_MASK] += ways
