"""What to do in every position of Double Cross Poker, and what any way to play is worth."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.double_cross_census import census, values
from crossfelt.analysis.double_cross_positions import position_of
from crossfelt.analysis.double_cross_terms import CHOICES, FOLD, HORIZONTAL, VERTICAL, Terms
from crossfelt.cards.card import Card

Choices = NDArray[np.int8]


class BestPlay(NamedTuple):
    """What to do in every position, and what each choice is worth, summed over its deals."""

    terms: Terms
    vertical: NDArray[np.int64]
    horizontal: NDArray[np.int64]
    choices: Choices
    """Places in `CHOICES`, by the four numbers of a position."""

    def choice(self, hole: tuple[Card, Card], top: Card, right: Card) -> str:
        """What to do with these cards."""
        return CHOICES[self.choices[position_of(hole, top, right)]]


def best_play(terms: Terms) -> BestPlay:
    """What to do in every position.

    >>> from crossfelt.analysis.double_cross_terms import terms_of
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
    return BestPlay(terms, vertical, horizontal, choices.astype(np.int8))


def value_of(play: BestPlay, choices: Choices) -> Fraction:
    """The value of a strategy, in antes."""
    terms = play.terms
    fold = np.full_like(play.vertical, terms.folded * terms.deals)
    chosen = np.choose(choices, (fold, play.horizontal, play.vertical))
    positions = census(terms).positions
    # In two parts: a product of all positions and all deals may be too large for one.
    high, low = np.divmod(chosen, 1 << 24)
    total = (int((high * positions).sum()) << 24) + int((low * positions).sum())
    return Fraction(total, terms.scale * terms.deals * terms.positions)
