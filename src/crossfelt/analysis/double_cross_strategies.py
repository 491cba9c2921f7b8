"""Ways to play Double Cross Poker that a person can remember, each at its exact cost.

A way looks at the two lines as far as they are open: the hole cards with the top card, and with the right card. It
plays the line that looks better, if one of its conditions holds, and folds otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.double_cross_census import census
from crossfelt.analysis.double_cross_play import BestPlay, Choices, best_play, value_of
from crossfelt.analysis.double_cross_positions import SHAPE, SUIT_WAYS
from crossfelt.analysis.double_cross_terms import CHOICES, FOLD, HORIZONTAL, VERTICAL, terms_of
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.cards.card import RANK_NAMES, RANKS
from crossfelt.hands.strength import PAIRS
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game

Where = NDArray[np.bool_]
Gain = NDArray[np.float64]
_ACE: Final = RANKS.index("A")


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
def lines() -> Lines:
    """What is open in every position."""
    top, right, pair, way = np.indices(SHAPE)
    low, high = np.array(PAIRS).T[:, pair]
    suits = np.array(SUIT_WAYS).T[:, way]
    vertical, horizontal = _line(top, suits[0], low, high, suits), _line(right, suits[1], low, high, suits)
    down = vertical.key >= horizontal.key
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
    with_low_ace = (large == _ACE) & (middle <= RANKS.index("5"))
    return Line(
        first=groups[2],
        key=(groups[2] * 64 + second) * 64 + third,
        suited=(suit == suits[2]) & (suit == suits[3]),
        in_a_row=different & ((large - small <= 4) | with_low_ace),
    )


# --- conditions -----------------------------------------------------------------------------------------------------


class Condition(NamedTuple):
    """One line of a card: raise on the better looking line where this holds."""

    text: str
    holds: Callable[[Lines], Where]


def _at_least(size: int, rank: int) -> Callable[[Lines], Where]:
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
    high = {rank: RANK_NAMES[rank] for rank in range(RANKS.index("7"), _ACE + 1)}
    beside: dict[str, Callable[[Lines], Where]] = {
        "": _everywhere,
        ", and three of one suit": _suited,
        ", and three that a straight can hold": _in_a_row,
        ", above both open cards": _over,
        **{f", and {name}s or less open": _open_below(rank + 1) for rank, name in high.items() if rank < _ACE},
        **{f" and {a_or_an(name)} or better": _hole(0, rank) for rank, name in high.items() if rank < _ACE},
    }
    return (
        PAIR,
        *(Condition(f"{name}-high or better", _at_least(1, rank)) for rank, name in high.items()),
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


def _everywhere(seen: Lines) -> Where:
    return np.ones_like(seen.down)


PAIR: Final = Condition("a pair or better", _at_least(2, 0))
LIBRARY: Final = _library()
"""Conditions a person can see at a glance."""


def raises_if(*conditions: Condition) -> Choices:
    """The strategy of a card with these lines."""
    seen = lines()
    raised = np.zeros(SHAPE, dtype=np.bool_)
    for condition in conditions:
        raised |= condition.holds(seen)
    line = np.where(seen.down, CHOICES.index(VERTICAL), CHOICES.index(HORIZONTAL))
    return np.where(raised, line, CHOICES.index(FOLD)).astype(np.int8)


def _always(choice: str) -> Choices:
    return np.full(SHAPE, CHOICES.index(choice), dtype=np.int8)


EVERYTHING: Final = Condition("anything", _everywhere)
STRATEGIES: Final[Mapping[str, Callable[[], Choices]]] = {
    "always-fold": lambda: _always(FOLD),
    "always-vertical": lambda: _always(VERTICAL),
    "always-horizontal": lambda: _always(HORIZONTAL),
    "never-fold": lambda: raises_if(EVERYTHING),
    "pair": lambda: raises_if(PAIR),
    "ace-high": lambda: raises_if(Condition("", _at_least(1, _ACE))),
    "simple": lambda: raises_if(Condition("", _at_least(1, _ACE - 1))),
    "queen-high": lambda: raises_if(Condition("", _at_least(1, _ACE - 2))),
}
"""``simple`` is the rule of the bots: king-high or better."""


CARD: Final = "card-"
MOST_CONDITIONS: Final = 6
CARDS: Final = tuple(f"{CARD}{conditions + 1}" for conditions in range(1, MOST_CONDITIONS + 1))
"""Cards by their number of lines, the last of which is to fold otherwise."""


def strategy_named(name: str, game: Game) -> Choices:
    """A strategy by name: one of `STRATEGIES` or `CARDS`, or another that is refused."""
    if name in CARDS:
        best = frontier(game, int(name.removeprefix(CARD)) - 1)[-1]
        return raises_if(*(condition for condition in LIBRARY if condition.text in best.conditions))
    if name not in STRATEGIES:
        what, allowed = "no such strategy", ", ".join((OPTIMAL, *STRATEGIES, f"{CARDS[0]} … {CARDS[-1]}"))
        raise BadInput(Problem(code="strategy.unknown", where="strategy", what=what, value=name, allowed=allowed))
    return STRATEGIES[name]()


# --- the card -------------------------------------------------------------------------------------------------------


class Card(NamedTuple):
    """Rules for a card: raise on the better looking line with any of these, else fold."""

    conditions: tuple[str, ...]
    ev: Fraction
    cost: Fraction
    """What it gives away against best play, in antes."""


def frontier(game: Game, most: int = MOST_CONDITIONS) -> list[Card]:
    """The best cards that were found of one line, two lines, and so on: each is exact in its cost.

    A line is added where it brings most, and then every line gives way to a better one until none is found; so no
    change of one line makes a card better, though a change of several might.
    """
    play = best_play(terms_of(game))
    best = value_of(play, play.choices)
    gain, holds = _by_sight(play)
    chosen: list[int] = []
    cards: list[Card] = []
    for _ in range(most):
        chosen = _improved([*chosen, _best_line(gain, holds, chosen)], gain, holds)
        conditions = [LIBRARY[line] for line in chosen]
        value = value_of(play, raises_if(*conditions))
        if cards and value <= cards[-1].ev:
            break
        cards.append(Card(tuple(condition.text for condition in conditions), value, best - value))
    return cards


def _improved(chosen: list[int], gain: Gain, holds: Where) -> list[int]:
    """Exchange one line at a time for the best one, until every line is."""
    while True:
        before = list(chosen)
        for place in range(len(chosen)):
            chosen[place] = _best_line(gain, holds, chosen[:place] + chosen[place + 1 :])
        if chosen == before:
            return chosen


def _best_line(gain: Gain, holds: Where, chosen: list[int]) -> int:
    """The condition that brings most beside the others."""
    return int(np.argmax(holds @ np.where(holds[chosen].any(axis=0), 0.0, gain)))


def _by_sight(play: BestPlay) -> tuple[Gain, Where]:
    """What a raise on the better looking line brings more than a fold, summed where all conditions see the same.

    With it, whether each condition of the library holds there.
    """
    terms, seen = play.terms, lines()
    value = np.where(seen.down, play.vertical, play.horizontal) - terms.folded * terms.deals
    worth = value.astype(np.float64) * census(terms).positions
    code = np.zeros(SHAPE, dtype=np.int64)
    for part in (seen.better.first, seen.better.suited, seen.better.in_a_row, *seen[2:]):
        code = code * 64 + part
    _, examples, groups = np.unique(code.reshape(-1), return_index=True, return_inverse=True)
    holds = np.array([condition.holds(seen).reshape(-1)[examples] for condition in LIBRARY])
    gain: Gain = np.bincount(groups, weights=worth.reshape(-1)).astype(np.float64)
    return gain, holds
