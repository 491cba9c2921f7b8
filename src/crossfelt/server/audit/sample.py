"""A random sample of finished rounds, which an auditor can draw again.

Each round has the number SHA-256(seed/table/round); the sample is the rounds with the lowest numbers. So the same seed
and period give the same rounds, on any machine and in any order of the tables.
"""

from __future__ import annotations

import asyncio
import hashlib
import heapq
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from crossfelt.proof.history import read_plain_row
from crossfelt.server.store.interface import NOTHING, Stored
from crossfelt.server.store.reader import Reader

PAGE: Final = 2000
_CLOSED: Final = b'"event":"round_closed"'


class SampledRound(msgspec.Struct, frozen=True, kw_only=True):
    table: str
    round: int
    at: int
    outcome: str


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """The rounds that were drawn, and the number of rounds in the period."""

    seed: str
    population: int
    rounds: tuple[SampledRound, ...]


async def draw(store: Reader, tables: Iterable[str], seed: str, size: int, since: int, until: int) -> Sample:
    """Draw rounds that were closed in a period, `since` and `until` included."""
    found: list[SampledRound] = []
    population = 0
    for table in tables:
        after = NOTHING
        while page := await store.rows(f"table/{table}", after, PAGE):
            closed = await asyncio.to_thread(_closed, table, page, since, until)
            population += len(closed)
            found = heapq.nsmallest(size, [*found, *closed], key=lambda it: drawn_number(seed, it.table, it.round))
            after = page[-1].seq
    return Sample(seed=seed, population=population, rounds=tuple(found))


def drawn_number(seed: str, table: str, number: int) -> str:
    """Return the number by which a round is drawn.

    >>> drawn_number("2026-11", "pit-1", 7)[:8]
    'adb8ef07'
    """
    return hashlib.sha256(f"{seed}/{table}/{number}".encode()).hexdigest()


def _closed(table: str, page: Sequence[Stored], since: int, until: int) -> list[SampledRound]:
    return [
        SampledRound(table=table, round=event["round"], at=event["at"], outcome=event["outcome"])
        for stored in page
        if since <= stored.at <= until and _CLOSED in stored.body
        for event in read_plain_row(stored.body).events
        if event["event"] == "round_closed"
    ]
