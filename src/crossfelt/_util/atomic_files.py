"""Files that are replaced atomically, private files, and the limit on open files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def write_atomically(path: Path, data: bytes) -> None:
    """Write a temporary file and rename it, so that a reader sees the old content or the new, never a part."""
    handle, partial = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise


def owner_only(path: str, flags: int) -> int:
    """Open a file for `open(…, opener=owner_only)`: a new file is readable by its owner alone, whatever the umask."""
    return os.open(path, flags, 0o600)


@contextmanager
def new_private_file(path: Path) -> Iterator[IO[bytes]]:
    """Create a file that only its owner can read, for unseen cards, password hashes or keys.

    The file is synced when the block ends, and removed if the block fails. `FileExistsError` if it exists.
    """
    with open(path, "xb", opener=owner_only) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):
                path.unlink()
            raise


def raise_open_file_limit() -> None:
    """Raise the limit on open files to the most that the system allows: each connection is one."""
    import resource  # only on POSIX systems, where alone the server runs

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError):  # macOS refuses an unlimited number
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
