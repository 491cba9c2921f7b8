"""Plans the next rows of a table: a requested command, then the acts of dealer, floor and bots that follow at once.

Planning changes nothing. It returns the rows and the state after them, which the table adopts once the rows are stored.
A plan that the store or an account refuses is dropped. Before a table closes, the planned rows are the departures of
all players.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from crossfelt.rulebooks.script import OfferBank, OpenBets, Shuffle
from crossfelt.server.core.bots import seated_people
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.rng import CHANGES_CHANCE, CommitRound, TableRng
from crossfelt.server.core.scheduler import NOTED, Scheduler, SchedulerState
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.commands import Command
from crossfelt.table.engine import Refused, run
from crossfelt.table.state import TableState, step_of

MOST_ROWS: Final = 48


class PlannerState(NamedTuple):
    """The state from which a table's next rows follow, with its random outcomes and its schedule."""

    table: TableState
    seq: int
    schedule: SchedulerState
    rng: TableRng

    def after(self, rows: Iterable[TableEntry], scheduler: Scheduler) -> PlannerState:
        table, seq, schedule, rng = self
        for row in rows:
            table, seq = row.after, row.seq
            if not NOTED.isdisjoint(row.kinds):
                schedule = scheduler.after(schedule, row.events)
            if not CHANGES_CHANCE.isdisjoint(row.kinds):
                rng = rng.after(row.events)
        return PlannerState(table, seq, schedule, rng)

    def with_ready(self, seats: Iterable[int], at: int) -> PlannerState:
        """Return the state after the players of some seats have said that they need no more time for bets."""
        return self._replace(schedule=self.schedule.with_ready(seats, at))


class Planned(NamedTuple):
    """Rows to be stored together, and the state to be adopted then."""

    rows: list[TableEntry]
    state: PlannerState
    seal: CommitRound | None
    """The outcomes of the round, if its deck is loaded in these rows."""
    nothing_due: bool
    """True if a person must act, or time must pass, after these rows."""


def plan(
    start: PlannerState,
    first: Collection[TableEntry] = (),
    *,
    scheduler: Scheduler,
    now: int,
    ready: Iterable[int] = (),
    most: int = MOST_ROWS,
    closes: Callable[[TableState], bool] = lambda _: False,
) -> Planned:
    """Return the rows from `start` on, at most `most`, up to one that must be stored or seen before anything follows.

    The accepted rows in `first` come before all others; after them the players of the seats in `ready` are ready. No
    row follows once `closes` says that the table closes.
    """
    rows = list(first)
    state = start.after(rows, scheduler).with_ready(ready, now)
    nothing_due = False
    while len(rows) < most and not (rows and (_stops(rows[-1], scheduler) or closes(state.table))):
        command, schedule = scheduler.due(state.table, state.schedule, state.rng, now)
        if command is None:
            nothing_due = True
            break
        if rows and type(command) is c.LeaveSeat:
            break  # an account may refuse this row, which must not take the others with it
        row = _row(state.table, state.seq + 1, command)
        assert isinstance(row, TableEntry), f"{command} was refused: {row.problem}"
        rows.append(row)
        state = state._replace(schedule=schedule).after((row,), scheduler)
    seal = None
    if rows and e.DeckLoaded in (last := rows[-1]).kinds and last.after.deck.cards:
        again = e.RoundOpened not in last.kinds
        seal, rng = state.rng.commit_round(last.after, at=last.command.at, seq=last.seq, again=again)
        state = state._replace(rng=rng)
    return Planned(rows, state, seal, nothing_due)


def _row(table: TableState, seq: int, command: Command) -> TableEntry | Refused:
    command = replace(command, id=f"auto-{seq}")
    answer = run(table, command)
    return answer if isinstance(answer, Refused) else TableEntry.of(seq, table, command, answer.events, answer.table)


def _stops(row: TableEntry, scheduler: Scheduler) -> bool:
    """Return whether a row must be stored before anything follows: a claim, a loaded deck, a departure that an account
    may refuse, or an event that viewers must see first."""
    stored_first = e.DeckLoaded in row.kinds or e.SeatLeft in row.kinds
    return bool(row.after.claims) or stored_first or scheduler.pause_ms(row.kinds, row.after) > 0


def at_rest(table: TableState) -> bool:
    """Return whether the table may close: no round is open, or one is open for bets and no person has bet."""
    step = step_of(table)
    if step is None or isinstance(step, Shuffle):
        return True
    bet = any(seat.wagers for seat in seated_people(table))
    return isinstance(step, OfferBank | OpenBets) and table.bank is None and not bet


def departures(table: TableState, seq: int, now: int) -> list[TableEntry] | None:
    """Return the rows in which every player leaves the table; None if a player cannot leave yet."""
    rows: list[TableEntry] = []
    for command in _departures(table, now):
        row = _row(rows[-1].after if rows else table, seq + len(rows) + 1, command)
        if isinstance(row, Refused):
            return None
        rows.append(row)
    return rows


def _departures(table: TableState, now: int) -> Iterator[Command]:
    for seat in table.seats:
        if seat.wagers:
            yield c.PlaceWagers(id="", who=seat.player, role="player", at=now, seat=seat.number, wagers={})
        if seat.player:
            yield c.LeaveSeat(id="", who=seat.player, role="player", at=now, seat=seat.number)
