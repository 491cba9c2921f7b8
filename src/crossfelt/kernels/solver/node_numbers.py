"""Numbers of nodes: nodes with the same children, in the same numbers of ways, have one number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import inner_part

Counts = NDArray[np.int64]


@inner_part
def add_way(level: int, which: int, number: int, ways_here: Counts, children: Counts, child_count: Counts) -> None:
    if ways_here[level, which] == 0:
        children[level, child_count[level]] = which
        child_count[level] += 1
    ways_here[level, which] += number


@inner_part
def mixed(number: int) -> Any:
    """Return a word that looks random and depends on the number only (SplitMix64)."""
    word = (np.uint64(number) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@inner_part
def number_of(
    level: int,
    ways_here: Counts,
    children: Counts,
    child_count: Counts,
    slots: NDArray[np.int32],
    keys: NDArray[np.uint64],
    found: Counts,
    starts: Counts,
    child: NDArray[np.int32],
    ways: Counts,
) -> Any:
    """Return the number of the node with these children, a new one if no earlier node has exactly the same."""
    count = child_count[level]
    key = np.uint64(0)
    for place in range(count):
        which = children[level, place]
        key += np.uint64(ways_here[level, which]) * mixed(which)
    fits = np.uint64(slots.shape[1] - 1)
    at = (key ^ (key >> np.uint64(32))) & fits
    node = -1
    while slots[level, at] >= 0:
        other = slots[level, at]
        if keys[level, other] == key and starts[level, other + 1] - starts[level, other] == count:
            same = True
            for entry in range(starts[level, other], starts[level, other + 1]):
                same &= ways_here[level, child[level, entry]] == ways[level, entry]
            if same:
                node = other
                break
        at = (at + np.uint64(1)) & fits
    if node < 0:
        node = found[level]
        begin = starts[level, node]
        if node + 1 >= starts.shape[1] or begin + count > child.shape[1]:
            return -1
        slots[level, at] = node
        keys[level, node] = key
        for place in range(count):
            child[level, begin + place] = children[level, place]
            ways[level, begin + place] = ways_here[level, children[level, place]]
        starts[level, node + 1] = begin + count
        found[level] = node + 1
    for place in range(count):
        ways_here[level, children[level, place]] = 0
    child_count[level] = 0
    return node
