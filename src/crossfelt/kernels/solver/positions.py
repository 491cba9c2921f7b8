"""The words of positions of many rounds, by which their nodes are found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel
from crossfelt.kernels.solver.card_sets import Cards, Counts
from crossfelt.kernels.solver.hand_tables import RANKS, SUITS, HandTables
from crossfelt.kernels.solver.nodes import TYPES, Draws, lump_suits, new_path, position_key
from crossfelt.kernels.threads import in_threads, share_count, share_of

_SMALLEST = 1 << 14


def keys_of(cards: Cards, entered: NDArray[np.uint8], draws: Draws) -> NDArray[np.uint64]:
    """Return the word of each position; `entered` says by column which hands a card is in."""
    keys = np.empty(len(cards), dtype=np.uint64)
    shares = share_count(len(cards), _SMALLEST)

    def work(share: int) -> None:
        rows = share_of(len(cards), share, shares)
        _keys(cards[rows], entered, draws.to_come[:1], draws.tables, keys[rows])

    in_threads(work, shares)
    return keys


@Kernel
def _keys(
    cards: Cards, entered: NDArray[np.uint8], to_come: Counts, tables: HandTables, keys: NDArray[np.uint64]
) -> None:
    hands = tables.needed.size
    path = new_path(1, hands)
    sums, masks, left = path.sums, path.masks, path.left
    for row in range(cards.shape[0]):
        for hand in range(hands):
            sums[0, hand] = 0
            for suit in range(SUITS):
                masks[0, hand, suit] = 0
        for kind in range(TYPES):
            left[0, kind] = kind >= RANKS
        for column in range(cards.shape[1]):
            rank, suit = cards[row, column] // SUITS, cards[row, column] % SUITS
            left[0, RANKS * (suit + 1) + rank] = 0
            for hand in range(hands):
                if entered[column, hand]:
                    sums[0, hand] += tables.weights[hand, rank]
                    masks[0, hand, suit] |= 1 << rank
        lump_suits(0, to_come, tables.needed, path)
        keys[row] = position_key(0, to_come, tables, path)
