"""The fittings of the table: the floor checks them, and names the shoe and the shuffler by id and place."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.errors import Problem
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, refuse, table_not_open
from crossfelt.table.commands import Role
from crossfelt.table.decks import devices_used, fittings_clauses, fittings_due
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState

DEVICES = ("shoe", "shuffler")
LONGEST = 100
"""Characters of a name or place."""


class CheckFittingsAct(Act[c.CheckFittings]):
    command = c.CheckFittings
    roles = ("floor",)

    def options(self, table: TableState, who: str, role: Role) -> Iterator[Option]:
        if table.phase != "open" or not fittings_due(table):
            return
        texts = tuple(field for device in devices_used(table) for field in (device, f"{device}_place"))
        fields = {"items": _items(table)}
        variances: tuple[tuple[str, ...], ...] = ((), ("variance",)) if _movable(table) else ((),)
        for variance in variances:
            clauses = fittings_clauses(table)
            yield Option(command=self.name, fields=fields, texts=texts + variance, clauses=clauses)

    def why_not(self, table: TableState, command: c.CheckFittings) -> Problem | None:
        if (problem := table_not_open(table)) is not None:
            return problem
        clauses = fittings_clauses(table)
        if not fittings_due(table):
            return refuse("fittings.done", "the fittings are checked already", clauses=clauses)
        if set(command.items) != set(_items(table)) or len(command.items) != len(_items(table)):
            what, given = "name every fitting that the table must have", ", ".join(command.items)
            return refuse("fittings.items", what, given, ", ".join(_items(table)) or "none", clauses, where="items")
        return self._device_problem(table, command, clauses) or self._variance_problem(table, command)

    @staticmethod
    def _device_problem(table: TableState, command: c.CheckFittings, clauses: tuple[str, ...]) -> Problem | None:
        used = devices_used(table)
        for device in DEVICES:
            for field, what in ((device, "id"), (f"{device}_place", "place")):
                value: str = getattr(command, field)
                if device not in used and value:
                    problem = f"the table uses no {device} now"
                    return refuse("fittings.device", problem, value, "nothing", clauses, where=field)
                if device in used and not 0 < len(value.strip()) <= LONGEST:
                    problem = f"the {what} of the {device} is missing or too long"
                    return refuse("fittings.device", problem, value, f"1 to {LONGEST} characters", clauses, where=field)
        return None

    @staticmethod
    def _variance_problem(table: TableState, command: c.CheckFittings) -> Problem | None:
        fixtures = table.game.book.table.fixtures
        if not command.variance or (_movable(table) and len(command.variance) <= LONGEST):
            return None
        what = f"the place and approval have more than {LONGEST} characters"
        what = what if _movable(table) else "no other place of a fitting can be approved here"
        allowed = f"1 to {LONGEST} characters" if _movable(table) else "nothing"
        clauses = fixtures.clauses if fixtures else ()
        return refuse("fittings.variance", what, command.variance, allowed, clauses, where="variance")

    def perform(self, recorder: EventRecorder, command: c.CheckFittings) -> None:
        fixtures = recorder.table.game.book.table.fixtures
        recorder.emit(
            e.FittingsChecked,
            items=command.items,
            shoe=command.shoe,
            shoe_place=command.shoe_place,
            shuffler=command.shuffler,
            shuffler_place=command.shuffler_place,
            variance=command.variance,
            clauses=fittings_clauses(recorder.table),
            house_rule=fixtures.house_rule if fixtures else "",
        )


def _items(table: TableState) -> tuple[str, ...]:
    fixtures = table.game.book.table.fixtures
    return fixtures.items if fixtures else ()


def _movable(table: TableState) -> tuple[str, ...]:
    """Return the fittings for which another place may be approved."""
    fixtures = table.game.book.table.fixtures
    return fixtures.variance if fixtures else ()


ACTS = (CheckFittingsAct,)
