"""A second settlement: every payment of a history worked out again, from the plain data of its rulebook.

It shares nothing with the table: it reads events and rulebook as plain data, has its own ranking of hands, and says in
a sentence what it finds wrong. It knows forms of rules and no game.
"""

from __future__ import annotations

from crossfelt.proof.resettle.plain_game import Data
from crossfelt.proof.resettle.watch import Resettlement

__all__ = ["Data", "Resettlement"]
