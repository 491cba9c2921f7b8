"""A backup: everything that a store holds, in one file that either database can be restored from.

The file is gzip of JSON lines: what it is, then the rows of each table as they were at one moment, then how many there
were and the hash of everything before. It holds password hashes and the key of the house, and is written for its owner
alone.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import hashlib
import os
import secrets
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt import __version__
from crossfelt._util.atomic_files import new_private_file
from crossfelt._util.bounded_input import bounded
from crossfelt.errors import BadInput, Problem
from crossfelt.proof.signed_heads import SigningKey
from crossfelt.server.store import statements as say
from crossfelt.server.store.factory import engine_to_read, known_address
from crossfelt.server.store.migrate import LATEST, migrate
from crossfelt.server.store.postgresql import describe_address, engine_for, unusable
from crossfelt.server.store.signing_key import ITS_OWN, PRIVATE, PUBLIC, SIGNING, kept_key
from crossfelt.server.store.sqlite import FILE, LOCK, lock_of, writing_engine
from crossfelt.server.store.statements import metadata, streams

FORMAT: Final = 1
ROWS_AT_ONCE: Final = 500
FILES: Final[tuple[str, ...]] = (PRIVATE, PUBLIC)
"""What a house has beside its database."""
_COMPRESSION: Final = 3
_LONGEST_LINE: Final = 1 << 28


class BackupHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line."""

    backup: int
    crossfelt: str
    revision: str
    """The migration that the tables were at."""
    server_id: str
    at: int
    files: dict[str, bytes]


class BackupRows(msgspec.Struct, frozen=True, kw_only=True):
    """Some rows of a table."""

    table: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class BackupTrailer(msgspec.Struct, frozen=True, kw_only=True):
    """The last line."""

    end: int
    sha256: str


def back_up(directory: Path, database: str | None, target: Path) -> int:
    """Writes a backup, while the house goes on; returns how many rows it has. No file is written over."""
    engine = engine_to_read(directory, database)
    if target.exists():
        raise _refused("file.exists", "is there already", target)
    beside = target.with_name(target.name + ".part")
    try:
        beside.unlink(missing_ok=True)
        with new_private_file(beside) as file, _at_one_moment(engine) as connection:
            count = _write(connection, directory, file)
        beside.replace(target)
    except OSError as error:
        raise _refused("file.unwritable", f"cannot be written: {error.strerror}", target) from None
    except exc.DBAPIError as error:
        if database is not None:
            raise BadInput(unusable(error)) from None
        raise _refused("store.unreadable", f"the database cannot be read: {error.orig}", directory) from None
    finally:
        engine.dispose()
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
    return count


@contextlib.contextmanager
def _at_one_moment(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection that sees the database as it was when it first looked."""
    level = "REPEATABLE READ" if engine.dialect.name == "postgresql" else "AUTOCOMMIT"
    with engine.connect().execution_options(isolation_level=level) as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("begin")
        yield connection
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("rollback")


def _write(connection: sa.Connection, directory: Path, file: IO[bytes]) -> int:
    server_id = connection.execute(say.fact, {"of": "server"}).scalar_one()
    revision = connection.execute(sa.text("select version_num from alembic_version")).scalar_one()
    key = _key_of(connection, directory)
    opening = BackupHeader(
        backup=FORMAT,
        crossfelt=__version__,
        revision=revision,
        server_id=server_id,
        at=int(time.time() * 1000),
        files={PRIVATE: key.pem, PUBLIC: key.public.pem},
    )
    total, digest = 0, hashlib.sha256()
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=_COMPRESSION, filename="", mtime=0) as packed:
        _put(packed, digest, opening)
        for rows in _rows(connection):
            _put(packed, digest, rows)
            total += len(rows.rows)
        packed.write(msgspec.json.encode(BackupTrailer(end=total, sha256=digest.hexdigest())) + b"\n")
    return total


def _key_of(connection: sa.Connection, directory: Path) -> SigningKey:
    """The key that this house signs with: with no other could what is restored be checked, and a database that is
    elsewhere does not say in which directory its key is."""
    key, known = kept_key(directory), connection.execute(say.fact, {"of": SIGNING}).scalar()
    if known is not None and known != key.public.text:
        what, where = "is not the key that the house signs with", str(directory / PRIVATE)
        raise BadInput(Problem(code="key.other", what=what, where=where, allowed=ITS_OWN))
    return key


def _put(packed: gzip.GzipFile, digest: Any, line: msgspec.Struct) -> None:
    data = msgspec.json.encode(line) + b"\n"
    digest.update(data)
    packed.write(data)


def _rows(connection: sa.Connection) -> Iterator[BackupRows]:
    for table in metadata.sorted_tables:
        columns = tuple(str(column.name) for column in table.columns)
        found = connection.execution_options(stream_results=True).execute(sa.select(table).order_by(*table.primary_key))
        for part in found.partitions(ROWS_AT_ONCE):
            yield BackupRows(table=str(table.name), columns=columns, rows=tuple(tuple(row) for row in part))


class Backup:
    """A backup file that is read: its first line at once, its rows one part after another."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._digest = hashlib.sha256()
        try:
            self._file = gzip.open(path, "rb")  # noqa: SIM115
            line = self._line()
            self.opening = msgspec.json.decode(bounded(line), type=BackupHeader)
        except OSError as error:
            raise _refused("file.unreadable", f"cannot be read: {error.strerror or error}", path) from None
        except (msgspec.MsgspecError, zlib.error, EOFError):
            raise _refused("backup.shape", "not a backup", path) from None
        if (self.opening.backup, self.opening.revision) > (FORMAT, LATEST):
            raise _refused("backup.newer", "was made by a newer version of Crossfelt", path)
        self._digest.update(line)

    def rows(self) -> Iterator[BackupRows]:
        """Everything, to the last line; `BadInput` where the file is not whole."""
        count = 0
        try:
            while line := self._line():
                if line.startswith(b'{"end":'):
                    ending = msgspec.json.decode(bounded(line), type=BackupTrailer)
                    if (ending.end, ending.sha256) != (count, self._digest.hexdigest()) or self._file.read(1):
                        raise _refused("backup.changed", "the backup was changed", self._path)
                    return
                rows = msgspec.json.decode(bounded(line), type=BackupRows)
                self._digest.update(line)
                count += len(rows.rows)
                yield rows
        except (msgspec.MsgspecError, zlib.error, EOFError, OSError):
            raise _refused("backup.damaged", "the backup is damaged", self._path) from None
        raise _refused("backup.cut", "the backup ends without its last line", self._path)

    def close(self) -> None:
        self._file.close()

    def _line(self) -> bytes:
        return self._file.readline(_LONGEST_LINE)


def values_of(rows: BackupRows) -> list[dict[str, Any]]:
    """Rows as the database takes them: JSON has no bytes, and holds them as base64."""
    binary = {column.name for column in metadata.tables[rows.table].columns if isinstance(column.type, sa.LargeBinary)}
    return [
        {
            name: base64.b64decode(value) if name in binary else value
            for name, value in zip(rows.columns, row, strict=True)
        }
        for row in rows.rows
    ]


def _refused(code: str, what: str, path: Path) -> BadInput:
    return BadInput(Problem(code=code, what=what, where=str(path)))


# --- Restores a backup into an empty place: a data directory, or a PostgreSQL database with nothing in it.

LEFT_BEHIND: Final = ("session", "attempts")
"""Kinds of records that are of no use to a restored house."""


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup was of."""

    rows: int
    server_id: str
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
                    count = describe_address(lambda: _into(backup, engine_for(known_address(database), 1)))
    except OSError as error:
        what = f"cannot be used: {error.strerror}"
        raise BadInput(Problem(code="store.directory", what=what, where=str(directory))) from None
    finally:
        backup.close()
    return Restored(rows=count, server_id=backup.opening.server_id, at=backup.opening.at)


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
            _begin_anew(connection, backup.opening.server_id)
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
    connection.execute(say.put_fact(dialect), {"name": "server", "value": secrets.token_hex(8)})
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
