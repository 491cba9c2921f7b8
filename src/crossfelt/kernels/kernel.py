"""A function that is compiled when it is first called, and kept compiled in the cache directory."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, ParamSpec, TypeVar

import numba
from numba.extending import register_jitable

from crossfelt.kernels.cache import cache_directory

P = ParamSpec("P")
R = TypeVar("R")

part_of_kernel: Callable[[Callable[P, R]], Callable[P, R]] = register_jitable
"""Marks a function that kernels call; from Python it stays the plain function it is."""

_lock = threading.Lock()


class Kernel(Generic[P, R]):
    """Decorates a function for Numba; it runs without the interpreter's lock, so threads can share the work.

    >>> @Kernel
    ... def total(numbers):
    ...     result = 0
    ...     for number in numbers:
    ...         result += number
    ...     return result
    >>> total.function((1, 2, 3))
    6
    """

    def __init__(self, function: Callable[P, R]) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self._compiled: Any = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if self._compiled is None:
            self._prepare()
        result: R = self._compiled(*args, **kwargs)
        return result

    def _prepare(self) -> None:
        """Have Numba take the function on; it compiles it, or loads it from the cache, when it is called."""
        with _lock:
            if self._compiled is not None:
                return
            directory = cache_directory()
            if not any(directory.rglob(f"*.{self.function.__qualname__}-*.nbi")):
                _announce()
            # Numba reads the setting when it decorates; others who use Numba in this process keep their own.
            config: Any = numba.config
            before, config.CACHE_DIR = config.CACHE_DIR, str(directory)
            try:
                self._compiled = numba.njit(cache=True, nogil=True)(self.function)
            finally:
                config.CACHE_DIR = before


@cache
def _announce() -> None:
    print("crossfelt: compiling for this machine; it takes some seconds, once ...", file=sys.stderr)
