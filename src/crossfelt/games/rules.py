"""The rules of a compiled game, found by its family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Protocol

from crossfelt.cards.card import Card
from crossfelt.games.criss_cross import CrissCross
from crossfelt.games.double_cross import DoubleCross
from crossfelt.games.pai_gow import PaiGow
from crossfelt.games.settlement import Places, Settlement, Spot
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.pai_gow import best_of_seven, rank_pai_gow_five
from crossfelt.hands.poker import rank_five
from crossfelt.hands.rank import HandRank
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager


class Rules(Protocol):
    """The interface of a game for a table."""

    def hand(self, line: str, cards: Places) -> HandRank:
        """Return the hand on a line."""

    def lines_shown(self, choices: Mapping[str, str]) -> tuple[str, ...]:
        """Return the lines that are announced when a player's cards are turned up."""

    def dealer_hand(self, cards: Places) -> tuple[str, HandRank]:
        """Return the dealer's line and hand, in a game in which the dealer plays."""

    def settle(self, wager: Wager, stake: int, spot: Spot) -> Settlement:
        """Settle one wager on the cards on the table and the player's choices."""


@lru_cache(maxsize=64)
def rules_of(game: Game) -> Rules:
    """Return the rules of a game."""
    match game.book.game:
        case "criss_cross":
            return CrissCross(game)
        case "double_cross":
            return DoubleCross(game)
        case "pai_gow":
            return PaiGow(game)


# --- ranking by the settings of a game


def ranker_of(game: Game, kind: str) -> Callable[[Sequence[Card]], HandRank]:
    """Return the function that ranks hands of one kind by the settings of a game.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> ranker_of(compile_game("nj-pai-gow"), "pai_gow_five")(parse_cards("As 2d 3c 4h 5s")).name
    'ace-to-five straight'
    """
    ace_low = bool(game.settings.get("ace_low_straight", True))
    second = bool(game.settings.get("wheel_second_highest", True))
    by_setting: dict[str, Callable[[Sequence[Card]], HandRank]] = {
        "five_card": partial(rank_five, ace_low_straight=ace_low),
        "pai_gow_five": partial(rank_pai_gow_five, wheel_second=second),
        "pai_gow_seven": partial(best_of_seven, wheel_second=second),
    }
    return by_setting.get(kind, KINDS[kind].classify)
