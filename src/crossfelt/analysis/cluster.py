"""A runner of jobs on several machines, with Dask distributed.

Jobs are independent, seeded and deterministic, so Dask only distributes them and repeats those of lost workers. Needs
the extra `cluster`; only `--cluster` imports this module.
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
from crossfelt.errors import BadInput

LOCAL: Final = "local"
LOOPBACK: Final = "127.0.0.1"
_ADDRESS: Final = re.compile(r"(tcp|tls)://\S+:\d+", re.ASCII)
CONNECT_SECONDS: Final = 15
PATIENCE_SECONDS: Final = 60
"""Longest wait for a worker when there is none."""
CHECK_SECONDS: Final = 2.0
"""Interval between checks for workers."""
GONE: Final = "lost the connection to the scheduler; results not yet received are lost"


class ClusterFailed(Exception):
    """The cluster could not complete a valid request."""


class ClusterRunner:
    """Runs jobs on a scheduler at an address (``tcp://HOST:PORT``), or in `local` processes of this machine.

    Another worker repeats the job of a lost worker; a job that crashes several workers ends the run.
    """

    def __init__(self, address: str, *, workers: int | None = None) -> None:
        if address != LOCAL and not _ADDRESS.fullmatch(address):
            raise _no_cluster(address, "not the address of a scheduler")
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
            raise _no_cluster(self._address, f"no cluster responds at this address ({error})") from None
        return self

    def _connected(self) -> Client:
        if self._address != LOCAL:
            return Client(self._address, timeout=CONNECT_SECONDS, set_as_default=False)
        cluster = LocalCluster(
            n_workers=self._workers,
            threads_per_worker=1,
            host=LOOPBACK,
            # The default listens on every interface.
            dashboard_address=f"{LOOPBACK}:0",
            worker_dashboard_address=f"{LOOPBACK}:0",
            silence_logs=logging.CRITICAL,
        )
        return Client(self._open.enter_context(cluster), set_as_default=False)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._open.close()

    @property
    def slots(self) -> int:
        """Number of jobs that can run at once; 0 without workers."""
        try:
            threads: dict[str, int] = self._client.nthreads()
        except OSError as error:
            raise ClusterFailed(f"{GONE} ({error})") from None
        return sum(threads.values())

    def __call__(self, work: Callable[..., bytes], jobs: Iterable[Job]) -> Iterator[bytes]:
        """Yield the result of every job as it completes; closing the iterator cancels jobs not yet started."""
        left = iter(jobs)
        running: set[Future[bytes]] = set()
        done: Queue[Future[bytes]] = Queue()
        most, checked = WAITING * max(1, self.slots), monotonic()
        try:
            while True:
                for job in islice(left, max(0, most - len(running))):
                    future = self._client.submit(run_on_worker, software_hash(), work, *job, pure=False)
                    running.add(future)
                    future.add_done_callback(done.put)
                if not running:
                    return
                future = self._next(done)
                result: bytes = future.result()
                running.discard(future)
                yield result
                if monotonic() - checked > CHECK_SECONDS:
                    # Workers may join and leave.
                    most, checked = WAITING * max(1, self.slots), monotonic()
        except KilledWorker as lost:
            raise ClusterFailed(f"every worker that took this job was lost: {lost}") from None
        except (CancelledError, CommClosedError):
            raise ClusterFailed(GONE) from None
        except (ImportError, SoftwareMismatch) as error:
            raise ClusterFailed(f"a worker cannot run this job: {error}") from None
        finally:
            with suppress(CancelledError, OSError):
                self._client.cancel(list(running))

    def _next(self, done: Queue[Future[bytes]]) -> Future[bytes]:
        """Return the next completed job; raise ClusterFailed without workers."""
        present = monotonic()
        while True:
            with suppress(Empty):
                return done.get(timeout=CHECK_SECONDS)
            if self.slots:
                present = monotonic()
            elif monotonic() - present > PATIENCE_SECONDS:
                raise ClusterFailed(f"all workers are lost, and none has joined for {PATIENCE_SECONDS} seconds")


def _no_cluster(address: str, what: str) -> BadInput:
    allowed = f"tcp://HOST:PORT of a scheduler with workers, or {LOCAL}"
    return BadInput.at("--cluster", "cluster.address", what, address, allowed)


class SoftwareMismatch(Exception):
    """A worker runs another version of Crossfelt."""


def run_on_worker(expected: str, work: Callable[..., bytes], *job: Any) -> bytes:
    """Run a job on the worker; refuse if its software differs, because results would not be comparable."""
    if software_hash() != expected:
        raise SoftwareMismatch("it runs another version of Crossfelt")
    return work(*job)
