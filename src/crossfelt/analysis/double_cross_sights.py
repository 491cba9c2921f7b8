"""What a player of Double Cross Poker sees in a position at a glance, and rules that go by it.

A rule looks at the two lines as far as they are open: the hole cards with the top card, and with the right card. It
plays the line that looks better, if one of its conditions holds, and folds otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.double_cross_play import Choices
from crossfelt.analysis.double_cross_positions import SHAPE, SUIT_WAYS
from crossfelt.analysis.double_cross_terms import CHOICES, FOLD, HORIZONTAL, VERTICAL
from crossfelt.cards.card import RANK_NAMES, RANKS
from crossfelt.hands.strength import PAIRS

Where = NDArray[np.bool_]
ACE: Final = RANKS.index("A")
_PLACES: Final = 64
"""More than there are groups: the places of a key."""


class Line(NamedTuple):
    """What the three cards in sight of a line show."""

    first: NDArray[np.int64]
    """The largest group of equal ranks, 13 times its size and its rank."""
    key: NDArray[np.int64]
    """All groups, so that the better looking line has the greater number."""
    suited: Where
    """Three of one suit."""
    in_a_row: Where
    """Three of five ranks in a row, that a straight can still hold."""


class Lines(NamedTuple):
    """What every position shows."""

    down: Where
    """Whether the vertical line looks better, or the same."""
    better: Line
    hole_high: NDArray[np.int64]
    hole_low: NDArray[np.int64]
    open_high: NDArray[np.int64]
    """Ranks of the hole cards, and of the higher of the two open cards."""


@cache
def lines(*, suited_first: bool = False) -> Lines:
    """What is open in every position.

    With `suited_first`, of two lines with the same highest rank the one of a single suit looks better.
    """
    top, right, pair, way = np.indices(SHAPE)
    low, high = np.array(PAIRS).T[:, pair]
    suits = np.array(SUIT_WAYS).T[:, way]
    vertical, horizontal = _line(top, suits[0], low, high, suits), _line(right, suits[1], low, high, suits)
    more = (_PLACES**2 // 2) * suited_first
    down = vertical.key + more * vertical.suited >= horizontal.key + more * horizontal.suited
    better = Line(*(np.where(down, one, other) for one, other in zip(vertical, horizontal, strict=True)))
    return Lines(down, better, high, low, np.maximum(top, right))


def _line(
    rank: NDArray[np.int64],
    suit: NDArray[np.int64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    suits: NDArray[np.int64],
) -> Line:
    ranks = np.sort(np.stack([rank, low, high]), axis=0)
    small, middle, large = ranks
    sizes = [(ranks == one).sum(axis=0) for one in ranks]
    groups = np.sort(np.stack([len(RANKS) * size + one for size, one in zip(sizes, ranks, strict=True)]), axis=0)
    # Equal ranks are one group; what is left of it counts for nothing.
    second = np.where(groups[1] == groups[2], np.where(groups[0] == groups[1], 0, groups[0]), groups[1])
    third = np.where((groups[1] == groups[2]) | (groups[0] == groups[1]), 0, groups[0])
    different = (small < middle) & (middle < large)
    with_low_ace = (large == ACE) & (middle <= RANKS.index("5"))
    return Line(
        first=groups[2],
        key=(groups[2] * _PLACES + second) * _PLACES + third,
        suited=(suit == suits[2]) & (suit == suits[3]),
        in_a_row=different & ((large - small <= 4) | with_low_ace),
    )


# --- conditions -----------------------------------------------------------------------------------------------------


class Condition(NamedTuple):
    """One line of a card: raise on the better looking line where this holds."""

    text: str
    holds: Callable[[Lines], Where]


def at_least(size: int, rank: int) -> Callable[[Lines], Where]:
    return lambda seen: seen.better.first >= len(RANKS) * size + rank


def _suited(seen: Lines) -> Where:
    return seen.better.suited


def _in_a_row(seen: Lines) -> Where:
    return seen.better.in_a_row


def _hole(high: int, low: int = 0) -> Callable[[Lines], Where]:
    return lambda seen: (seen.hole_high >= high) & (seen.hole_low >= low)


def _over(seen: Lines) -> Where:
    return seen.hole_high > seen.open_high


def _open_below(rank: int) -> Callable[[Lines], Where]:
    return lambda seen: seen.open_high < rank


def _both(one: Callable[[Lines], Where], other: Callable[[Lines], Where]) -> Callable[[Lines], Where]:
    return lambda seen: one(seen) & other(seen)


def _library() -> tuple[Condition, ...]:
    high = {rank: RANK_NAMES[rank] for rank in range(RANKS.index("7"), ACE + 1)}
    beside: dict[str, Callable[[Lines], Where]] = {
        "": everywhere,
        ", and three of one suit": _suited,
        ", and three that a straight can hold": _in_a_row,
        ", above both open cards": _over,
        **{f", and {name}s or less open": _open_below(rank + 1) for rank, name in high.items() if rank < ACE},
        **{f" and {a_or_an(name)} or better": _hole(0, rank) for rank, name in high.items() if rank < ACE},
    }
    return (
        PAIR,
        *(Condition(f"{name}-high or better", at_least(1, rank)) for rank, name in high.items()),
        *(
            Condition(f"a hole card of {name} or better{told}", _both(_hole(rank), also))
            for rank, name in high.items()
            for told, also in beside.items()
        ),
        Condition("three of one suit", _suited),
        Condition("three of one suit that a straight can hold", _both(_suited, _in_a_row)),
    )


def a_or_an(name: str) -> str:
    """A rank with its article.

    >>> a_or_an("king"), a_or_an("eight")
    ('a king', 'an eight')
    """
    return f"an {name}" if name[0] in "ae" else f"a {name}"


def everywhere(seen: Lines) -> Where:
    return np.ones_like(seen.down)


PAIR: Final = Condition("a pair or better", at_least(2, 0))
LIBRARY: Final = _library()
"""Conditions a person can see at a glance."""


def raises_if(*conditions: Condition, suited_first: bool = False) -> Choices:
    """The strategy of who raises on the better looking line with any of these."""
    seen = lines(suited_first=suited_first)
    raised = np.zeros(SHAPE, dtype=np.bool_)
    for condition in conditions:
        raised |= condition.holds(seen)
    line = np.where(seen.down, CHOICES.index(VERTICAL), CHOICES.index(HORIZONTAL))
    return np.where(raised, line, CHOICES.index(FOLD)).astype(np.int8)
