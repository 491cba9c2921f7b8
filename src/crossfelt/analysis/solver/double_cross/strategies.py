"""Strategies of Double Cross Poker by visible features of a position.

A rule compares the two lines as far as they are open: the hole cards with the top card, and with the right card. It
raises on the better line if one of its conditions holds, and folds otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solution import OPTIMAL
from crossfelt.analysis.solver.double_cross.payoffs import CHOICES, FOLD, HORIZONTAL, VERTICAL, terms_of
from crossfelt.analysis.solver.double_cross.positions import (
    SHAPE,
    SUIT_WAYS,
    BestChoices,
    Choices,
    best_play,
    census,
    value_of,
)
from crossfelt.cards.card import RANK_NAMES, RANKS
from crossfelt.errors import BadInput, Problem
from crossfelt.hands.strength import PAIRS
from crossfelt.rulebooks.game import Game

Where = NDArray[np.bool_]
ACE: Final = RANKS.index("A")
_PLACES: Final = 64
"""Base of a key, larger than the number of groups."""


class LineFeatures(NamedTuple):
    """The features of the three visible cards of a line."""

    first: NDArray[np.int64]
    """Largest group of equal ranks: 13 times its size, plus its rank."""
    key: NDArray[np.int64]
    """All groups as a number; the better line has the larger one."""
    suited: Where
    """True if the three cards have one suit."""
    in_a_row: Where
    """True if a straight can hold the three ranks."""


class PositionFeatures(NamedTuple):
    """The features of every position."""

    down: Where
    """True if the vertical line is at least as good."""
    better: LineFeatures
    hole_high: NDArray[np.int64]
    hole_low: NDArray[np.int64]
    open_high: NDArray[np.int64]
    """Ranks of the hole cards, and of the higher of the two open cards."""


@cache
def lines(*, suited_first: bool = False) -> PositionFeatures:
    """Return the features of every position.

    With `suited_first`, of two lines with the same highest rank the one with a single suit is better.
    """
    top, right, pair, way = np.indices(SHAPE)
    low, high = np.array(PAIRS).T[:, pair]
    suits = np.array(SUIT_WAYS).T[:, way]
    vertical, horizontal = _line(top, suits[0], low, high, suits), _line(right, suits[1], low, high, suits)
    more = (_PLACES**2 // 2) * suited_first
    down = vertical.key + more * vertical.suited >= horizontal.key + more * horizontal.suited
    better = LineFeatures(*(np.where(down, one, other) for one, other in zip(vertical, horizontal, strict=True)))
    return PositionFeatures(down, better, high, low, np.maximum(top, right))


def _line(
    rank: NDArray[np.int64],
    suit: NDArray[np.int64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    suits: NDArray[np.int64],
) -> LineFeatures:
    ranks = np.sort(np.stack([rank, low, high]), axis=0)
    small, middle, large = ranks
    sizes = [(ranks == one).sum(axis=0) for one in ranks]
    groups = np.sort(np.stack([len(RANKS) * size + one for size, one in zip(sizes, ranks, strict=True)]), axis=0)
    # Equal ranks are one group; the other members of the group count 0.
    second = np.where(groups[1] == groups[2], np.where(groups[0] == groups[1], 0, groups[0]), groups[1])
    third = np.where((groups[1] == groups[2]) | (groups[0] == groups[1]), 0, groups[0])
    different = (small < middle) & (middle < large)
    with_low_ace = (large == ACE) & (middle <= RANKS.index("5"))
    return LineFeatures(
        first=groups[2],
        key=(groups[2] * _PLACES + second) * _PLACES + third,
        suited=(suit == suits[2]) & (suit == suits[3]),
        in_a_row=different & ((large - small <= 4) | with_low_ace),
    )


# --- conditions -----------------------------------------------------------------------------------------------------


class Condition(NamedTuple):
    """One line of a card: raise on the better line if this holds."""

    text: str
    holds: Callable[[PositionFeatures], Where]


def at_least(size: int, rank: int) -> Callable[[PositionFeatures], Where]:
    return lambda seen: seen.better.first >= len(RANKS) * size + rank


def _suited(seen: PositionFeatures) -> Where:
    return seen.better.suited


def _in_a_row(seen: PositionFeatures) -> Where:
    return seen.better.in_a_row


def _hole(high: int, low: int = 0) -> Callable[[PositionFeatures], Where]:
    return lambda seen: (seen.hole_high >= high) & (seen.hole_low >= low)


def _over(seen: PositionFeatures) -> Where:
    return seen.hole_high > seen.open_high


def _open_below(rank: int) -> Callable[[PositionFeatures], Where]:
    return lambda seen: seen.open_high < rank


def _both(
    one: Callable[[PositionFeatures], Where], other: Callable[[PositionFeatures], Where]
) -> Callable[[PositionFeatures], Where]:
    return lambda seen: one(seen) & other(seen)


def _library() -> tuple[Condition, ...]:
    high = {rank: RANK_NAMES[rank] for rank in range(RANKS.index("7"), ACE + 1)}
    beside: dict[str, Callable[[PositionFeatures], Where]] = {
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
    """Return a rank with its article.

    >>> a_or_an("king"), a_or_an("eight")
    ('a king', 'an eight')
    """
    return f"an {name}" if name[0] in "ae" else f"a {name}"


def everywhere(seen: PositionFeatures) -> Where:
    return np.ones_like(seen.down)


PAIR: Final = Condition("a pair or better", at_least(2, 0))
LIBRARY: Final = _library()
"""Conditions that a player can see at a glance."""


def raises_if(*conditions: Condition, suited_first: bool = False) -> Choices:
    """Return the strategy that raises on the better line if any of the conditions holds."""
    seen = lines(suited_first=suited_first)
    raised = np.zeros(SHAPE, dtype=np.bool_)
    for condition in conditions:
        raised |= condition.holds(seen)
    line = np.where(seen.down, CHOICES.index(VERTICAL), CHOICES.index(HORIZONTAL))
    return np.where(raised, line, CHOICES.index(FOLD)).astype(np.int8)


# --- strategy cards ---

SHORTEST: Final = 2
"""One line for the raise, one for the fold."""
LONGEST: Final = 15
Gain = NDArray[np.float64]


class DoubleCrossCard(NamedTuple):
    """A strategy card: raise on the better line with any of the conditions, else fold."""

    conditions: tuple[str, ...]
    suited_first: bool
    """True if a line of the card prefers a single suit among lines with the same best rank."""
    ev: Fraction
    cost: Fraction
    """Loss against best play, in antes."""
    choices: Choices

    @property
    def length(self) -> int:
        return len(self.conditions) + self.suited_first + 1


@lru_cache(maxsize=8)
def frontier(game: Game) -> tuple[DoubleCrossCard, ...]:
    """Return the best card found for each number of lines, as long as more lines improve it."""
    play = best_play(terms_of(game))
    found = [card for suited_first in (False, True) for card in _cards(play, suited_first=suited_first)]
    best: list[DoubleCrossCard] = []
    for length in range(SHORTEST, LONGEST + 1):
        card = max((card for card in found if card.length == length), key=lambda card: card.ev, default=None)
        if card and (not best or card.ev > best[-1].ev):
            best.append(card)
    return tuple(best)


def card_of(game: Game, lines: int) -> DoubleCrossCard:
    """Return the best card found with at most `lines` lines.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> card = card_of(compile_game("nj-double-cross"), 3)
    >>> card.conditions, float(round(card.cost, 4))
    (('a pair or better', 'a hole card of jack or better'), 0.0244)
    """
    return next(card for card in reversed(frontier(game)) if card.length <= lines)


def _cards(play: BestChoices, *, suited_first: bool) -> Iterator[DoubleCrossCard]:
    """Yield cards of one condition, two, and so on, until another condition adds nothing."""
    best, before = value_of(play, play.choices), None
    gain, holds = _by_sight(play, lines(suited_first=suited_first))
    chosen: list[int] = []
    while len(chosen) + suited_first + 1 < LONGEST:
        chosen = _improved([*chosen, _best_line(gain, holds, chosen)], gain, holds)
        conditions = [LIBRARY[line] for line in chosen]
        choices = raises_if(*conditions, suited_first=suited_first)
        value = value_of(play, choices)
        if before is not None and value <= before:
            return
        yield DoubleCrossCard(
            tuple(condition.text for condition in conditions), suited_first, value, best - value, choices
        )
        before = value


def _improved(chosen: list[int], gain: Gain, holds: Where) -> list[int]:
    """Exchange one line at a time for the best one, until none improves."""
    while True:
        before = list(chosen)
        for place in range(len(chosen)):
            chosen[place] = _best_line(gain, holds, chosen[:place] + chosen[place + 1 :])
        if chosen == before:
            return chosen


def _best_line(gain: Gain, holds: Where, chosen: list[int]) -> int:
    """Return the condition that adds most to the others."""
    return int(np.argmax(holds @ np.where(holds[chosen].any(axis=0), 0.0, gain)))


def _by_sight(play: BestChoices, seen: PositionFeatures) -> tuple[Gain, Where]:
    """Sum the gain of a raise over a fold, over positions with the same conditions.

    The second array has the conditions of the library that hold there.
    """
    terms = play.terms
    value = np.where(seen.down, play.vertical, play.horizontal) - terms.folded * terms.deals
    worth = value.astype(np.float64) * census(terms).positions
    code = np.zeros(SHAPE, dtype=np.int64)
    for part in (seen.better.first, seen.better.suited, seen.better.in_a_row, *seen[2:]):
        code = code * 64 + part
    _, examples, groups = np.unique(code.reshape(-1), return_index=True, return_inverse=True)
    holds = np.array([condition.holds(seen).reshape(-1)[examples] for condition in LIBRARY])
    gain: Gain = np.bincount(groups, weights=worth.reshape(-1)).astype(np.float64)
    return gain, holds


# --- strategies by name ---


def _always(choice: str) -> Choices:
    return np.full(SHAPE, CHOICES.index(choice), dtype=np.int8)


EVERYTHING: Final = Condition("anything", everywhere)
STRATEGIES: Final[Mapping[str, Callable[[], Choices]]] = {
    "always-fold": lambda: _always(FOLD),
    "always-vertical": lambda: _always(VERTICAL),
    "always-horizontal": lambda: _always(HORIZONTAL),
    "never-fold": lambda: raises_if(EVERYTHING),
    "pair": lambda: raises_if(PAIR),
    "ace-high": lambda: raises_if(Condition("", at_least(1, ACE))),
    "simple": lambda: raises_if(Condition("", at_least(1, ACE - 1))),
    "queen-high": lambda: raises_if(Condition("", at_least(1, ACE - 2))),
}
"""Strategies by name; ``simple`` is king-high or better."""

CARD: Final = "card-"
CARDS: Final = tuple(f"{CARD}{lines}" for lines in range(SHORTEST, LONGEST + 1))
"""Names of the best cards with at most this number of lines."""


def strategy_named(name: str, game: Game) -> Choices:
    """Return one of `STRATEGIES` or `CARDS` by name; refuse another name."""
    if name in CARDS:
        return card_of(game, int(name.removeprefix(CARD))).choices
    if name not in STRATEGIES:
        what, allowed = "no such strategy", ", ".join((OPTIMAL, *STRATEGIES, f"{CARDS[0]} … {CARDS[-1]}"))
        raise BadInput(Problem(code="strategy.unknown", where="strategy", what=what, value=name, allowed=allowed))
    return STRATEGIES[name]()
