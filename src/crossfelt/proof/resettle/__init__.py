"""A second settlement: every payment of a history worked out again, from the clauses and by hand.

It shares nothing with the table or its games but the ranking of hands: it reads events as plain data, knows
the odds by heart, and says in a sentence what it finds wrong. A further game is added by a class that sees events
and a line in `_GAMES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from crossfelt.proof.resettle.criss_cross import CrissCrossChecker
from crossfelt.proof.resettle.double_cross import DoubleCrossChecker
from crossfelt.proof.resettle.pai_gow import PaiGowChecker

Data = Mapping[str, Any]


class Resettlement(Protocol):
    """What sees every event of a history and complains of those it would not have paid like that."""

    rounds: int
    """Rounds that were settled again, void ones included."""
    due: Data
    """What it has worked out for the wager of the last event it saw: the fields that the event should have."""

    def see(self, event: Data) -> Iterator[str]:
        """What is wrong with an event, given all that were seen before."""


_GAMES: Mapping[str, Callable[[Data], Resettlement]] = {
    "NJC": CrissCrossChecker,
    "MAC": CrissCrossChecker,
    "MDC": CrissCrossChecker,
    "DCP": DoubleCrossChecker,
    "PGP": PaiGowChecker,
}
"""By the document that a rulebook puts into data."""


def resettlement(game: Data) -> Resettlement | None:
    """The second settlement of a game, from its plain data; None where nobody has written one.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> again = resettlement(compile_game("md-criss-cross").as_data())
    >>> list(again.see({"event": "wagers_placed", "seat": 1, "wagers": {"ante_across": 500, "ante_down": 1000}}))
    ['seat 1: the antes are 500 and 1,000 cents: they must be equal']
    """
    make = _GAMES.get(game["rulebook"]["document"])
    return make(game) if make else None
