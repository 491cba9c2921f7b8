"""Work shared among the processors."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def share_count(items: int, smallest: int) -> int:
    """Into how many shares to cut items, of which at least `smallest` are worth a thread.

    >>> share_count(10, 100), share_count(10**9, 100) == 8 * processors()
    (1, True)
    """
    # More shares than processors, so that one which is held up by other work does not hold up the whole.
    return max(1, min(items // smallest, 8 * processors()))


def share_of(items: int, share: int, shares: int) -> slice:
    """Which of the items belong to this share.

    >>> [share_of(10, share, 3) for share in range(3)]
    [slice(0, 3, None), slice(3, 6, None), slice(6, 10, None)]
    """
    return slice(items * share // shares, items * (share + 1) // shares)


def in_threads(work: Callable[[int], T], shares: int) -> list[T]:
    """The results of ``work(0)`` … ``work(shares - 1)``, in that order; the first failure is raised.

    Numba's own parallel loops take long to compile, cut the work into one part for each processor, however
    uneven it is, and may be entered by one thread only. A pool of `concurrent.futures` costs ten times as
    much as these few threads, and a kernel is often done sooner.

    >>> in_threads(lambda share: share * share, 4)
    [0, 1, 4, 9]
    """
    results: dict[int, T] = {}
    failures: list[BaseException] = []
    shares_left = iter(range(shares))

    def run() -> None:
        try:
            for share in shares_left:
                results[share] = work(share)
                if failures:
                    return
        except BaseException as failure:
            failures.append(failure)

    helpers = [threading.Thread(target=run, daemon=True) for _ in range(min(shares, processors()) - 1)]
    for helper in helpers:
        helper.start()
    run()
    for helper in helpers:
        helper.join()
    if failures:
        raise failures[0]
    return [results[share] for share in range(shares)]
