"""Processes that work for this one, and end when it does, however it ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class WorkerPool(ProcessPoolExecutor):
    """Processes that Ctrl-C does not reach, from their first moment on: it goes to every process of a terminal, and who
    started them decides what it means."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        if not hasattr(signal, "pthread_sigmask"):  # not a POSIX system
            return super().submit(fn, *args, **kwargs)
        # Processes are started here, and what this thread does not listen to they do not listen to either.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def worker_pool(workers: int) -> WorkerPool:
    """So many processes, started when there is something to do.

    Threads of ours may be running, so that they start afresh instead of being copied.
    """
    return WorkerPool(workers, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # also for whoever is started here
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    """Who was killed cannot tell us to end: a worker would wait for ever for its next job, and keep its memory."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
