"""Different rows of an array, where there are too many to sort them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class DistinctRows(NamedTuple):
    rows: NDArray[np.int32]
    number: NDArray[np.int64]
    """The place of each given row among the different ones."""


def distinct_rows(rows: NDArray[np.int32]) -> DistinctRows:
    """Return the different rows. Words that look random tell them apart, and a comparison shows that they do.

    >>> distinct_rows(np.array([[1, 2], [3, 4], [1, 2]], dtype=np.int32)).number.tolist() in ([0, 1, 0], [1, 0, 1])
    True
    """
    words = np.random.default_rng(0).integers(1, 1 << 63, size=rows.shape[1], dtype=np.uint64) | np.uint64(1)
    keys = (rows.astype(np.uint64) * words).sum(axis=1, dtype=np.uint64)
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    if not np.array_equal(rows[first][number], rows):
        raise RuntimeError("random words did not tell two positions apart")
    return DistinctRows(rows[first], number)
