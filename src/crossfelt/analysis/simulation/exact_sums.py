"""Exact counts and sums that can be added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

K = TypeVar("K")


def counted(numbers: NDArray[np.int64]) -> dict[int, int]:
    """Count each number in an array.

    >>> counted(np.array([5, 7, 5]))
    {5: 2, 7: 1}
    """
    values, counts = np.unique(numbers, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def added(one: Mapping[K, int], other: Mapping[K, int]) -> dict[K, int]:
    """Add two counts.

    >>> added({"win": 1}, {"win": 2, "lose": 3})
    {'win': 3, 'lose': 3}
    """
    return dict(Counter(one) + Counter(other))


def sum_of_products(one: NDArray[np.int64], other: NDArray[np.int64]) -> int:
    """Return the sum of the products of two arrays, without overflow.

    >>> sum_of_products(np.array([1 << 62, 2]), np.array([1 << 62, 3])) == (1 << 124) + 6
    True
    """
    if _largest(one) * _largest(other) * len(one) < 1 << 63:
        return int(np.dot(one, other))
    return sum(x * y for x, y in zip(one.tolist(), other.tolist(), strict=True))


def _largest(numbers: NDArray[np.int64]) -> int:
    return max(-int(numbers.min(initial=0)), int(numbers.max(initial=0)))
