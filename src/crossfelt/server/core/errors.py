"""Tables that nobody can be let to: there is none of that name, its rows were altered, or it is on its way."""

from __future__ import annotations

from typing import Final

from crossfelt.errors import BadInput, Problem

NEW_RULES: Final = "this table has closed; a table with the new rules is open"
MOVING: Final = "the table is moving to another server: try again in a moment"


class NoSuchTable(BadInput):
    """Nobody has opened a table of this name."""

    def __init__(self, table: str) -> None:
        super().__init__(Problem(code="table.unknown", what="no such table", where="table", value=table))


class TableUnreadable(BadInput):
    """The rows of the table are not what was written."""

    def __init__(self, table: str) -> None:
        what = "the table is shut: its rows are not what was written, and somebody must restore them"
        super().__init__(Problem(code="table.unreadable", what=what, where="table", value=table))


class TableClosed(BadInput):
    """A change of rules has closed the table, and opened another."""

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
    """The table is between two processes, or stopped until the store is back."""

    def __init__(self, table: str) -> None:
        super().__init__(Problem(code="table.moving", what=MOVING, where="table", value=table))
