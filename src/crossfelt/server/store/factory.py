"""Finds the store that a house is told to use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from crossfelt.errors import BadInput, Problem
from crossfelt.server.store.signing_key import signing_key

if TYPE_CHECKING:
    import sqlalchemy as sa

    from crossfelt.server.store.reader import Reader
    from crossfelt.server.store.sql_store import SqlStore


def open_store(directory: Path, database: str | None = None) -> SqlStore:
    """The store in a data directory, or in the PostgreSQL database at an address; the key is in the directory. It is
    made once the database is there: a start that comes to nothing leaves no key that would keep a backup out."""

    def secret() -> bytes:
        return signing_key(directory).secret("snapshots")

    if database is None:
        from crossfelt.server.store.sqlite import open_sqlite

        return open_sqlite(directory, secret)
    from crossfelt.server.store.postgresql import open_postgresql

    return open_postgresql(known_address(database), secret)


def open_reader(directory: Path, database: str | None = None) -> Reader:
    """A store to look at, while a house may be running there."""
    from crossfelt.server.store.reader import Reader

    return Reader(engine_to_read(directory, database))


def engine_to_read(directory: Path, database: str | None = None) -> sa.Engine:
    """Connections for who only looks, while a house may be running there."""
    if database is None:
        from crossfelt.server.store.sqlite import FILE, reading_engine

        if not os.path.isfile(directory / FILE):
            raise BadInput(Problem(code="store.none", what="no house keeps its data here", where=str(directory)))
        return reading_engine(directory / FILE)
    from crossfelt.server.store.postgresql import describe_address, engine_for

    return describe_address(lambda: engine_for(known_address(database), 1))


def known_address(database: str) -> str:
    """An address that may be one of PostgreSQL; `BadInput` for what is none."""
    if not database.startswith(("postgresql://", "postgres://")):
        # The address is not repeated: it may hold a password.
        what, allowed = "not the address of a database", "postgresql://…"
        raise BadInput(Problem(code="store.database", what=what, where="database", allowed=allowed))
    return database
