"""Distribution of kernel work over threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def share_count(items: int, smallest: int) -> int:
    """Return the number of shares for these items; a thread pays off from `smallest` items.

    >>> share_count(10, 100), share_count(10**9, 100) == 8 * processors()
    (1, True)
    """
    # More shares than processors, so that one delayed thread does not delay the whole.
    return max(1, min(items // smallest, 8 * processors()))


def share_of(items: int, share: int, shares: int) -> slice:
    """Return the range of items in a share.

    >>> [share_of(10, share, 3) for share in range(3)]
    [slice(0, 3, None), slice(3, 6, None), slice(6, 10, None)]
    """
    return slice(items * share // shares, items * (share + 1) // shares)


Done = Callable[[int, int], None]
"""Receives the steps that are done, and all steps."""
_listener: ContextVar[Done | None] = ContextVar("listener", default=None)


@contextmanager
def telling(done: Done | None) -> Iterator[None]:
    """Tell the progress of the work inside, which may have several phases."""
    token = _listener.set(done)
    try:
        yield
    finally:
        _listener.reset(token)


def in_parts(work: Callable[[slice, T], None], items: int, new: Callable[[], T], parts: int = 32) -> list[T]:
    """Let a thread of each processor work on its share of some items, part by part: ``work(rows, room)``; return the
    rooms, of which each thread has its own.

    Between two parts progress is told, and Ctrl-C is heard.
    """
    tell, rooms = _listener.get(), [new() for _ in range(processors())]
    for number in range(parts):
        first = number * len(rooms)

        def on_share(share: int, first: int = first) -> None:
            work(share_of(items, first + share, parts * len(rooms)), rooms[share])

        with telling(None):
            in_threads(on_share, len(rooms))
        if tell is not None:
            tell(number + 1, parts)
    return rooms


def in_shares(work: Callable[[slice], T], items: int, smallest: int) -> list[T]:
    """Let threads work on shares of some items: ``work(rows)``; a thread pays off from `smallest` items.

    >>> in_shares(lambda rows: rows, 10, 100)
    [slice(0, 10, None)]
    """
    shares = share_count(items, smallest)
    return in_threads(lambda share: work(share_of(items, share, shares)), shares)


def in_threads(work: Callable[[int], T], shares: int) -> list[T]:
    """Return the results of ``work(0)`` … ``work(shares - 1)`` in order; raise the first failure.

    Numba's own parallel loops compile slowly, split the work into equal parts, and allow only one calling thread. A
    pool of `concurrent.futures` costs ten times as much as these few threads, often more than the kernel.

    >>> in_threads(lambda share: share * share, 4)
    [0, 1, 4, 9]
    """
    results: dict[int, T] = {}
    failures: list[BaseException] = []
    shares_left = iter(range(shares))
    tell, caller = _listener.get(), threading.current_thread()

    def run() -> None:
        try:
            for share in shares_left:
                results[share] = work(share)
                if tell is not None and threading.current_thread() is caller:
                    tell(len(results), shares)
                if failures:
                    return
        except BaseException as failure:
            failures.append(failure)

    helpers = [threading.Thread(target=run, daemon=True) for _ in range(min(shares, processors()) - 1)]
    for helper in helpers:
        helper.start()
    run()
    for helper in helpers:
        while helper.is_alive():
            try:
                helper.join()
            except KeyboardInterrupt as interrupt:
                # A kernel cannot be stopped, and must not write into what the caller reads.
                failures.append(interrupt)
    if failures:
        raise failures[0]
    return [results[share] for share in range(shares)]
