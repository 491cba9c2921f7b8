"""Fields that two records have in common."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec


def shared_fields(source: object, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the values of a record by name, as far as another kind of record has fields of these names.

    >>> class Point(msgspec.Struct):
    ...     x: int
    ...     y: int
    >>> class Height(msgspec.Struct):
    ...     y: int
    >>> shared_fields(Point(1, 2), Height)
    {'y': 2}
    """
    return {name: getattr(source, name) for name in _shared_names(type(source), kind)}


@cache
def _shared_names(source: type, kind: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if hasattr(source, name))
