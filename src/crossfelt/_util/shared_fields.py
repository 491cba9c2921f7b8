"""Fields that two records have in common."""

from __future__ import annotations

from typing import Any, Final

import msgspec

_NAMES: Final[dict[tuple[type, type], tuple[str, ...]]] = {}
"""The names that two kinds of records have in common, found once for each pair."""


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
    pair = type(source), kind
    if pair not in _NAMES:
        _NAMES[pair] = tuple(name for name in kind.__struct_fields__ if hasattr(source, name))
    return {name: getattr(source, name) for name in _NAMES[pair]}
