"""The store that several processes share.

A commit locks the rows of its streams, in the order of their names, so that two commits either follow one another or
have nothing in common. The position of a line is made of the number of its transaction: once every transaction below
some number has ended, no line can appear below it any more, and whoever polls up to there has missed nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeVar

import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt.errors import BadInput, Problem
from crossfelt.server.store import statements as say
from crossfelt.server.store.interface import NOTHING, Head
from crossfelt.server.store.migrate import migrate
from crossfelt.server.store.reader import READERS
from crossfelt.server.store.sql_store import MILLISECONDS, SqlStore, StoreDialect
from crossfelt.server.store.transaction import Locked, TransactionBatch

T = TypeVar("T")

LINES_OF_A_TRANSACTION: Final = 1 << 20
"""Positions that each transaction has to itself."""
_BASE: Final = "first_position"
_ASK_AGAIN: Final = {"40001", "40P01", "55P03", "25P03"}
"""Serialization failure, deadlock, a lock that did not come free, a transaction that idled for too long."""
_WAIT_SECONDS: Final = 10
_LIMITS: Final = {"idle_in_transaction_session_timeout": 10_000, "lock_timeout": 15_000}
"""Milliseconds. A process that stops in the middle of a commit is thrown out, before those that wait for it give up."""


def open_postgresql(address: str, secret: Callable[[], bytes]) -> SqlStore:
    """The store in a PostgreSQL database."""

    def connect() -> SqlStore:
        desk = PostgresqlDialect(engine_for(address, 1))
        try:
            return SqlStore(desk, engine_for(address, READERS), secret())
        except BaseException:
            desk.close()
            raise

    return describe_address(connect)


def describe_address(connect: Callable[[], T]) -> T:
    """What goes wrong with an address, in words that do not repeat it: it may hold a password."""
    try:
        return connect()
    except BadInput:
        raise
    except (exc.ArgumentError, ValueError):
        problem = Problem(code="store.database", what="not an address that PostgreSQL knows", where="database")
    except ImportError:
        what = "PostgreSQL needs the driver psycopg: install crossfelt[postgres]"
        problem = Problem(code="store.driver", what=what, where="database")
    except exc.DBAPIError as error:
        problem = unusable(error)
    raise BadInput(problem)


def unusable(error: exc.DBAPIError) -> Problem:
    """What PostgreSQL says, in one line."""
    how = "cannot be reached" if isinstance(error, exc.OperationalError) else "cannot be used so"
    what = f"PostgreSQL {how}: {' '.join(str(error.orig).split())}"
    return Problem(code="store.unreachable", what=what, where="database")


class PostgresqlDialect(StoreDialect):
    """Others write too: nothing is remembered from one commit to the next."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self.server_id = migrate(engine)
        with engine.begin() as connection:
            self._base = _base(connection)
        oldest_running = sa.func.pg_snapshot_xmin(sa.func.pg_current_snapshot())
        self.settled = _number(oldest_running) * LINES_OF_A_TRANSACTION + self._base

    @property
    def engine(self) -> sa.Engine:
        return self._engine

    def lock(self, connection: sa.Connection, names: Collection[str]) -> dict[str, Locked]:
        if not names:
            return {}
        found = self._locked(connection, names)
        if missing := sorted(set(names) - found.keys()):
            new = [{"name": name, "seq": NOTHING, "hash": "", "signed": NOTHING} for name in missing]
            connection.execute(say.begin_streams("postgresql"), new)
            found |= self._locked(connection, missing)
        return found

    def first_position(self, connection: sa.Connection) -> int:
        number = connection.execute(sa.select(_number(sa.func.pg_current_xact_id()))).scalar_one()
        return self._base + number * LINES_OF_A_TRANSACTION

    def committed(self, sheet: TransactionBatch) -> None:
        """The database knows."""

    def rolled_back(self) -> None:
        """The database knows."""

    def may_try_again(self, error: exc.DBAPIError) -> bool:
        return error.connection_invalidated or getattr(error.orig, "sqlstate", None) in _ASK_AGAIN

    def now(self) -> sa.ColumnElement[int]:
        seconds = sa.extract("epoch", sa.func.clock_timestamp())
        return sa.cast(seconds * MILLISECONDS, sa.BigInteger)

    def close(self) -> None:
        self._engine.dispose()

    @staticmethod
    def _locked(connection: sa.Connection, names: Collection[str]) -> dict[str, Locked]:
        found = connection.execute(say.locked_heads(names))
        return {row.name: Locked(row.id, Head(row.seq, row.hash)) for row in found}


def engine_for(address: str, connections: int) -> sa.Engine:
    """Connections to a PostgreSQL database, with the options that its address has, as the schema of the house."""
    url = sa.make_url(address)
    limits = [f"-c {name}={value}" for name, value in _LIMITS.items()]
    # TCP notices a peer that has vanished only where it is told to look.
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
    """Where positions begin. A database that was restored elsewhere counts its transactions anew, from below the lines
    that it brought along: then the beginning is moved above them."""
    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(_BASE))))
    base = int(connection.execute(say.fact, {"of": _BASE}).scalar() or 0)
    last = connection.execute(say.last_position).scalar_one()
    now = connection.execute(sa.select(_number(sa.func.pg_current_xact_id()))).scalar_one()
    if last >= base + (now + 1) * LINES_OF_A_TRANSACTION:
        base = last + 1
        connection.execute(say.put_fact("postgresql"), {"name": _BASE, "value": str(base)})
    return base
