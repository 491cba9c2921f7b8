"""Exports of streams and signed heads, to be checked elsewhere: the stored lines, and an end line."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import IO, Final

from crossfelt.errors import BadInput, Problem
from crossfelt.proof.hash_chain import end_line
from crossfelt.server.store.interface import NOTHING
from crossfelt.server.store.reader import Reader

PAGE: Final = 500


async def end_of(store: Reader, stream: str) -> int:
    """Return the seq of the last line of a stream; `BadInput` if there is no such stream."""
    seq = (await store.head(stream)).seq
    if seq == NOTHING:
        raise BadInput(Problem(code="stream.unknown", what="there is no such stream", value=stream))
    return seq


async def pages_of(store: Reader, stream: str, up_to: int, *, goes_on: bool = False) -> AsyncIterator[bytes]:
    """Yield a stream up to a seq as a history file, page by page.

    If the stream `goes_on` after that, the end line says so; a verifier would otherwise report missing lines. The
    stream of a table holds the order of every deck: the caller must leave out decks that are still to be played.
    """
    after, last = NOTHING, ""
    while page := [line for line in await store.rows(stream, after, PAGE) if line.seq <= up_to]:
        yield b"".join(line.body + b"\n" for line in page)
        after, last = page[-1].seq, page[-1].hash
    yield end_line(after, last, goes_on=goes_on).body + b"\n"


async def pages_of_heads(store: Reader, after: int = 0) -> AsyncIterator[bytes]:
    """Yield the signed heads after a number, one a line, page by page."""
    while page := await store.signed_heads(after, PAGE):
        yield b"".join(head.body + b"\n" for head in page)
        after = page[-1].number


async def export_stream(store: Reader, stream: str, file: IO[bytes]) -> int:
    """Write a stream as a history file; return the number of rows."""
    last = await end_of(store, stream)
    async for page in pages_of(store, stream, last):
        file.write(page)
    return last


async def export_heads(store: Reader, file: IO[bytes]) -> int:
    """Write the signed heads; return their number."""
    heads = 0
    async for page in pages_of_heads(store):
        file.write(page)
        heads += page.count(b"\n")
    return heads
