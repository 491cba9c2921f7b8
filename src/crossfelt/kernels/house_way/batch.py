"""House-way settings of arrays of hands, and counts over all hands."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.house_way.compiler import compile_way, loaded, plays
from crossfelt.kernels.house_way.decide import (
    CARDS,
    SETTINGS,
    Compiled,
    Numbers,
    Table,
    decide,
    may_flush,
    number_of,
    sort_hand,
)
from crossfelt.kernels.jit import Kernel
from crossfelt.kernels.random_deals import Hands
from crossfelt.kernels.solver.hand_shapes import shapes_of_hands
from crossfelt.kernels.threads import in_shares
from crossfelt.rulebooks.house_ways import GUARD, HouseWay

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
    hands, compiled = np.ascontiguousarray(hands), compile_way(loaded(way))
    low, line = np.empty((len(hands), 2), dtype=np.uint8), np.empty(len(hands), dtype=np.int16)
    in_shares(lambda rows: _set_all(hands[rows], compiled, low[rows], line[rows]), len(hands), _SMALLEST_SHARE)
    return SetHands(low, line)


def lines_of(way: str | HouseWay) -> tuple[str, ...]:
    """Return the rule of each play of a house way in order, and the guard last.

    >>> lines_of("foxwoods")[-3:]
    ('five_aces', 'five_aces', 'guard')
    """
    return (*(rule.id for rule, _ in plays(loaded(way))), GUARD)


@Kernel
def _set_all(hands: Hands, way: Compiled, front: Hands, line: Table) -> None:
    cards, scratch = np.empty(CARDS, dtype=np.int64), np.empty(SETTINGS, dtype=np.int64)
    for row in range(hands.shape[0]):
        sort_hand(hands, row, cards)
        made = decide(cards, way, scratch) if may_flush(cards) else way.by_ranks[number_of(cards, way.steps)]
        front[row, 0], front[row, 1] = cards[made >> 3 & 7], cards[made & 7]
        line[row] = made >> 6


# --- counts over all 154,143,080 hands ---


def line_counts(way: str | HouseWay) -> Numbers:
    """Count all 154,143,080 hands by line, exactly, without enumeration.

    >>> int(line_counts("foxwoods").sum())
    154143080
    """
    shapes = shapes_of_hands()
    counts = np.zeros(len(lines_of(way)), dtype=np.int64)
    np.add.at(counts, set_hands(way, shapes.cards).line, shapes.hands)
    return counts


def rule_counts(way: str | HouseWay) -> dict[str, int]:
    """Count all 154,143,080 hands by rule, and those of the guard.

    >>> rule_counts("trump_plaza")["five_aces"]
    1128
    """
    counts = dict.fromkeys(lines_of(way), 0)
    for rule, count in zip(lines_of(way), line_counts(way).tolist(), strict=True):
        counts[rule] += count
    return counts
