"""The store that several processes share, on PostgreSQL.

- **Locks.** A commit locks the rows of its streams in the order of their names. Two commits that share a stream run one
  after the other, and none deadlock.
- **Fencing.** A process that was suspended may wake up after its lease has passed on. Each commit under a lease checks
  the fencing number in its own transaction with a share lock, so such a process writes nothing.
- **Positions.** The position of a line is made of its transaction's number, so that parallel transactions need no
  common counter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeVar

import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt.errors import BadInput, Problem
from crossfelt.server.store import statements as sql
from crossfelt.server.store.interface import NOTHING, Head
from crossfelt.server.store.migrate import migrate
from crossfelt.server.store.reader import READERS
from crossfelt.server.store.sql_store import MILLISECONDS, Store
from crossfelt.server.store.transaction import Locked
from crossfelt.server.store.writer import Dialect

T = TypeVar("T")

LINES_OF_A_TRANSACTION: Final = 1 << 20
"""The positions of one transaction."""
_BASE: Final = "first_position"
_RETRYABLE: Final = {"40001", "40P01", "55P03", "25P03"}
"""Serialization failure, deadlock, lock time-out, time-out of an idle transaction."""
_WAIT_SECONDS: Final = 10
_LIMITS: Final = {"idle_in_transaction_session_timeout": 10_000, "lock_timeout": 15_000}
"""Milliseconds. The database ends the transaction of a process that hangs in a commit before waiting processes give
up."""


def open_postgresql(address: str, secret: Callable[[], bytes]) -> Store:
    """Open the store in a PostgreSQL database."""

    def connect() -> Store:
        dialect = PostgresqlDialect(engine_for(address, 1))
        try:
            return Store(dialect, engine_for(address, READERS), secret())
        except BaseException:
            dialect.close()
            raise

    return describe_address(connect)


def describe_address(connect: Callable[[], T]) -> T:
    """Call `connect`, and turn its errors into problems that do not repeat the address: it may hold a password."""
    try:
        return connect()
    except BadInput:
        raise
    except (exc.ArgumentError, ValueError):
        problem = Problem(code="store.database", what="not a valid PostgreSQL address", where="database")
    except ImportError:
        what = "PostgreSQL needs the driver psycopg: install crossfelt[postgres]"
        problem = Problem(code="store.driver", what=what, where="database")
    except exc.DBAPIError as error:
        problem = unusable(error)
    raise BadInput(problem)


def unusable(error: exc.DBAPIError) -> Problem:
    """Return PostgreSQL's error as a problem of one line."""
    how = "cannot be reached" if isinstance(error, exc.OperationalError) else "cannot be used"
    return Problem.at("database", "store.unreachable", f"PostgreSQL {how}: {' '.join(str(error.orig).split())}")


class PostgresqlDialect(Dialect):
    """One of several writers, so that it caches nothing between commits."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self.server_id = migrate(engine)
        with engine.begin() as connection:
            self._base = _base(connection)

    def lock(self, connection: sa.Connection, names: Collection[str]) -> dict[str, Locked]:
        if not names:
            return {}
        found = self._locked(connection, names)
        if missing := sorted(set(names) - found.keys()):
            new = [{"name": name, "seq": NOTHING, "hash": "", "signed": NOTHING} for name in missing]
            connection.execute(sql.begin_streams("postgresql"), new)
            found |= self._locked(connection, missing)
        return found

    def first_position(self, connection: sa.Connection) -> int:
        number = connection.execute(sa.select(_number(sa.func.pg_current_xact_id()))).scalar_one()
        return self._base + number * LINES_OF_A_TRANSACTION

    def is_retryable(self, error: exc.DBAPIError) -> bool:
        return error.connection_invalidated or getattr(error.orig, "sqlstate", None) in _RETRYABLE

    def now(self) -> sa.ColumnElement[int]:
        seconds = sa.extract("epoch", sa.func.clock_timestamp())
        return sa.cast(seconds * MILLISECONDS, sa.BigInteger)

    def close(self) -> None:
        self.engine.dispose()

    @staticmethod
    def _locked(connection: sa.Connection, names: Collection[str]) -> dict[str, Locked]:
        found = connection.execute(sql.locked_heads(names))
        return {row.name: Locked(row.id, Head(row.seq, row.hash)) for row in found}


def engine_for(address: str, connections: int) -> sa.Engine:
    """Return an engine for an address; options in the address, such as the schema, are kept."""
    url = sa.make_url(address)
    limits = [f"-c {name}={value}" for name, value in _LIMITS.items()]
    # Without keepalives TCP does not notice a peer that has vanished.
    alive = {"keepalives": 1, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
    return sa.create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,
        hide_parameters=True,
        isolation_level="READ COMMITTED",
        connect_args={
            "connect_timeout": _WAIT_SECONDS,
            "tcp_user_timeout": _WAIT_SECONDS * MILLISECONDS,
            "options": " ".join([*url.normalized_query.get("options", ()), *limits]),
            **alive,
        },
    )


def _number(xid8: sa.ColumnElement[object]) -> sa.ColumnElement[int]:
    return sa.cast(sa.cast(xid8, sa.Text), sa.BigInteger)


def _base(connection: sa.Connection) -> int:
    """Return the base of positions.

    A dump that is loaded into another cluster meets lower transaction numbers than its lines were written with. Then
    the base is moved above the last line.
    """
    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(_BASE))))
    base = int(connection.execute(sql.property_of, {"of": _BASE}).scalar() or 0)
    last = connection.execute(sql.last_position).scalar_one()
    now = connection.execute(sa.select(_number(sa.func.pg_current_xact_id()))).scalar_one()
    if last >= base + (now + 1) * LINES_OF_A_TRANSACTION:
        base = last + 1
        connection.execute(sql.put("postgresql", sql.properties), {"name": _BASE, "value": str(base)})
    return base
