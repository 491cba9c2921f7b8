"""All 154,143,080 hands: how many each line of a house way sets, by counting or by setting every one."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np

from crossfelt.kernels.house_way.by_ranks import advance, suited, without_flush
from crossfelt.kernels.house_way.compiled import compile_way, loaded
from crossfelt.kernels.house_way.deciding import (
    CARDS,
    DECK,
    SETTINGS,
    Numbers,
    Table,
    decide,
    groups,
    is_foul,
    may_flush,
    number_of,
)
from crossfelt.kernels.house_way.setting import lines_of
from crossfelt.kernels.kernel import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads
from crossfelt.rulebooks.house_ways import PATTERNS, HouseWay

_SHARES: Final = 64


def line_counts(way: str | HouseWay) -> Numbers:
    """How many of all 154,143,080 hands each line sets, by the pattern they hold: exact, by counting.

    >>> int(line_counts("foxwoods").sum())
    154143080
    """
    compiled = compile_way(loaded(way))
    counts = np.zeros((len(PATTERNS), len(compiled.lines) + 1), dtype=np.int64)
    for joker in (0, 1):
        _count(joker, *compiled, counts)
    return counts


def rule_counts(way: str | HouseWay) -> dict[str, int]:
    """How many of all 154,143,080 hands each rule sets, and the guard.

    >>> rule_counts("trump_plaza")["five_aces"]
    1128
    """
    counts = dict.fromkeys(lines_of(way), 0)
    for rule, count in zip(lines_of(way), line_counts(way).sum(axis=0).tolist(), strict=True):
        counts[rule] += count
    return counts


def guard_counts(way: str | HouseWay) -> dict[str, int]:
    """How many of all 154,143,080 hands no rule sets, by the pattern they hold.

    >>> sum(guard_counts("trump_plaza").values())
    0
    """
    return dict(zip(PATTERNS, line_counts(way)[:, -1].tolist(), strict=True))


def visited(way: str | HouseWay) -> tuple[Numbers, int]:
    """How many of all 154,143,080 hands each line sets, and how many of them foul, by setting every one."""
    compiled = compile_way(loaded(way))
    starts = np.array(list(combinations(range(DECK), 2)), dtype=np.int64)

    def work(share: int) -> Numbers:
        counts = np.zeros(len(compiled.lines) + 2, dtype=np.int64)
        _visit(np.ascontiguousarray(starts[share::_SHARES]), *compiled, counts)
        return counts

    total = np.sum(in_threads(work, _SHARES), axis=0)
    return total[:-1], int(total[-1])


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
    """Add all hands with the joker (1), or all without it (0): their ranks, and those that one suit may have."""
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


@Kernel
def _visit(
    starts: Numbers,
    lines: Numbers,
    patterns: Numbers,
    steps: Numbers,
    lows: Numbers,
    worths: Table,
    by_ranks: Table,
    counts: Numbers,
) -> None:
    """Add all hands whose first two cards are among `starts`, by line; the last number is that of the fouls."""
    cards, scratch = np.empty(CARDS, dtype=np.int64), np.empty(SETTINGS, dtype=np.int64)
    for start in range(starts.shape[0]):
        cards[0], cards[1] = starts[start, 0], starts[start, 1]
        cards[2:] = cards[1] + np.arange(1, CARDS - 1)
        while cards[CARDS - 1] < DECK:
            if may_flush(cards):
                made = decide(cards, lines, patterns, steps, lows, worths, scratch)
            else:
                made = by_ranks[number_of(cards, steps)]
            counts[made >> 6] += 1
            counts[counts.size - 1] += is_foul(cards, made >> 3 & 7, made & 7, steps, lows, worths)
            _next_cards(cards)


@part_of_kernel
def _next_cards(cards: Numbers) -> None:
    """Go on to the next five of the last cards; beyond the deck after the last."""
    place = CARDS - 1
    while place > 2 and cards[place] == DECK - CARDS + place:
        place -= 1
    cards[place] += 1
    for above in range(place + 1, CARDS):
        cards[above] = cards[above - 1] + 1
