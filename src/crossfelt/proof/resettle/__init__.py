"""A second settlement: every payment of a history worked out again, from the plain data of its rulebook.

It shares nothing with the table: it reads events and rulebook as plain data, has its own ranking of hands, and says in
a sentence what it finds wrong. It knows forms of rules and no game.
"""

from __future__ import annotations

from crossfelt.proof.resettle.plain_game import Data
from crossfelt.proof.resettle.watch import Resettlement

__all__ = ["Data", "Resettlement", "resettlement"]


def resettlement(game: Data) -> Resettlement:
    """Return the second settlement of a game, from its plain data.

    >>> again = resettlement(compile_game("md-criss-cross").as_data())
    >>> list(again.see({"event": "wagers_placed", "seat": 1, "wagers": {"ante_across": 500, "ante_down": 1000}}))[0]
    'seat 1: ante wagers of 500 and 1,000 cents: they must be equal'
    """
    return Resettlement(game)
