"""Ways to play Double Cross Poker that a person can remember, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from crossfelt.analysis.double_cross_card import LONGEST, SHORTEST, card_of
from crossfelt.analysis.double_cross_play import Choices
from crossfelt.analysis.double_cross_positions import SHAPE
from crossfelt.analysis.double_cross_sights import ACE, PAIR, Condition, at_least, everywhere, raises_if
from crossfelt.analysis.double_cross_terms import CHOICES, FOLD, HORIZONTAL, VERTICAL
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game


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
"""``simple`` is the rule of the bots: king-high or better."""

CARD: Final = "card-"
CARDS: Final = tuple(f"{CARD}{lines}" for lines in range(SHORTEST, LONGEST + 1))
"""The best card that was found with at most so many lines."""


def strategy_named(name: str, game: Game) -> Choices:
    """A strategy by name: one of `STRATEGIES` or `CARDS`, or another that is refused."""
    if name in CARDS:
        return card_of(game, int(name.removeprefix(CARD))).choices
    if name not in STRATEGIES:
        what, allowed = "no such strategy", ", ".join((OPTIMAL, *STRATEGIES, f"{CARDS[0]} … {CARDS[-1]}"))
        raise BadInput(Problem(code="strategy.unknown", where="strategy", what=what, value=name, allowed=allowed))
    return STRATEGIES[name]()
