"""The store that a server's settings name: in a data directory, or in PostgreSQL."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from crossfelt.errors import BadInput
from crossfelt.server.store.signing_key import signing_key

if TYPE_CHECKING:
    import sqlalchemy as sa

    from crossfelt.server.store.reader import Reader
    from crossfelt.server.store.sql_store import Store


def open_store(directory: Path, database: str | None = None) -> Store:
    """Open the store in a data directory, or in the PostgreSQL database at an address.

    The signing key is in the directory in both cases. It is made after the database, because a key that a failed start
    left behind would stop a restore.
    """

    def secret() -> bytes:
        return signing_key(directory).secret("snapshots")

    if database is None:
        from crossfelt.server.store.sqlite import open_sqlite

        return open_sqlite(directory, secret)
    from crossfelt.server.store.postgresql import open_postgresql

    return open_postgresql(known_address(database), secret)


def open_reader(directory: Path, database: str | None = None) -> Reader:
    """Open a store to read it, beside a running server."""
    from crossfelt.server.store.reader import Reader

    return Reader(engine_to_read(directory, database))


def engine_to_read(directory: Path, database: str | None = None) -> sa.Engine:
    """Return an engine that only reads, beside a running server."""
    if database is None:
        from crossfelt.server.store.sqlite import FILE, reading_engine

        if not os.path.isfile(directory / FILE):
            raise BadInput.at(str(directory), "store.none", "there is no server data here")
        return reading_engine(directory / FILE)
    from crossfelt.server.store.postgresql import describe_address, engine_for

    return describe_address(lambda: engine_for(known_address(database), 1))


def known_address(database: str) -> str:
    """Return the address of a PostgreSQL database; `BadInput` for another kind of address."""
    if not database.startswith(("postgresql://", "postgres://")):
        # The address is not repeated: it may hold a password.
        raise BadInput.at("database", "store.database", "not the address of a database", allowed="postgresql://…")
    return database
