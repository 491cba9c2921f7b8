"""Worker processes end with the one that they work for, and not at Ctrl-C."""

from __future__ import annotations

import subprocess
import sys

from limits import WAIT_SECONDS

STARTS_ONE = """
import os, sys
from crossfelt._util.worker_pool import worker_pool

if __name__ == "__main__":
    pool = worker_pool(1)
    print(pool.submit(os.getpid).result() != os.getpid(), flush=True)
    sys.stdin.read()
"""

INTERRUPTS_ONE = """
import os, signal
from crossfelt._util.worker_pool import worker_pool

if __name__ == "__main__":
    with worker_pool(1) as pool:
        asked = pool.submit(os.getpid)
        (worker,) = pool._processes
        os.kill(worker, signal.SIGINT)
        print(asked.result() == worker)
"""


def test_a_worker_that_has_hardly_begun_does_not_listen_to_ctrl_c() -> None:
    command = [sys.executable, "-c", INTERRUPTS_ONE]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WAIT_SECONDS)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_a_worker_does_not_outlive_a_process_that_is_killed() -> None:
    command = [sys.executable, "-c", STARTS_ONE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        process.kill()
        # The worker writes to the same pipe, which ends when the last who could write to it is gone.
        assert process.communicate(timeout=WAIT_SECONDS)[0] == ""
