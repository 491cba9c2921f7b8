"""Databases that a test can open, close and open again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from crossfelt.server.store.factory import open_store
from crossfelt.server.store.interface import Stored
from crossfelt.server.store.sql_store import Store

T = TypeVar("T")


class Database(Protocol):
    def open(self) -> Store: ...


@dataclass(frozen=True)
class SqliteDatabase:
    directory: Path

    def open(self) -> Store:
        return open_store(self.directory)


@dataclass(frozen=True)
class PostgresqlDatabase:
    address: str
    directory: Path
    """The data directory, with the key."""

    def open(self) -> Store:
        return open_store(self.directory, self.address)


def run(database: Database, story: Callable[[Store], Awaitable[T]]) -> T:
    """Open the store, run a story with it, and close it."""

    async def whole() -> T:
        store = database.open()
        try:
            return await story(store)
        finally:
            await store.close()

    return asyncio.run(whole())


async def all_lines(store: Store) -> list[Stored]:
    """Return the lines of all streams in the order of their positions."""
    lines = [line for head in await store.streams() for line in await store.rows(head.stream)]
    return sorted(lines, key=lambda line: line.position)


class Title(msgspec.Struct, frozen=True):
    """The header of a stream in tests."""

    stream: str


class Say(msgspec.Struct, frozen=True, kw_only=True, tag_field="command", tag="say"):
    """A command in tests."""

    id: str
    at: int = 0
    text: str = ""


class Said(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="said"):
    """The event of `Say`."""

    text: str
