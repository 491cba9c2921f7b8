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
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt import __version__
from crossfelt.files import new_private_file
from crossfelt.house.audit.keys import ITS_OWN, PRIVATE, PUBLIC, SIGNING, kept_key
from crossfelt.house.store import statements as say
from crossfelt.house.store.migrating import LATEST
from crossfelt.house.store.opening import engine_to_read
from crossfelt.house.store.postgresql import unusable
from crossfelt.house.store.schema import metadata
from crossfelt.problems import BadInput, Problem
from crossfelt.proof.heads import SigningKey

FORMAT: Final = 1
ROWS_AT_ONCE: Final = 500
FILES: Final[tuple[str, ...]] = (PRIVATE, PUBLIC)
"""What a house has beside its database."""
_COMPRESSION: Final = 3
_LONGEST_LINE: Final = 1 << 28


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """The first line."""

    backup: int
    crossfelt: str
    revision: str
    """The migration that the tables were at."""
    house: str
    at: int
    files: dict[str, bytes]


class Rows(msgspec.Struct, frozen=True, kw_only=True):
    """Some rows of a table."""

    table: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class Ending(msgspec.Struct, frozen=True, kw_only=True):
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
    house = connection.execute(say.fact, {"of": "house"}).scalar_one()
    revision = connection.execute(sa.text("select version_num from alembic_version")).scalar_one()
    key = _key_of(connection, directory)
    opening = Opening(
        backup=FORMAT,
        crossfelt=__version__,
        revision=revision,
        house=house,
        at=int(time.time() * 1000),
        files={PRIVATE: key.pem, PUBLIC: key.public.pem},
    )
    total, digest = 0, hashlib.sha256()
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=_COMPRESSION, filename="", mtime=0) as packed:
        _put(packed, digest, opening)
        for rows in _rows(connection):
            _put(packed, digest, rows)
            total += len(rows.rows)
        packed.write(msgspec.json.encode(Ending(end=total, sha256=digest.hexdigest())) + b"\n")
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


def _rows(connection: sa.Connection) -> Iterator[Rows]:
    for table in metadata.sorted_tables:
        columns = tuple(str(column.name) for column in table.columns)
        found = connection.execution_options(stream_results=True).execute(sa.select(table).order_by(*table.primary_key))
        for part in found.partitions(ROWS_AT_ONCE):
            yield Rows(table=str(table.name), columns=columns, rows=tuple(tuple(row) for row in part))


class Backup:
    """A backup file that is read: its first line at once, its rows one part after another."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._digest = hashlib.sha256()
        try:
            self._file = gzip.open(path, "rb")  # noqa: SIM115
            line = self._line()
            self.opening = msgspec.json.decode(line, type=Opening)
        except OSError as error:
            raise _refused("file.unreadable", f"cannot be read: {error.strerror or error}", path) from None
        except (msgspec.MsgspecError, zlib.error, EOFError):
            raise _refused("backup.shape", "not a backup", path) from None
        if (self.opening.backup, self.opening.revision) > (FORMAT, LATEST):
            raise _refused("backup.newer", "was made by a newer version of Crossfelt", path)
        self._digest.update(line)

    def rows(self) -> Iterator[Rows]:
        """Everything, to the last line; `BadInput` where the file is not whole."""
        count = 0
        try:
            while line := self._line():
                if line.startswith(b'{"end":'):
                    ending = msgspec.json.decode(line, type=Ending)
                    if (ending.end, ending.sha256) != (count, self._digest.hexdigest()) or self._file.read(1):
                        raise _refused("backup.changed", "the backup was changed", self._path)
                    return
                rows = msgspec.json.decode(line, type=Rows)
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


def values_of(rows: Rows) -> list[dict[str, Any]]:
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
