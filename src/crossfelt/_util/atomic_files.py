"""Files that are replaced as a whole, files for their owner alone, and how many may be open."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def write_atomically(path: Path, data: bytes) -> None:
    """Writes a file beside it and puts it in its place: whoever reads sees the old one or the new one, never half."""
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
    """Opens for `open(…, opener=owner_only)`: a file that is made is readable by nobody else, whatever the umask."""
    return os.open(path, flags, 0o600)


@contextmanager
def new_private_file(path: Path) -> Iterator[IO[bytes]]:
    """A new file with unseen cards, password hashes or keys: for its owner alone, on the disk when the block ends, and
    gone again where something fails. `FileExistsError` where there is one already."""
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
    """Connections are files to the system, which lets a process have some thousand unless it asks for more."""
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
