"""What the player of one seat has to go by when a decision is due."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from crossfelt.cards.card import Card
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide, OfferBank, SetHands, Step
from crossfelt.table.acts import Option
from crossfelt.table.engine import allowed
from crossfelt.table.state import Seat, Table, step_of

HANDS: Final = "hands"
THE_BANK: Final = "bank"


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one player sees it, without anything that a decision does not need.

    `crossfelt.table.views` has all that a screen needs; this is made thousands of times a second.
    """

    game: Game
    seat: int
    round: int
    step: str
    asked: str
    """The wager to decide on, `HANDS` where they are to be set, `THE_BANK` where it is offered; else nothing."""
    hole: tuple[Card, ...]
    """The player's own cards."""
    face_up: Mapping[str, Card]
    """Cards on the layout that everybody sees, by place."""
    placed: Mapping[str, int]
    """What the player has staked in this round, by wager."""
    options: Mapping[str, tuple[Option, ...]]
    """What may be done now, by command."""

    def option(self, command: str) -> Option | None:
        """The way to give a command now, where there is one."""
        return next(iter(self.options.get(command, ())), None)

    @property
    def wagering(self) -> Option | None:
        """The way to place wagers before the cards; taking them back is another option of the same command."""
        return next((option for option in self.options.get("place_wagers", ()) if option.ranges), None)

    def line(self, name: str) -> tuple[Card, ...]:
        """The cards in sight of one of the player's hands."""
        places = next(line.places for line in self.game.book.lines if line.id == name)
        return (*self.hole, *(self.face_up[place] for place in places if place in self.face_up))

    @property
    def base_cents(self) -> int:
        """The stake that the bet to decide on is a multiple of."""
        return base_of(self.game, self.asked, self.placed)


def sight_of(table: Table, seat: int) -> Sight:
    """What the player of a seat sees of a table.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> from crossfelt.table.state import new_table
    >>> sight_of(new_table(compile_game("md-criss-cross")), 1).options
    {}
    """
    own, step = table.seat(seat), step_of(table)
    options: dict[str, tuple[Option, ...]] = {}
    for option in allowed(table, own.player, "player") if own.player else ():
        if option.seat == seat:
            options[option.command] = (*options.get(option.command, ()), option)
    return Sight(
        game=table.game,
        seat=seat,
        round=table.round,
        step=table.step,
        asked=_asked(step, own),
        hole=own.cards if own.takes_part else (),
        face_up={place: card for place, card in table.community.items() if place in table.revealed},
        placed=own.placed,
        options=options,
    )


def _asked(step: Step | None, seat: Seat) -> str:
    match step:
        case Decide() if seat.status == "in":
            return step.wager
        case SetHands(who="players") if seat.status == "in":
            return HANDS
        case OfferBank():
            return THE_BANK
    return ""


def base_of(game: Game, wager_id: str, placed: Mapping[str, int]) -> int:
    """The stake that a wager is a multiple of, as it was placed; 0 where it is no multiple of anything.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> base_of(compile_game("md-criss-cross"), "down", {"ante_across": 1000, "ante_down": 1000})
    1000
    """
    of = game.wager(wager_id).stake.of
    if of is None:
        return 0
    return next(placed[wager.id] for wager in game.wagers if of in (wager.group, wager.id) and wager.id in placed)
