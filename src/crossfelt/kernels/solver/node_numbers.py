"""Numbers of nodes: nodes with the same children, in the same numbers of ways, have one number."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import inner_part

Counts = NDArray[np.int64]


class Numbering(NamedTuple):
    """The nodes of each level so far, and the children of the node that is being counted there."""

    found: Counts
    starts: Counts
    """First entry of each node, with one more at the end."""
    child: NDArray[np.int32]
    ways: Counts
    slots: NDArray[np.int32]
    """A hash table of nodes."""
    keys: NDArray[np.uint64]
    ways_here: Counts
    children: Counts
    child_count: Counts


def new_numbering(levels: int, nodes: int, entries: int, most_children: int) -> Numbering:
    """Return room for some nodes and entries of each level."""
    return Numbering(
        found=np.zeros(levels, dtype=np.int64),
        starts=np.zeros((levels, nodes + 1), dtype=np.int64),
        child=np.empty((levels, entries), dtype=np.int32),
        ways=np.empty((levels, entries), dtype=np.int64),
        slots=np.full((levels, 4 * nodes), -1, dtype=np.int32),
        keys=np.empty((levels, nodes + 1), dtype=np.uint64),
        ways_here=np.zeros((levels, most_children), dtype=np.int64),
        children=np.empty((levels, most_children), dtype=np.int64),
        child_count=np.zeros(levels, dtype=np.int64),
    )


@inner_part
def add_way(level: int, which: int, number: int, nodes: Numbering) -> None:
    if nodes.ways_here[level, which] == 0:
        nodes.children[level, nodes.child_count[level]] = which
        nodes.child_count[level] += 1
    nodes.ways_here[level, which] += number


@inner_part
def mixed(number: int) -> Any:
    """Return a word that looks random and depends on the number only (SplitMix64)."""
    word = (np.uint64(number) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@inner_part
def number_of(level: int, nodes: Numbering) -> Any:
    """Return the number of the node with these children: a new one if no earlier node has the same, −1 if none fits."""
    found, starts, child, ways, slots, keys, ways_here, children, child_count = nodes
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
