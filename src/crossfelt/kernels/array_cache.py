"""Disk cache of computed arrays, beside the compiled kernels."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.cache import array_directory

Array = NDArray[Any]


def cached_arrays(key: tuple[object, ...], make: Callable[[], Iterable[Array]]) -> list[Array]:
    """Return the arrays of `make`, from disk if they were made before.

    The directory is named by a hash of the sources that compute arrays, so those of other sources are never found. The
    first part of the key is a name, the others are the arguments of the arrays.
    """
    path = array_directory() / f"{key[0]}-{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.arrays"
    with suppress(OSError, ValueError, EOFError), path.open("rb") as file:
        return [np.load(file) for _ in range(int(np.load(file)))]
    arrays = list(make())
    _keep(path, arrays)
    return arrays


def _keep(path: Path, arrays: list[Array]) -> None:
    """Write a file atomically: a reader finds all of it or none."""
    with suppress(OSError):
        descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(descriptor, "wb") as file:
                for array in (np.array(len(arrays)), *arrays):
                    np.save(file, array)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
