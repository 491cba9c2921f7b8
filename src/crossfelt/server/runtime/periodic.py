"""Background tasks of a server, run once or at intervals."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.store.interface import StoreError, Unavailable

log = logging.getLogger(__name__)


async def repeat(
    work: Callable[[], Awaitable[object]], seconds: float, metrics: Metrics, *, at_once: bool = False
) -> None:
    """Run `work` every `seconds` until cancelled, the first time after `seconds` or at once.

    An error never ends the repetition. An unavailable store is tried again; a fault is logged with the task's name.
    """
    task = asyncio.current_task()
    assert task is not None
    await asyncio.sleep(0 if at_once else seconds)
    while True:
        try:
            await work()
        except Unavailable:
            pass
        except StoreError as error:
            log.warning("periodic task %s failed, and will be tried again: %s", task.get_name(), error)
        except Exception:
            metrics.faults.inc()
            log.exception("fault in the periodic task %s", task.get_name())
        await asyncio.sleep(seconds)


def start_background(work: Coroutine[Any, Any, None], name: str, metrics: Metrics) -> asyncio.Task[None]:
    """Start a task that no caller awaits; a fault that ends it is logged and counted."""

    async def run() -> None:
        try:
            await work
        except Exception:
            metrics.faults.inc()
            log.exception("fault in the background task %s", name)

    task = asyncio.create_task(run(), name=name)
    task.add_done_callback(lambda _: work.close())  # a task that is cancelled before it begins does not await the work
    return task
