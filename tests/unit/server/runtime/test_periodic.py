"""Background tasks: those that end before they begin."""

from __future__ import annotations

import asyncio
import inspect

from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.runtime.periodic import start_background


def test_work_that_is_cancelled_before_it_begins_is_closed() -> None:
    """A server that is stopped at once would otherwise leave coroutines that were never awaited."""

    async def work() -> None:
        raise AssertionError("the work has begun")

    async def story() -> None:
        waiting = work()
        task = start_background(waiting, "test", Metrics())
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.sleep(0)
        assert inspect.getcoroutinestate(waiting) == inspect.CORO_CLOSED

    asyncio.run(story())
