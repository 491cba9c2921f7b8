"""Work on more than one machine: a thin runner on Dask distributed.

The shares are ours: independent, seeded, and the same whoever does them, so that Dask only has to hand them out and to
do again what a lost worker had. Needs the extra `cluster`; nothing here is imported before somebody asks for it.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from importlib.resources import as_file, files
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from distributed import Client, KilledWorker, LocalCluster, as_completed

from crossfelt.analysis.runners import WAITING, Job
from crossfelt.problems import BadInput, Problem

LOCAL: Final = "local"
LOOPBACK: Final = "127.0.0.1"
_ADDRESS: Final = re.compile(r"(tcp|tls)://\S+:\d+", re.ASCII)
CONNECT_SECONDS: Final = 15
PATIENCE_SECONDS: Final = 60
"""How long to wait for the first worker."""


class ClusterFailed(Exception):
    """The work could not be done, though nothing was wrong with the question."""


class OnCluster:
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
        """How many shares can be worked on at once."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def __call__(self, work: Callable[..., bytes], jobs: Iterable[Job]) -> Iterator[bytes]:
        """The answer to every job, as they come; what was not begun is called off when nobody asks any more."""
        left, running = iter(jobs), set[Any]()

        def handed_out(number: int) -> list[Any]:
            futures = [
                self._client.submit(done_here, sources(), work, *job, pure=False) for job in islice(left, number)
            ]
            running.update(futures)
            return futures

        coming = as_completed(handed_out(WAITING * self.hands), loop=self._client.loop)
        try:
            for future in coming:
                answer = future.result()
                running.discard(future)
                for more in handed_out(1):
                    coming.add(more)
                yield answer
        except KilledWorker as lost:
            raise ClusterFailed(f"every worker that took this share was lost: {lost}") from None
        except (ImportError, OtherSources) as error:
            raise ClusterFailed(f"a worker cannot do this work: {error}") from None
        finally:
            self._client.cancel(list(running))


def _no_cluster(address: str, what: str) -> BadInput:
    allowed = f"tcp://HOST:PORT of a scheduler with workers, or {LOCAL}"
    return BadInput(Problem(code="cluster.address", where="--cluster", what=what, value=address, allowed=allowed))


class OtherSources(Exception):
    """A worker whose Crossfelt is another one."""


def done_here(expected: str, work: Callable[..., bytes], *job: Any) -> bytes:
    """The work itself, on the worker: only if it has the same sources, or shares would not be of one whole."""
    if sources() != expected:
        raise OtherSources("it has another version of Crossfelt")
    return work(*job)


@cache
def sources() -> str:
    """A hash over everything that the package consists of."""
    with as_file(files("crossfelt")) as root:
        return _hash_of(root)


def _hash_of(root: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(path for kind in ("*.py", "*.toml") for path in root.rglob(kind)):
        found.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()
