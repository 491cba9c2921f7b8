"""The departure of all players from a table that closes after the round, for a change of rules.

Between two rounds every player leaves, which returns the chips to the accounts. One commit of the pit then closes the
table and opens its successor, which has an id and a stream of its own. Players join it themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from crossfelt.rulebooks.script import OfferBank, OpenBets, Shuffle
from crossfelt.server.core.bots import seated_people
from crossfelt.server.core.commit import TableEntry
from crossfelt.table import commands as c
from crossfelt.table.commands import Command
from crossfelt.table.engine import Refused, run
from crossfelt.table.state import TableState, step_of


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
        seq += 1
        command = replace(command, id=f"auto-{seq}")
        answer = run(table, command)
        if isinstance(answer, Refused):
            return None
        rows.append(TableEntry.of(seq, table, command, answer.events, answer.table))
        table = answer.table
    return rows


def _departures(table: TableState, now: int) -> Iterator[Command]:
    for seat in table.seats:
        if seat.wagers:
            yield c.PlaceWagers(id="", who=seat.player, role="player", at=now, seat=seat.number, wagers={})
        if seat.player:
            yield c.LeaveSeat(id="", who=seat.player, role="player", at=now, seat=seat.number)
