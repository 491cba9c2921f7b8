"""Cache directories of compiled kernels and arrays, and removal of unused ones.

Each version of the software has its own directories. A process locks those it uses until it ends, and touches them when
it starts. Directories that are locked, or were touched in the last month, are kept.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

UNUSED_SECONDS: Final = 30 * 24 * 3600
_NAMES: Final = re.compile(r"(kernels|arrays)-[0-9a-f]{16}")
_held: list[int] = []
"""Locks of this process, released when it ends."""


def claim_directory(directory: Path) -> None:
    """Create a directory if necessary, and lock it until this process ends."""
    new = not directory.exists()
    while not _locked(directory):
        pass
    if new:
        remove_unused(directory.parent)


def _locked(directory: Path) -> bool:
    """Lock a directory; return False if another process removed it meanwhile."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        os.utime(directory)
        # Without locks nothing is removed either.
        with suppress(ImportError):
            import fcntl

            handle = os.open(directory, os.O_RDONLY)
            _held.append(handle)
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_SH)
            return os.path.samestat(os.fstat(handle), directory.stat())
        return True
    return False


@contextmanager
def one_process(lock: Path) -> Iterator[None]:
    """Let one process at a time into the block, where the system has locks and the file can be written."""
    with ExitStack() as held:
        with suppress(ImportError, OSError):
            import fcntl

            file = held.enter_context(lock.open("a"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def remove_unused(root: Path) -> None:
    """Remove directories that no process has used for a month; keep all other files."""
    with suppress(OSError):
        for directory in root.iterdir():
            if _NAMES.fullmatch(directory.name) and directory.is_dir() and not directory.is_symlink():
                _remove_if_unused(directory)


def _remove_if_unused(directory: Path) -> None:
    with suppress(ImportError, OSError):
        import fcntl

        if not _is_old(directory):
            return
        handle = os.open(directory, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Another process may have used it since and ended.
            if _is_old(directory):
                shutil.rmtree(directory, ignore_errors=True)
        finally:
            os.close(handle)


def _is_old(directory: Path) -> bool:
    """Return whether nothing in it was written or read for a month; listing directories does not count as reading."""
    used = [directory.stat().st_mtime]
    for path in directory.rglob("*"):
        found = path.lstat()
        used.append(found.st_mtime if path.is_dir() else max(found.st_mtime, found.st_atime))
    return max(used) < time.time() - UNUSED_SECONDS


# --- location of the cache ---

SOURCES: Final = Path(__file__).parent
_ARRAY_SOURCES: Final = ("hands", "games", "kernels", "analysis/solver", "analysis/strategies")
_KEY_LENGTH: Final = 16


def source_key(sources: Path = SOURCES) -> str:
    """Return a hash of the sources, the same on any machine.

    >>> source_key() == source_key(), len(source_key())
    (True, 16)
    """
    digest = hashlib.sha256()
    for source in sorted(sources.rglob("*.py")):
        for part in (source.relative_to(sources).as_posix().encode(), source.read_bytes()):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:_KEY_LENGTH]


def cache_key(sources: Path = SOURCES) -> str:
    """Return a hash of the sources and of this machine's compiler."""
    import numba
    from llvmlite import binding

    machine = (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten())
    depends_on = "\n".join((source_key(sources), numba.__version__, sys.version, *machine))
    return hashlib.sha256(depends_on.encode()).hexdigest()[:_KEY_LENGTH]


def cache_root() -> Path:
    """Return the directory in ``CROSSFELT_CACHE``, else ``crossfelt`` in the user's cache directory."""
    given = os.environ.get("CROSSFELT_CACHE")
    if given:
        return Path(given).expanduser().absolute()
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The XDG specification ignores relative paths.
    return (shared if shared.is_absolute() else Path.home() / ".cache") / "crossfelt"


@cache
def cache_directory() -> Path:
    """Return the directory of this machine's kernels, or a temporary one if it cannot be created."""
    return _made(f"kernels-{cache_key()}")


def compiled_kernels() -> int:
    """Return the number of kernels that are compiled for this machine."""
    return sum(1 for _ in cache_directory().rglob("*.nbi"))


@cache
def array_directory() -> Path:
    """Return the directory of cached arrays, named by the sources that compute them."""
    keys = "".join(source_key(SOURCES.parent / folder) for folder in _ARRAY_SOURCES)
    return _made(f"arrays-{hashlib.sha256(keys.encode()).hexdigest()[:_KEY_LENGTH]}")


def _made(name: str) -> Path:
    try:
        directory = cache_root() / name
        claim_directory(directory)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError as error:
        return _directory_of_this_process(f"in {cache_root()} ({error.strerror})")
    except RuntimeError as error:  # there is no home directory
        return _directory_of_this_process(f"({error})")
    return directory


@cache
def _directory_of_this_process(why: str) -> Path:
    # A fixed path under /tmp would survive, but other users could place their own code there first.
    directory = Path(tempfile.mkdtemp(prefix="crossfelt-kernels-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    message = f"crossfelt: compiled kernels cannot be kept {why}; CROSSFELT_CACHE names another directory"
    print(message, file=sys.stderr)
    return directory
