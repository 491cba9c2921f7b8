"""Where a command is carried out: events are collected, and each is seen by the next."""

from __future__ import annotations

from typing import Any, TypeVar

from crossfelt.rulebooks.citing import Cited
from crossfelt.table.commands import Command
from crossfelt.table.events import Event
from crossfelt.table.evolving import evolve
from crossfelt.table.state import Table

E = TypeVar("E", bound=Event)


class Stage:
    """The table while one command plays out on it."""

    __slots__ = ("command", "events", "table")

    def __init__(self, table: Table, command: Command) -> None:
        self.table = table
        self.command = command
        self.events: list[Event] = []

    def emit(self, kind: type[E], cited: Cited | None = None, /, **fields: Any) -> E:
        """One more event, by whoever gave the command; it cites what `cited` cites unless told otherwise."""
        if cited is not None:
            fields.setdefault("clauses", cited.clauses)
            fields.setdefault("readings", cited.readings)
            fields.setdefault("house_rule", cited.house_rule)
        fields["by"], fields["at"] = self.command.who, self.command.at
        return self.happen(kind(**fields))

    def happen(self, event: E) -> E:
        """One more event, which says itself who did it, when, and by which rule: quicker than `emit`, for the many."""
        self.table = evolve(self.table, event)
        self.events.append(event)
        return event
