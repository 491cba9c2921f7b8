"""The view of a player who must decide: cards, stakes and options of one seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

import msgspec

from crossfelt.cards.card import Card
from crossfelt.games.house_way import house_way_of
from crossfelt.games.rules import rules_of
from crossfelt.play.text import rule_words
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide, OfferBank, SetHands, Step
from crossfelt.table.act import Option
from crossfelt.table.engine import allowed
from crossfelt.table.state import Seat, TableState, step_of

HANDS: Final = "hands"
BANK: Final = "bank"


class PlayerView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one player sees it, with only what a decision needs.

    `crossfelt.table.views` has the view of a screen; this one is made thousands of times a second.
    """

    game: Game
    seat: int
    round: int
    step: str
    asked: str
    """The wager to decide on, `HANDS` where they are to be set, `BANK` where it is offered; else nothing."""
    hole: tuple[Card, ...]
    """The player's own cards."""
    face_up: Mapping[str, Card]
    """The cards face up on the layout, by place."""
    placed: Mapping[str, int]
    """The player's stakes in this round, by wager."""
    options: Mapping[str, tuple[Option, ...]]
    """The options now, by command."""
    choices: Mapping[str, str] = msgspec.field(default_factory=dict)
    """The player's choices in this round, by wager."""

    def option(self, command: str) -> Option | None:
        """Return the option of a command now, if there is one."""
        return next(iter(self.options.get(command, ())), None)

    @property
    def wagering(self) -> Option | None:
        """Return the option to place wagers before the cards; the same command also takes them back."""
        return next((option for option in self.options.get("place_wagers", ()) if option.ranges), None)

    def line(self, name: str) -> tuple[Card, ...]:
        """Return the visible cards of one of the player's hands."""
        places = next(line.places for line in self.game.book.lines if line.id == name)
        return (*self.hole, *(self.face_up[place] for place in places if place in self.face_up))

    @property
    def base_cents(self) -> int:
        """Return the stake that the bet is a multiple of."""
        return base_of(self.game, self.asked, self.placed)

    @property
    def unit_cents(self) -> int:
        """Return the stake that the value of a choice is counted in: the ante, or the required wager."""
        if self.asked != HANDS and (base := self.base_cents):
            return base
        return next(self.placed[wager.id] for wager in self.game.wagers if wager.required and wager.id in self.placed)


def player_view_of(table: TableState, seat: int) -> PlayerView:
    """Return the view of a seat's player."""
    own, step = table.seat(seat), step_of(table)
    options: dict[str, tuple[Option, ...]] = {}
    for option in allowed(table, own.player, "player") if own.player else ():
        if option.seat == seat:
            options[option.command] = (*options.get(option.command, ()), option)
    return PlayerView(
        game=table.game,
        seat=seat,
        round=table.round,
        step=table.step,
        asked=_asked(step, own),
        hole=own.cards if own.takes_part else (),
        face_up={place: card for place, card in table.community.items() if place in table.revealed},
        placed=own.placed,
        options=options,
        choices=own.choices,
    )


def _asked(step: Step | None, seat: Seat) -> str:
    match step:
        case Decide() if seat.status == "in":
            return step.wager
        case SetHands(who="players") if seat.status == "in":
            return HANDS
        case OfferBank():
            return BANK
    return ""


def base_of(game: Game, wager_id: str, placed: Mapping[str, int]) -> int:
    """Return the placed stake that a wager is a multiple of; 0 where it is no multiple."""
    of = game.wager(wager_id).stake.of
    if of is None:
        return 0
    return next(placed[wager.id] for wager in game.wagers if of in (wager.group, wager.id) and wager.id in placed)


class WayToSet(msgspec.Struct, frozen=True, kw_only=True):
    """Two cards in front, and the names of both hands."""

    low: tuple[str, ...]
    low_name: str
    high_name: str
    foul: bool
    """The front ranks above the hand behind it, and both would lose."""


class WaysToSet(msgspec.Struct, frozen=True, kw_only=True):
    ways: tuple[WayToSet, ...]
    house_way: tuple[str, ...]
    """The two cards that the house would put in front."""
    rule: str
    """The rule of the house way that applies, in words."""
    trace: tuple[str, ...]
    """The derivation, line by line."""


def ways_to_set(game: Game, seven: Sequence[Card]) -> WaysToSet:
    """Return all twenty-one settings, and the house way.

    >>> from crossfelt.cards import parse_cards
    >>> setting = ways_to_set(compile_game("nj-pai-gow"), parse_cards("Ks Kd Qs Jd 7h 5c 2d"))
    >>> len(setting.ways), setting.house_way, setting.rule
    (21, ('Qs', 'Jd'), 'one pair: behind, with the two highest other cards in front')
    >>> [way.low_name for way in setting.ways if way.foul]
    ['pair of kings', 'king-queen', 'king-queen']
    """
    rules, house = rules_of(game), house_way_of(game).set(seven)
    ways = []
    for low in combinations(seven, 2):
        made = rules.set(seven, low)
        ways.append(WayToSet(low=_texts(low), low_name=made.low.name, high_name=made.high.name, foul=made.foul))
    rule = rule_words(house.rule, game)
    return WaysToSet(ways=tuple(ways), house_way=_texts(house.low), rule=rule, trace=house.trace)


def _texts(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple(card.text for card in cards)
