"""A table in a test's hands: commands by name, the events that follow, refusals with what they say.

    play = Play("md-criss-cross", cards=dealt(across="Kd 4s", down="9c 9h", middle="Kc", seats={1: "Ks 2d"}))
    play.open_for_bets(1)
    play.bet(1, ante=1000, bonus=500)
    play.advance(until="settle")

What a test does not do itself is done by the automated dealer and by players who bet once their ante. The order of
the deal is written here from the regulations, not taken from the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
import pytest

from crossfelt.cards.card import Card
from crossfelt.cards.deck import standard_deck
from crossfelt.cards.notation import parse_cards
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import Problem
from crossfelt.money.ledger import TRAY, chips_of
from crossfelt.play.sources import ShuffledSource
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.script import Decide, OpenBets
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Option
from crossfelt.table.automation import Dealer
from crossfelt.table.commands import Command, Role
from crossfelt.table.decks import needs_cut, shuffle_due
from crossfelt.table.engine import ACTS, Refused, allowed, run
from crossfelt.table.state import Seat, TableState, new_table, step_of

BOOKS: Final = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross")
CODE: Final = {
    "nj-criss-cross": "NJC",
    "ma-criss-cross": "MAC",
    "md-criss-cross": "MDC",
    "nj-double-cross": "DCP",
    "nj-pai-gow": "PGP",
}
NAMES: Final = ("", "Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
"""The players by seat."""
CUT: Final = 20
"""The depth of the automated dealer's cut."""
FACE_DOWN: Final = ("down_far", "across_left", "middle", "across_right", "down_near")
"""The cross in the order of the deal: the far box, the second row from the dealer's left, the near box."""
START: Final = 1_700_000_000_000
KINDS: Final[Mapping[str, type[Command]]] = {act.name: act.command for act in ACTS}
_ROLE: Final[Mapping[type[Command], Role]] = {act.command: act.roles[0] for act in ACTS}
E = TypeVar("E", bound=e.Event)
clause = pytest.mark.clause


def in_each(nj: str, ma: str, md: str, dc: str | None = None) -> pytest.MarkDecorator:
    """The test runs for each of the three jurisdictions, and proves these clauses of its document.

    With `dc` it runs for Double Cross Poker too.
    """
    cases = [*zip(BOOKS, ("nj", "ma", "md"), (nj, ma, md), strict=True)]
    cases += [("nj-double-cross", "dc", dc)] if dc is not None else []
    return pytest.mark.parametrize(
        "book",
        [pytest.param(book, id=name, marks=[clause(*said.split())] if said else []) for book, name, said in cases],
    )


@cache
def _compiled(book: str, stated: str) -> Game:
    return compile_game(book, msgspec.json.decode(stated))


def game_of(book: str, stated: Mapping[str, Any] | None = None) -> Game:
    """A compiled game; the same one for the same submission."""
    return _compiled(book, msgspec.json.encode(dict(stated or {})).decode())


def dealt(
    *,
    across: str = "",
    down: str = "",
    middle: str = "",
    seats: Mapping[int, str] | None = None,
    pairs: bool = False,
) -> tuple[Card, ...]:
    """A deck from which these cards are dealt to these places; `pairs` for a shoe that gives stacks of two.

    >>> [str(card) for card in dealt(across="Kd 4s", middle="Kc", seats={2: "As Ad", 5: "2c 2d"})[1:9]]
    ['Kd', 'Kc', '4s', '2s', 'As', '2c', 'Ad', '2d']
    """
    seats = seats or {}
    named = {"across": parse(across), "down": parse(down), "middle": parse(middle)}
    hands = {number: parse(text) for number, text in sorted(seats.items())}
    taken = {card for cards in (*named.values(), *hands.values()) for card in cards}
    rest = iter([card for card in sorted(standard_deck()) if card not in taken])

    def fill(cards: Sequence[Card], count: int) -> list[Card]:
        return [*cards, *(next(rest) for _ in range(count - len(cards)))]

    (left, right), (far, near), (centre,) = (
        fill(named[place], count) for place, count in (("across", 2), ("down", 2), ("middle", 1))
    )
    full = [fill(cards, 2) for cards in hands.values()]
    turns = full if pairs else [list(cards) for cards in zip(*full, strict=True)]
    order = [far, left, centre, right, near, *(card for cards in turns for card in cards)]
    return (*order, *rest)


def parse(text: str) -> tuple[Card, ...]:
    return parse_cards(text) if text else ()


class Stacked(ShuffledSource):
    """Gives the cards in the order in which a test wants them dealt, whatever the cut does to them."""

    def __init__(self, cards: Sequence[Card]) -> None:
        super().__init__(repeatable_seed(0))
        self.cards = tuple(cards) or standard_deck()

    def order(self, table: TableState, deck: str) -> tuple[Card, ...]:
        cut = needs_cut(table, shuffle_due(table, table.decks[deck]))
        return self.cards[-CUT:] + self.cards[:-CUT] if cut else self.cards

    def cut(self, table: TableState, least: int, most: int) -> int:
        return CUT


def low_limit(cents: int) -> dict[str, Any]:
    """State a payout limit in Maryland that small wagers reach; so low a limit needs a small minimum ante (AMB-10b)."""
    return {"wagers": {"ante": {"min_cents": 1, "step_cents": 1}}, "payout_limit": {"amount_cents": cents}}


class Play:
    """A table with its people, and all its events."""

    def __init__(
        self, book: str | Game, stated: Mapping[str, Any] | None = None, *, cards: Sequence[Card] = ()
    ) -> None:
        self.game = book if isinstance(book, Game) else game_of(book, stated)
        self.table = new_table(self.game)
        self.events: list[e.Event] = []
        self.at = START
        self.given: list[tuple[Command, tuple[e.Event, ...] | Problem]] = []
        """Every command with its answer."""
        self.source = Stacked(cards)
        self._dealer = Dealer(self.source)

    @property
    def code(self) -> str:
        """The prefix of this jurisdiction's clauses."""
        return CODE[self.game.book.id]

    # --- commands -----------------------------------------------------------------------------------------------------

    def command(self, command: type[Command], /, **fields: Any) -> Command:
        """Return a command by its usual sender: the player in the seat, the dealer, or the floor."""
        role: Role = fields.pop("role", "floor" if fields.get("act") == "verify" else _ROLE[command])
        who = fields.pop("who", None)
        if who is None:
            seat: int = fields.get("seat") or 0
            who = NAMES[seat] if role == "player" and 1 <= seat <= 6 else role
        if fields.get("act") == "receive":
            fields.setdefault("cover", "yellow")
        self.at += 1000
        fields.setdefault("at", self.at)
        return command(id=f"c{len(self.given) + 1}", who=who, role=role, **fields)

    def do(self, command: type[Command], /, **fields: Any) -> tuple[e.Event, ...]:
        """Give a command that must be accepted."""
        return self.give(self.command(command, **fields))

    def give(self, command: Command) -> tuple[e.Event, ...]:
        answer = run(self.table, command)
        if isinstance(answer, Refused):
            raise AssertionError(f"refused: {command}: {answer.problem}")
        self.table = answer.table
        self.events += answer.events
        self.given.append((command, answer.events))
        return answer.events

    def refusal(self, command: type[Command], /, **fields: Any) -> Problem:
        """Give a command that must be refused, and return the refusal."""
        given = self.command(command, **fields)
        before = self.table
        answer = run(self.table, given)
        assert isinstance(answer, Refused), f"accepted: {given}"
        assert self.table == before
        self.given.append((given, answer.problem))
        return answer.problem

    def options(self, role: Role, who: str = "") -> list[Option]:
        return list(allowed(self.table, who or role, role))

    def may(self, role: Role, who: str = "") -> list[str]:
        """Return the commands that a role may give now, each once."""
        return list(dict.fromkeys(option.command for option in self.options(role, who)))

    # --- the usual course ---------------------------------------------------------------------------------------------

    def open(self, *seats: int, chips: int = 100_000_00, tray: int = 1_000_000_00) -> Play:
        """The table is open and checked and these seats are taken; the cards are still in their box."""
        self.do(c.OpenTable, inventory_cents=tray)
        self.check_fittings()
        for seat in seats:
            self.do(c.TakeSeat, seat=seat, chips_cents=chips)
        return self

    def check_fittings(self, **fields: Any) -> e.FittingsChecked:
        """The floor checks the fittings and names each device that the table uses."""
        option = next(one for one in self.options("floor") if one.command == "check_fittings")
        named = {name: f"{name.partition('_')[0]} {len(self.given)}" for name in option.texts}
        return only(self.do(c.CheckFittings, **{**option.fields, **named, **fields}), e.FittingsChecked)

    def open_for_bets(self, *seats: int, chips: int = 100_000_00, tray: int = 1_000_000_00) -> Play:
        self.open(*seats, chips=chips, tray=tray)
        self.serve()
        assert isinstance(step_of(self.table), OpenBets)
        return self

    def serve(self, *, before: type[Command] | None = None) -> Play:
        """Let the automated dealer act until a player must, or until a command is due."""
        while (command := self._dealer.next_command(self.table, self.at)) is not None and type(command) is not before:
            self.give(command)
        return self

    def bet(self, *seats: int, ante: int = 10_00, bonus: int = 0, **fields: Any) -> None:
        """Place the antes of seats and, with `bonus`, the Five Card Bonus."""
        wagers = {"ante_across": ante, "ante_down": ante} | ({"five_card_bonus": bonus} if bonus else {})
        for seat in seats:
            self.do(c.PlaceWagers, seat=seat, wagers=wagers, **fields)

    def advance(self, until: str, choose: Mapping[tuple[int, str], int | str] | None = None) -> Play:
        """Play until the round enters a step; seats decide as given, or bet once their ante."""
        if isinstance(step_of(self.table), OpenBets):
            self.do(c.NoMoreBets)
        while self.table.step != until:
            self.one_more(choose)
        return self

    def one_more(self, choose: Mapping[tuple[int, str], int | str] | None = None) -> None:
        """Carry out the dealer's next act, or the decision of the player in turn."""
        command = self._dealer.next_command(self.table, self.at)
        if command is not None:
            self.give(command)
        else:
            self.decide(choose or {})

    def decide(self, choose: Mapping[tuple[int, str], int | str]) -> None:
        """The player in turn decides: a bet in cents, or "fold"."""
        step = step_of(self.table)
        assert isinstance(step, Decide), f"nobody acts at {self.table.step or 'no step'}"
        seat = self.table.turn[0]
        wanted = choose.get((seat, step.wager), self.table.seat(seat).placed["ante_across"])
        if wanted == "fold":
            self.do(c.Fold, seat=seat)
        else:
            self.do(c.Bet, seat=seat, cents=wanted)

    def play_round(
        self, *seats: int, ante: int = 10_00, choose: Mapping[tuple[int, str], int | str] | None = None
    ) -> Play:
        """A whole round, until the next is open for bets."""
        self.bet(*seats, ante=ante)
        self.advance(until="shuffle", choose=choose)
        self.serve()
        return self

    # --- what came of it ----------------------------------------------------------------------------------------------

    def all(self, kind: type[E]) -> list[E]:
        """Every event of a kind, in order."""
        return list(of_kind(self.events, kind))

    def last(self, kind: type[E]) -> E:
        return self.all(kind)[-1]

    def seat(self, number: int) -> Seat:
        return self.table.seat(number)

    def chips(self, seat: int) -> int:
        return self.table.balances.get(chips_of(seat), 0)

    @property
    def tray(self) -> int:
        return self.table.balances.get(TRAY, 0)


def of_kind(events: Sequence[e.Event], kind: type[E]) -> Iterator[E]:
    return (event for event in events if isinstance(event, kind))


def only(events: Sequence[e.Event], kind: type[E]) -> E:
    """The one event of a kind."""
    (event,) = of_kind(events, kind)
    return event


def names(events: Sequence[e.Event]) -> list[str]:
    """The events as files call them."""
    return [str(event.__struct_config__.tag) for event in events]
