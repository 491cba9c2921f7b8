"""Kernels: functions compiled at their first call and cached on disk."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

from crossfelt.kernels.cache import cache_directory, one_process

P = ParamSpec("P")
R = TypeVar("R")

_lock = threading.Lock()
_parts: list[tuple[Callable[..., Any], dict[str, bool]]] = []
"""Functions not yet registered with Numba, and its options for them."""


def part_of_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function that kernels call; from Python it stays a plain function.

    >>> @part_of_kernel
    ... def twice(number):
    ...     return 2 * number
    >>> twice(3)
    6
    """
    _parts.append((function, {"_nrt": True}))
    return function


def inner_part(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a part that a kernel calls millions of times, and that allocates nothing.

    Numba counts references to every array that a part is given, which may cost more than its work. A part that
    allocates nothing needs no count.
    """
    _parts.append((function, {"_nrt": False}))
    return function


class Kernel(Generic[P, R]):
    """Compiles a function with Numba; it releases the interpreter lock, so threads can share the work.

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
        """Register the function with Numba, which loads or compiles it at the call."""
        with _lock:
            if self._compiled is not None:
                return
            # Starting Numba takes half a second, which commands without kernels avoid.
            import numba
            from numba.extending import register_jitable

            while _parts:
                part, options = _parts.pop()
                register_jitable(**options)(part)
            directory = cache_directory()
            name = self.function.__qualname__
            if not any(directory.rglob(f"*.{name}-*.nbi")):
                _announce()
            # Numba reads these settings when it decorates; other users of Numba in this process keep theirs.
            config: Any = numba.config
            ours = {"CACHE_DIR": str(directory), "CACHE_LOCATOR_CLASSES": "crossfelt.kernels.locator.KernelLocator"}
            before = {setting: getattr(config, setting, "") for setting in ours}
            vars(config).update(ours)
            try:
                compiled = numba.njit(cache=True, nogil=True)(self.function)
            finally:
                vars(config).update(before)
            _share(compiled, directory / f"{name}.lock")
            self._compiled = compiled


def _share(compiled: Any, lock: Path) -> None:
    """Let one process at a time compile a kernel; the others wait and load it. A broken cache is not used."""
    from numba.core.errors import NumbaError

    plain, kept = compiled.compile, compiled._cache

    def compile_alone(signature: Any) -> Any:
        with one_process(lock):
            try:
                return plain(signature)
            except NumbaError:
                raise
            except Exception:
                # A power cut leaves empty files; a full disk takes none.
                with suppress(OSError):
                    kept.flush()
                kept.disable()
                return plain(signature)

    compiled.compile = compile_alone


@cache
def _announce() -> None:
    print("crossfelt: compiling for this machine; it takes some seconds, once ...", file=sys.stderr)
