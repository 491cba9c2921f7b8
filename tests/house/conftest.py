"""Databases for the house: SQLite in a directory, and a PostgreSQL of our own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from house.databases import Database, PostgresqlDatabase, SqliteDatabase
from house.postgres import Postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """A fresh database, of each kind in turn."""
    if request.param == "sqlite":
        return SqliteDatabase(tmp_path / "data")
    return PostgresqlDatabase(request.getfixturevalue("postgres").new_database(), tmp_path / "data")
