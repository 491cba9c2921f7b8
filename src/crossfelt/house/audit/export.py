"""Copies of streams and heads for whoever checks them elsewhere: the lines as they are stored, and a last line."""

from __future__ import annotations

from typing import IO, Final

from crossfelt.house.store.port import NOTHING
from crossfelt.house.store.reading import Reader
from crossfelt.problems import BadInput, Problem
from crossfelt.proof.rows import end_line

PAGE: Final = 2000


async def export_stream(store: Reader, stream: str, file: IO[bytes], up_to: int | None = None) -> int:
    """Writes a stream as a history file, to its end or up to a seq; returns how many rows it has.

    A table's holds the order of every deck: the caller must see to it that no deck in it is still to be played.
    """
    after, last = NOTHING, ""
    while page := await store.rows(stream, after, PAGE):
        for line in page:
            if up_to is not None and line.seq > up_to:
                break
            file.write(line.body + b"\n")
            after, last = line.seq, line.hash
        else:
            continue
        break
    if after == NOTHING:
        raise BadInput(Problem(code="stream.unknown", what="there is no such stream", value=stream))
    file.write(end_line(after, last).body + b"\n")
    return after


async def export_heads(store: Reader, file: IO[bytes], after: int = 0) -> int:
    """Writes the signed heads after a number; returns how many."""
    heads = await store.signed_heads(after)
    for head in heads:
        file.write(head.body + b"\n")
    return len(heads)
