"""Whose turn it is where nobody has to be asked: the dealer, the floor and the bots, and what they do next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from crossfelt.rulebooks.choosing import LARGEST_CENTS
from crossfelt.rulebooks.script import OpenBets
from crossfelt.table import commands as c
from crossfelt.table.acts_betting import purse, wagering
from crossfelt.table.acts_clock import awaited
from crossfelt.table.acts_floor import LINES, rulings
from crossfelt.table.automation import Dealer
from crossfelt.table.bots import Bot
from crossfelt.table.commands import Command, Role
from crossfelt.table.faults import Faults
from crossfelt.table.moves import Move
from crossfelt.table.sight import sight_of
from crossfelt.table.state import Table, step_of

TRAY_CENTS: Final = 250_000_00
"""What the tray is opened with, and filled up with at least where it runs short."""


class TurnsMark(NamedTuple):
    """Who decides by itself where, at a moment."""

    bots: Mapping[int, Bot]
    stakes: Mapping[int, int]
    asked: Mapping[int, int]
    bought: Mapping[int, int]


class Turns:
    """Gives the next command of dealer, floor or bots; the table that carries it out is somebody else's.

    >>> from crossfelt.cards.shuffle import repeatable_seed
    >>> from crossfelt.rulebooks.game import compile_game
    >>> from crossfelt.table.sources import Shuffled
    >>> from crossfelt.table.state import new_table
    >>> turns = Turns(Dealer(Shuffled(repeatable_seed(7))), at=lambda: 0, next_id=lambda: "1")
    >>> turns.next_command(new_table(compile_game("md-criss-cross"))) is None      # it is closed
    True
    """

    def __init__(
        self,
        dealer: Dealer,
        *,
        at: Callable[[], int],
        next_id: Callable[[], str],
        faults: Faults | None = None,
        bots_alone: bool = True,
    ) -> None:
        self.bots: Mapping[int, Bot] = {}
        self.faults = faults
        self._bots_alone = bots_alone
        """Whether bots bet where nobody else sits."""
        self._dealer = dealer
        self._at = at
        self._next_id = next_id
        self._stakes: Mapping[int, int] = {}
        """What each bot sat down with."""
        self._asked: Mapping[int, int] = {}
        """The round for which each bot was last asked for wagers."""
        self._bought: Mapping[int, int] = {}
        """The round for which each bot last bought chips."""

    def seat_bot(self, seat: int, bot: Bot, chips_cents: int) -> None:
        """A bot decides in this seat; it buys as many chips again, or what it lacks, whenever it runs short."""
        self.bots = {**self.bots, seat: bot}
        self._stakes = {**self._stakes, seat: chips_cents}

    def unseat_bot(self, seat: int) -> None:
        """Nobody decides there by itself any more."""
        self.bots = {number: bot for number, bot in self.bots.items() if number != seat}

    def mark(self) -> TurnsMark:
        """As it is now, to come back to where what follows does not happen."""
        return TurnsMark(self.bots, self._stakes, self._asked, self._bought)

    def back_to(self, mark: TurnsMark) -> None:
        self.bots, self._stakes, self._asked, self._bought = mark

    def people(self, table: Table) -> tuple[int, ...]:
        """The seats in which nobody decides by itself."""
        return tuple([seat.number for seat in table.seats if seat.player and seat.number not in self.bots])

    def waits_for(self, table: Table) -> tuple[int, ...]:
        """The people who have to say something before the table goes on.

        Before the cards all who may bet, then the one in turn; hands are set by all players at once.
        """
        if isinstance(step_of(table), OpenBets):
            return self.people(table)
        return tuple(seat for seat in awaited(table) if seat not in self.bots)

    def next_command(self, table: Table) -> Command | None:
        """One thing that nobody has to be asked for."""
        if table.halted:
            return self.command(c.RecordFill, "floor", "floor", cents=max(TRAY_CENTS, table.short_cents))
        command = self._fault(table) or self._dealer.next_command(table, self._at())
        if command is not None or not self.bots:
            return command
        if isinstance(step_of(table), OpenBets):
            return self._bot_bets(table)
        seat = next((number for number in awaited(table) if number in self.bots), None)
        return None if seat is None else self._bot(table, seat, self.bots[seat].decide(sight_of(table, seat)))

    def ruling(self, table: Table) -> Command | None:
        """The floor lets a round go on without who has left, waits for nobody who does not answer, and takes a player
        at their word, wherever the chips lie."""
        pending = table.pending
        if pending is None:
            return None
        ruling = rulings(table)[-1]
        if pending.kind == "player_leaves":
            ruling = "continue"
        elif pending.kind == "axis_disagreement":
            ruling = next(line for line in LINES if line != pending.place)
        return self.command(c.DecideFloor, "floor", "floor", ruling=ruling)

    def without(self, table: Table, seat: int) -> Command:
        """The player in turn has left; the dealer then does not wait for an answer."""
        if table.seat(seat).away:
            return self.command(c.TimeOut, "dealer", "dealer", seat=seat)
        return self.command(c.ReportIrregularity, "dealer", "dealer", kind="player_leaves", seat=seat)

    def command(self, kind: type[Command], who: str, role: Role, /, **fields: Any) -> Command:
        return kind(id=self._next_id(), who=who, role=role, at=self._at(), **fields)

    def _fault(self, table: Table) -> Command | None:
        return None if self.faults is None else self.faults.next_command(table, self._at(), self.people(table))

    def _bot_bets(self, table: Table) -> Command | None:
        """Each bot is asked for its wagers once in a round, and has bought chips enough for it before: all at once, or
        it sits the round out."""
        if not self._bots_alone and not self.people(table):
            return None
        for seat, bot in sorted(self.bots.items()):
            option = None if self._asked.get(seat) == table.round else wagering(table, seat)
            if option is None:
                continue
            short = bot.bets.whole_round_cents(table.game, option) - purse(table, seat)
            if short <= 0:
                self._asked = {**self._asked, seat: table.round}
                return self._bot(table, seat, bot.wagers(option))
            if short <= LARGEST_CENTS and self._bought.get(seat) != table.round:
                self._bought = {**self._bought, seat: table.round}
                chips = max(short, self._stakes[seat])
                return self._bot(table, seat, Move("buy_chips", {"seat": seat, "cents": chips}))
        return None

    def _bot(self, table: Table, seat: int, move: Move) -> Command:
        who = table.seat(seat).player
        return move.command(id=self._next_id(), who=who, role="player", at=self._at())
