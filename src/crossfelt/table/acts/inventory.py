"""The table's inventory and fittings: the floor opens, checks and closes the table, and records fills and credits."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.errors import Problem
from crossfelt.money.ledger import TRAY
from crossfelt.rulebooks.choices import LARGEST_CENTS
from crossfelt.rulebooks.citations import Cited
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, PlainAct, Range, amount_problem, refuse, table_not_open, text_problem
from crossfelt.table.bank import promised
from crossfelt.table.decks import device_rule, devices_used, fittings_due, fittings_rule
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


# --- fittings ---------------------------------------------------------------------------------------------------------

DEVICES = ("shoe", "shuffler")


class CheckFittingsAct(Act[c.CheckFittings], roles=("floor",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        if table.phase != "open" or not fittings_due(table):
            return
        texts = tuple(field for device in devices_used(table) for field in (device, f"{device}_place"))
        fields, clauses = {"items": _items(table)}, fittings_rule(table).clauses
        variances: tuple[tuple[str, ...], ...] = ((), ("variance",)) if _movable(table) else ((),)
        for variance in variances:
            yield Option(command=self.name, fields=fields, texts=texts + variance, clauses=clauses)

    def why_not(self, table: TableState, command: c.CheckFittings) -> Problem | None:
        if (problem := table_not_open(table)) is not None:
            return problem
        if not fittings_due(table):
            return refuse("fittings.done", "the fittings are checked already", clauses=fittings_rule(table))
        if sorted(command.items) != sorted(_items(table)):
            what, given = "name every fitting that the table must have", ", ".join(command.items)
            allowed = ", ".join(_items(table)) or "none"
            return refuse("fittings.items", what, given, allowed, _fixtures_rule(table), where="items")
        return self._device_problem(table, command) or self._variance_problem(table, command)

    @staticmethod
    def _device_problem(table: TableState, command: c.CheckFittings) -> Problem | None:
        used = devices_used(table)
        for device in DEVICES:
            rule = device_rule(table, device)
            for field, what in ((device, "id"), (f"{device}_place", "place")):
                value: str = getattr(command, field)
                if device not in used and value:
                    return refuse("fittings.device", f"the table uses no {device} now", value, "nothing", rule, field)
                what = f"the {what} of the {device}"
                if device in used and (problem := text_problem("fittings.device", field, value, what, rule)):
                    return problem
        return None

    @staticmethod
    def _variance_problem(table: TableState, command: c.CheckFittings) -> Problem | None:
        if not command.variance:
            return None
        code, field, rule = "fittings.variance", "variance", _fixtures_rule(table)
        if _movable(table):
            return text_problem(code, field, command.variance, "the other place, with its approval,", rule)
        what = "no other place of a fitting can be approved here"
        return refuse(code, what, command.variance, "nothing", rule, where=field)

    def perform(self, recorder: EventRecorder, command: c.CheckFittings) -> None:
        recorder.emit(e.FittingsChecked, fittings_rule(recorder.table), command)


def _fixtures_rule(table: TableState) -> Cited:
    """Return the rule of the fittings; without one, that of the devices, which the check is for."""
    return table.game.book.table.fixtures or fittings_rule(table)


def _items(table: TableState) -> tuple[str, ...]:
    fixtures = table.game.book.table.fixtures
    return fixtures.items if fixtures else ()


def _movable(table: TableState) -> tuple[str, ...]:
    """Return the fittings for which another place may be approved."""
    fixtures = table.game.book.table.fixtures
    return fixtures.variance if fixtures else ()
