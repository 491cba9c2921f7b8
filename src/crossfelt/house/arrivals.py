"""What has come in and was not taken yet: a queue with one reader, an eighth the size of asyncio's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Arrivals(Generic[T]):
    """The first that came in is the first taken. Its one reader waits for what comes next, or is called.

    >>> arrivals: Arrivals[str] = Arrivals()
    >>> arrivals.put_nowait("hello"); asyncio.run(arrivals.get()), arrivals.empty()
    ('hello', True)
    """

    __slots__ = ("_arrived", "_reader", "called")

    def __init__(self) -> None:
        self._arrived: list[T] = []
        self._reader: asyncio.Future[None] | None = None
        self.called: Callable[[], None] | None = None
        """Whom to call whenever something has come in, instead of somebody who waits."""

    def empty(self) -> bool:
        return not self._arrived

    def qsize(self) -> int:
        return len(self._arrived)

    def put_nowait(self, one: T) -> None:
        self._arrived.append(one)
        if self.called is not None:
            self.called()
        elif self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def get_nowait(self) -> T:
        return self._arrived.pop(0)

    async def get(self) -> T:
        while not self._arrived:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._arrived.pop(0)
