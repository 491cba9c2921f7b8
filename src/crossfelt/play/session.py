"""A session: a table in memory with its dealer, people and bots.

The session gives each its turn and keeps nothing. For a history pass `keep`, which is called with every accepted
command and its events. The same game, source, bots and clock give the same events.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from crossfelt.play.bots import Bot
from crossfelt.play.faults import FaultGenerator
from crossfelt.play.meters import Meters
from crossfelt.play.next_action import TRAY_CENTS, Autopilot, AutopilotState
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import OpenBets
from crossfelt.table import commands as c
from crossfelt.table.act import Move
from crossfelt.table.automation import ALL, Automation, CardSource, Dealer
from crossfelt.table.commands import Command, Role
from crossfelt.table.engine import Refused, run
from crossfelt.table.events import Event, RoundClosed
from crossfelt.table.flow import in_round
from crossfelt.table.state import TableState, new_table, step_of

Keep = Callable[[Command, tuple[Event, ...]], object]


class AppliedCommand(NamedTuple):
    """One accepted command: the table before it, its events, and the table after."""

    before: TableState
    command: Command
    events: tuple[Event, ...]
    after: TableState


class TickingClock:
    """A clock for repeatable tables: each reading advances it by the same time."""

    def __init__(self, start: int = 0, step: int = 1_000) -> None:
        self._next = start
        self._step = step

    def __call__(self) -> int:
        now, self._next = self._next, self._next + self._step
        return now


class TableSession:
    """One table with its dealer and its players.

    >>> from crossfelt.play.bots import always, bets
    >>> from crossfelt.play.sources import ShuffledSource
    >>> session = TableSession(compile_game("md-criss-cross"), ShuffledSource(repeatable_seed(7)), at=TickingClock())
    >>> _ = session.open()
    >>> _ = session.sit(1, "Ann", 1_000_00, bets(10) + always(1))
    >>> events = [event for happened in session.play(rounds=3) for event in happened.events]
    >>> sum(isinstance(event, RoundClosed) for event in events)
    3
    """

    def __init__(
        self,
        game: Game,
        source: CardSource,
        automations: frozenset[Automation] = ALL,
        *,
        at: Callable[[], int],
        keep: Keep | None = None,
        faults: FaultGenerator | None = None,
        meters: Meters | None = None,
        name: str = "table",
    ) -> None:
        """Prepare a table. `at` is the clock, in milliseconds; `faults` are the irregularities of a training table.

        Tables that share `meters` need different names. Without `meters` a table has its own.
        """
        self.table = new_table(game)
        self._autopilot = Autopilot(at=at, next_id=self._next_id, faults=faults)
        self._bots = AutopilotState()
        self._dealer = Dealer(source, automations)
        self._at = at
        self._keep = keep
        self.meters = meters or Meters(game)
        self._name = name
        self._grants: deque[dict[str, Any]] = deque()
        """Answers of meters that the table has yet to receive."""
        self._given = 0

    def open(self, tray_cents: int = TRAY_CENTS) -> AppliedCommand:
        """Open the table, by the floor."""
        return self._must(self._autopilot.command(c.OpenTable, "floor", "floor", inventory_cents=tray_cents))

    def sit(self, seat: int, name: str, chips_cents: int, bot: Bot | None = None) -> AppliedCommand | Refused:
        """Seat a person or a bot. A bot that runs short buys its first stake again, or the chips it lacks."""
        answer = self.ask(Move("take_seat", {"seat": seat, "chips_cents": chips_cents}), name)
        if isinstance(answer, AppliedCommand) and bot is not None:
            self._bots = self._bots.with_bot(seat, bot, chips_cents)
        return answer

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people, without the bots."""
        return self._bots.people(self.table)

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The people whose answer the table awaits."""
        return self._bots.waits_for(self.table)

    def ask(self, move: Move, who: str, role: Role = "player") -> AppliedCommand | Refused:
        """Carry out a move now, or return the refusal."""
        return self.give(move.command(id=self._next_id(), who=who, role=role, at=self._at()))

    def give(self, command: Command) -> AppliedCommand | Refused:
        """Carry out a command, or return the refusal."""
        before = self.table
        answer = run(before, command)
        if isinstance(answer, Refused):
            return answer
        if self._keep is not None:
            self._keep(command, answer.events)
        self.table = answer.table
        self._grants += self.meters.receive(answer.table, answer.events, self._name)
        return AppliedCommand(before, command, answer.events, answer.table)

    def lock(self) -> AppliedCommand | Refused:
        """Announce no more bets, by the dealer."""
        return self.give(self._autopilot.command(c.NoMoreBets, "dealer", "dealer"))

    def advance(self) -> Iterator[AppliedCommand]:
        """Let dealer, floor and bots act until a person must, or until bets can be locked."""
        while (happened := self._next()) is not None:
            yield happened

    def play(self, rounds: int) -> Iterator[AppliedCommand]:
        """Play rounds among bots, up to the close of the last; fewer once every bot stops betting."""
        played = 0
        while played < rounds:
            happened = self._next() or self.lock()
            if isinstance(happened, Refused):
                return
            yield happened
            played += any(isinstance(event, RoundClosed) for event in happened.events)

    def close(self) -> Iterator[AppliedCommand]:
        """Empty the seats and close the table; a player still in a round counts as absent."""
        self._autopilot.faults = None
        betting = isinstance(step_of(self.table), OpenBets)
        for seat in self.table.seats:
            if betting and seat.wagers:  # no card has been dealt: they go back
                command = self._autopilot.command(c.PlaceWagers, seat.player, "player", seat=seat.number, wagers={})
                yield self._must(command)
        while in_round(self.table):
            yield self._next() or self._without()
        for seat in self.table.seats:
            if seat.player:
                yield self._must(self._autopilot.command(c.LeaveSeat, seat.player, "player", seat=seat.number))
        yield self._must(self._autopilot.command(c.CloseTable, "floor", "floor"))

    def _next(self) -> AppliedCommand | None:
        """Carry out the next automatic command."""
        if self._grants:
            return self._must(self._autopilot.command(c.GrantAward, "meter", "dealer", **self._grants.popleft()))
        command, self._bots = self._autopilot.next_command(self.table, self._bots, self._dealer)
        return None if command is None else self._must(command)

    def _without(self) -> AppliedCommand:
        """Act for an absent player: the floor rules, or the player in turn leaves."""
        ruling = self._autopilot.ruling(self.table)
        return self._must(ruling or self._autopilot.command_for_absent(self.table, self.table.turn[0]))

    def _next_id(self) -> str:
        self._given += 1
        return f"session-{self._given}"

    def _must(self, command: Command) -> AppliedCommand:
        """Carry out a command that the table must accept: a refusal is a fault of the program."""
        answer = self.give(command)
        if isinstance(answer, Refused):
            raise AssertionError(f"{command} was refused: {answer.problem}")
        return answer
