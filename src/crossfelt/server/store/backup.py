"""Backup and restore: all tables of a store in one file, which either database can be restored from.

The file is gzip of JSON lines: a header, the rows of each table, and a trailer with the number of rows and a SHA-256 of
everything before it. It holds password hashes and the signing key, so only its owner may read it.

A backup:

- is consistent: all rows come from one read transaction, while the server goes on;
- holds the right key: it is refused if the key in the data directory is not the one that the server signs with. A
  restored server whose signed heads no key can check would be worthless, and a PostgreSQL database does not say where
  its key is;
- is whole or absent: it is written beside its target and renamed at the end.

A restore:

- goes into an empty directory or database only, under the lock of the directory, so that no server runs there or starts
  there meanwhile. A log that another SQLite database left behind counts as occupied, because SQLite would replay it;
- leaves nothing behind if it fails: all rows are one transaction, and the files are removed again;
- is never taken for a finished one. The public key is in place before the rows and the private key after them, each of
  them synced. A server refuses to start with a public key alone, so a restore that was killed starts neither an empty
  server nor one with a new key;
- makes a new server: it gets a new id and ends all leases and sessions. The old server may still run and sign heads
  under its own id, and the two histories must stay apart. The former ids are kept for the check of signed heads.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import secrets
import time
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
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
from crossfelt.server.store import statements as sql
from crossfelt.server.store.factory import engine_to_read, known_address
from crossfelt.server.store.migrate import LATEST, migrate
from crossfelt.server.store.postgresql import describe_address, engine_for, unusable
from crossfelt.server.store.signing_key import ITS_OWN, PRIVATE, PUBLIC, SIGNING, kept_key
from crossfelt.server.store.sqlite import FILE, LOCK, lock_directory, writing_engine

FORMAT: Final = 1
ROWS_AT_ONCE: Final = 500
FILES: Final[tuple[str, ...]] = (PRIVATE, PUBLIC)
"""The files that a server has beside its database."""
_COMPRESSION: Final = 3
_LONGEST_LINE: Final = 1 << 28


class BackupHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line."""

    backup: int
    crossfelt: str
    revision: str
    """The last migration of the tables."""
    server_id: str
    """The id of the server that was backed up."""
    at: int
    """The time of the backup."""
    files: dict[str, bytes]


class BackupRows(msgspec.Struct, frozen=True, kw_only=True):
    """Some rows of a table."""

    table: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class BackupTrailer(msgspec.Struct, frozen=True, kw_only=True):
    """The last line."""

    end: int
    """The number of rows."""
    sha256: str


# --- backup -----------------------------------------------------------------------------------------------------------


def back_up(directory: Path, database: str | None, target: Path) -> int:
    """Write a backup to a new file, while the server goes on; return the number of rows."""
    engine = engine_to_read(directory, database)
    if target.exists():
        raise _refused("file.exists", "exists already: give another file", target)
    partial = target.with_name(target.name + ".part")
    try:
        partial.unlink(missing_ok=True)
        with new_private_file(partial) as file, _snapshot(engine) as connection:
            count = _write(connection, directory, file)
        partial.replace(target)
    except OSError as error:
        raise _refused("file.unwritable", f"cannot be written: {error.strerror}", target) from None
    except exc.DBAPIError as error:
        if database is not None:
            raise BadInput(unusable(error)) from None
        raise _refused("store.unreadable", f"the database cannot be read: {error.orig}", directory) from None
    finally:
        engine.dispose()
    return count


@contextmanager
def _snapshot(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Open a connection that sees the database as it is at its first read."""
    level = "REPEATABLE READ" if engine.dialect.name == "postgresql" else "AUTOCOMMIT"
    with engine.connect().execution_options(isolation_level=level) as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("begin")
        yield connection
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("rollback")


def _write(connection: sa.Connection, directory: Path, file: IO[bytes]) -> int:
    server_id = connection.execute(sql.property_of, {"of": sql.SERVER_ID}).scalar_one()
    revision = connection.execute(sa.text("select version_num from alembic_version")).scalar_one()
    key = _key_of(connection, directory)
    header = BackupHeader(
        backup=FORMAT,
        crossfelt=__version__,
        revision=revision,
        server_id=server_id,
        at=int(time.time() * 1000),
        files={PRIVATE: key.pem, PUBLIC: key.public.pem},
    )
    total, digest = 0, hashlib.sha256()
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=_COMPRESSION, filename="", mtime=0) as packed:
        _put(packed, digest, header)
        for rows in _rows(connection):
            _put(packed, digest, rows)
            total += len(rows.rows)
        packed.write(msgspec.json.encode(BackupTrailer(end=total, sha256=digest.hexdigest())) + b"\n")
    return total


def _key_of(connection: sa.Connection, directory: Path) -> SigningKey:
    """Return the key in the directory; `BadInput` if the server signs with another key."""
    key, known = kept_key(directory), connection.execute(sql.property_of, {"of": SIGNING}).scalar()
    if known is not None and known != key.public.text:
        what, where = "is not the key that the server signs with", str(directory / PRIVATE)
        raise BadInput.at(where, "key.other", what, allowed=ITS_OWN)
    return key


def _put(packed: gzip.GzipFile, digest: Any, line: msgspec.Struct) -> None:
    data = msgspec.json.encode(line) + b"\n"
    digest.update(data)
    packed.write(data)


def _rows(connection: sa.Connection) -> Iterator[BackupRows]:
    for table in sql.metadata.sorted_tables:
        columns = tuple(str(column.name) for column in table.columns)
        found = connection.execution_options(stream_results=True).execute(sa.select(table).order_by(*table.primary_key))
        for part in found.partitions(ROWS_AT_ONCE):
            yield BackupRows(table=str(table.name), columns=columns, rows=tuple(tuple(row) for row in part))


# --- restore ----------------------------------------------------------------------------------------------------------

EXPIRED_KINDS: Final = ("session", "attempts")
"""Kinds of records that are not restored."""


class Backup:
    """A backup file: its header at once, its rows part by part."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._digest = hashlib.sha256()
        try:
            self._file = gzip.open(path, "rb")  # noqa: SIM115
            line = self._file.readline(_LONGEST_LINE)
            self.header = msgspec.json.decode(bounded(line), type=BackupHeader)
        except OSError as error:
            raise _refused("file.unreadable", f"cannot be read: {error.strerror or error}", path) from None
        except (msgspec.MsgspecError, zlib.error, EOFError):
            raise _refused("backup.shape", "not a backup", path) from None
        if (self.header.backup, self.header.revision) > (FORMAT, LATEST):
            raise _refused("backup.newer", "was made by a newer version of Crossfelt", path)
        self._digest.update(line)

    def rows(self) -> Iterator[BackupRows]:
        """Yield all rows; `BadInput` if the file is damaged or cut."""
        count = 0
        try:
            while line := self._file.readline(_LONGEST_LINE):
                if line.startswith(b'{"end":'):
                    trailer = msgspec.json.decode(bounded(line), type=BackupTrailer)
                    if (trailer.end, trailer.sha256) != (count, self._digest.hexdigest()) or self._file.read(1):
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


def values_of(rows: BackupRows) -> list[dict[str, Any]]:
    """Return rows as the database takes them: JSON holds bytes as base64."""
    columns = sql.metadata.tables[rows.table].columns
    binary = {column.name for column in columns if isinstance(column.type, sa.LargeBinary)}
    return [
        {
            name: base64.b64decode(value) if name in binary else value
            for name, value in zip(rows.columns, row, strict=True)
        }
        for row in rows.rows
    ]


def _refused(code: str, what: str, path: Path) -> BadInput:
    return BadInput.at(str(path), code, what)


def restore(path: Path, directory: Path, database: str | None) -> tuple[BackupHeader, int]:
    """Restore a backup into an empty directory or database; return its header and the number of its rows.

    A failure leaves nothing behind.
    """
    backup = Backup(path)
    try:
        if backup.header.revision != LATEST:
            what = "was made by another version of Crossfelt: restore it with that version first"
            raise BadInput.at(str(path), "backup.revision", what, allowed=LATEST)
        if not backup.header.files.keys() >= {*FILES}:
            raise BadInput.at(str(path), "backup.key", "holds no signing key, so its signed heads could not be checked")
        _check_empty(directory, database)
        with ExitStack() as held, ExitStack() as undo:
            for missing in reversed([it for it in (directory, *directory.parents) if not it.exists()]):
                undo.callback(_remove_if_empty, missing)
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            if database is None:
                _lock(directory, held, undo)
            private_key = _write_keys(directory, backup, undo)
            if database is None:
                count = _into_sqlite(backup, directory / FILE)
            else:
                count = describe_address(lambda: _into(backup, engine_for(known_address(database), 1)))
            undo.pop_all()
            _put_in_place(private_key)
    except OSError as error:
        raise BadInput.at(str(directory), "store.directory", f"cannot be used: {error.strerror}") from None
    finally:
        backup.close()
    return backup.header, count


def _check_empty(directory: Path, database: str | None) -> None:
    embedded = (FILE, *(f"{FILE}-{log}" for log in ("wal", "journal"))) if database is None else ()
    found = [name for name in (*FILES, *embedded) if (directory / name).exists()]
    if found:
        raise BadInput.at(str(directory), "restore.occupied", "there is server data here already", found[0])


def _remove_if_empty(directory: Path) -> None:
    with suppress(OSError):
        directory.rmdir()


def _lock(directory: Path, held: ExitStack, undo: ExitStack) -> None:
    """Keep servers out of the directory. A server that starts there would find no key, and remove the database."""
    is_new = not (directory / LOCK).exists()
    held.enter_context(lock_directory(directory))
    if is_new:
        undo.callback((directory / LOCK).unlink, missing_ok=True)
    _check_empty(directory, None)  # a server may have started before the lock was taken


def _write_keys(directory: Path, backup: Backup, undo: ExitStack) -> Path:
    """Write both keys, put the public one in its place, and return the private one for the end of the restore."""
    partial = {name: directory / f"{name}.part" for name in FILES}
    for name, path in partial.items():
        path.unlink(missing_ok=True)
        undo.callback(path.unlink, missing_ok=True)
        with new_private_file(path) as file:
            file.write(backup.header.files[name])
    undo.callback((directory / PUBLIC).unlink, missing_ok=True)
    _put_in_place(partial[PUBLIC])
    return partial[PRIVATE]


def _put_in_place(partial: Path) -> None:
    """Rename a file to its final name, durably: the directory has to be synced too."""
    partial.replace(partial.with_suffix(""))
    place = os.open(partial.parent, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def _into_sqlite(backup: Backup, path: Path) -> int:
    partial = path.with_name(path.name + ".part")
    partial.unlink(missing_ok=True)
    try:
        count = _into(backup, writing_engine(partial))
        partial.replace(path)
    except exc.DBAPIError as error:
        raise BadInput.at(str(path), "store.unwritable", f"the database cannot be written: {error.orig}") from None
    finally:
        for left in (partial, *partial.parent.glob(f"{partial.name}-*")):
            left.unlink(missing_ok=True)
    return count


def _into(backup: Backup, engine: sa.Engine) -> int:
    try:
        migrate(engine)
        with engine.begin() as connection:
            if connection.execute(sql.last_position).scalar_one():
                raise BadInput(Problem(code="restore.occupied", what="the database holds server data already"))
            connection.execute(sa.delete(sql.properties))
            count = _fill(backup, connection)
            _make_new_server(connection, backup.header.server_id)
    finally:
        engine.dispose()
    return count


def _fill(backup: Backup, connection: sa.Connection) -> int:
    """Insert the rows. An `OperationalError` is the database's fault, any other error that of the backup."""
    count = 0
    try:
        for rows in backup.rows():
            if set(rows.columns) != set(sql.metadata.tables[rows.table].columns.keys()):
                raise KeyError(rows.table)
            count += len(rows.rows)
            values = [it for it in values_of(rows) if rows.table != "records" or it["kind"] not in EXPIRED_KINDS]
            if values:
                connection.execute(sa.insert(sql.metadata.tables[rows.table]), values)
    except (BadInput, exc.OperationalError):
        raise
    except (exc.StatementError, KeyError, ValueError):
        raise BadInput(Problem(code="backup.rows", what="the backup holds rows that do not fit")) from None
    return count


def _make_new_server(connection: sa.Connection, former_id: str) -> None:
    """Give the restored server a new id, and add the former one to its former ids."""
    dialect = connection.dialect.name
    connection.execute(sql.end_all_leases)
    earlier = connection.execute(sql.property_of, {"of": sql.FORMER_IDS}).scalar() or ""
    former_ids = f"{earlier} {former_id}".strip()
    for name, value in ((sql.FORMER_IDS, former_ids), (sql.SERVER_ID, secrets.token_hex(8))):
        connection.execute(sql.put(dialect, sql.properties), {"name": name, "value": value})
    if dialect == "postgresql":
        # The restored rows brought their ids: the sequence must go on above them.
        last = sa.select(sa.func.coalesce(sa.func.max(sql.streams.c.id), 1)).scalar_subquery()
        connection.execute(sa.select(sa.func.setval(sa.func.pg_get_serial_sequence("streams", "id"), last)))
