"""Finds the rules of a compiled game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol

from crossfelt.games.criss_cross import CrissCross
from crossfelt.games.double_cross import DoubleCross
from crossfelt.games.pai_gow import PaiGow
from crossfelt.games.settlement import Places, Settlement, Spot
from crossfelt.hands.rank import HandRank
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager


class Rules(Protocol):
    """What a table asks of a game."""

    def hand(self, line: str, cards: Places) -> HandRank:
        """The hand on a line."""

    def lines_shown(self, choices: Mapping[str, str]) -> tuple[str, ...]:
        """The lines that are announced when a player's cards are turned up."""

    def dealer_hand(self, cards: Places) -> tuple[str, HandRank]:
        """The dealer's line and hand, in a game where the dealer plays."""

    def settle(self, wager: Wager, stake: int, spot: Spot) -> Settlement:
        """One wager, on the cards as they lie and the choices the player made."""


@lru_cache(maxsize=64)
def rules_of(game: Game) -> Rules:
    """The rules a game is played by."""
    match game.book.game:
        case "criss_cross":
            return CrissCross(game)
        case "double_cross":
            return DoubleCross(game)
        case "pai_gow":
            return PaiGow(game)
