"""The recorder of one command: it collects events and applies each before the next."""

from __future__ import annotations

from typing import Any

from crossfelt._util.shared_fields import shared_fields
from crossfelt.rulebooks.citations import Cited
from crossfelt.table.commands import Command
from crossfelt.table.events import Event
from crossfelt.table.reduce import evolve
from crossfelt.table.state import TableState


class EventRecorder:
    """The table during one command."""

    __slots__ = ("command", "events", "table")

    def __init__(self, table: TableState, command: Command) -> None:
        self.table = table
        self.command = command
        self.events: list[Event] = []

    def emit(self, kind: type[Event], cited: Cited | None = None, source: object = None, /, **fields: Any) -> None:
        """Build and record an event by the command's sender.

        It repeats what it has in common with `source`, and cites `cited`, unless `fields` say otherwise.
        """
        if source is not None:
            fields = shared_fields(source, kind) | fields
        if cited is not None:
            fields.setdefault("clauses", cited.clauses)
            fields.setdefault("readings", cited.readings)
            fields.setdefault("house_rule", cited.house_rule)
        fields["by"], fields["at"] = self.command.who, self.command.at
        event = kind(**fields)
        self.table = evolve(self.table, event)
        self.events.append(event)
