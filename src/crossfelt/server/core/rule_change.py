"""A change of rules at a table: after the round the table closes, and a new table opens with the new submission.

Between two rounds every player leaves, which returns the chips to the accounts. One commit then closes the table and
opens its successor, which has an id and a stream of its own. Players join it themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from crossfelt.rulebooks.script import OfferBank, OpenBets, Shuffle
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.requests import seated_people
from crossfelt.table import commands as c
from crossfelt.table.commands import Command
from crossfelt.table.engine import Refused, run
from crossfelt.table.state import Seat, TableState, step_of


def at_rest(table: TableState) -> bool:
    """Return whether the table may close: no round is open, or one is open for bets and no person has bet."""
    step = step_of(table)
    if step is None or isinstance(step, Shuffle):
        return True
    bet = any(seat.wagers for seat in seated_people(table))
    return isinstance(step, OfferBank | OpenBets) and table.bank is None and not bet


def departures(table: TableState, seq: int, now: Callable[[], int]) -> list[TableEntry] | None:
    """Return the rows in which every player leaves the table; None if a player cannot leave yet."""
    rows: list[TableEntry] = []
    for seat in table.seats:
        for command in _leaving(seat, now()) if seat.player else ():
            before = rows[-1].after if rows else table
            number = seq + len(rows) + 1
            numbered = replace(command, id=f"auto-{number}")
            answer = run(before, numbered)
            if isinstance(answer, Refused):
                return None
            rows.append(TableEntry.of(number, before, numbered, answer.events, answer.table))
    return rows


def _leaving(seat: Seat, at: int) -> Iterator[Command]:
    if seat.wagers:
        yield c.PlaceWagers(id="", who=seat.player, role="player", at=at, seat=seat.number, wagers={})
    yield c.LeaveSeat(id="", who=seat.player, role="player", at=at, seat=seat.number)
