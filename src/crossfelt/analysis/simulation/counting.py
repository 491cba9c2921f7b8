"""How often each number came: plain counts that can be added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

K = TypeVar("K")


def counted(numbers: NDArray[np.int64]) -> dict[int, int]:
    """How often each number stands in an array.

    >>> counted(np.array([5, 7, 5]))
    {5: 2, 7: 1}
    """
    values, counts = np.unique(numbers, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def added(one: Mapping[K, int], other: Mapping[K, int]) -> dict[K, int]:
    """Two counts as one.

    >>> added({"win": 1}, {"win": 2, "lose": 3})
    {'win': 3, 'lose': 3}
    """
    return dict(Counter(one) + Counter(other))
