"""Plans the next rows of a table: a requested command, then the acts of dealer, floor and bots that follow at once.

Planning changes nothing. It returns the rows and the state after them, which the table adopts once the rows are stored.
A plan that the store or an account refuses is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from msgspec.structs import replace

from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.rng import DRAWN, CommitRound, TableRng
from crossfelt.server.core.scheduler import NOTED, Scheduler, SchedulerState
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.engine import Refused, run
from crossfelt.table.state import TableState

MOST_ROWS: Final = 48
"""The most rows in one commit."""


class PlannerState(NamedTuple):
    """The state from which a table's next rows follow, with its random outcomes and its schedule."""

    table: TableState
    seq: int
    schedule: SchedulerState
    rng: TableRng

    def after(self, rows: Iterable[TableEntry], scheduler: Scheduler) -> PlannerState:
        """Return the state after some rows."""
        table, seq, schedule, rng = self
        for row in rows:
            table, seq = row.after, row.seq
            if not NOTED.isdisjoint(row.kinds):
                schedule = scheduler.after(schedule, row.events)
            if not DRAWN.isdisjoint(row.kinds):
                rng = rng.after(row.events)
        return PlannerState(table, seq, schedule, rng)

    def with_ready(self, seats: Iterable[int], at: int) -> PlannerState:
        """Return the state after the players of some seats have said that they need no more time for bets."""
        schedule = self.schedule
        for seat in seats:
            schedule = schedule.with_ready(seat, at)
        return self if schedule is self.schedule else self._replace(schedule=schedule)


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
        row = _entry(state, command)
        rows.append(row)
        state = state._replace(schedule=schedule).after((row,), scheduler)
    seal = None
    if rows and e.DeckLoaded in (last := rows[-1]).kinds and last.after.deck.cards:
        again = e.RoundOpened not in last.kinds
        seal, rng = state.rng.commit_round(last.after, at=last.command.at, seq=last.seq, again=again)
        state = state._replace(rng=rng)
    return Planned(rows, state, seal, nothing_due)


def _entry(state: PlannerState, command: c.Command) -> TableEntry:
    seq = state.seq + 1
    command = replace(command, id=f"auto-{seq}")
    answer = run(state.table, command)
    if isinstance(answer, Refused):
        raise AssertionError(f"{command} was refused: {answer.problem}")
    return TableEntry.of(seq, state.table, command, answer.events, answer.table)


def _stops(row: TableEntry, scheduler: Scheduler) -> bool:
    """Return whether a row must be stored before anything follows: a claim, a loaded deck, a departure that an account
    may refuse, or an event that viewers must see first."""
    stored_first = e.DeckLoaded in row.kinds or e.SeatLeft in row.kinds
    return bool(row.after.claims) or stored_first or scheduler.times.pause_ms(row.kinds) > 0
