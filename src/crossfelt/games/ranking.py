"""Which hand some cards make, by the settings in force in a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from crossfelt.cards.card import Card
from crossfelt.hands.five_card import rank_five
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.pai_gow import best_of_seven, rank_pai_gow_five
from crossfelt.hands.rank import HandRank
from crossfelt.rulebooks.game import Game


def classifier(game: Game, kind: str) -> Callable[[Sequence[Card]], HandRank]:
    """Ranks hands of one kind as this game ranks them.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> classifier(compile_game("nj-pai-gow"), "pai_gow_five")(parse_cards("As 2d 3c 4h 5s")).name
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
