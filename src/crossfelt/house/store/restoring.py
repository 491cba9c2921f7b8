"""Restores a backup into an empty place: a data directory, or a PostgreSQL database with nothing in it.

A restored house has a new name. What was signed after the backup was made belongs to the old one, and stays there for
everybody to see; nobody is logged in, and nobody holds a lease.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt.files import new_private_file
from crossfelt.house.audit.keys import PRIVATE, PUBLIC
from crossfelt.house.store import statements as say
from crossfelt.house.store.backup import FILES, Backup, values_of
from crossfelt.house.store.migrating import LATEST, migrate
from crossfelt.house.store.opening import known_address
from crossfelt.house.store.postgresql import engine_for, told
from crossfelt.house.store.schema import metadata, streams
from crossfelt.house.store.sqlite import FILE, LOCK, lock_of, writing_engine
from crossfelt.problems import BadInput, Problem

LEFT_BEHIND: Final = ("session", "attempts")
"""Kinds of records that are of no use to a restored house."""


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup was of."""

    rows: int
    house: str
    """The name that the house had."""
    at: int
    """When the backup was made."""


def restore(path: Path, directory: Path, database: str | None) -> Restored:
    """Restores a backup. What fails leaves nothing behind."""
    backup = Backup(path)
    try:
        if backup.opening.revision != LATEST:
            what = "was made by another version of Crossfelt, which must restore it first"
            raise BadInput(Problem(code="backup.revision", what=what, where=str(path), allowed=LATEST))
        if PRIVATE not in backup.opening.files:
            what = "holds no signing key: nothing that is signed in it could be checked"
            raise BadInput(Problem(code="backup.key", what=what, where=str(path)))
        _check_empty(directory, database)
        with _directory_for(directory):
            if database is None:
                with _alone_in(directory), _files_in(directory, backup):
                    count = _into_sqlite(backup, directory / FILE)
            else:
                with _files_in(directory, backup):
                    count = told(lambda: _into(backup, engine_for(known_address(database), 1)))
    except OSError as error:
        what = f"cannot be used: {error.strerror}"
        raise BadInput(Problem(code="store.directory", what=what, where=str(directory))) from None
    finally:
        backup.close()
    return Restored(rows=count, house=backup.opening.house, at=backup.opening.at)


def _check_empty(directory: Path, database: str | None) -> None:
    """A log that another database has left would be read as that of the one that is restored."""
    embedded = (FILE, *(f"{FILE}-{log}" for log in ("wal", "journal"))) if database is None else ()
    there = [name for name in (*FILES, *embedded) if (directory / name).exists()]
    if there:
        what = "a house keeps its data here already"
        raise BadInput(Problem(code="restore.occupied", what=what, where=str(directory), value=there[0]))


def _into_sqlite(backup: Backup, path: Path) -> int:
    beside = path.with_name(path.name + ".part")
    beside.unlink(missing_ok=True)
    try:
        count = _into(backup, writing_engine(beside))
        beside.replace(path)
    except exc.DBAPIError as error:
        what = f"the database cannot be written: {error.orig}"
        raise BadInput(Problem(code="store.unwritable", what=what, where=str(path))) from None
    finally:
        for left in (beside, *beside.parent.glob(f"{beside.name}-*")):
            left.unlink(missing_ok=True)
    return count


def _into(backup: Backup, engine: sa.Engine) -> int:
    """All in one transaction. What the database says of itself is for who knows which one it is."""
    try:
        migrate(engine)
        with engine.begin() as connection:
            if connection.execute(say.last_position).scalar_one():
                raise BadInput(Problem(code="restore.occupied", what="the database holds a house already"))
            connection.execute(sa.delete(metadata.tables["facts"]))
            count = _fill(backup, connection)
            _begin_anew(connection, backup.opening.house)
    finally:
        engine.dispose()
    return count


def _fill(backup: Backup, connection: sa.Connection) -> int:
    """Only what is wrong with the rows is the backup's fault: a database may also go away, or have no room."""
    count = 0
    try:
        for rows in backup.rows():
            if set(rows.columns) != set(metadata.tables[rows.table].columns.keys()):
                raise KeyError(rows.table)
            count += len(rows.rows)
            values = [it for it in values_of(rows) if rows.table != "records" or it["kind"] not in LEFT_BEHIND]
            if values:
                connection.execute(sa.insert(metadata.tables[rows.table]), values)
    except (BadInput, exc.OperationalError):
        raise
    except (exc.StatementError, KeyError, ValueError):
        raise BadInput(Problem(code="backup.rows", what="the backup holds rows that do not fit")) from None
    return count


def _begin_anew(connection: sa.Connection, before: str) -> None:
    """Under a new name, with all those that it had before."""
    dialect = connection.dialect.name
    connection.execute(say.end_all_leases)
    names = f"{connection.execute(say.fact, {'of': say.NAMES_BEFORE}).scalar() or ''} {before}".strip()
    connection.execute(say.put_fact(dialect), {"name": say.NAMES_BEFORE, "value": names})
    connection.execute(say.put_fact(dialect), {"name": "house", "value": secrets.token_hex(8)})
    if dialect == "postgresql":
        # Rows came with their numbers: the next one drawn must be above them.
        last = sa.select(sa.func.coalesce(sa.func.max(streams.c.id), 1)).scalar_subquery()
        connection.execute(sa.select(sa.func.setval(sa.func.pg_get_serial_sequence("streams", "id"), last)))


@contextmanager
def _directory_for(directory: Path) -> Iterator[None]:
    """A directory, made where there is none; what was made goes again where something fails."""
    missing = [it for it in (directory, *directory.parents) if not it.exists()]
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        yield
    except BaseException:
        for empty in missing:
            with suppress(OSError):  # it was not made yet, or somebody else has put something there
                empty.rmdir()
        raise


@contextmanager
def _alone_in(directory: Path) -> Iterator[None]:
    """Nobody else opens the directory meanwhile. A house that still runs there has lost its files, and would be in the
    way of this one; one that is started there, as a supervisor does again and again, finds no key, and clears away the
    database that it has not made."""
    new = not (directory / LOCK).exists()
    with lock_of(directory):
        try:
            _check_empty(directory, None)  # one may have begun before the lock was taken
            yield
        except BaseException:
            if new:
                (directory / LOCK).unlink(missing_ok=True)
            raise


@contextmanager
def _files_in(directory: Path, backup: Backup) -> Iterator[None]:
    """The files beside the database; what was made goes again where something fails.

    All of them are on the disk before the database is touched, and the private key is put in its place last: what was
    killed in between has a public key without it, and no house opens with that, neither an empty one nor one that
    would sign with another key.
    """
    parts = {name: directory / f"{name}.part" for name in FILES if name in backup.opening.files}
    stored = False
    try:
        for name, part in parts.items():
            part.unlink(missing_ok=True)
            with new_private_file(part) as file:
                file.write(backup.opening.files[name])
        _put_in_place(parts, PUBLIC)
        yield
        stored = True
        _put_in_place(parts, PRIVATE)
    except BaseException:
        for made in (*parts.values(), *(() if stored else [directory / PUBLIC])):
            with suppress(OSError):
                made.unlink(missing_ok=True)
        raise


def _put_in_place(parts: Mapping[str, Path], name: str) -> None:
    """Durable before anything else is done: a directory is written by itself."""
    if (part := parts.get(name)) is None:
        return
    part.replace(part.with_name(name))
    place = os.open(part.parent, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)
