"""Processes to be killed, forked in milliseconds from one that has all modules imported."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable
from multiprocessing import forkserver
from multiprocessing.context import ForkServerProcess
from typing import Any, Final
from unittest import mock

FORKS: Final = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["server.fork_preload", "server.server_process", "server.store_writers"])


def forked(work: Callable[..., None], *arguments: Any) -> ForkServerProcess:
    """Start a process that runs `work`."""
    # Before Python 3.13 the fork server searches only the path in its environment, and reports no missing module.
    with mock.patch.dict(os.environ, {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}):
        forkserver.ensure_running()
    process = FORKS.Process(target=work, args=arguments, daemon=True)
    process.start()
    return process
