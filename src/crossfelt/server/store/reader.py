"""Reads from the store, in a few threads, while this or another process writes to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, Self, TypeVar

import sqlalchemy as sa
from sqlalchemy import exc

from crossfelt.server.store import statements as sql
from crossfelt.server.store.interface import NOTHING, Head, Record, SignedHead, Stored, StreamHead, Unavailable
from crossfelt.server.store.outage import Outage
from crossfelt.server.store.transaction import (
    AnyRow,
    body_of,
    read_command,
    read_lines,
    read_record,
    record_of,
    stored_of,
)

T = TypeVar("T")

READERS: Final = 4
ALL: Final = 2**62


class Reader:
    """Every question to a store that changes nothing."""

    def __init__(self, engine: sa.Engine, outage: Outage | None = None) -> None:
        """With an `outage` failures are logged; they are raised in any case."""
        self._readers = engine
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="store-reads")
        self._outage = outage

    async def head(self, stream: str) -> Head:
        found = await self._all(sql.head_of, {"stream_name": stream})
        return Head(found[0].seq, found[0].hash) if found else Head()

    async def rows(self, stream: str, after: int = NOTHING, limit: int | None = None) -> Sequence[Stored]:
        """Return the lines after a seq."""
        return await self._read(partial(read_lines, stream=stream, after=after, limit=limit))

    async def rows_before(self, stream: str, before: int | None, limit: int) -> Sequence[Stored]:
        """Return the lines before a seq, or the last ones, newest first."""
        wanted = {"stream_name": stream, "before": ALL if before is None else before}
        return [stored_of(row) for row in await self._all(sql.lines_before.limit(limit), wanted)]

    async def all_rows_before(self, before: int | None, limit: int) -> Sequence[Stored]:
        """Return the lines of all streams before a position, or the last ones, newest first, without secrets."""
        wanted = {"before": ALL if before is None else before}
        return [stored_of(row) for row in await self._all(sql.lines_before_position.limit(limit), wanted)]

    async def streams_between(self, since: int, until: int) -> list[str]:
        """Return the names of the streams with a line in a period, without secrets."""
        return [row.name for row in await self._all(sql.streams_between, {"since": since, "until": until})]

    async def last_position(self) -> int:
        """Return the position of the last line; 0 in an empty store."""
        return int((await self._all(sql.last_position))[0][0])

    async def time_from(self, position: int) -> int | None:
        """Return the time of the first line from a position on; None if there is none."""
        found = await self._all(sql.first_time_from, {"first": position})
        return int(found[0].at) if found else None

    async def find(self, stream: str, command_id: str) -> Stored | None:
        """Return the row of a command, so that a repeated command gets its first answer."""
        return await self._read(partial(read_command, stream=stream, command_id=command_id))

    async def former_ids(self) -> Sequence[str]:
        """Return the ids of the servers that this one was restored from."""
        found = await self._all(sql.property_of, {"of": sql.FORMER_IDS})
        return found[0].value.split() if found else ()

    async def streams(self, prefix: str = "", after: str = "", limit: int | None = None) -> Sequence[StreamHead]:
        """Return the heads of the streams with a prefix, sorted by name, beginning after a name."""
        return [StreamHead(*row) for row in await self._all(sql.heads_of(prefix, after, limit))]

    async def size(self) -> tuple[int, int]:
        """Return the number of streams and the number of lines."""
        streams, lines = (await self._all(sql.size))[0]
        return int(streams), int(lines)

    async def last_time(self) -> int:
        """Return the time of the latest line; 0 in an empty store."""
        return int((await self._all(sql.last_time))[0][0])

    async def record(self, kind: str, key: str) -> Record | None:
        return await self._read(partial(read_record, kind=kind, key=key))

    async def records(self, kind: str) -> Sequence[Record]:
        return [record_of(row) for row in await self._all(sql.records_of, {"of_kind": kind})]

    async def streams_since_signed(self) -> Sequence[StreamHead]:
        """Return the streams that have grown since the last signed head, with the seq that was signed."""
        return [StreamHead(row.name, row.seq, row.hash, row.signed) for row in await self._all(sql.unsigned_heads)]

    async def last_head(self) -> SignedHead | None:
        return await self._read(read_last_head)

    async def signed_heads(self, after: int = 0, limit: int = ALL) -> Sequence[SignedHead]:
        """Return the signed heads after a number, in order."""
        found = await self._all(sql.heads_after(after, limit))
        return [SignedHead(number=row.number, body=body_of(row)) for row in found]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        self._threads.shutdown()
        self._readers.dispose()

    async def _all(self, statement: sa.Executable, values: dict[str, Any] | None = None) -> Sequence[AnyRow]:
        return await self._read(lambda connection: connection.execute(statement, values).all())

    async def _read(self, question: Callable[[sa.Connection], T]) -> T:
        def read() -> T:
            with self._readers.connect() as connection:
                return question(connection)

        try:
            answer = await asyncio.get_running_loop().run_in_executor(self._threads, read)
        except exc.DBAPIError as error:
            if self._outage is not None:
                self._outage.failed(error.orig)
            raise Unavailable(f"the database failed: {error.orig}") from error
        except RuntimeError as error:
            raise Unavailable(f"the store is closed: {error}") from error
        if self._outage is not None:
            self._outage.succeeded()
        return answer


def read_last_head(connection: sa.Connection) -> SignedHead | None:
    found = connection.execute(sql.last_head).first()
    return None if found is None else SignedHead(number=found.number, body=body_of(found))
