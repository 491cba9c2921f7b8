"""The fittings of the table: the floor checks them, and names the shoe and the shuffler by id and place."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.errors import Problem
from crossfelt.rulebooks.citations import Cited
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, refuse, table_not_open, text_problem
from crossfelt.table.decks import device_rule, devices_used, fittings_due, fittings_rule
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState

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
