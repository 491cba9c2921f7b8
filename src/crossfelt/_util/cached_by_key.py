"""A cache of a function's results by a key of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class _Call:
    key: Hashable
    make: Callable[[], Any] = field(compare=False)


def cached_by_key(most: int, key: Callable[P, Hashable]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last results of a function; calls with equal keys have the same result.

    >>> remembered = cached_by_key(8, lambda name, number: name)(lambda name, number: number)
    >>> remembered("a", 1), remembered("a", 2), remembered("b", 2)
    (1, 1, 2)
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(maxsize=most)
        def found(asked: _Call) -> Any:
            return asked.make()

        def ask(*args: P.args, **kwargs: P.kwargs) -> R:
            result: R = found(_Call(key(*args, **kwargs), partial(function, *args, **kwargs)))
            return result

        ask.cache_clear = found.cache_clear  # type: ignore[attr-defined]
        return ask

    return decorate
