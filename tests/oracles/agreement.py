"""Comparison of two rankings of the same hands."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any


def disagreement(pairs: Iterable[tuple[Any, Any]]) -> str:
    """Return an empty string if both rankings order all hands alike, else the first difference.

    >>> disagreement([(1, "a"), (3, "c"), (1, "a")])
    ''
    >>> disagreement([(1, "a"), (3, "a")])
    "1 < 3, but 'a' is not below 'a'"
    >>> disagreement([(1, "a"), (1, "b")])
    "1 is both 'a' and 'b'"
    """
    second: dict[Any, Any] = {}
    for one, other in pairs:
        if second.setdefault(one, other) != other:
            return f"{one!r} is both {second[one]!r} and {other!r}"
    ordered = sorted(second)
    for low, high in pairwise(ordered):
        if not second[low] < second[high]:
            return f"{low!r} < {high!r}, but {second[low]!r} is not below {second[high]!r}"
    return ""
