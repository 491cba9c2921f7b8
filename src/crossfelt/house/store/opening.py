"""Finds the store that a house is told to use."""

from __future__ import annotations

from pathlib import Path

from crossfelt.house.store.sql import SqlStore
from crossfelt.problems import BadInput, Problem


def open_store(directory: Path, database: str | None = None) -> SqlStore:
    """The store in a data directory, or in the PostgreSQL database at an address."""
    if database is None:
        from crossfelt.house.store.sqlite import open_sqlite

        return open_sqlite(directory)
    if database.startswith(("postgresql://", "postgres://")):
        from crossfelt.house.store.postgresql import open_postgresql

        return open_postgresql(database)
    # The address is not repeated: it may hold a password.
    raise BadInput(Problem(code="store.database", what="not the address of a database", allowed="postgresql://…"))
