"""A bot that plays best: at each decision it asks the solver of its game.

Best is what the wagers of the game itself are worth most with, side wagers apart, on the cards that a player sees by
the rules; a card that came up by mistake is left out of account.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from crossfelt.analysis.solving import advise, require_solver
from crossfelt.cards.notation import format_cards, parse_cards
from crossfelt.rulebooks.game import Game
from crossfelt.table.bot_rules import Decider, carry_out, simple_rule
from crossfelt.table.moves import Move, take
from crossfelt.table.sight import HANDS, Sight

PLACES: Final[Mapping[str, tuple[str, ...]]] = {
    "across": ("across_left", "across_right"),
    "down": ("down_far", "down_near"),
    "top": ("down_far",),
    "right": ("across_right",),
}
"""Where the cards lie that a question names."""
SURRENDER: Final = "surrender"


class BestPlay(Decider, frozen=True):
    """What the solver says; nothing where there is nothing to solve, such as the offer of a bank."""

    def move(self, sight: Sight) -> Move | None:
        position = position_of(sight)
        return None if position is None else act_on(sight, best_choice(sight.game, position, may_surrender(sight)))


def best_play(game: Game) -> Decider:
    """Best play of a game, and a simple rule for what is not solved; BadInput where the game has no solver.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> best_play(compile_game("nj-criss-cross")) == BestPlay() + simple_rule
    True
    """
    require_solver(game)
    return BestPlay() + simple_rule


def position_of(sight: Sight) -> dict[str, Any] | None:
    """What the solver is asked, as `advise` takes it: cards by name and bets in antes; None where there is no decision.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> sight = Sight(
    ...     game=compile_game("nj-criss-cross"), seat=1, round=1, step="decide_across", asked="across",
    ...     hole=parse_cards("As Kd"), face_up={}, placed={"ante_across": 1000}, options={},
    ... )
    >>> position_of(sight)
    {'hole': 'As Kd', 'bets': {}}
    """
    if sight.asked == HANDS:
        return {"cards": format_cards(sight.hole)}
    if sight.asked not in _SEEN:
        return None
    seen, bets = _SEEN[sight.asked]
    cards: dict[str, Any] = {name: format_cards(sight.face_up[place] for place in PLACES[name]) for name in seen}
    made = {bet: str(Fraction(sight.placed[bet], sight.base_cents)) for bet in bets}
    return {"hole": format_cards(sight.hole), **cards, "bets": made}


_SEEN: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "across": ((), ()),
    "down": (("across",), ("across",)),
    "middle": (("across", "down"), ("across", "down")),
    "raise": (("top", "right"), ()),
}
"""By what the player is asked: the cards in sight, and the bets made before."""


def may_surrender(sight: Sight) -> bool:
    return sight.option(SURRENDER) is not None


def best_choice(game: Game, position: Mapping[str, Any], may_surrender: bool = False) -> str:
    """What is worth most in a position, as the solver calls it; or to surrender, where that loses less.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> best_choice(compile_game("nj-criss-cross"), {"hole": "As Ad", "bets": {}})
    '3x'
    """
    advice = advise(game, **position)
    if may_surrender and advice.actions[advice.best] < _surrendered(game):
        return SURRENDER
    return advice.best


def act_on(sight: Sight, best: str) -> Move | None:
    """The move that the solver's word comes to."""
    if sight.asked != HANDS:
        return carry_out(sight, best)
    option = sight.option(SURRENDER if best == SURRENDER else "set_hand")
    if option is None or best == SURRENDER:
        return None if option is None else take(option)
    return take(option, low=parse_cards(best, joker=True))


def _surrendered(game: Game) -> Fraction:
    """What a surrender is worth, in main wagers."""
    return Fraction(game.number("surrender_refund_per_mille"), 1000) - 1
