"""Who does the work: this process, several, or a cluster. Jobs are independent, and answers come in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Final, Protocol

from crossfelt._util.worker_pool import worker_pool

Job = tuple[Any, ...]
"""The arguments of one piece of work: plain data that can travel."""
WAITING: Final = 2
"""Jobs handed out for each worker, so that none waits for us."""
MOST_DEATHS: Final = 3
"""How often workers may die before we give up: once is bad luck, always is the work itself."""


class Runner(Protocol):
    """Has work done."""

    def __call__(self, work: Callable[..., bytes], jobs: Iterable[Job]) -> Iterator[bytes]:
        """The answer to every job, as they come. Who stops asking has what was not begun called off."""


def run_in_process(work: Callable[..., bytes], jobs: Iterable[Job]) -> Iterator[bytes]:
    """One job after the other.

    >>> list(run_in_process(lambda number: bytes([number]), [(1,), (2,)]))
    [b'\\x01', b'\\x02']
    """
    return (work(*job) for job in jobs)


class ProcessRunner:
    """Several processes on this machine; the job of one that dies is done again by another."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def __call__(self, work: Callable[..., bytes], jobs: Iterable[Job]) -> Iterator[bytes]:
        left, again = iter(jobs), list[Job]()
        for death in range(MOST_DEATHS + 1):
            running: dict[Future[bytes], Job] = {}
            pool = worker_pool(self._workers)
            try:
                yield from _answers(pool, work, again, left, running, WAITING * self._workers)
                return
            except BrokenProcessPool:
                if death == MOST_DEATHS:
                    raise
                again += running.values()
            finally:
                pool.shutdown(cancel_futures=True)


def _answers(
    pool: ProcessPoolExecutor,
    work: Callable[..., bytes],
    again: list[Job],
    left: Iterator[Job],
    running: dict[Future[bytes], Job],
    most: int,
) -> Iterator[bytes]:
    """Hands out jobs, those of dead workers first; `running` holds what has no answer yet."""
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
            answer = future.result()
            del running[future]
            yield answer
