"""Errors that say why a table cannot be joined: no such table, unreadable, replaced, outdated, or moving."""

from __future__ import annotations

from typing import Final

from crossfelt.errors import BadInput, Problem

NEW_RULES: Final = "this table has closed; a table with the new rules is open"
MOVING: Final = "the table is moving to another server: try again in a moment"


class NoSuchTable(BadInput):
    """No table has this name."""

    def __init__(self, table: str) -> None:
        super().__init__(Problem(code="table.unknown", what="no such table", where="table", value=table))


class TableUnreadable(BadInput):
    """The stored rows of the table differ from what the server wrote."""

    def __init__(self, table: str) -> None:
        what = "the table is closed: its stored rows were altered, and the operator must restore them"
        super().__init__(Problem(code="table.unreadable", what=what, where="table", value=table))


class TableClosed(BadInput):
    """A change of rules has closed the table and opened its successor."""

    def __init__(self, table: str, successor: str) -> None:
        self.successor = successor
        super().__init__(Problem(code="table.replaced", what=NEW_RULES, where="table", value=table, allowed=successor))


class TableOutdated(BadInput):
    """This version compiles another game from the table's settings than the one that was played there."""

    def __init__(self, table: str) -> None:
        what = "the table was opened under rules that this version of Crossfelt does not have, and stays closed"
        allowed = f"the floor returns its chips to the accounts by DELETE /api/tables/{table}"
        super().__init__(Problem(code="table.outdated", what=what, where="table", value=table, allowed=allowed))


class TableMoving(BadInput):
    """The table is between two processes, or stopped until the store answers."""

    def __init__(self, table: str) -> None:
        super().__init__(Problem(code="table.moving", what=MOVING, where="table", value=table))


class Unreadable(BadInput):
    """The rows of a stream differ from what the server wrote."""

    def __init__(self, stream: str) -> None:
        super().__init__(Problem(code="table.unreadable", what="its rows cannot be read", where=stream))
