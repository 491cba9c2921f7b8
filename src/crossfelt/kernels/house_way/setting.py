"""Many hands in an array, each set by a house way."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.house_way.compiled import compile_way, loaded, plays
from crossfelt.kernels.house_way.deciding import (
    CARDS,
    DECK,
    SETTINGS,
    Numbers,
    Table,
    decide,
    may_flush,
    number_of,
)
from crossfelt.kernels.inputs import Hands, require_cards_of_deck, require_different_cards, require_shape
from crossfelt.kernels.kernel import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads, share_count, share_of
from crossfelt.rulebooks.house_ways import GUARD, HouseWay

_SMALLEST_SHARE: Final = 1 << 12


class SetHands(NamedTuple):
    """What a house way made of many hands."""

    low: NDArray[np.uint8]
    """The two cards in front of each, the higher first."""
    line: Table
    """Which play of which rule set each: a place in `lines_of`."""


def set_hands(way: str | HouseWay, hands: Hands) -> SetHands:
    """Set each row of seven different cards, 0 … 51 and 52 for the joker.

    >>> pair_of_nines_and_threes = np.array([[28, 29, 6, 7, 44, 25, 2]], dtype=np.uint8)
    >>> made = set_hands("trump_plaza", pair_of_nines_and_threes)
    >>> made.low.tolist(), lines_of("trump_plaza")[made.line[0]]
    ([[44, 25]], 'two_pair_low_and_medium')
    """
    hands = require_shape(hands, CARDS)
    compiled = compile_way(loaded(way))
    low, line = np.empty((len(hands), 2), dtype=np.uint8), np.empty(len(hands), dtype=np.int16)
    shares = share_count(len(hands), _SMALLEST_SHARE)

    def work(share: int) -> None:
        rows = share_of(len(hands), share, shares)
        if not _set_all(hands[rows], *compiled, low[rows], line[rows]):
            require_cards_of_deck(hands[rows], DECK, first_row=rows.start)
            require_different_cards(hands[rows], first_row=rows.start)

    in_threads(work, shares)
    return SetHands(low, line)


def lines_of(way: str | HouseWay) -> tuple[str, ...]:
    """The rule of each play of a house way, in order, and the guard last.

    >>> lines_of("foxwoods")[-3:]
    ('five_aces', 'five_aces', 'guard')
    """
    return (*(rule.id for rule, _ in plays(loaded(way))), GUARD)


@Kernel
def _set_all(
    hands: Hands,
    lines: Numbers,
    patterns: Numbers,
    steps: Numbers,
    lows: Numbers,
    worths: Table,
    by_ranks: Table,
    front: Hands,
    line: Table,
) -> bool:
    """Fill in `front` and `line`; false if a card is none of the deck or comes twice."""
    cards, scratch = np.empty(CARDS, dtype=np.int64), np.empty(SETTINGS, dtype=np.int64)
    for row in range(hands.shape[0]):
        if not _sort(hands, row, cards):
            return False
        if may_flush(cards):
            made = decide(cards, lines, patterns, steps, lows, worths, scratch)
        else:
            made = by_ranks[number_of(cards, steps)]
        front[row, 0], front[row, 1] = cards[made >> 3 & 7], cards[made & 7]
        line[row] = made >> 6
    return True


@part_of_kernel
def _sort(hands: Hands, row: int, cards: Numbers) -> bool:
    """Put down the cards of a hand, lowest first; false if it is no hand."""
    a, b, c, d = hands[row, 0], hands[row, 1], hands[row, 2], hands[row, 3]
    e, f, g = hands[row, 4], hands[row, 5], hands[row, 6]
    # The shortest network for seven: it has no branch to guess wrong.
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
    return bool((a < b) & (b < c) & (c < d) & (d < e) & (e < f) & (f < g) & (g < DECK))
