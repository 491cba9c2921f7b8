"""Distribution of kernel work over threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
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
