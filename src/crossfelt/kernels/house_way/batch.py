"""House-way settings of arrays of hands, and counts over all hands."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.array_checks import Hands, require_cards_of_deck, require_different_cards, require_shape
from crossfelt.kernels.house_way.compiler import compile_way, loaded, plays
from crossfelt.kernels.house_way.decide import (
    CARDS,
    DECK,
    SETTINGS,
    Numbers,
    Table,
    advance,
    decide,
    groups,
    may_flush,
    number_of,
    suited,
    without_flush,
)
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads, share_count, share_of
from crossfelt.rulebooks.house_ways import GUARD, PATTERNS, HouseWay

_SMALLEST_SHARE: Final = 1 << 12


class SetHands(NamedTuple):
    """The settings of many hands."""

    low: NDArray[np.uint8]
    """Two cards in front, the higher first."""
    line: Table
    """Index in `lines_of` of the play that set each hand."""


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
    """Return the rule of each play of a house way in order, and the guard last.

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
    """Fill `front` and `line`; return False if a card is not in the deck or repeated."""
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
    """Sort the cards of a hand, the lowest first; return False if it is not a hand."""
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
    return bool((a < b) & (b < c) & (c < d) & (d < e) & (e < f) & (f < g) & (g < DECK))


# --- counts over all 154,143,080 hands ---


def line_counts(way: str | HouseWay) -> Numbers:
    """Count all 154,143,080 hands by line and pattern, exactly, without enumeration.

    >>> int(line_counts("foxwoods").sum())
    154143080
    """
    compiled = compile_way(loaded(way))
    counts = np.zeros((len(PATTERNS), len(compiled.lines) + 1), dtype=np.int64)
    for joker in (0, 1):
        _count(joker, *compiled, counts)
    return counts


def rule_counts(way: str | HouseWay) -> dict[str, int]:
    """Count all 154,143,080 hands by rule, and those of the guard.

    >>> rule_counts("trump_plaza")["five_aces"]
    1128
    """
    counts = dict.fromkeys(lines_of(way), 0)
    for rule, count in zip(lines_of(way), line_counts(way).sum(axis=0).tolist(), strict=True):
        counts[rule] += count
    return counts


@Kernel
def _count(
    joker: int,
    lines: Numbers,
    patterns: Numbers,
    steps: Numbers,
    lows: Numbers,
    worths: Table,
    by_ranks: Table,
    counts: Numbers,
) -> None:
    """Add all hands with the joker (1), or all without it (0): their ranks, and those of a possible flush."""
    cards, scratch = np.empty(CARDS, dtype=np.int64), np.empty(SETTINGS, dtype=np.int64)
    ranks = np.zeros(CARDS - joker, dtype=np.int64)
    more = True
    while more:
        hands = without_flush(ranks, cards)
        if hands:
            pattern = groups(cards, patterns)[0]
            unsuited = by_ranks[number_of(cards, steps)]
            for subset in range(1 << ranks.size):
                ways = suited(subset, ranks, joker, cards)
                if ways:
                    made = decide(cards, lines, patterns, steps, lows, worths, scratch)
                    counts[pattern, made >> 6] += ways
                    hands -= ways
            counts[pattern, unsuited >> 6] += hands
        more = advance(ranks)
