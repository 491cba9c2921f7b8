"""A rule of thumb for Criss Cross Poker: ordered lines that a person can remember, each with its reason.

The strategy cards count with the same features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final

import msgspec

from crossfelt.cards.card import RANKS, Card
from crossfelt.hands.rank import HandRank
from crossfelt.play.player_view import PlayerView
from crossfelt.rulebooks.game import Game

ACE: Final = RANKS.index("A")


class DecisionRule(msgspec.Struct, frozen=True):
    """One line of advice."""

    wager: str
    """The decision that it is about."""
    name: str
    action: str
    """``3x``, ``1x`` or ``fold``."""
    when: Callable[[PlayerView], bool]
    reason: str


# --- reading cards --------------------------------------------------------------------------------------------------


def groups(cards: Iterable[Card]) -> list[tuple[int, int]]:
    """Return the counts and ranks of equal cards, the largest group first.

    >>> from crossfelt.cards import parse_cards
    >>> groups(parse_cards("Ks Kd 2c"))
    [(2, 11), (1, 0)]
    """
    ranks = [card.rank for card in cards]
    return sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)


def made(game: Game, cards: Iterable[Card]) -> str:
    """Return the present result of a hand's visible cards by the bets' pay table: a win, a push or a small pair.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("md-criss-cross")
    >>> [made(game, parse_cards(text)) for text in ("Ks Kd", "9s 9d 2c", "2s 2d", "2s 2d 4c 4d", "As Kd")]
    ['wins', 'pushes', 'small pair', 'wins', '']
    """
    found = groups(cards)
    match [size for size, _ in found]:
        case [1, *_] | []:
            return ""
        case [2, 2, *_]:
            category = "two_pair"
        case [2, *_]:
            category = "pair"
        case [3, *_]:
            category = "three_of_a_kind"
        case _:
            category = "four_of_a_kind"
    return _worth(game, category, found[0][1]) or "small pair"


def worths(game: Game) -> tuple[str, ...]:
    """The facts of the bets' pay table that the rules for Criss Cross Poker use."""
    return tuple(_worth(game, category, rank) for category in _MADE for rank in range(len(RANKS)))


_MADE: Final = ("pair", "two_pair", "three_of_a_kind", "four_of_a_kind")


@cache
def _worth(game: Game, category: str, rank: int) -> str:
    odds = game.pays["bets"].odds_for(HandRank("five_card", category, (rank,)))
    if odds is None:
        return ""
    return "pushes" if odds.is_push else "wins"


def points(game: Game, cards: Iterable[Card]) -> int:
    """Return two for a card that would win as a pair, one for a card that would push.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> points(compile_game("md-criss-cross"), parse_cards("Js 6d 5c"))
    3
    """
    worth = {"wins": 2, "pushes": 1, "": 0}
    return sum(worth[_worth(game, "pair", card.rank)] for card in cards)


def draws(cards: Sequence[Card]) -> bool:
    """Say if one more card completes a flush, or a straight at either end.

    >>> from crossfelt.cards import parse_cards
    >>> [draws(parse_cards(text)) for text in ("2s 9s Ks 4s", "8s 9d Tc Jh", "As Kd Qc Jh", "8s 9d Tc")]
    [True, True, False, False]
    """
    if len(cards) != 4:
        return False
    ranks = sorted({card.rank for card in cards})
    open_ended = len(ranks) == 4 and ranks[-1] - ranks[0] == 3 and ranks[-1] < ACE
    return open_ended or len({card.suit for card in cards}) == 1


# --- Criss Cross Poker ----------------------------------------------------------------------------------------------
# At the printed odds the rule loses 0.1390 of an ante in a round, best play 0.0866, betting once on everything 1.2498,
# betting three times on everything 2.0497: exact figures of `crossfelt strategy costs`.


def _safe_pair(view: PlayerView) -> bool:
    return made(view.game, view.hole) in ("wins", "pushes")


def _any_pair(view: PlayerView) -> bool:
    return bool(made(view.game, view.hole))


def _one_suit(view: PlayerView) -> bool:
    return len({card.suit for card in view.hole}) == 1


def _has_points(least: int) -> Callable[[PlayerView], bool]:
    return lambda view: points(view.game, view.hole) >= least


def _a_line_has(*found: str) -> Callable[[PlayerView], bool]:
    return lambda view: any(made(view.game, view.line(line)) in found for line in ("across", "down"))


def _a_line_draws(view: PlayerView) -> bool:
    return any(draws(view.line(line)) for line in ("across", "down"))


def _otherwise(_: PlayerView) -> bool:
    return True


RULES: Final = (
    DecisionRule(
        "across", "a pair that cannot lose", "3x", _safe_pair, "it pushes or wins on both lines, whatever comes"
    ),
    DecisionRule("across", "a small pair", "1x", _any_pair, "two pair or three of a kind may come, on two lines"),
    DecisionRule("across", "two points", "1x", _has_points(2), "there are two lines in which to pair a good card"),
    DecisionRule("across", "one suit", "1x", _one_suit, "a flush pays well on either line"),
    DecisionRule("across", "nothing", "fold", _otherwise, "the antes cost less than three more bets on nothing"),
    DecisionRule("down", "a pair that cannot lose", "3x", _safe_pair, "the down line has it too"),
    DecisionRule(
        "down", "a pair across", "1x", _a_line_has("wins", "pushes", "small pair"), "there is something to defend"
    ),
    DecisionRule("down", "a draw across", "1x", _a_line_draws, "the middle card may complete it"),
    DecisionRule("down", "one point", "1x", _has_points(1), "three more cards may pair it"),
    DecisionRule("down", "nothing", "fold", _otherwise, "neither line has anything, and two bets are still to come"),
    DecisionRule(
        "middle", "a line that cannot lose", "3x", _a_line_has("wins", "pushes"), "it loses only if both lines lose"
    ),
    DecisionRule("middle", "a draw", "3x", _a_line_draws, "a flush or a straight pays more than it misses"),
    DecisionRule("middle", "a small pair", "1x", _a_line_has("small pair"), "the middle card may improve it"),
    DecisionRule(
        "middle", "anything else", "1x", _otherwise, "two cards or more can be paired, and save the earlier bets"
    ),
)
"""The points of a card by the pay of its pair: two where it wins (jacks), one where it pushes (sixes)."""
