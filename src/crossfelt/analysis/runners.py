"""Runners of independent jobs: in this process, in several processes, or on a cluster; results come in any order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Final, TypeVar

from crossfelt._util.worker_pool import worker_pool

Job = tuple[Any, ...]
"""Arguments of one job: plain data that can be sent to a worker."""
WAITING: Final = 2
"""Jobs submitted per worker, so that no worker is idle."""
MOST_CRASHES: Final = 3
"""Crashes of workers before the run fails; repeated crashes mean that the job itself is at fault."""


Runner = Callable[[Callable[..., bytes], Iterable[Job]], Iterator[bytes]]
"""Runs a function on jobs, and yields each result as it is ready; closing the iterator cancels jobs not yet started."""


R = TypeVar("R")


def in_order(submitted: Iterator[Future[R]], ahead: int) -> Iterator[R]:
    """Yield the results of futures in order, with `ahead` of them submitted before the first result."""
    waiting = deque(islice(submitted, ahead))
    while waiting:
        first = waiting.popleft()
        waiting.extend(islice(submitted, 1))
        yield first.result()


def run_in_process(work: Callable[..., bytes], jobs: Iterable[Job]) -> Iterator[bytes]:
    """Run the jobs one after the other.

    >>> list(run_in_process(lambda number: bytes([number]), [(1,), (2,)]))
    [b'\\x01', b'\\x02']
    """
    return (work(*job) for job in jobs)


class ProcessRunner:
    """Runs jobs in several processes; if a process crashes, another repeats its job."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def __call__(self, work: Callable[..., bytes], jobs: Iterable[Job]) -> Iterator[bytes]:
        left, again = iter(jobs), list[Job]()
        for crash in range(MOST_CRASHES + 1):
            running: dict[Future[bytes], Job] = {}
            pool = worker_pool(self._workers)
            try:
                yield from _results(pool, work, again, left, running, WAITING * self._workers)
                return
            except BrokenProcessPool:
                if crash == MOST_CRASHES:
                    raise
                again += running.values()
            finally:
                pool.shutdown(cancel_futures=True)


def _results(
    pool: ProcessPoolExecutor,
    work: Callable[..., bytes],
    again: list[Job],
    left: Iterator[Job],
    running: dict[Future[bytes], Job],
    most: int,
) -> Iterator[bytes]:
    """Submit jobs, those of crashed workers first; `running` holds the jobs without a result."""
    while True:
        wanted = most - len(running)
        batch = [again.pop() for _ in range(min(wanted, len(again)))]
        batch += islice(left, wanted - len(batch))
        for place, job in enumerate(batch):
            try:
                running[pool.submit(work, *job)] = job
            except BrokenProcessPool:
                again += batch[place:]
                raise
        if not running:
            return
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            result = future.result()
            del running[future]
            yield result
