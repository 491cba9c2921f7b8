"""A table before a scripted round: open, its players seated, its decks prepared.

Players have enough chips, and the tray never runs dry. Where a player is to bank, the house has banked a round before:
only a player who wagered against the house may bank.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import msgspec

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput, Problem
from crossfelt.play.sources import PhysicalSource, ShuffledSource
from crossfelt.rulebooks.choices import LARGEST_CENTS
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Shuffle
from crossfelt.table import commands as c
from crossfelt.table.automation import Dealer
from crossfelt.table.commands import Command, Role
from crossfelt.table.engine import Refused, run
from crossfelt.table.events import Event
from crossfelt.table.state import TableState, new_table, step_of

MOST_KEPT: Final = 256
"""Prepared tables that are remembered."""


class TableSetup(msgspec.Struct, frozen=True):
    """The key of an opened table. Many rounds can begin at the same table."""

    game: Game
    seats: tuple[int, ...]
    bank: int = 0
    """The seat that is to bank, and its wager against the house in the round before."""
    last_wager: int = 0


class PreparedTable(msgspec.Struct, frozen=True):
    """A table with its players, before the shuffle for the round."""

    table: TableState
    events: tuple[Event, ...]


class TableDriver:
    """Gives commands to a table and keeps what happens."""

    def __init__(self, table: TableState) -> None:
        self.table = table
        self.events: list[Event] = []
        self.at = 0
        """The time. Only a timeout advances it."""
        self._given = 0

    def give(
        self, command: type[Command], /, *, who: str = "dealer", role: Role = "dealer", **fields: Any
    ) -> Problem | None:
        """Give a command; return the problem if the table refuses it."""
        self._given += 1
        return self._run(command(id=f"script-{self._given}", who=who, role=role, at=self.at, **fields))

    def give_for(self, seat: int, command: type[Command], /, **fields: Any) -> Problem | None:
        """Give a command of the player in a seat."""
        return self.give(command, who=f"player {seat}", role="player", seat=seat, **fields)

    def carry_out(self, command: Command) -> None:
        """Run a command of the automated dealer, which the table never refuses."""
        problem = self._run(command)
        assert problem is None, f"{command}: {problem}"

    def serve(self, dealer: Dealer) -> None:
        """Run the automated dealer until a person must act."""
        while (command := dealer.next_command(self.table, self.at)) is not None:
            self.carry_out(command)

    def _run(self, command: Command) -> Problem | None:
        answer = run(self.table, command)
        if isinstance(answer, Refused):
            return answer.problem
        self.table = answer.table
        self.events += answer.events
        return None


@lru_cache(maxsize=MOST_KEPT)
def prepare_table(opening: TableSetup) -> PreparedTable:
    """Open a table, seat the players, and open the decks as far as no card depends on it.

    Raise BadInput where the banker's last wager is impossible.
    """
    hands = TableDriver(new_table(opening.game))
    hands.give(c.OpenTable, who="floor", role="floor", inventory_cents=LARGEST_CENTS)
    for seat in opening.seats:
        problem = hands.give_for(seat, c.TakeSeat, chips_cents=LARGEST_CENTS)
        assert problem is None, problem
    hands.serve(Dealer(PhysicalSource(), frozenset(["prepare_decks"])))
    if opening.bank:
        problem = _house_round(hands, opening.bank, opening.last_wager)
        if problem is not None:
            raise BadInput(problem)
    return PreparedTable(hands.table, tuple(hands.events))


def _house_round(hands: TableDriver, seat: int, cents: int) -> Problem | None:
    """Play the round before, which the house banks: one seat plays, and its hand is set the house way."""
    dealer = Dealer(ShuffledSource(repeatable_seed(0)))
    hands.serve(dealer)
    problem = hands.give_for(seat, c.PlaceWagers, wagers={hands.table.game.banked_wager: cents})
    if problem is not None:
        return problem
    hands.give(c.NoMoreBets)
    hands.serve(dealer)
    hands.give_for(seat, c.SetHouseWay)
    while not isinstance(step_of(hands.table), Shuffle):
        command = dealer.next_command(hands.table, hands.at)
        assert command is not None, f"no role acts at {hands.table.step}"
        hands.carry_out(command)
    return None
