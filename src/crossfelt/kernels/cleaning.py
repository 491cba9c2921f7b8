"""Directories of kernels and arrays that nobody has used for long are removed when a new one is made.

Every version of the software has its own, so that they would pile up. A process locks those it uses for as long as it
runs, and touches them when it starts: what is locked, or was touched in the last month, stays.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

UNUSED_SECONDS: Final = 30 * 24 * 3600
_NAMES: Final = re.compile(r"(kernels|arrays)-[0-9a-f]{16}")
_held: list[int] = []
"""Locks of this process: they end with it."""


def take_into_use(directory: Path) -> None:
    """Makes a directory where there is none, and says that it is in use until this process ends."""
    new = not directory.exists()
    while not _locked(directory):
        pass
    if new:
        remove_unused(directory.parent)


def _locked(directory: Path) -> bool:
    """False where somebody removed the directory while it was being locked."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        os.utime(directory)
        # Where there are no such locks nothing is removed either.
        with suppress(ImportError):
            import fcntl

            handle = os.open(directory, os.O_RDONLY)
            _held.append(handle)
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_SH)
            return os.path.samestat(os.fstat(handle), directory.stat())
        return True
    return False


def remove_unused(root: Path) -> None:
    """Removes the directories that no process uses and that none has used for a month; whatever else is there stays."""
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
            # Somebody may have begun to use it a moment ago and ended since.
            if _is_old(directory):
                shutil.rmtree(directory, ignore_errors=True)
        finally:
            os.close(handle)


def _is_old(directory: Path) -> bool:
    """Whether nothing in it was written or read for a month. That directories were listed does not count as reading."""
    used = [directory.stat().st_mtime]
    for path in directory.rglob("*"):
        found = path.lstat()
        used.append(found.st_mtime if path.is_dir() else max(found.st_mtime, found.st_atime))
    return max(used) < time.time() - UNUSED_SECONDS
