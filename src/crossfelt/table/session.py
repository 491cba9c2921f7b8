"""A table at play, in memory: the engine, its dealer, people and bots.

The session gives each its turn and keeps nothing: whoever wants a history passes `keep`, which is called with every
accepted command and its events. The same game, source, bots and clock give the same events.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import OpenBets
from crossfelt.table import commands as c
from crossfelt.table.acts_house import in_round
from crossfelt.table.automation import ALL, Automation, CardSource, Dealer
from crossfelt.table.bots import Bot
from crossfelt.table.commands import Command, Role
from crossfelt.table.engine import Refused, run
from crossfelt.table.events import Event, RoundClosed
from crossfelt.table.faults import Faults
from crossfelt.table.meters import Meters
from crossfelt.table.moves import Move
from crossfelt.table.state import Table, new_table, step_of
from crossfelt.table.turns import TRAY_CENTS, Turns

Keep = Callable[[Command, tuple[Event, ...]], object]


class Happened(NamedTuple):
    """One accepted command: the table before it, what happened, and the table after."""

    before: Table
    command: Command
    events: tuple[Event, ...]
    after: Table


class Ticks:
    """A clock for repeatable tables: it goes on by the same time with every look at it.

    >>> clock = Ticks(step=1_000)
    >>> clock(), clock()
    (0, 1000)
    """

    def __init__(self, start: int = 0, step: int = 1_000) -> None:
        self._next = start
        self._step = step

    def __call__(self) -> int:
        now, self._next = self._next, self._next + self._step
        return now


class Session:
    """One table with its dealer and its players.

    >>> from crossfelt.cards.shuffle import repeatable_seed
    >>> from crossfelt.rulebooks.game import compile_game
    >>> from crossfelt.table.bots import always, bets
    >>> from crossfelt.table.sources import Shuffled
    >>> session = Session(compile_game("md-criss-cross"), Shuffled(repeatable_seed(7)), at=Ticks())
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
        faults: Faults | None = None,
        meters: Meters | None = None,
        name: str = "table",
    ) -> None:
        """`at` is the clock, in milliseconds; `faults` make things go wrong, at a training table.

        Tables that share `meters` are told apart by their names; without, a table has its own.
        """
        self.table = new_table(game)
        self._turns = Turns(Dealer(source, automations), at=at, next_id=self._next_id, faults=faults)
        self._at = at
        self._keep = keep
        self.meters = meters or Meters(game)
        self._name = name
        self._grants: deque[dict[str, Any]] = deque()
        """What meters have answered and the table has not heard yet."""
        self._given = 0

    # --- who sits there ---------------------------------------------------------------------------------------------

    def open(self, tray_cents: int = TRAY_CENTS) -> Happened:
        """The floor opens the table."""
        return self._must(self._turns.command(c.OpenTable, "floor", "floor", inventory_cents=tray_cents))

    def sit(self, seat: int, name: str, chips_cents: int, bot: Bot | None = None) -> Happened | Refused:
        """A person sits down, or a bot, which buys as many chips again, or what it lacks, whenever it runs short."""
        answer = self.ask(Move("take_seat", {"seat": seat, "chips_cents": chips_cents}), name)
        if isinstance(answer, Happened) and bot is not None:
            self._turns.seat_bot(seat, bot, chips_cents)
        return answer

    @property
    def people(self) -> tuple[int, ...]:
        """The seats in which nobody decides by itself."""
        return self._turns.people(self.table)

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The people who have to say something before the table goes on."""
        return self._turns.waits_for(self.table)

    # --- what they do -----------------------------------------------------------------------------------------------

    def ask(self, move: Move, who: str, role: Role = "player") -> Happened | Refused:
        """Carries out what somebody wants now, or says why not."""
        return self.give(move.command(id=self._next_id(), who=who, role=role, at=self._at()))

    def give(self, command: Command) -> Happened | Refused:
        """Carries out a command, or says why not."""
        before = self.table
        answer = run(before, command)
        if isinstance(answer, Refused):
            return answer
        if self._keep is not None:
            self._keep(command, answer.events)
        self.table = answer.table
        self._grants += self.meters.hear(answer.table, answer.events, self._name)
        return Happened(before, command, answer.events, answer.table)

    def lock(self) -> Happened | Refused:
        """The dealer announces no more bets."""
        return self.give(self._turns.command(c.NoMoreBets, "dealer", "dealer"))

    def go_on(self) -> Iterator[Happened]:
        """Dealer, floor and bots act until a person must, or until bets can be locked."""
        while (happened := self._next()) is not None:
            yield happened

    def play(self, rounds: int) -> Iterator[Happened]:
        """So many rounds among bots, up to the close of the last; fewer where nobody bets any more."""
        played = 0
        while played < rounds:
            happened = self._next() or self.lock()
            if isinstance(happened, Refused):
                return
            yield happened
            played += any(isinstance(event, RoundClosed) for event in happened.events)

    def close(self) -> Iterator[Happened]:
        """Everybody gets up and the table closes; who is still in a round has left it and does not answer."""
        self._turns.faults = None
        yield from self._take_back()
        while in_round(self.table):
            yield self._next() or self._without()
        for seat in self.table.seats:
            if seat.player:
                yield self._must(self._turns.command(c.LeaveSeat, seat.player, "player", seat=seat.number))
        yield self._must(self._turns.command(c.CloseTable, "floor", "floor"))

    # --- whose turn it is -------------------------------------------------------------------------------------------

    def _next(self) -> Happened | None:
        """One thing that nobody has to be asked for."""
        if self._grants:
            return self._must(self._turns.command(c.GrantAward, "meter", "dealer", **self._grants.popleft()))
        command = self._turns.next_command(self.table)
        return None if command is None else self._must(command)

    def _take_back(self) -> Iterator[Happened]:
        """Wagers that no card has been dealt for go back to their players."""
        if isinstance(step_of(self.table), OpenBets):
            for seat in self.table.seats:
                if seat.wagers:
                    command = self._turns.command(c.PlaceWagers, seat.player, "player", seat=seat.number, wagers={})
                    yield self._must(command)

    def _without(self) -> Happened:
        """Nobody answers any more: the floor rules, and who is in turn has left."""
        ruling = self._turns.ruling(self.table)
        return self._must(ruling or self._turns.without(self.table, self.table.turn[0]))

    # --- commands ---------------------------------------------------------------------------------------------------

    def _next_id(self) -> str:
        self._given += 1
        return f"session-{self._given}"

    def _must(self, command: Command) -> Happened:
        """What the session asks for by itself is what the table allows: a refusal is a fault of the program."""
        answer = self.give(command)
        if isinstance(answer, Refused):
            raise AssertionError(f"{command} was refused: {answer.problem}")
        return answer
