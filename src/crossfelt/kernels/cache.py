"""Where compiled kernels are kept, so that a machine compiles each of them once.

Numba notices a change in the file of a kernel, but not in a function that the kernel calls from another file,
and would go on giving the old answer. The directory is therefore named by everything the machine code depends
on: all kernel sources, the version of Numba, the processor.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

import numba
from llvmlite import binding


def cache_key(sources: Path = Path(__file__).parent) -> str:
    """A name for what compiling `sources` on this machine gives.

    >>> cache_key() == cache_key(), len(cache_key())
    (True, 16)
    """
    digest = hashlib.sha256()
    for source in sorted(sources.rglob("*.py")):
        for part in (source.relative_to(sources).as_posix().encode(), source.read_bytes()):
            digest.update(len(part).to_bytes(8, "big") + part)
    machine = (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten())
    digest.update("\n".join((numba.__version__, sys.version, *machine)).encode())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The directory given by ``CROSSFELT_CACHE``, else ``crossfelt`` in the user's own cache directory."""
    given = os.environ.get("CROSSFELT_CACHE")
    if given:
        return Path(given).expanduser().absolute()
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The XDG specification has relative paths ignored.
    return (shared if shared.is_absolute() else Path.home() / ".cache") / "crossfelt"


@cache
def cache_directory() -> Path:
    """The directory of this machine's kernels; where it cannot be made, one that ends with the process."""
    try:
        directory = cache_root() / f"kernels-{cache_key()}"
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home directory
        return _directory_of_this_process(error)
    return directory


def _directory_of_this_process(error: Exception) -> Path:
    # A fixed place under /tmp would do for the next run too, but others could put their own code there first.
    directory = Path(tempfile.mkdtemp(prefix="crossfelt-kernels-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    message = f"crossfelt: compiled kernels cannot be kept ({error}); CROSSFELT_CACHE names another directory"
    print(message, file=sys.stderr)
    return directory
