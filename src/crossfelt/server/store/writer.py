"""The one thread that writes. Whatever has come in while the last commit was made durable goes into the next one.

All of them together first. Where that fails because of one (a command that is in its stream already, a lease that has
passed on, a value that the database does not take), each is tried by itself behind a savepoint, so that only that one
fails.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import random
import threading
import time
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, Protocol, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt.server.store import statements as say
from crossfelt.server.store.interface import FenceLost, Repeated, Unavailable
from crossfelt.server.store.outage import Outage, first_line
from crossfelt.server.store.transaction import Locked, TransactionBatch, UnitOfWork, read_command

T = TypeVar("T")

MOST_TOGETHER: Final = 512
FEW: Final = 16
LOOKS, LOOK_SECONDS = 5, 0.001
"""Where a few want to write, a commit waits as long as more of them come, up to five milliseconds: a hundred tables at
play then share two hundred commits a second, and nobody sees it. Who writes alone does not wait."""
TRIES: Final = 5
"""How often a commit is tried that PostgreSQL broke up for another's sake (a deadlock), or whose connection broke."""
BACK: Final = "back"
"""The fact that tells when the store was last back after it had been away."""

_LOG: Final = logging.getLogger("crossfelt.store")


class Dialect(Protocol):
    """What differs between databases in writing."""

    @property
    def engine(self) -> sa.Engine:
        """With one connection, which begins its transactions as writers must."""

    def lock(self, connection: sa.Connection, names: Collection[str]) -> dict[str, Locked]:
        """Makes sure that nobody else writes to these streams, and gives their heads."""

    def first_position(self, connection: sa.Connection) -> int:
        """Where the next line of this transaction stands."""

    def committed(self, sheet: TransactionBatch) -> None:
        """What is on this sheet is durable."""

    def rolled_back(self) -> None:
        """What was remembered of the transaction is void."""

    def may_try_again(self, error: exc.DBAPIError) -> bool:
        """Whether the database only asks to be asked again."""


class Job(msgspec.Struct, eq=False):
    """A piece of work, and who waits for it."""

    streams: frozenset[str]
    work: Callable[[UnitOfWork], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Takes work from any event loop and carries it out in its own thread."""

    def __init__(self, desk: Dialect, name: str) -> None:
        self._desk = desk
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._open = True
        self._committing = False
        self._absence = Outage("writes")
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def do(self, streams: Iterable[str], work: Callable[[UnitOfWork], T]) -> T:
        """What `work` returns, once it is durable."""
        if not self._open:
            raise Unavailable("the store is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(Job(frozenset(streams), work, loop, future))
        return await future

    @property
    def away(self) -> bool:
        """Whether what was to be written last was not, and nothing has been written since."""
        return self._absence.lasts

    async def close(self) -> None:
        """Everything that was handed in is carried out first."""
        if self._open:
            self._open = False
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        running = True
        while running:
            jobs = [self._jobs.get()]
            self._wait_for_more()
            while len(jobs) < MOST_TOGETHER and not self._jobs.empty():
                jobs.append(self._jobs.get())
            running = None not in jobs
            if batch := [job for job in jobs if job is not None]:
                self._commit(batch)
                _tell(batch)

    def _wait_for_more(self) -> None:
        """A few others are coming: they may come along."""
        waiting = self._jobs.qsize()
        for _ in range(LOOKS):
            if not 0 < waiting < FEW:
                return
            time.sleep(LOOK_SECONDS)
            before, waiting = waiting, self._jobs.qsize()
            if waiting == before:
                return

    def _commit(self, jobs: list[Job]) -> None:
        """Whatever happens, every job has a result or an error afterwards."""
        carry_out = self._together
        try:
            for attempt in range(TRIES):
                self._committing = False
                try:
                    carry_out(jobs)
                    return self._answered()
                except (exc.IntegrityError, exc.DataError, FenceLost):
                    carry_out = self._one_by_one
                except exc.DBAPIError as error:
                    # Once the commit was asked for, nobody knows whether it took place.
                    if self._committing or not self._desk.may_try_again(error):
                        raise
                    # Two that have met would otherwise meet again.
                    time.sleep(random.uniform(0, 0.01 * 2**attempt))
            raise Unavailable("others kept writing to the same streams")
        except Unavailable as error:
            self._absence.failed(error)
            _fail(jobs, error)
        except exc.DBAPIError as error:
            # The statement is left out: it may hold cards that nobody has seen. What is wrong with a row was dealt with
            # above: this is a database that takes nothing, as a standby does.
            self._absence.failed(error.orig)
            _fail(jobs, Unavailable(f"the database failed: {first_line(error.orig)}"))
        except Exception as error:
            _LOG.exception("a commit failed")
            _fail(jobs, Unavailable(f"the store failed: {type(error).__name__}"))

    def _answered(self) -> None:
        """A commit without anything to write can be made on a full disk, too: one with something shows whether the
        store is back."""
        if self._absence.lasts:
            back = {"name": BACK, "value": str(time.time_ns())}
            try:
                with self._desk.engine.begin() as connection:
                    connection.execute(say.put_fact(connection.dialect.name), back)
            except exc.DBAPIError as error:
                return self._absence.failed(error.orig)
        return self._absence.answered()

    def _together(self, jobs: list[Job]) -> None:
        with self._transaction(jobs) as (connection, sheet):
            for job in jobs:
                self._carry_out(job, UnitOfWork(sheet, job.streams), sheet)
            written = sheet.write()
            self._committing = True
            connection.commit()
        if written:
            self._desk.committed(sheet)

    def _one_by_one(self, jobs: list[Job]) -> None:
        with self._transaction(jobs) as (connection, sheet):
            for job in jobs:
                self._alone(job, connection, sheet)
            self._committing = True
            connection.commit()
        self._desk.committed(sheet)

    def _alone(self, job: Job, connection: sa.Connection, sheet: TransactionBatch) -> None:
        point, before = connection.begin_nested(), sheet.mark()
        page = UnitOfWork(sheet, job.streams)
        try:
            self._carry_out(job, page, sheet)
            sheet.write()
        except (exc.IntegrityError, exc.DataError, FenceLost) as error:
            point.rollback()
            sheet.go_back(before)
            job.error = error if isinstance(error, FenceLost) else _refused(connection, page, error)
        else:
            point.commit() if job.error is None else point.rollback()

    def _carry_out(self, job: Job, page: UnitOfWork, sheet: TransactionBatch) -> None:
        job.result = job.error = None
        try:
            job.result = job.work(page)
        except (exc.DBAPIError, FenceLost):
            raise
        except BaseException as error:
            # Whatever it is, it is for who asked: this thread goes on for the others.
            job.error = error
        else:
            sheet.take(page)

    def _transaction(self, jobs: list[Job]) -> _Transaction:
        return _Transaction(self._desk, frozenset[str]().union(*(job.streams for job in jobs)))


class _Transaction:
    """A database transaction with the streams of some work locked; rolled back unless it was committed."""

    def __init__(self, desk: Dialect, streams: frozenset[str]) -> None:
        self._desk = desk
        self._streams = streams
        self._connection = desk.engine.connect()

    def __enter__(self) -> tuple[sa.Connection, TransactionBatch]:
        try:
            self._connection.begin()
            locked = self._desk.lock(self._connection, self._streams)
            return self._connection, TransactionBatch(
                self._connection, locked, self._desk.first_position(self._connection)
            )
        except BaseException:
            self._leave(failed=True)
            raise

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._leave(failed=kind is not None)

    def _leave(self, *, failed: bool) -> None:
        if failed:
            self._desk.rolled_back()
        self._connection.close()


def _refused(connection: sa.Connection, page: UnitOfWork, error: exc.DatabaseError) -> BaseException:
    """Which command it was that its stream has already, or that the database does not take what was written."""
    for line in page.lines if isinstance(error, exc.IntegrityError) else ():
        stored = line.stored
        if read_command(connection, stored.stream, stored.command_id) is not None:
            return Repeated(stored.stream, stored.command_id)
    _LOG.error("the database refused a line: %s", first_line(error.orig))
    return Unavailable("the database refused a line")


def _fail(jobs: Iterable[Job], error: BaseException) -> None:
    for job in jobs:
        job.error = error


def _tell(jobs: Iterable[Job]) -> None:
    """Wakes each event loop once, however many of its tasks have waited."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Job]] = {}
    for job in jobs:
        by_loop.setdefault(job.loop, []).append(job)
    for loop, waiting in by_loop.items():
        try:
            loop.call_soon_threadsafe(_resolve, waiting)
        except RuntimeError:
            _LOG.warning("%d commits were made for a loop that is closed", len(waiting))


def _resolve(jobs: Iterable[Job]) -> None:
    for job in jobs:
        if job.future.done():
            continue
        if job.error is not None:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.result)
