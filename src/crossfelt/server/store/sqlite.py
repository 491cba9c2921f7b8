"""The embedded store: one SQLite file, one process, one connection that writes.

SQLite before 3.51.3 can corrupt a write-ahead log that two connections reset at once, so only the writing connection
checkpoints: the others may not write, and it is the last to be closed. A lock on a file beside the database keeps a
second house out.
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

from crossfelt.errors import BadInput, Problem
from crossfelt.server.store import statements as say
from crossfelt.server.store.bulk import tell_sqlite
from crossfelt.server.store.interface import Head
from crossfelt.server.store.migrate import is_unusable, migrate
from crossfelt.server.store.reader import READERS
from crossfelt.server.store.signing_key import PRIVATE, PUBLIC
from crossfelt.server.store.sql_store import MILLISECONDS, SqlStore, StoreDialect
from crossfelt.server.store.transaction import Locked, TransactionBatch

FILE: Final = "crossfelt.sqlite"
LOCK: Final = "crossfelt.lock"
REMEMBERED: Final = 100_000
"""Heads that are kept in memory."""
_BUSY_MILLISECONDS: Final = 5000


def open_sqlite(directory: Path, secret: Callable[[], bytes]) -> SqlStore:
    """The store in a data directory, made where there is none, and not left there where it cannot be opened."""
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = lock_of(directory)
    except OSError as error:
        what = "not a directory" if os.path.isfile(directory) else f"cannot be used: {error.strerror}"
        raise BadInput(Problem(code="store.directory", what=what, where=str(directory))) from None
    path = directory / FILE
    with ExitStack() as undoing:
        undoing.callback(lock.close)
        _require_writable(path)
        _require_not_lost(path)
        if not path.exists():
            undoing.callback(_remove_without_key, path)
        desk = SqliteDialect(path, lock)
        undoing.callback(desk.engine.dispose)
        readers = reading_engine(path)
        _require_in_place([desk.engine, readers], [path, directory / LOCK])
        store = SqlStore(desk, readers, secret())
        undoing.pop_all()
    return store


def _require_writable(path: Path) -> None:
    """SQLite would leave a log that cannot be written either, and is in the way when the file can be again: it does so
    where somebody only reads, as for a backup, and then it is the log that must be put right."""
    for file in (path, *(path.with_name(f"{path.name}-{log}") for log in ("wal", "shm"))):
        if file.exists() and not os.access(file, os.W_OK):
            raise BadInput(Problem(code="store.file", what="cannot be written", where=str(file)))


def _require_not_lost(path: Path) -> None:
    """The database is made first, and then the key: where there is a key and no database, one was lost, and an empty
    house would begin in its place without a word."""
    if path.with_name(PRIVATE).exists() and not (path.exists() and path.stat().st_size):
        what = f"is missing or empty, and there is a {PRIVATE}: the house of that key is not here"
        others = f"a backup restored, or a new house, once {PRIVATE} and {PUBLIC} are put away"
        allowed = f"its database, or --database where it is in PostgreSQL; {others}"
        raise BadInput(Problem(code="store.lost", what=what, where=str(path), allowed=allowed))


def _require_in_place(engines: Iterable[sa.Engine], files: Iterable[Path]) -> None:
    """What is written to a file that was moved away or deleted is lost, and a second house may begin in its place: the
    store is away until it is back."""
    opened = {file: _identity(file) for file in files}

    def look(*_: object) -> None:
        for file, known in opened.items():
            if _identity(file) != known:
                raise exc.OperationalError(None, None, FileNotFoundError(f"{file} was moved away or deleted"))

    for engine in engines:
        event.listen(engine, "begin", look, insert=True)
        event.listen(engine, "do_connect", look)  # which would make an empty file


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _remove_without_key(path: Path) -> None:
    """Once there is a key, the database stays beside it: the next start would take it for lost."""
    if path.with_name(PRIVATE).exists():
        return
    for made in (path, *path.parent.glob(f"{path.name}-*")):
        made.unlink(missing_ok=True)


class SqliteDialect(StoreDialect):
    """Nobody else writes, so that heads and the last position are remembered between commits."""

    settled = None

    def __init__(self, path: Path, lock: IO[bytes]) -> None:
        self._engine = writing_engine(path)
        self._lock = lock
        self._heads: OrderedDict[str, Locked] = OrderedDict()
        try:
            self.server_id = migrate(self._engine)
            with self._engine.begin() as connection:
                self._last = int(connection.execute(say.last_position).scalar_one())
                # Whoever held a lease was another process, and there is none: this one need not wait for its end.
                connection.execute(say.end_all_leases)
        except exc.DatabaseError as error:
            what = "not a database" if is_unusable(error) else f"cannot be used: {error.orig}"
            raise BadInput(Problem(code="store.file", what=what, where=str(path))) from None

    @property
    def engine(self) -> sa.Engine:
        return self._engine

    def lock(self, connection: sa.Connection, names: Collection[str]) -> dict[str, Locked]:
        if missing := [name for name in sorted(names) if name not in self._heads]:
            new = [{"name": name, "seq": -1, "hash": "", "signed": -1} for name in missing]
            connection.execute(say.begin_streams("sqlite"), new)
            for row in connection.execute(say.locked_heads(missing)):
                self._heads[row.name] = Locked(row.id, Head(row.seq, row.hash))
        return {name: self._heads[name] for name in names}

    def first_position(self, connection: sa.Connection) -> int:
        return self._last + 1

    def committed(self, sheet: TransactionBatch) -> None:
        self._last = sheet.position(0) - 1
        for name, locked in sheet.heads.items():
            self._heads[name] = locked
            self._heads.move_to_end(name)
        while len(self._heads) > REMEMBERED:
            self._heads.popitem(last=False)

    def rolled_back(self) -> None:
        self._heads.clear()

    def may_try_again(self, error: exc.DBAPIError) -> bool:
        return False

    def now(self) -> int:
        return int(time.time() * MILLISECONDS)

    def close(self) -> None:
        self._engine.dispose()
        self._lock.close()


def lock_of(directory: Path) -> IO[bytes]:
    """Held as long as the file is open; a process that is killed lets go of it."""
    file = (directory / LOCK).open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        what = "another house is running on this directory"
        raise BadInput(Problem(code="store.in_use", what=what, where=str(directory))) from None
    return file


def writing_engine(path: Path) -> sa.Engine:
    """The one connection that writes."""
    if not path.exists():
        path.touch(mode=0o600)  # password hashes and decks in play are nobody else's, whoever made the directory
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        poolclass=sa.pool.StaticPool,
        connect_args={"isolation_level": None, "check_same_thread": False},
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.execute(f"pragma busy_timeout = {_BUSY_MILLISECONDS}")
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        connection.execute("pragma foreign_keys = on")

    @event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        # The driver's own transactions would begin late, and leave half a migration behind.
        tell_sqlite(connection, "begin immediate")

    return engine


def reading_engine(path: Path) -> sa.Engine:
    """Connections that cannot write; a house may be running."""
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        pool_size=READERS,
        connect_args={"isolation_level": None, "check_same_thread": False},
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.execute(f"pragma busy_timeout = {_BUSY_MILLISECONDS}")
        connection.execute("pragma query_only = on")

    return engine
