"""Finds the rules of a compiled game."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from crossfelt.games.criss_cross import CrissCross, Places
from crossfelt.games.settlement import Settlement
from crossfelt.hands.rank import HandRank
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager


class Rules(Protocol):
    """What a table asks of a game."""

    def hand(self, line: str, cards: Places) -> HandRank: ...
    def settle(self, wager: Wager, stake: int, cards: Places) -> Settlement: ...


@lru_cache(maxsize=64)
def rules_of(game: Game) -> Rules:
    """The rules a game is played by; a game that no table can play yet is refused."""
    if game.book.game == "criss_cross":
        return CrissCross(game)
    what = f"no table can play {game.book.game} yet"
    raise BadInput(Problem(code="game.unplayable", what=what, value=game.book.id))
