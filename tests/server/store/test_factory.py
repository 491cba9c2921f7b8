"""Opening a store: migrations, one server for each directory, readable refusals."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import sqlite3
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from crossfelt.errors import BadInput
from crossfelt.server.store import signing_key
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.interface import Record, Unavailable
from crossfelt.server.store.migrate import LATEST, MIGRATIONS, migrate
from crossfelt.server.store.sqlite import FILE
from crossfelt.server.store.statements import metadata
from server.databases import Title
from server.postgres import Postgres


def engine_of(kind: str, directory: Path, request: pytest.FixtureRequest) -> sa.Engine:
    if kind == "sqlite":
        directory.mkdir(exist_ok=True)
        return sa.create_engine(f"sqlite:///{directory / 'x.sqlite'}")
    server: Postgres = request.getfixturevalue("postgres")
    return sa.create_engine(server.new_database().replace("postgresql:", "postgresql+psycopg:"))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_new_database_has_the_tables_of_the_metadata(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    engine = engine_of(kind, tmp_path, request)
    assert migrate(engine) == migrate(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == LATEST
    engine.dispose()


def test_the_last_migration_is_the_latest_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == LATEST


def test_processes_that_start_together_migrate_once(postgres: Postgres) -> None:
    address = postgres.new_database().replace("postgresql:", "postgresql+psycopg:")
    names: list[str] = []

    def start() -> None:
        engine = sa.create_engine(address)
        names.append(migrate(engine))
        engine.dispose()

    threads = [threading.Thread(target=start) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names) == 5
    assert len(set(names)) == 1


def test_a_second_server_on_a_directory_is_refused(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with pytest.raises(BadInput, match="another server is running on this directory"):
        open_store(tmp_path)
    asyncio.run(store.close())
    asyncio.run(open_store(tmp_path).close())


@pytest.mark.parametrize("gone", [".", FILE, "crossfelt.lock"])
def test_a_store_is_unavailable_while_its_files_are_moved_away(gone: str, tmp_path: Path) -> None:
    """Rows written to the moved files would be acknowledged and lost."""
    data, away = tmp_path / "data", tmp_path / "away"

    async def story() -> None:
        store = open_store(data)
        await store.commit(["a"], lambda tx: tx.open("a", Title("a"), 0))
        (data / gone).rename(away)
        with pytest.raises(Unavailable, match="was moved away or deleted"):
            await store.commit(["b"], lambda tx: tx.open("b", Title("b"), 0))
        with pytest.raises(Unavailable, match="was moved away or deleted"):
            await store.head("a")
        away.rename(data / gone)
        await store.commit(["b"], lambda tx: tx.open("b", Title("b"), 0))
        assert [head.stream for head in await store.streams()] == ["a", "b"]
        await store.close()

    asyncio.run(story())


def test_only_one_connection_may_write(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with store._readers.connect() as reader, pytest.raises(sa.exc.OperationalError, match="readonly"):
        reader.execute(sa.text("delete from lines"))
    with store._dialect.engine.connect() as writer:
        assert writer.exec_driver_sql("pragma journal_mode").scalar() == "wal"
        assert writer.exec_driver_sql("pragma synchronous").scalar() == 2
    asyncio.run(store.close())
    assert not (tmp_path / f"{FILE}-wal").exists(), "a stopped server is one file to copy"


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    asyncio.run(open_store(tmp_path).close())
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    connection.close()
    with pytest.raises(BadInput, match="newer version"):
        open_store(tmp_path)


@pytest.mark.parametrize(
    ("database", "told"),
    [
        ("mysql://u:secret@h/d", "not the address of a database"),
        ("postgresql://u:secret@127.0.0.1:1/d", "PostgreSQL cannot be reached"),
        ("postgresql://u:secret@127.0.0.1:port/d", "not a valid PostgreSQL address"),
        ("postgresql://u:secret@127.0.0.1/d?colour=red", "PostgreSQL cannot be used: invalid connection option"),
    ],
)
def test_a_bad_address_is_reported_without_its_password(tmp_path: Path, database: str, told: str) -> None:
    with pytest.raises(BadInput, match=told) as refused:
        open_store(tmp_path, database)
    assert "secret" not in str(refused.value)
    assert not [*tmp_path.iterdir()], "a key here would stop a restore"


def test_a_failed_first_start_leaves_nothing_that_stops_a_restore(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: sa.Engine) -> str:
        raise sa.exc.OperationalError("", None, Exception("database or disk is full"))

    def left() -> set[str]:
        return {file.name for file in tmp_path.iterdir()} - {"crossfelt.lock"}

    with monkeypatch.context() as failing:
        failing.setattr("crossfelt.server.store.sqlite.migrate", full)
        with pytest.raises(BadInput, match="disk is full"):
            open_store(tmp_path)
    assert left() == set()
    (tmp_path / "crossfelt.pub").touch()
    with pytest.raises(BadInput, match="is missing"):
        open_store(tmp_path)
    assert left() == {"crossfelt.pub"}
    (tmp_path / "crossfelt.pub").unlink()
    asyncio.run(open_store(tmp_path).close())
    assert left() == {FILE, "crossfelt.key", "crossfelt.pub"}


def test_no_empty_server_starts_in_place_of_a_lost_database(tmp_path: Path) -> None:
    asyncio.run(open_store(tmp_path).close())
    for lose in (Path.unlink, Path.touch):
        lose(tmp_path / FILE)
        with pytest.raises(BadInput, match=rf"{FILE}: is missing or empty, but there is a crossfelt\.key"):
            open_store(tmp_path)
    assert (tmp_path / FILE).stat().st_size == 0
    for name in ("crossfelt.key", "crossfelt.pub"):
        (tmp_path / name).rename(tmp_path / f"{name}.away")
    asyncio.run(open_store(tmp_path).close())


def test_a_first_start_killed_after_making_its_key_can_start_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(path: Path) -> None:
        make(path)
        shutil.copytree(path.parent, tmp_path / "killed")

    make = signing_key._make
    monkeypatch.setattr(signing_key, "_make", killed)
    asyncio.run(open_store(tmp_path / "data").close())
    assert (tmp_path / "killed" / "crossfelt.key").exists()
    asyncio.run(open_store(tmp_path / "killed").close())


def test_a_first_start_that_fails_after_making_its_key_can_start_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as failing:
        failing.setattr(signing_key, "write_atomically", full)
        with pytest.raises(BadInput, match="No space left on device"):
            open_store(tmp_path)
    asyncio.run(open_store(tmp_path).close())


def test_a_read_only_database_is_reported_as_an_outage_of_writes(tmp_path: Path) -> None:
    store, standby = open_store(tmp_path), True

    def refuse(_: sa.Connection) -> None:
        if standby:
            raise sa.exc.InternalError("", None, Exception("cannot execute INSERT in a read-only transaction"))

    async def story() -> None:
        nonlocal standby
        with pytest.raises(Unavailable, match="read-only"):
            await store.commit([], lambda tx: tx.put(Record(kind="a", key="b", body=b"")))
        assert not store.takes_writing
        standby = False
        await store.commit([], lambda tx: tx.put(Record(kind="a", key="b", body=b"")))
        assert store.takes_writing
        await store.close()

    sa.event.listen(store._dialect.engine, "begin", refuse)
    asyncio.run(story())


def test_postgresql_without_its_driver_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(BadInput, match=r"install crossfelt\[postgres\]"):
        open_store(tmp_path, "postgresql://127.0.0.1:1/house")


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database, by any means" * 100)
    with pytest.raises(BadInput, match="not a database"):
        open_store(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="not a directory"):
        open_store(tmp_path / "file")


@pytest.mark.parametrize("name", [FILE, f"{FILE}-wal", f"{FILE}-shm"])
def test_a_read_only_database_file_is_refused_by_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only log stops a start even when the database is writable again, so the refusal names it."""
    asyncio.run(open_store(tmp_path).close())
    (tmp_path / name).touch()
    with monkeypatch.context() as protected:
        protected.setattr(os, "access", lambda path, mode: (path, mode) != (tmp_path / name, os.W_OK))
        with pytest.raises(BadInput, match=f"{name}: cannot be written"):
            open_store(tmp_path)
    asyncio.run(open_store(tmp_path).close())


@pytest.mark.parametrize("missing", ["leases", "lines"])
def test_a_damaged_database_is_refused(tmp_path: Path, missing: str) -> None:
    asyncio.run(open_store(tmp_path).close())
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute(f"drop table {missing}")
    connection.close()
    with pytest.raises(BadInput, match=f"{FILE}: cannot be used: no such table: {missing}"):
        open_store(tmp_path)
