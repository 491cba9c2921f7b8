"""Places of compiled kernels in their cache directory, the same for every copy of the package.

Numba would name them by the path of the source, and compile again for each clone.
"""

from __future__ import annotations

from pathlib import Path

from numba.core.caching import UserProvidedCacheLocator

from crossfelt.kernels.cache import SOURCES


class KernelLocator(UserProvidedCacheLocator):
    """Names the folder of a kernel by its module; the cache directory is named by the sources."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        source = Path(py_file).absolute()
        if source.is_relative_to(SOURCES):
            return "-".join(source.relative_to(SOURCES).with_suffix("").parts)
        return str(super().get_suitable_cache_subpath(py_file))  # type: ignore[no-untyped-call]
