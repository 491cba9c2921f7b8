"""Sums beside sets of cards, carried to the sets from which they can have come, and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.exact.boards import PAIRS
from crossfelt.kernels.exact.card_sets import Cards, Counts
from crossfelt.kernels.jit import Kernel


@Kernel
def push_sets(
    sets: Cards,
    ways: Counts,
    values: Counts,
    places: Counts,
    set_number: NDArray[np.int32],
    set_change: NDArray[np.int8],
    changed_pair: NDArray[np.int16],
    choose: Counts,
    sums: Counts,
) -> None:
    """Add the values beside each set of cards to all sets from which it can have come."""
    for row in range(sets.shape[0]):
        for origin in range(places.shape[0]):
            number = 0
            for place in range(places.shape[1]):
                number += choose[sets[row, places[origin, place]], place + 1]
            target, change = set_number[number], set_change[number]
            for pair in range(PAIRS):
                for column in range(values.shape[2]):
                    sums[target, changed_pair[change, pair], column] += ways[row] * values[row, pair, column]


@Kernel
def pull_sets(
    sets: Cards,
    values: Counts,
    places: Counts,
    set_number: NDArray[np.int32],
    set_change: NDArray[np.int8],
    changed_pair: NDArray[np.int16],
    choose: Counts,
    sums: Counts,
) -> None:
    """Add to each set of cards the values beside all sets from which it can have come."""
    for row in range(sets.shape[0]):
        for origin in range(places.shape[0]):
            number = 0
            for place in range(places.shape[1]):
                number += choose[sets[row, places[origin, place]], place + 1]
            target, change = set_number[number], set_change[number]
            for pair in range(PAIRS):
                for column in range(values.shape[2]):
                    sums[row, pair, column] += values[target, changed_pair[change, pair], column]
