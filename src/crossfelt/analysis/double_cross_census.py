"""How every position of Double Cross Poker ends, whatever the odds are."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.double_cross_positions import SUIT_WAYS, exchanged, position_counts
from crossfelt.analysis.double_cross_terms import FOLD, Terms
from crossfelt.cards.card import RANKS, SUITS
from crossfelt.hands.strength import PAIRS
from crossfelt.kernels import double_cross as kernel
from crossfelt.kernels.kept import kept

Counts = NDArray[np.int64]


class Census(NamedTuple):
    """Deals by position and result: won, by group of hands, and tied, which is last."""

    vertical: NDArray[np.int32]
    horizontal: NDArray[np.int32]
    positions: Counts
    """How many positions of the deck each one stands for."""


def census(terms: Terms) -> Census:
    """The census for the pay lines of a game; it is kept, also on disk, since odds do not change it."""
    return _census(terms.line_of, len(terms.hands), terms.ranks)


@lru_cache(maxsize=4)
def _census(line_of: bytes, groups: int, ranks: tuple[int, ...]) -> Census:
    (vertical,) = kept(("double-cross", line_of, ranks), lambda: [count(line_of, groups, ranks)])
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


def values(terms: Terms, outcomes: NDArray[np.int32]) -> Counts:
    """What a choice brings in each position, summed over its deals."""
    won = outcomes.astype(np.int64) @ np.array([*terms.won, 0], dtype=np.int64)
    lost = terms.deals - outcomes.sum(axis=-1, dtype=np.int64)
    total: Counts = won + terms.lost * lost
    return total


class Tally(NamedTuple):
    """What a strategy comes to over all deals."""

    folded: int
    played: dict[str, int]
    """Deals in which each line was named."""
    won: tuple[int, ...]
    """By group of hands."""
    tied: int

    @property
    def lost(self) -> int:
        return sum(self.played.values()) - sum(self.won) - self.tied


def tally(terms: Terms, choices: dict[str, NDArray[np.bool_]]) -> Tally:
    """Count what a strategy comes to; `choices` says where each choice is made."""
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
    return Tally(folded, played, tuple(won), tied)
