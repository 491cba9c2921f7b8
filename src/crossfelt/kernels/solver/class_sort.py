"""Classes of hands in ascending order, sorted by two digits."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import inner_part

Counts = NDArray[np.int64]
DIGITS: Final = 128
"""Base of the digits."""


@inner_part
def sort_classes(count: int, classes: Counts, order: Counts, other: Counts, starts: Counts) -> None:
    """Write the order of the classes: sorted by their lower digit, then by the higher one."""
    for place in range(count):
        order[place] = place
    _sort_by_digit(count, classes, 1, order, other, starts)
    _sort_by_digit(count, classes, DIGITS, other, order, starts)


@inner_part
def _sort_by_digit(count: int, classes: Counts, unit: int, given: Counts, out: Counts, starts: Counts) -> None:
    for digit in range(starts.size):
        starts[digit] = 0
    for place in range(count):
        starts[classes[given[place]] // unit % DIGITS + 1] += 1
    for digit in range(1, starts.size):
        starts[digit] += starts[digit - 1]
    for place in range(count):
        digit = classes[given[place]] // unit % DIGITS
        out[starts[digit]] = given[place]
        starts[digit] += 1
