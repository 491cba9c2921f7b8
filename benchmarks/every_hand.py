"""All hands of some cards of a deck, such as the 154,143,080 of seven cards of a deck with a joker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray


def every_hand(cards: int, deck: Sequence[int]) -> Iterator[NDArray[np.uint8]]:
    """Yield all hands, those with the same two lowest cards at once."""
    left = np.array(sorted(deck), dtype=np.uint8)
    rest = np.array(list(combinations(range(len(left)), cards - 2)), dtype=np.uint8)
    for lowest in combinations(range(len(left) - cards + 2), 2):
        others = rest[np.searchsorted(rest[:, 0], lowest[1], side="right") :]
        yield left[np.hstack([np.tile(np.array(lowest, dtype=np.uint8), (len(others), 1)), others])]
