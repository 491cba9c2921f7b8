"""What a house does beside serving, once or now and then."""

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
    """Until it is cancelled, first after `seconds` or at once. A database that is away for a time is asked again; a
    fault is logged under the name of the task, and ends nothing: nobody would see that it is not done any more."""
    task = asyncio.current_task()
    assert task is not None
    await asyncio.sleep(0 if at_once else seconds)
    while True:
        try:
            await work()
        except Unavailable:
            pass
        except StoreError as error:
            log.warning("%s: not now: %s", task.get_name(), error)
        except Exception:
            metrics.faults += 1
            log.exception("fault in what is done now and then: %s", task.get_name())
        await asyncio.sleep(seconds)


def start_background(work: Coroutine[Any, Any, None], name: str, metrics: Metrics) -> asyncio.Task[None]:
    """A task that nobody waits for: a fault that ends it is logged and counted."""

    async def looked_after() -> None:
        try:
            await work
        except Exception:
            metrics.faults += 1
            log.exception("fault in what is done beside serving: %s", name)

    return asyncio.create_task(looked_after(), name=name)
