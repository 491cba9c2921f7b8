"""Fixtures of the server's tests: databases, and shorter times for deliberate delays."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossfelt.server.accounts import passwords
from crossfelt.server.core import settings
from crossfelt.server.workers import advice
from limits import WAIT_SECONDS
from server.databases import Database, PostgresqlDatabase, SqliteDatabase
from server.postgres import Postgres


@pytest.fixture(autouse=True)
def quick_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show cards for a hundredth of the time that people need."""
    monkeypatch.setattr(
        settings, "SEEN_MS", {kind: milliseconds // 100 for kind, milliseconds in settings.SEEN_MS.items()}
    )


@pytest.fixture(autouse=True)
def patient_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a busy machine its time to compute an advice or a report."""
    monkeypatch.setattr(advice, "SECONDS", WAIT_SECONDS)


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords at a low cost."""
    monkeypatch.setattr(passwords, "TIMES", 1)
    monkeypatch.setattr(passwords, "MEMORY_KIB", 8)


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """Restore the log handlers, which a server in a test replaces."""
    root, ours = logging.getLogger(), logging.getLogger("crossfelt")
    handlers, levels = root.handlers, {logger: logger.level for logger in (root, ours)}
    root.handlers = list(handlers)
    yield
    root.handlers = handlers
    for logger, level in levels.items():
        logger.setLevel(level)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """A new database, of each kind in turn."""
    if request.param == "sqlite":
        return SqliteDatabase(tmp_path / "data")
    return PostgresqlDatabase(request.getfixturevalue("postgres").new_database(), tmp_path / "data")
