"""Whether two ways of ranking put the same hands in the same order."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any


def disagreement(pairs: Iterable[tuple[Any, Any]]) -> str:
    """Empty if the first ranks and the second ranks order all hands alike, else the first case that differs.

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
