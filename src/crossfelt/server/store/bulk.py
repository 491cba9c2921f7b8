"""Many rows said to the database at once.

Python's SQLite gives up the interpreter's lock for every step of a statement, and then waits for it behind whatever
else runs: a hundred rows one by one would wait a hundred times. So each kind of thing is said in one step, however many
there are. PostgreSQL's driver sends them together by itself.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt.server.store import statements as say
from crossfelt.server.store.interface import Lease
from crossfelt.server.store.statements import lines, streams

MOST: Final = 1_000
"""Rows in one statement: SQLite takes 32,766 values in one."""
_COLUMNS: Final = tuple(column.name for column in lines.columns)


def insert_lines(connection: sa.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Lines, each with the values of its columns in their order."""
    if connection.dialect.name != "sqlite":
        connection.execute(say.insert_line, [dict(zip(_COLUMNS, row, strict=True)) for row in rows])
        return
    for first in range(0, len(rows), MOST):
        some = rows[first : first + MOST]
        tell_sqlite(connection, _inserting(len(some)), tuple(chain.from_iterable(some)))


def move_heads(connection: sa.Connection, heads: Sequence[tuple[int, int, str]]) -> None:
    """Streams by their ids, in order, each with the seq and hash of its last line."""
    if connection.dialect.name != "sqlite":
        connection.execute(say.move_head, [{"of": of, "to_seq": seq, "to_hash": hash_} for of, seq, hash_ in heads])
        return
    for first in range(0, len(heads), MOST):
        some = heads[first : first + MOST]
        tell_sqlite(connection, _moving(len(some)), tuple(chain.from_iterable(some)))


def mark_signed(connection: sa.Connection, heads: Sequence[tuple[int, int]]) -> None:
    """Streams by their ids, each with the seq that a signed head names."""
    if connection.dialect.name != "sqlite":
        connection.execute(say.mark_signed, [{"of": of, "at_seq": seq} for of, seq in heads])
        return
    for first in range(0, len(heads), MOST):
        some = heads[first : first + MOST]
        tell_sqlite(connection, _marking(len(some)), tuple(chain.from_iterable(some)))


def renew_leases(connection: sa.Connection, leases: Sequence[Lease], until: say.Number) -> dict[Lease, int]:
    """Of some leases, those that are still held, and until when they run now."""
    if connection.dialect.name != "sqlite":
        wanted = say.renew_lease(until)
        found = {lease: connection.execute(wanted, say.held_by(lease)).first() for lease in leases}
        return {lease: row.until for lease, row in found.items() if row is not None}
    assert isinstance(until, int)
    held = held_leases(connection, [lease.name for lease in leases])
    still = [lease for lease in leases if held.get(lease.name) == (lease.holder, lease.fence)]
    tell_sqlite(connection, _RENEW, (until, json.dumps([lease.name for lease in still])))
    return dict.fromkeys(still, until)


def held_leases(connection: sa.Connection, names: Collection[str]) -> dict[str, tuple[str, int]]:
    """Who holds some leases, and under which number; in PostgreSQL they are held still until the commit."""
    if connection.dialect.name != "sqlite":
        found = connection.execute(say.held_leases, {"names": sorted(names)})
        return {row.name: (row.holder, row.fence) for row in found}
    (answer,) = tell_sqlite(connection, _HELD, (json.dumps(sorted(names)),)).fetchone()
    return {name: (holder, fence) for name, holder, fence in json.loads(answer)}


def tell_sqlite(connection: sa.Connection, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
    """Says something to SQLite itself: what is said with every commit would take longer to pass on than to do. It
    fails as it would through SQLAlchemy."""
    driver: Any = connection.connection.driver_connection
    try:
        cursor: sqlite3.Cursor = driver.execute(statement, values)
    except sqlite3.Error as error:
        raise exc.DBAPIError.instance(
            statement, None, error, sqlite3.Error, hide_parameters=True, dialect=connection.dialect
        ) from error
    return cursor


@lru_cache(maxsize=MOST)
def _inserting(count: int) -> str:
    return f"insert into {lines.name} ({', '.join(_COLUMNS)}) values {_values(count, len(_COLUMNS))}"


@lru_cache(maxsize=MOST)
def _moving(count: int) -> str:
    return (
        f"with moved (id, seq, hash) as (values {_values(count, 3)}) update {streams.name} "
        f"set seq = moved.seq, hash = moved.hash from moved where {streams.name}.id = moved.id"
    )


@lru_cache(maxsize=MOST)
def _marking(count: int) -> str:
    return (
        f"with named (id, seq) as (values {_values(count, 2)}) update {streams.name} "
        f"set signed = named.seq from named where {streams.name}.id = named.id"
    )


def _values(count: int, width: int) -> str:
    """
    >>> _values(2, 3)
    '(?, ?, ?), (?, ?, ?)'
    """
    return ", ".join(["(" + ", ".join("?" * width) + ")"] * count)


_RENEW: Final = "update leases set until = ? where name in (select value from json_each(?))"
_HELD: Final = (
    "select json_group_array(json_array(name, holder, fence)) from leases "
    "where name in (select value from json_each(?))"
)
