"""All 154,143,080 hands of seven cards of a deck with a joker."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

DECK = 53
CARDS = 7


def every_hand() -> Iterator[NDArray[np.uint8]]:
    """Yield all hands, those with the same two lowest cards at once."""
    rest = np.array(list(combinations(range(DECK), CARDS - 2)), dtype=np.uint8)
    for lowest in combinations(range(DECK - CARDS + 2), 2):
        others = rest[np.searchsorted(rest[:, 0], lowest[1], side="right") :]
        yield np.hstack([np.tile(np.array(lowest, dtype=np.uint8), (len(others), 1)), others])
