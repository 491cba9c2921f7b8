"""Reading from the store, in a few threads; the house that writes to it may be another process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt.server.store import statements as say
from crossfelt.server.store.interface import NOTHING, Head, Record, SignedHead, Stored, StreamHead, Unavailable
from crossfelt.server.store.outage import Outage
from crossfelt.server.store.transaction import (
    AnyRow,
    body_of,
    read_command,
    read_lines,
    read_lines_before,
    read_record,
    record_of,
    stored_of,
    stream_head_of,
)

T = TypeVar("T")

READERS: Final = 4
ALL: Final = 2**62


class MovedStream(StreamHead, frozen=True):
    """A stream that has moved since it was signed."""

    signed: int


class Reader:
    """Everything that can be asked of a store without changing it. A house logs that it is away; who only looks
    finds out by what is raised."""

    def __init__(
        self, engine: sa.Engine, settled: sa.ColumnElement[int] | None = None, absence: Outage | None = None
    ) -> None:
        self._readers = engine
        self._settled = settled
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="store-reads")
        self._absence = absence

    async def head(self, stream: str) -> Head:
        found = await self._all(say.head_of, {"stream_name": stream})
        return Head(found[0].seq, found[0].hash) if found else Head()

    async def rows(self, stream: str, after: int = NOTHING, limit: int | None = None) -> Sequence[Stored]:
        return await self._read(partial(read_lines, stream=stream, after=after, limit=limit))

    async def rows_before(self, stream: str, before: int | None, limit: int) -> Sequence[Stored]:
        """The lines before a seq, or the last ones, the newest first."""
        at = ALL if before is None else before
        return await self._read(partial(read_lines_before, stream=stream, before=at, limit=limit))

    async def find(self, stream: str, command_id: str) -> Stored | None:
        return await self._read(partial(read_command, stream=stream, command_id=command_id))

    async def names_before(self) -> Sequence[str]:
        """The names of the houses that this one was restored from."""
        found = await self._all(say.fact, {"of": say.NAMES_BEFORE})
        return found[0].value.split() if found else ()

    async def streams(self, prefix: str = "", after: str = "", limit: int | None = None) -> Sequence[StreamHead]:
        return [stream_head_of(row) for row in await self._all(say.heads_of(prefix, after, limit))]

    async def size(self) -> tuple[int, int]:
        """How many streams there are, and how many lines in all."""
        streams, lines = (await self._all(say.size))[0]
        return int(streams), int(lines)

    async def poll(self, after: int, limit: int = 1000) -> Sequence[Stored]:
        return [stored_of(row) for row in await self._all(say.polled(after, self._settled, limit))]

    async def last_position(self) -> int:
        wanted = say.last_position if self._settled is None else sa.select(self._settled - 1)
        return int((await self._all(wanted))[0][0])

    async def last_time(self) -> int:
        """When something was last written, as it says itself; 0 where nothing was."""
        return int((await self._all(say.last_time))[0][0])

    async def record(self, kind: str, key: str) -> Record | None:
        return await self._read(partial(read_record, kind=kind, key=key))

    async def records(self, kind: str) -> Sequence[Record]:
        return [record_of(row) for row in await self._all(say.records_of, {"of_kind": kind})]

    async def streams_since_signed(self) -> Sequence[MovedStream]:
        """Streams that have moved since the last signed head, with the seq that was signed."""
        return [MovedStream(row.name, row.seq, row.hash, row.signed) for row in await self._all(say.unsigned_heads)]

    async def last_head(self) -> SignedHead | None:
        return await self._read(read_last_head)

    async def signed_heads(self, after: int = 0, limit: int = ALL) -> Sequence[SignedHead]:
        """Signed heads after a number, in order."""
        return [_signed(row) for row in await self._all(say.heads_after(after, limit))]

    async def close(self) -> None:
        self._threads.shutdown()
        self._readers.dispose()

    async def _all(self, statement: sa.Executable, values: dict[str, Any] | None = None) -> Sequence[AnyRow]:
        return await self._read(lambda connection: connection.execute(statement, values).all())

    async def _read(self, question: Callable[[sa.Connection], T]) -> T:
        def ask() -> T:
            with self._readers.connect() as connection:
                return question(connection)

        try:
            answer = await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        except exc.DBAPIError as error:
            if self._absence is not None:
                self._absence.failed(error.orig)
            raise Unavailable(f"the database failed: {error.orig}") from error
        except RuntimeError as error:
            raise Unavailable(f"the store is closed: {error}") from error
        if self._absence is not None:
            self._absence.answered()
        return answer


def read_last_head(connection: sa.Connection) -> SignedHead | None:
    found = connection.execute(say.last_head).first()
    return None if found is None else _signed(found)


def _signed(row: AnyRow) -> SignedHead:
    return SignedHead(number=row.number, body=body_of(row))
