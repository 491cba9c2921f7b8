"""Where compiled kernels are kept, so that a machine compiles each of them once.

Numba notices a change in the file of a kernel, but not in a function that the kernel calls from another file,
and would go on giving the old answer. The directory is therefore named by everything the machine code depends
on: all kernel sources, the version of Numba, the processor. Arrays that kernels have made are numbers, and the same
everywhere: their directory is named by the sources alone, so that they are found without starting Numba.
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
from typing import Final

from crossfelt.kernels.cleaning import take_into_use

SOURCES: Final = Path(__file__).parent
_KEY_LENGTH: Final = 16


def source_key(sources: Path = SOURCES) -> str:
    """A name for what running `sources` gives, on any machine.

    >>> source_key() == source_key(), len(source_key())
    (True, 16)
    """
    digest = hashlib.sha256()
    for source in sorted(sources.rglob("*.py")):
        for part in (source.relative_to(sources).as_posix().encode(), source.read_bytes()):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:_KEY_LENGTH]


def cache_key(sources: Path = SOURCES) -> str:
    """A name for what compiling `sources` on this machine gives."""
    import numba
    from llvmlite import binding

    machine = (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten())
    depends_on = "\n".join((source_key(sources), numba.__version__, sys.version, *machine))
    return hashlib.sha256(depends_on.encode()).hexdigest()[:_KEY_LENGTH]


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
    return _made(f"kernels-{cache_key()}")


@cache
def array_directory() -> Path:
    """The directory of the arrays that kernels have made."""
    return _made(f"arrays-{source_key()}")


def _made(name: str) -> Path:
    try:
        directory = cache_root() / name
        take_into_use(directory)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError as error:
        return _directory_of_this_process(f"in {cache_root()} ({error.strerror})")
    except RuntimeError as error:  # there is no home directory
        return _directory_of_this_process(f"({error})")
    return directory


@cache
def _directory_of_this_process(why: str) -> Path:
    # A fixed place under /tmp would do for the next run too, but others could put their own code there first.
    directory = Path(tempfile.mkdtemp(prefix="crossfelt-kernels-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    message = f"crossfelt: compiled kernels cannot be kept {why}; CROSSFELT_CACHE names another directory"
    print(message, file=sys.stderr)
    return directory
