"""The table's inventory: the floor opens and closes the table, and records fills and credits."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.errors import Problem
from crossfelt.money.ledger import TRAY
from crossfelt.rulebooks.choices import LARGEST_CENTS
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, PlainAct, Range, amount_problem, refuse, table_not_open
from crossfelt.table.bank import promised
from crossfelt.table.flow import in_round
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState
from crossfelt.table.void_round import abandon_round, lost_stakes, owed_by_void


class OpenTableAct(Act[c.OpenTable], roles=("floor",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        if table.phase == "closed":
            yield Option(command=self.name, ranges={"inventory_cents": Range(0, LARGEST_CENTS)})

    def why_not(self, table: TableState, command: c.OpenTable) -> Problem | None:
        if table.phase != "closed":
            return refuse("table.open", "the table is open already")
        return amount_problem("inventory_cents", command.inventory_cents, least=0)

    def perform(self, recorder: EventRecorder, command: c.OpenTable) -> None:
        recorder.emit(e.TableOpened, inventory_cents=command.inventory_cents)


class CloseTableAct(PlainAct[c.CloseTable], roles=("floor",)):
    def clauses(self, table: TableState) -> tuple[str, ...]:
        return ()

    def problem(self, table: TableState) -> Problem | None:
        if (problem := table_not_open(table)) is not None:
            return problem
        if in_round(table):
            return refuse("table.in_round", "a round is in progress", table.step, "after the round")
        if seated := ", ".join(str(seat.number) for seat in table.seats if seat.player):
            return refuse("table.seated", "players still sit at the table", seated, "when every seat is empty")
        return None

    def perform(self, recorder: EventRecorder, command: c.CloseTable) -> None:
        abandon_round(recorder, "table_closed")
        recorder.emit(e.TableClosed, inventory_cents=recorder.table.balances.get(TRAY, 0))


class RecordFillAct(Act[c.RecordFill], roles=("floor",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        if table.phase == "open":
            yield Option(command=self.name, ranges={"cents": Range(1, self._most(table))})

    def why_not(self, table: TableState, command: c.RecordFill) -> Problem | None:
        return table_not_open(table) or amount_problem("cents", command.cents, most=self._most(table))

    @staticmethod
    def _most(table: TableState) -> int:
        """Return the largest fill: enough for any payment, at any wager and odds."""
        return max(LARGEST_CENTS, table.short_cents)

    def perform(self, recorder: EventRecorder, command: c.RecordFill) -> None:
        recorder.emit(e.InventoryFilled, cents=command.cents)


class RecordCreditAct(Act[c.RecordCredit], roles=("floor",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        spare = self._spare(table)
        if table.phase == "open" and spare > 0:
            yield Option(command=self.name, ranges={"cents": Range(1, spare)})

    def why_not(self, table: TableState, command: c.RecordCredit) -> Problem | None:
        return table_not_open(table) or amount_problem("cents", command.cents, most=self._spare(table))

    @staticmethod
    def _spare(table: TableState) -> int:
        """Return the cents that may leave the tray, less the reserve for a void round and for a player's bank."""
        owed = owed_by_void(table) + lost_stakes(table) if in_round(table) else 0
        return table.balances.get(TRAY, 0) - owed - promised(table)

    def perform(self, recorder: EventRecorder, command: c.RecordCredit) -> None:
        recorder.emit(e.InventoryCredited, cents=command.cents)
