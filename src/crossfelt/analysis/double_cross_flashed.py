"""What a flashed card is worth at Double Cross Poker: a regulator's question, answered with an interval.

Positions are drawn from a seed; in each of them every card that could be flashed is gone through exactly. A card that
tells the player nothing of use is worth nothing in that position, never less.
"""

from __future__ import annotations

import random
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from crossfelt.analysis.double_cross_advice import FLASHED, position_values
from crossfelt.analysis.double_cross_terms import Terms, terms_of
from crossfelt.cards.card import Card
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game

Position = dict[str, tuple[Card, ...]]


class Worth(NamedTuple):
    """What knowing one card before the decision brings on average, in antes."""

    place: str
    mean: float
    standard_error: float
    positions: int

    @property
    def interval(self) -> tuple[float, float]:
        """Where the exact figure lies, with a confidence of 95 %."""
        return self.mean - 1.96 * self.standard_error, self.mean + 1.96 * self.standard_error

    def as_data(self) -> dict[str, Any]:
        return {**self._asdict(), "interval": self.interval}


def worth_in(terms: Terms, position: Position, place: str) -> Fraction:
    """What knowing the card in a place brings in one position, exactly: every such card is as likely as another.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> terms = terms_of(compile_game("nj-double-cross"), ranks=tuple(range(8, 13)))
    >>> seen = {"hole": parse_cards("As Kd"), "top": parse_cards("Ts"), "right": parse_cards("Jd")}
    >>> 0 < worth_in(terms, seen, "centre") < 2
    True
    """
    seen = {card for cards in position.values() for card in cards}
    unseen = [Card(card) for card in range(52) if card >> 2 in terms.ranks and Card(card) not in seen]
    best = (max(position_values(terms, {**position, place: (card,)}).values()) for card in unseen)
    known = sum(best, start=Fraction(0))
    return known / len(unseen) - max(position_values(terms, position).values())


def worth(game: Game, place: str, *, positions: int = 200, seed: int = 0) -> Worth:
    """What knowing the card in a place brings on average, over positions drawn from a seed."""
    if place not in FLASHED:
        what, allowed = "no such card to flash", ", ".join(FLASHED)
        raise BadInput(Problem(code="flashed.place", where="place", what=what, value=place, allowed=allowed))
    if positions < 2:
        raise BadInput(
            Problem(code="flashed.positions", where="positions", what="too few", value=positions, allowed="2 …")
        )
    terms, chance = terms_of(game), random.Random(seed)
    found = []
    for _ in range(positions):
        first, second, top, right = (Card(card) for card in chance.sample(range(52), 4))
        found.append(float(worth_in(terms, {"hole": (first, second), "top": (top,), "right": (right,)}, place)))
    return Worth(place, fmean(found), stdev(found) / sqrt(positions), positions)
