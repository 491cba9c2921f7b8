"""The thread that writes, with group commit: the commits that arrive while one is made durable share the next one.

The writer first runs all of them in one database transaction. If one makes that fail (its command is already in the
stream, its lease has passed on, the database refuses a value), the writer runs each behind a savepoint of its own, so
that only the faulty one fails.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import random
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt.server.store import statements as sql
from crossfelt.server.store.interface import FenceLost, Repeated, Unavailable
from crossfelt.server.store.outage import Outage, first_line
from crossfelt.server.store.transaction import Locked, Transaction, TransactionBatch, read_command

T = TypeVar("T")

MOST_TOGETHER: Final = 512
FEW: Final = 16
WAITS, WAIT_SECONDS = 5, 0.001
"""While a few commits wait, the writer waits for more as long as more arrive, up to five milliseconds: a hundred busy
tables then share two hundred commits a second. A single commit does not wait."""
TRIES: Final = 5
"""Attempts at a commit after a deadlock or a broken connection."""
ENDED: Final = "the thread that writes has ended: restart the server"
STALLED_SECONDS: Final = 3.5
"""A commit that takes longer counts as an outage: a disk that hangs reports no error."""
TOUCHED: Final = "touched"
"""The property that `touch` sets to the present time."""

_LOG: Final = logging.getLogger("crossfelt.store")


class Dialect(Protocol):
    """The differences between the databases."""

    engine: sa.Engine
    """Has one connection, whose transactions begin as a writer's."""
    server_id: str

    def lock(self, connection: sa.Connection, names: Collection[str]) -> dict[str, Locked]:
        """Lock streams against all other writers, and return their heads."""

    def first_position(self, connection: sa.Connection) -> int:
        """Return the position of the first line of this transaction."""

    def committed(self, batch: TransactionBatch) -> None:
        """Cache the heads of a durable batch; a dialect without a cache does nothing."""
        return

    def rolled_back(self) -> None:
        """Discard cached heads after a rollback; a dialect without a cache does nothing."""
        return

    def is_retryable(self, error: exc.DBAPIError) -> bool:
        """Return whether the same transaction may succeed when it is tried again."""

    def now(self) -> sql.Number:
        """Return the time that leases go by, in milliseconds."""

    def close(self) -> None:
        """Close the database."""


class Job(msgspec.Struct, eq=False):
    """A commit, and the future of the task that waits for it."""

    streams: frozenset[str]
    work: Callable[[Transaction], Any]
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Takes commits from any event loop and runs them in its own thread."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._open = True
        self._committing = False
        self._ended = False
        """The thread has ended by a fault."""
        self._handing_in = threading.Lock()
        """No job may arrive after the thread has refused those that wait."""
        self._began: float | None = None
        """When the commit that is being made began."""
        self._outage = Outage("write")
        self._thread = threading.Thread(target=self._run, name="store-writes", daemon=True)
        self._thread.start()

    async def run(self, streams: Iterable[str], work: Callable[[Transaction], T]) -> T:
        """Return the result of `work` once its writes are durable."""
        if not self._open:
            raise Unavailable("the store is closed")
        if (stall := self._stall()) is not None:
            raise Unavailable(stall)
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        with self._handing_in:
            if self._ended:
                raise Unavailable(ENDED)
            self._jobs.put(Job(frozenset(streams), work, future))
        return await future

    @property
    def is_failing(self) -> bool:
        """True if the last write failed or is stuck, and none has succeeded since. A stall is logged here."""
        if (stall := self._stall()) is not None:
            self._outage.failed(stall)
        return self._outage.ongoing

    def _stall(self) -> str | None:
        """Return why commits wait in vain; None if they do not."""
        if self._ended:
            return ENDED
        began = self._began
        if began is not None and time.monotonic() - began > STALLED_SECONDS:
            return "a commit takes very long: the disk or the database does not answer"
        return None

    async def close(self) -> None:
        """Finish all commits that were handed in, and end the thread."""
        if self._open:
            self._open = False
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        jobs: list[Job | None] = []
        try:
            while None not in jobs:
                jobs = [self._jobs.get()]
                self._wait_for_more()
                while len(jobs) < MOST_TOGETHER and not self._jobs.empty():
                    jobs.append(self._jobs.get())
                if batch := [job for job in jobs if job is not None]:
                    self._began = time.monotonic()
                    self._commit(batch)
                    self._began = None
                    _notify(batch)
        except BaseException:
            _LOG.critical(ENDED, exc_info=True)
            with self._handing_in:
                self._ended = True
            while not self._jobs.empty():
                jobs.append(self._jobs.get())
            left = [job for job in jobs if job is not None]
            _fail(left, Unavailable(ENDED))
            _notify(left)

    def _wait_for_more(self) -> None:
        waiting = self._jobs.qsize()
        for _ in range(WAITS):
            if not 0 < waiting < FEW:
                return
            time.sleep(WAIT_SECONDS)
            before, waiting = waiting, self._jobs.qsize()
            if waiting == before:
                return

    def _commit(self, jobs: list[Job]) -> None:
        attempt = self._commit_together
        try:
            for number in range(TRIES):
                self._committing = False
                try:
                    attempt(jobs)
                    return self._check_recovery()
                except (exc.IntegrityError, exc.DataError, FenceLost):
                    attempt = self._commit_separately
                except exc.DBAPIError as error:
                    # After the COMMIT was sent, its outcome is unknown, and a second try could write twice.
                    if self._committing or not self._dialect.is_retryable(error):
                        raise
                    # A random wait, or two transactions that met in a deadlock would meet again.
                    time.sleep(random.uniform(0, 0.01 * 2**number))
            raise Unavailable("other processes kept writing to the same streams")
        except Unavailable as error:
            self._outage.failed(error)
            _fail(jobs, error)
        except exc.DBAPIError as error:
            # The statement is left out of the message: it may hold cards that no player has seen.
            self._outage.failed(error.orig)
            _fail(jobs, Unavailable(f"the database failed: {first_line(error.orig)}"))
        except Exception as error:
            _LOG.exception("a commit failed")
            _fail(jobs, Unavailable(f"the store failed: {type(error).__name__}"))

    def _check_recovery(self) -> None:
        """End an outage only after a real write: an empty transaction commits on a full disk too."""
        if self._outage.ongoing:
            try:
                with self._dialect.engine.begin() as connection:
                    touch(connection)
            except exc.DBAPIError as error:
                return self._outage.failed(error.orig)
        return self._outage.succeeded()

    def _commit_together(self, jobs: list[Job]) -> None:
        with self._transaction(jobs) as (_, batch):
            for job in jobs:
                _run_job(job, Transaction(batch, job.streams), batch)
            batch.write()

    def _commit_separately(self, jobs: list[Job]) -> None:
        with self._transaction(jobs) as (connection, batch):
            for job in jobs:
                _run_behind_savepoint(job, connection, batch)

    @contextmanager
    def _transaction(self, jobs: list[Job]) -> Iterator[tuple[sa.Connection, TransactionBatch]]:
        """Open a transaction with the streams of all jobs locked; commit it, or roll it back after an error."""
        streams = frozenset[str]().union(*(job.streams for job in jobs))
        with self._dialect.engine.connect() as connection:
            try:
                connection.begin()
                locked = self._dialect.lock(connection, streams)
                batch = TransactionBatch(connection, locked, self._dialect.first_position(connection))
                yield connection, batch
                self._committing = True
                connection.commit()
            except BaseException:
                self._dialect.rolled_back()
                raise
        self._dialect.committed(batch)


def touch(connection: sa.Connection) -> None:
    """Write a value, to see if the store can write."""
    value = {"name": TOUCHED, "value": str(time.time_ns())}
    connection.execute(sql.put(connection.dialect.name, sql.properties), value)


def _run_behind_savepoint(job: Job, connection: sa.Connection, batch: TransactionBatch) -> None:
    savepoint, before = connection.begin_nested(), batch.savepoint()
    unit = Transaction(batch, job.streams)
    try:
        _run_job(job, unit, batch)
        batch.write()
    except (exc.IntegrityError, exc.DataError, FenceLost) as error:
        savepoint.rollback()
        batch.roll_back_to(before)
        job.error = error if isinstance(error, FenceLost) else _refusal(connection, unit, error)
    else:
        savepoint.commit() if job.error is None else savepoint.rollback()


def _run_job(job: Job, unit: Transaction, batch: TransactionBatch) -> None:
    job.result = job.error = None
    try:
        job.result = job.work(unit)
    except (exc.DBAPIError, FenceLost):
        raise
    except BaseException as error:
        # Any exception belongs to the caller of this commit; the thread goes on with the other commits.
        job.error = error
    else:
        batch.add(unit)


def _refusal(connection: sa.Connection, unit: Transaction, error: exc.DatabaseError) -> BaseException:
    """Return `Repeated` if a command is already in its stream, else the database's refusal of a value."""
    for stored in unit.lines if isinstance(error, exc.IntegrityError) else ():
        if read_command(connection, stored.stream, stored.command_id) is not None:
            return Repeated(stored.stream, stored.command_id)
    _LOG.error("the database refused a line: %s", first_line(error.orig))
    return Unavailable("the database refused a line")


def _fail(jobs: Iterable[Job], error: BaseException) -> None:
    for job in jobs:
        job.error = error


def _notify(jobs: Iterable[Job]) -> None:
    """Wake each event loop once for all of its tasks."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Job]] = {}
    for job in jobs:
        by_loop.setdefault(job.future.get_loop(), []).append(job)
    for loop, waiting in by_loop.items():
        try:
            loop.call_soon_threadsafe(_resolve, waiting)
        except RuntimeError:
            _LOG.warning("%d commits were made for an event loop that is closed", len(waiting))


def _resolve(jobs: Iterable[Job]) -> None:
    for job in jobs:
        if job.future.done():
            continue
        if job.error is not None:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.result)
