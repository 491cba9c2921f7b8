"""A cache of results whose key is the first argument alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Concatenate, ParamSpec, TypeVar

K = TypeVar("K", bound=Hashable)
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class _Call:
    key: Hashable
    make: Callable[[], Any] = field(compare=False)


def cached_by_key(most: int) -> Callable[[Callable[Concatenate[K, P], R]], Callable[Concatenate[K, P], R]]:
    """Keep the last results of a function by its first argument; its other arguments do not tell results apart.

    >>> remembered = cached_by_key(8)(lambda key, number: number)
    >>> remembered("a", 1), remembered("a", 2), remembered("b", 2)
    (1, 1, 2)
    """

    def decorate(function: Callable[Concatenate[K, P], R]) -> Callable[Concatenate[K, P], R]:
        @lru_cache(maxsize=most)
        def found(asked: _Call) -> Any:
            return asked.make()

        def ask(key: K, /, *args: P.args, **kwargs: P.kwargs) -> R:
            result: R = found(_Call(key, partial(function, key, *args, **kwargs)))
            return result

        ask.cache_clear = found.cache_clear  # type: ignore[attr-defined]
        return ask

    return decorate
