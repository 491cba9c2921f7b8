"""A store that fails at a chosen write, as if the machine had stopped there."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Literal, TypeVar

from crossfelt.server.store.interface import Unavailable
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction

T = TypeVar("T")
Moment = Literal["before", "after"]


class Crashing:
    """Passes everything on, up to the nth write to a stream; from then on every call fails.

    With `before` nothing of that write is stored; with `after` all of it is, but it is not acknowledged.
    """

    def __init__(self, store: Store, stream: str, at: int, moment: Moment) -> None:
        self._store = store
        self._stream = stream
        self._left = at
        self._moment = moment
        self.crashed = False

    async def commit(self, streams: Collection[str], work: Callable[[Transaction], T]) -> T:
        self._alive()
        self._left -= self._stream in streams
        if self._left == 0 and self._stream in streams:
            if self._moment == "after":
                await self._store.commit(streams, work)
            self.crashed = True
        self._alive()
        return await self._store.commit(streams, work)

    def _alive(self) -> None:
        if self.crashed:
            raise Unavailable("the machine has stopped")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)
