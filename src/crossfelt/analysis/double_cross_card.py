"""The best strategy of Double Cross Poker that fits on a card, and its exact cost.

A card says when to raise and to fold otherwise; the raise goes on the line that looks better. One more line may say
that of equal lines the one of a single suit looks better. Lines are added where they bring most, and then every line
gives way to a better one until none is found; so no change of one line makes a card better, though a change of several
might. That a card is the very best of its length is therefore not proved; what it costs is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.double_cross_census import census
from crossfelt.analysis.double_cross_play import BestPlay, Choices, best_play, value_of
from crossfelt.analysis.double_cross_positions import SHAPE
from crossfelt.analysis.double_cross_sights import LIBRARY, Lines, Where, lines, raises_if
from crossfelt.analysis.double_cross_terms import terms_of
from crossfelt.rulebooks.game import Game

SHORTEST: Final = 2
"""When to raise, and to fold otherwise."""
LONGEST: Final = 15
Gain = NDArray[np.float64]


class Card(NamedTuple):
    """Rules for a card: raise on the better looking line with any of these, else fold."""

    conditions: tuple[str, ...]
    suited_first: bool
    """Whether a line says that of lines with the same best ranks the one of a single suit looks better."""
    ev: Fraction
    cost: Fraction
    """What it gives away against best play, in antes."""
    choices: Choices

    @property
    def length(self) -> int:
        return len(self.conditions) + self.suited_first + 1


@lru_cache(maxsize=8)
def frontier(game: Game) -> tuple[Card, ...]:
    """The best card found for each number of lines, as long as more lines make it better."""
    play = best_play(terms_of(game))
    found = [card for suited_first in (False, True) for card in _cards(play, suited_first=suited_first)]
    best: list[Card] = []
    for length in range(SHORTEST, LONGEST + 1):
        card = max((card for card in found if card.length == length), key=lambda card: card.ev, default=None)
        if card and (not best or card.ev > best[-1].ev):
            best.append(card)
    return tuple(best)


def card_of(game: Game, lines: int) -> Card:
    """The best card found with at most so many lines.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> card = card_of(compile_game("nj-double-cross"), 3)
    >>> card.conditions, float(round(card.cost, 4))
    (('a pair or better', 'a hole card of jack or better'), 0.0244)
    """
    return next(card for card in reversed(frontier(game)) if card.length <= lines)


def _cards(play: BestPlay, *, suited_first: bool) -> Iterator[Card]:
    """Cards of one condition, two, and so on, until one more brings nothing."""
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
        yield Card(tuple(condition.text for condition in conditions), suited_first, value, best - value, choices)
        before = value


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


def _by_sight(play: BestPlay, seen: Lines) -> tuple[Gain, Where]:
    """What a raise on the better looking line brings more than a fold, summed where all conditions see the same.

    With it, whether each condition of the library holds there.
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
