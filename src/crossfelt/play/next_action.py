"""The next command that needs no person: of the dealer, the floor or a bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from crossfelt.play.bots import Bot
from crossfelt.play.faults import FaultGenerator
from crossfelt.play.player_view import player_view_of
from crossfelt.rulebooks.choices import LARGEST_CENTS
from crossfelt.rulebooks.script import OpenBets
from crossfelt.table import commands as c
from crossfelt.table.act import Move
from crossfelt.table.acts.betting import purse, wagering
from crossfelt.table.acts.clock import awaited
from crossfelt.table.acts.floor import rulings
from crossfelt.table.automation import Dealer
from crossfelt.table.commands import Command, Role
from crossfelt.table.state import TableState, step_of

TRAY_CENTS: Final = 250_000_00
"""The chips that the tray opens with, and the least that a fill brings."""


class AutopilotState(NamedTuple):
    """The seats of bots, and what each bot has done in the round."""

    bots: Mapping[int, Bot] = MappingProxyType({})
    stakes: Mapping[int, int] = MappingProxyType({})
    """The chips that each bot sat down with, in cents."""
    asked: Mapping[int, int] = MappingProxyType({})
    """The round in which each bot last decided on its wagers."""
    bought: Mapping[int, int] = MappingProxyType({})
    """The round in which each bot last bought chips."""

    def with_bot(self, seat: int, bot: Bot, chips_cents: int) -> AutopilotState:
        """Let a bot play a seat. When it runs short it buys its first stake again, or the chips it lacks."""
        return self._replace(bots={**self.bots, seat: bot}, stakes={**self.stakes, seat: chips_cents})

    def without_bot(self, seat: int) -> AutopilotState:
        if seat not in self.bots:
            return self
        return self._replace(bots={number: bot for number, bot in self.bots.items() if number != seat})

    def people(self, table: TableState) -> tuple[int, ...]:
        """Return the seats that people play."""
        return tuple([seat.number for seat in table.seats if seat.player and seat.number not in self.bots])

    def waits_for(self, table: TableState) -> tuple[int, ...]:
        """Return the seats of the people that the table waits for.

        Before the cards these are all people who may bet, then the one in turn; all players set hands at once.
        """
        if isinstance(step_of(table), OpenBets):
            return self.people(table)
        return tuple(seat for seat in awaited(table) if seat not in self.bots)


class Autopilot:
    """The autopilot: it chooses the next command of dealer, floor or bots. The caller runs it and keeps the state."""

    def __init__(
        self,
        *,
        at: Callable[[], int],
        next_id: Callable[[], str],
        faults: FaultGenerator | None = None,
        bots_alone: bool = True,
    ) -> None:
        self.faults = faults
        self._bots_alone = bots_alone
        """True where bots bet at a table without people."""
        self._at = at
        self._next_id = next_id

    def next_command(
        self, table: TableState, state: AutopilotState, dealer: Dealer
    ) -> tuple[Command | None, AutopilotState]:
        """Return the next command and the state after it; None if a person must act first."""
        if table.halted:
            return self.command(c.RecordFill, "floor", "floor", cents=max(TRAY_CENTS, table.short_cents)), state
        fault = None if self.faults is None else self.faults.next_command(table, self._at(), state.people(table))
        command = fault or dealer.next_command(table, self._at())
        if command is not None or not state.bots:
            return command, state
        if isinstance(step_of(table), OpenBets):
            return self._bot_bets(table, state)
        seat = next((number for number in awaited(table) if number in state.bots), None)
        if seat is None:
            return None, state
        return self._bot(table, seat, state.bots[seat].decide(player_view_of(table, seat))), state

    def ruling(self, table: TableState) -> Command | None:
        """Return the floor's ruling, if one is pending.

        The round goes on without a player who has left or does not answer. A player's word counts, wherever the chips
        lie.
        """
        pending = table.pending
        if pending is None:
            return None
        ruling = rulings(table)[-1]
        if pending.kind == "player_leaves":
            ruling = "continue"
        elif pending.kind == "axis_disagreement":
            ruling = next(hand for hand in rulings(table) if hand in table.seat(pending.seat or 0).choices.values())
        return self.command(c.DecideFloor, "floor", "floor", ruling=ruling)

    def command_for_absent(self, table: TableState, seat: int) -> Command:
        """Return the dealer's command when the player in turn has left."""
        if table.seat(seat).away:
            return self.command(c.TimeOut, "dealer", "dealer", seat=seat)
        return self.command(c.ReportIrregularity, "dealer", "dealer", kind="player_leaves", seat=seat)

    def command(self, kind: type[Command], who: str, role: Role, /, **fields: Any) -> Command:
        return kind(id=self._next_id(), who=who, role=role, at=self._at(), **fields)

    def _bot_bets(self, table: TableState, state: AutopilotState) -> tuple[Command | None, AutopilotState]:
        """Return the wagers of the next bot, or its purchase of chips.

        Each bot decides once a round. It first buys the chips for the whole round, at once, or sits the round out.
        """
        if not self._bots_alone and not state.people(table):
            return None, state
        for seat, bot in sorted(state.bots.items()):
            option = None if state.asked.get(seat) == table.round else wagering(table, seat)
            if option is None:
                continue
            short = bot.bets.whole_round_cents(table.game, option) - purse(table, seat)
            if short <= 0:
                asked = state._replace(asked={**state.asked, seat: table.round})
                return self._bot(table, seat, bot.wagers(option)), asked
            if short <= LARGEST_CENTS and state.bought.get(seat) != table.round:
                bought = state._replace(bought={**state.bought, seat: table.round})
                chips = max(short, state.stakes[seat])
                return self._bot(table, seat, Move("buy_chips", {"seat": seat, "cents": chips})), bought
        return None, state

    def _bot(self, table: TableState, seat: int, move: Move) -> Command:
        who = table.seat(seat).player
        return move.command(id=self._next_id(), who=who, role="player", at=self._at())
