"""The embedded store: one SQLite file, one process, one connection that writes.

- **One server.** The process holds an exclusive lock on `crossfelt.lock` beside the database. A second server on the
  same directory is refused. Because no other process writes, heads and the last position are cached between commits,
  and leases that an earlier process left behind are ended at the start.
- **One writer.** SQLite before 3.51.3 can corrupt a write-ahead log that two connections reset at once. So only the
  writing connection checkpoints: the others are `query_only`, and it is closed last.
- **Durable.** `synchronous = full` syncs the log at each commit, before the commit is acknowledged.
- **The files stay in place.** Rows that are written to a file after it was moved or deleted would be lost, and a second
  server could start in its place. Each transaction checks that the paths still lead to the opened files.
- **The key shows that a database was lost.** The database is made before the signing key. A key without a database
  means that the database is gone, and the server refuses to start an empty one in its place.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Final

import sqlalchemy as sa
from sqlalchemy import event, exc

from crossfelt.errors import BadInput
from crossfelt.server.store import statements as sql
from crossfelt.server.store.interface import NOTHING, Head
from crossfelt.server.store.migrate import migrate
from crossfelt.server.store.reader import READERS
from crossfelt.server.store.signing_key import PRIVATE, PUBLIC
from crossfelt.server.store.sql_store import MILLISECONDS, Store
from crossfelt.server.store.transaction import Locked, TransactionBatch, execute_sqlite
from crossfelt.server.store.writer import Dialect

FILE: Final = "crossfelt.sqlite"
LOCK: Final = "crossfelt.lock"
CACHED_HEADS: Final = 100_000
_BUSY_MILLISECONDS: Final = 5000


def open_sqlite(directory: Path, secret: Callable[[], bytes]) -> Store:
    """Open the store in a data directory, or make one; a new database is removed again if it cannot be opened."""
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = lock_directory(directory)
    except OSError as error:
        what = "not a directory" if os.path.isfile(directory) else f"cannot be used: {error.strerror}"
        raise BadInput.at(str(directory), "store.directory", what) from None
    path = directory / FILE
    with ExitStack() as undo:
        undo.callback(lock.close)
        _require_writable(path)
        _require_not_lost(path)
        if not path.exists():
            undo.callback(_remove_without_key, path)
        dialect = SqliteDialect(path, lock)
        undo.callback(dialect.engine.dispose)
        readers = reading_engine(path)
        _require_in_place([dialect.engine, readers], [path, directory / LOCK])
        store = Store(dialect, readers, secret())
        undo.pop_all()
    return store


def _require_writable(path: Path) -> None:
    """Refuse read-only files: SQLite would create a read-only log, which stays in the way when the file is writable
    again. Another user's backup leaves such a log too, and then the log is the file to fix."""
    for file in (path, *(path.with_name(f"{path.name}-{log}") for log in ("wal", "shm"))):
        if file.exists() and not os.access(file, os.W_OK):
            raise BadInput.at(str(file), "store.file", "cannot be written")


def _require_not_lost(path: Path) -> None:
    """Refuse a directory with a key and no database: the database was made first, so it is lost."""
    if path.with_name(PRIVATE).exists() and not (path.exists() and path.stat().st_size):
        what = f"is missing or empty, but there is a {PRIVATE}: the database of that key was lost"
        others = f"or a restored backup; for a new server, move {PRIVATE} and {PUBLIC} away first"
        allowed = f"the database in its place, --database if it is in PostgreSQL, {others}"
        raise BadInput.at(str(path), "store.lost", what, allowed=allowed)


def _require_in_place(engines: Iterable[sa.Engine], files: Iterable[Path]) -> None:
    """Fail each transaction while one of the opened files is not at its path."""
    opened = {file: _identity(file) for file in files}

    def check(*_: object) -> None:
        for file, known in opened.items():
            if _identity(file) != known:
                raise exc.OperationalError(None, None, FileNotFoundError(f"{file} was moved away or deleted"))

    for engine in engines:
        event.listen(engine, "begin", check, insert=True)
        event.listen(engine, "do_connect", check)  # a new connection would create an empty file


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _remove_without_key(path: Path) -> None:
    """Remove a new database, unless it has its key already: the next start would take it for lost."""
    if path.with_name(PRIVATE).exists():
        return
    for made in (path, *path.parent.glob(f"{path.name}-*")):
        made.unlink(missing_ok=True)


class SqliteDialect(Dialect):
    """The only writer of its file, so that it caches heads and the last position between commits."""

    def __init__(self, path: Path, lock: IO[bytes]) -> None:
        self.engine = writing_engine(path)
        self._lock = lock
        self._heads: OrderedDict[str, Locked] = OrderedDict()
        try:
            self.server_id = migrate(self.engine)
            with self.engine.begin() as connection:
                self._last = int(connection.execute(sql.last_position).scalar_one())
                connection.execute(sql.end_all_leases)
        except exc.DatabaseError as error:
            what = "not a database" if "not a database" in str(error.orig) else f"cannot be used: {error.orig}"
            raise BadInput.at(str(path), "store.file", what) from None

    def lock(self, connection: sa.Connection, names: Collection[str]) -> dict[str, Locked]:
        if missing := [name for name in sorted(names) if name not in self._heads]:
            new = [{"name": name, "seq": NOTHING, "hash": "", "signed": NOTHING} for name in missing]
            connection.execute(sql.begin_streams("sqlite"), new)
            for row in connection.execute(sql.locked_heads(missing)):
                self._heads[row.name] = Locked(row.id, Head(row.seq, row.hash))
        return {name: self._heads[name] for name in names}

    def first_position(self, connection: sa.Connection) -> int:
        return self._last + 1

    def committed(self, batch: TransactionBatch) -> None:
        self._last = batch.position(0) - 1
        for name, locked in batch.moved_heads.items():
            self._heads[name] = locked
            self._heads.move_to_end(name)
        while len(self._heads) > CACHED_HEADS:
            self._heads.popitem(last=False)

    def rolled_back(self) -> None:
        self._heads.clear()

    def is_retryable(self, error: exc.DBAPIError) -> bool:
        return False

    def now(self) -> int:
        return int(time.time() * MILLISECONDS)

    def close(self) -> None:
        self.engine.dispose()
        self._lock.close()


def lock_directory(directory: Path) -> IO[bytes]:
    """Lock a data directory for as long as the returned file is open; the system frees the lock of a killed process."""
    file = (directory / LOCK).open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise BadInput.at(str(directory), "store.in_use", "another server is running on this directory") from None
    return file


def writing_engine(path: Path) -> sa.Engine:
    """Return an engine with the one connection that writes."""
    if not path.exists():
        path.touch(mode=0o600)  # it will hold password hashes and decks in play
    engine = _engine(path, poolclass=sa.pool.StaticPool)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        connection.execute("pragma foreign_keys = on")

    @event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        # The driver's own transactions begin at the first write, and would leave half a migration behind.
        execute_sqlite(connection, "begin immediate")

    return engine


def reading_engine(path: Path) -> sa.Engine:
    """Return an engine whose connections cannot write, beside a running server."""
    engine = _engine(path, pool_size=READERS)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.execute("pragma query_only = on")

    return engine


def _engine(path: Path, **options: Any) -> sa.Engine:
    connect_args = {"isolation_level": None, "check_same_thread": False, "timeout": _BUSY_MILLISECONDS / MILLISECONDS}
    url = sa.URL.create("sqlite", database=str(path))
    return sa.create_engine(url, connect_args=connect_args, hide_parameters=True, **options)
