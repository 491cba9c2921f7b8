"""Tables that nobody can be let to: there is none of that name, its rows were altered, or it is on its way."""

from __future__ import annotations

from typing import Final

from crossfelt.problems import BadInput, Problem

MOVING: Final = "the table is moving to another server: try again in a moment"


class NoSuchTable(BadInput):
    """Nobody has opened a table of this name."""

    def __init__(self, table: str) -> None:
        super().__init__(Problem(code="table.unknown", what="no such table", where="table", value=table))


class TableShut(BadInput):
    """The rows of the table are not what was written."""

    def __init__(self, table: str) -> None:
        what = "the table is shut: its rows are not what was written, and somebody must restore them"
        super().__init__(Problem(code="table.unreadable", what=what, where="table", value=table))


class TableMoving(BadInput):
    """The table is between two processes, or stopped until the store is back."""

    def __init__(self, table: str) -> None:
        super().__init__(Problem(code="table.moving", what=MOVING, where="table", value=table))
