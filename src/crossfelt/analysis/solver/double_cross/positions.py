"""Positions of Double Cross Poker up to suits, their census, and best play.

Suits are named in the order in which they appear: top card, right card, higher hole card, lower hole card. There are
fifteen patterns, so a position is four numbers: ranks of top and right card, the pair of hole ranks, the pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import perm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.double_cross.payoffs import CHOICES, FOLD, HORIZONTAL, VERTICAL, DoubleCrossPayoffs
from crossfelt.cards.card import RANKS, SUITS, Card
from crossfelt.hands.strength import PAIRS
from crossfelt.kernels.array_cache import cached_arrays
from crossfelt.kernels.double_cross import census as kernel

Position = tuple[int, int, int, int]


def _named(suits: Sequence[int]) -> tuple[int, ...]:
    """Number suits in the order of their appearance."""
    names: dict[int, int] = {}
    return tuple(names.setdefault(suit, len(names)) for suit in suits)


SUIT_WAYS: Final = tuple(suits for suits in product(range(len(SUITS)), repeat=4) if _named(suits) == suits)
"""Suits of top card, right card, higher and lower hole card."""

SHAPE: Final = (len(RANKS), len(RANKS), len(PAIRS), len(SUIT_WAYS))


def position_of(hole: Sequence[Card], top: Card, right: Card) -> Position:
    """Return the position of four cards.

    >>> from crossfelt.cards import parse_cards
    >>> As, Kd, Ts, Th = parse_cards("As Kd Ts Th")
    >>> position_of((Kd, As), Ts, Th) == position_of(parse_cards("Ah Kc"), Th, Ts)
    True
    """
    high, low = sorted(hole, key=lambda card: card.rank, reverse=True)
    ways = [_named([top.suit, right.suit, high.suit, low.suit])]
    if high.rank == low.rank:
        ways.append(_named([top.suit, right.suit, low.suit, high.suit]))
    return top.rank, right.rank, PAIRS.index((low.rank, high.rank)), SUIT_WAYS.index(min(ways))


def cards_of(position: Position) -> tuple[Card, Card, Card, Card]:
    """Return cards of a position: top, right, the higher and the lower hole card.

    >>> [str(card) for card in cards_of((12, 11, 0, 14))]
    ['Ac', 'Kd', '2h', '2s']
    """
    top, right, pair, way = position
    low, high = PAIRS[pair]
    ranks = (top, right, high, low)
    return tuple(Card(4 * rank + suit) for rank, suit in zip(ranks, SUIT_WAYS[way], strict=True))  # type: ignore[return-value]


@cache
def position_counts() -> NDArray[np.int64]:
    """Count the actual positions that each one represents; 0 if cards would be equal or out of order."""
    counts = np.zeros(SHAPE, dtype=np.int64)
    for way, suits in enumerate(SUIT_WAYS):
        used = max(suits) + 1
        counts[..., way] = perm(len(SUITS), used)
        _, right, high, low = suits
        for pair, (low_rank, high_rank) in enumerate(PAIRS):
            if low_rank == high_rank:
                # Two new suits of a pair can be exchanged; the lower name comes first.
                counts[:, :, pair, way] //= 2 if low > high > right else 1
                counts[:, :, pair, way] *= low > high
            for place, rank, suit in (
                (0, high_rank, high),
                (0, low_rank, low),
                (1, high_rank, high),
                (1, low_rank, low),
            ):
                if suits[place] == suit:
                    counts[(slice(None),) * place + (rank, ...)][..., pair, way] = 0
        if right == 0:
            counts[np.arange(len(RANKS)), np.arange(len(RANKS)), :, way] = 0
    return counts


@cache
def exchanged() -> NDArray[np.intp]:
    """Return the suit pattern with top and right card exchanged, by pair and pattern."""
    ways = np.zeros(SHAPE[2:], dtype=np.intp)
    for way, (top, right, high, low) in enumerate(SUIT_WAYS):
        plain = _named((right, top, high, low))
        for pair, (low_rank, high_rank) in enumerate(PAIRS):
            named = min(plain, _named((right, top, low, high))) if low_rank == high_rank else plain
            ways[pair, way] = SUIT_WAYS.index(named)
    return ways


# --- census ---

Counts = NDArray[np.int64]


class Census(NamedTuple):
    """Deals by position and result: won by group of hands, and tied last."""

    vertical: NDArray[np.int32]
    horizontal: NDArray[np.int32]
    positions: Counts
    """Number of actual positions that each one represents."""


def census(terms: DoubleCrossPayoffs) -> Census:
    """Return the census for the pay lines of a game, cached on disk; odds do not affect it."""
    return _census(terms.line_of, len(terms.hands), terms.ranks)


@lru_cache(maxsize=4)
def _census(line_of: bytes, groups: int, ranks: tuple[int, ...]) -> Census:
    (vertical,) = cached_arrays(("double-cross", line_of, ranks), lambda: [count(line_of, groups, ranks)])
    pairs = np.arange(vertical.shape[2])[:, None]
    horizontal = vertical.transpose(1, 0, 2, 3, 4)[:, :, pairs, exchanged()]
    dealt = np.isin(np.arange(vertical.shape[0]), ranks)
    low, high = np.array(PAIRS, dtype=np.intp).T
    in_deck = dealt[:, None, None] & dealt[None, :, None] & (dealt[low] & dealt[high])[None, None, :]
    return Census(vertical, horizontal, position_counts() * in_deck[..., None])


def count(line_of: bytes, groups: int, ranks: tuple[int, ...]) -> NDArray[np.int32]:
    """Count the deals of every position on its vertical line."""
    copies = np.zeros(len(RANKS), dtype=np.int64)
    copies[list(ranks)] = len(SUITS)
    suits = np.array(SUIT_WAYS, dtype=np.uint8)[:, 1:].copy()
    return kernel.count(np.frombuffer(line_of, dtype=np.uint8), groups, copies, suits)


def values(terms: DoubleCrossPayoffs, outcomes: NDArray[np.int32]) -> Counts:
    """Return the value of a choice in each position, summed over its deals."""
    won = outcomes.astype(np.int64) @ np.array([*terms.won, 0], dtype=np.int64)
    lost = terms.deals - outcomes.sum(axis=-1, dtype=np.int64)
    total: Counts = won + terms.lost * lost
    return total


class PositionTally(NamedTuple):
    """The totals of a strategy over all deals."""

    folded: int
    played: dict[str, int]
    """Deals in which each line was chosen."""
    won: tuple[int, ...]
    """Wins by group of hands."""
    tied: int

    @property
    def lost(self) -> int:
        return sum(self.played.values()) - sum(self.won) - self.tied


def tally(terms: DoubleCrossPayoffs, choices: dict[str, NDArray[np.bool_]]) -> PositionTally:
    """Count the results of a strategy; `choices` has the positions of each choice."""
    found = census(terms)
    results = np.zeros(len(terms.hands) + 1, dtype=np.int64)
    played = {}
    for choice, where in choices.items():
        positions = found.positions * where
        if choice != FOLD:
            results += np.tensordot(positions, getattr(found, choice), axes=4)
        played[choice] = int(positions.sum()) * terms.deals
    folded = played.pop(FOLD)
    *won, tied = results.tolist()
    return PositionTally(folded, played, tuple(won), tied)


# --- best play ---

Choices = NDArray[np.int8]


class BestChoices(NamedTuple):
    """The best choice in every position, and the value of each choice, summed over its deals."""

    terms: DoubleCrossPayoffs
    vertical: NDArray[np.int64]
    horizontal: NDArray[np.int64]
    choices: Choices
    """Indices in `CHOICES`, by the four numbers of a position."""

    def choice(self, hole: tuple[Card, Card], top: Card, right: Card) -> str:
        """Return the choice with these cards."""
        return CHOICES[self.choices[position_of(hole, top, right)]]


def best_play(terms: DoubleCrossPayoffs) -> BestChoices:
    """Compute the best choice in every position.

    >>> from crossfelt.analysis.solver.double_cross.payoffs import terms_of
    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> play = best_play(terms_of(compile_game("nj-double-cross")))
    >>> ace, king = parse_cards("As Kd")
    >>> play.choice((ace, king), *parse_cards("Kh 2c")), play.choice((ace, king), *parse_cards("2c Kh"))
    ('vertical', 'horizontal')
    """
    found = census(terms)
    vertical, horizontal = values(terms, found.vertical), values(terms, found.horizontal)
    fold = np.full_like(vertical, terms.folded * terms.deals)
    choices = np.where(vertical >= horizontal, CHOICES.index(VERTICAL), CHOICES.index(HORIZONTAL))
    choices[np.maximum(vertical, horizontal) < fold] = CHOICES.index(FOLD)
    return BestChoices(terms, vertical, horizontal, choices.astype(np.int8))


def value_of(play: BestChoices, choices: Choices) -> Fraction:
    """Return the value of a strategy, in antes."""
    terms = play.terms
    fold = np.full_like(play.vertical, terms.folded * terms.deals)
    chosen = np.choose(choices, (fold, play.horizontal, play.vertical))
    positions = census(terms).positions
    # In two parts, because a product over all positions and deals may overflow.
    high, low = np.divmod(chosen, 1 << 24)
    total = (int((high * positions).sum()) << 24) + int((low * positions).sum())
    return Fraction(total, terms.scale * terms.deals * terms.positions)
