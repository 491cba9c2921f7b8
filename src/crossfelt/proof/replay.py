"""A table from its history: its events, one after the other, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from crossfelt.proof.history import Header, Row
from crossfelt.table.events import Event
from crossfelt.table.evolving import evolve
from crossfelt.table.state import Table, new_table


def replay(header: Header, rows: Iterable[Row]) -> Table:
    """The table after the rows of a history: the same, to the last field, as the one that lived through them."""
    table = new_table(header.compile())
    for row in rows:
        table = after(table, row.events)
    return table


def after(table: Table, events: Iterable[Event]) -> Table:
    """The table after some more events.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> from crossfelt.table.events import TableOpened
    >>> closed = new_table(compile_game("md-criss-cross"))
    >>> after(closed, [TableOpened(by="Ann", at=0, inventory_cents=500)]).balances["tray"]
    500
    """
    for event in events:
        table = evolve(table, event)
    return table
