"""Positions of many rounds at once: their words, by which their nodes are found, and values over one last card."""

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


def last_card_values(cards: Cards, entered: NDArray[np.uint8], draws: Draws, wins: Counts) -> Counts:
    """Return the winnings of each option by position, summed over the one card that is still to come.

    `wins` has the winnings by option and result.
    """
    values = np.zeros((len(cards), len(wins)), dtype=np.int64)
    shares = share_count(len(cards), _SMALLEST)

    def work(share: int) -> None:
        rows = share_of(len(cards), share, shares)
        _last_card(cards[rows], entered, draws.enters[0], draws.tables, np.ascontiguousarray(wins.T), values[rows])

    in_threads(work, shares)
    return values


@Kernel
def _last_card(
    cards: Cards,
    entered: NDArray[np.uint8],
    enters: NDArray[np.uint8],
    tables: HandTables,
    wins: Counts,
    values: Counts,
) -> None:
    _, weights, plain, plain_start, flush, strides = tables
    hands = strides.size
    sums, suited, ranked = np.zeros((3, hands), dtype=np.int64)
    masks = np.zeros((hands, SUITS), dtype=np.int64)
    for row in range(cards.shape[0]):
        held = np.uint64(0)
        for hand in range(hands):
            sums[hand] = plain_start[hand]
            for suit in range(SUITS):
                masks[hand, suit] = 0
        for column in range(cards.shape[1]):
            rank, suit = cards[row, column] // SUITS, cards[row, column] % SUITS
            held |= np.uint64(1) << np.uint64(cards[row, column])
            for hand in range(hands):
                if entered[column, hand]:
                    sums[hand] += weights[hand, rank]
                    masks[hand, suit] |= 1 << rank
        for hand in range(hands):
            # Entries of fewer ranks than a flush needs are zero.
            suited[hand] = 0
            for suit in range(SUITS):
                suited[hand] = max(suited[hand], flush[hand, masks[hand, suit]])
        for rank in range(RANKS):
            for hand in range(hands):
                ranked[hand] = max(suited[hand], plain[sums[hand] + weights[hand, rank] * enters[hand]])
            for suit in range(SUITS):
                if (held >> np.uint64(SUITS * rank + suit)) & np.uint64(1):
                    continue
                result = 0
                for hand in range(hands):
                    with_card = masks[hand, suit] | (1 << rank) if enters[hand] else 0
                    result += strides[hand] * max(ranked[hand], flush[hand, with_card])
                for option in range(wins.shape[1]):
                    values[row, option] += wins[result, option]
