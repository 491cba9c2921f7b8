"""Sums over the branches of a tree, backward and forward."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel

Counts = NDArray[np.int64]


def summed(start: Counts, child: NDArray[np.int32], ways: Counts, values: Counts) -> Counts:
    """Return by column the value of each node: that of its children, times their ways."""
    out = np.zeros((len(start) - 1, len(values)), dtype=np.int64)
    _sum(start, child, ways, np.ascontiguousarray(values.T), out)
    return np.ascontiguousarray(out.T)


def spread(start: Counts, child: NDArray[np.int32], ways: Counts, reached: Counts, children: int) -> Counts:
    """Return by column the ways to each child, from the ways to each node."""
    out = np.zeros((children, len(reached)), dtype=np.int64)
    _spread(start, child, ways, np.ascontiguousarray(reached.T), out)
    return np.ascontiguousarray(out.T)


@Kernel
def _sum(start: Counts, child: NDArray[np.int32], ways: Counts, values: Counts, out: Counts) -> None:
    for node in range(start.size - 1):
        for entry in range(start[node], start[node + 1]):
            for column in range(values.shape[1]):
                out[node, column] += ways[entry] * values[child[entry], column]


@Kernel
def _spread(start: Counts, child: NDArray[np.int32], ways: Counts, reached: Counts, out: Counts) -> None:
    for node in range(start.size - 1):
        for entry in range(start[node], start[node + 1]):
            for column in range(reached.shape[1]):
                out[child[entry], column] += ways[entry] * reached[node, column]
