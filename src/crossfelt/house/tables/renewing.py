"""Another submission at a table: in force from the next round, and never in the middle of one.

Between two rounds everybody gets up, in the books of the rounds that were; the table opens again with other rules, and
everybody sits down again in the books of those to come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from crossfelt.house.tables.playing import bot_style
from crossfelt.house.tables.rows import Row
from crossfelt.money.ledger import chips_of
from crossfelt.rulebooks.script import OfferBank, OpenBets, Shuffle
from crossfelt.table import commands as c
from crossfelt.table.commands import Command
from crossfelt.table.engine import Refused, run
from crossfelt.table.state import Seat, Table, step_of


class Seated(NamedTuple):
    """Who sat where, with how much."""

    seat: int
    player: str
    chips_cents: int


def at_rest(table: Table) -> bool:
    """Whether rules may change: no round is open, or one is open for bets and no person has bet."""
    step = step_of(table)
    if step is None or isinstance(step, Shuffle):
        return True
    people = [seat for seat in table.seats if seat.player and bot_style(seat.player) is None]
    return isinstance(step, OfferBank | OpenBets) and table.bank is None and not any(seat.wagers for seat in people)


def getting_up(table: Table, seq: int, now: Callable[[], int]) -> tuple[list[Row], list[Seated]] | None:
    """The rows in which everybody leaves the table, and who they were; None where somebody cannot leave yet."""
    rows: list[Row] = []
    seated: list[Seated] = []
    for seat in table.seats:
        if not seat.player:
            continue
        for command in _leaving(seat, now()):
            before = rows[-1].after if rows else table
            number = seq + len(rows) + 1
            numbered = replace(command, id=f"auto-{number}")
            answer = run(before, numbered)
            if isinstance(answer, Refused):
                return None
            rows.append(Row.of(number, before, numbered, answer.events, answer.table))
        chips = rows[-1].before.balances.get(chips_of(seat.number), 0)
        seated.append(Seated(seat.number, seat.player, chips))
    return rows, seated


def _leaving(seat: Seat, at: int) -> Iterator[Command]:
    if seat.wagers:
        yield c.PlaceWagers(id="", who=seat.player, role="player", at=at, seat=seat.number, wagers={})
    yield c.LeaveSeat(id="", who=seat.player, role="player", at=at, seat=seat.number)
