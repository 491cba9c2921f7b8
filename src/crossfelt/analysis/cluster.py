"""Work on more than one machine: a thin runner on Dask distributed.

The shares are ours: independent, seeded, and the same whoever does them, so that Dask only has to hand them out and to
do again what a lost worker had. Needs the extra `cluster`; nothing here is imported before somebody asks for it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from itertools import islice
from queue import Empty, Queue
from time import monotonic
from types import TracebackType
from typing import Any, Final, Self

from distributed import Client, Future, KilledWorker, LocalCluster
from distributed.comm.core import CommClosedError

from crossfelt._util.software_hash import software_hash
from crossfelt.analysis.runners import WAITING, Job
from crossfelt.errors import BadInput, Problem

LOCAL: Final = "local"
LOOPBACK: Final = "127.0.0.1"
_ADDRESS: Final = re.compile(r"(tcp|tls)://\S+:\d+", re.ASCII)
CONNECT_SECONDS: Final = 15
PATIENCE_SECONDS: Final = 60
"""How long to wait for a worker where there is none."""
LOOK_SECONDS: Final = 2.0
"""How often to look who is there."""
GONE: Final = "the scheduler is gone, and what it had not told yet is lost"


class ClusterFailed(Exception):
    """The work could not be done, though nothing was wrong with the question."""


class ClusterRunner:
    """A scheduler by its address (``tcp://HOST:PORT``), or `local` processes of this machine.

    A share whose worker is lost is done again by another; one that takes worker after worker with it ends the run.
    """

    def __init__(self, address: str, *, workers: int | None = None) -> None:
        if address != LOCAL and not _ADDRESS.fullmatch(address):
            raise _no_cluster(address, "no address of a scheduler")
        self._address = address
        self._workers = workers
        self._open = ExitStack()

    def __enter__(self) -> Self:
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            self._client = self._open.enter_context(self._connected())
            self._client.wait_for_workers(1, timeout=PATIENCE_SECONDS)
        except (OSError, ValueError, TimeoutError) as error:
            self._open.close()
            raise _no_cluster(self._address, f"no cluster answers there ({error})") from None
        return self

    def _connected(self) -> Client:
        if self._address != LOCAL:
            return Client(self._address, timeout=CONNECT_SECONDS, set_as_default=False)
        cluster = LocalCluster(
            n_workers=self._workers,
            threads_per_worker=1,
            host=LOOPBACK,
            # Left alone, it would listen on every interface.
            dashboard_address=f"{LOOPBACK}:0",
            worker_dashboard_address=f"{LOOPBACK}:0",
            silence_logs=logging.CRITICAL,
        )
        return Client(self._open.enter_context(cluster), set_as_default=False)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._open.close()

    @property
    def hands(self) -> int:
        """How many shares can be worked on at once; none where all workers are gone."""
        try:
            threads: dict[str, int] = self._client.nthreads()
        except OSError as error:
            raise ClusterFailed(f"{GONE} ({error})") from None
        return sum(threads.values())

    def __call__(self, work: Callable[..., bytes], jobs: Iterable[Job]) -> Iterator[bytes]:
        """The answer to every job, as they come; what was not begun is called off when nobody asks any more."""
        left = iter(jobs)
        running: set[Future[bytes]] = set()
        done: Queue[Future[bytes]] = Queue()
        most, looked = WAITING * max(1, self.hands), monotonic()
        try:
            while True:
                for job in islice(left, max(0, most - len(running))):
                    future = self._client.submit(run_on_worker, software_hash(), work, *job, pure=False)
                    running.add(future)
                    future.add_done_callback(done.put)
                if not running:
                    return
                future = self._next(done)
                answer: bytes = future.result()
                running.discard(future)
                yield answer
                if monotonic() - looked > LOOK_SECONDS:
                    # Workers may come and go.
                    most, looked = WAITING * max(1, self.hands), monotonic()
        except KilledWorker as lost:
            raise ClusterFailed(f"every worker that took this share was lost: {lost}") from None
        except (CancelledError, CommClosedError):
            raise ClusterFailed(GONE) from None
        except (ImportError, SoftwareMismatch) as error:
            raise ClusterFailed(f"a worker cannot do this work: {error}") from None
        finally:
            with suppress(CancelledError, OSError):
                self._client.cancel(list(running))

    def _next(self, done: Queue[Future[bytes]]) -> Future[bytes]:
        """The next job that is done; somebody must be there to do it."""
        there = monotonic()
        while True:
            with suppress(Empty):
                return done.get(timeout=LOOK_SECONDS)
            if self.hands:
                there = monotonic()
            elif monotonic() - there > PATIENCE_SECONDS:
                raise ClusterFailed(f"all workers are gone, and none has come for {PATIENCE_SECONDS} seconds")


def _no_cluster(address: str, what: str) -> BadInput:
    allowed = f"tcp://HOST:PORT of a scheduler with workers, or {LOCAL}"
    return BadInput(Problem(code="cluster.address", where="--cluster", what=what, value=address, allowed=allowed))


class SoftwareMismatch(Exception):
    """A worker whose Crossfelt is another one."""


def run_on_worker(expected: str, work: Callable[..., bytes], *job: Any) -> bytes:
    """The work itself, on the worker: only if it has the same software, or shares would not be of one whole."""
    if software_hash() != expected:
        raise SoftwareMismatch("it has another version of Crossfelt")
    return work(*job)
