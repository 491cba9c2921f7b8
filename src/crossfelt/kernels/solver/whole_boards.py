"""Values beside whole boards, by every hand of the dealer, for many rounds at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel, inner_part
from crossfelt.kernels.solver.boards import RELATIONS, Ranking
from crossfelt.kernels.solver.card_sets import Cards, Counts
from crossfelt.kernels.solver.hand_tables import DECK, SUITS, in_mask
from crossfelt.kernels.threads import in_threads, share_count, share_of


def whole_board_values(own: Cards, boards: Cards, ranking: Ranking, wins: Counts) -> Counts:
    """Return the winnings of each option by round, summed over the dealer's hands; `wins` has them by option and
    result."""
    values = np.zeros((len(own), len(wins)), dtype=np.int64)
    theirs = np.searchsorted(ranking.bounds, np.arange(len(ranking.groups)), side="right").astype(np.int64)
    first = ranking.groups.astype(np.int64) * RELATIONS * (len(ranking.bounds) + 1)
    shares = share_count(len(own), 1 << 8)

    def work(share: int) -> None:
        rows = share_of(len(own), share, shares)
        tables = ranking.needed, ranking.weights, ranking.plain, ranking.flush, first, theirs
        _values(own[rows], boards[rows], *tables, np.ascontiguousarray(wins.T), values[rows])

    in_threads(work, shares)
    return values


@Kernel
def _values(
    own: Cards,
    boards: Cards,
    needed: int,
    weights: Counts,
    plain: NDArray[np.int16],
    flush: NDArray[np.int16],
    first: Counts,
    theirs: Counts,
    wins: Counts,
    values: Counts,
) -> None:
    masks = np.zeros(SUITS, dtype=np.int64)
    left = np.zeros(DECK, dtype=np.int64)
    for row in range(own.shape[0]):
        masks[:] = 0
        total, held = 0, np.uint64(0)
        for place in range(boards.shape[1]):
            card = boards[row, place]
            total += weights[card // SUITS]
            masks[card % SUITS] |= 1 << (card // SUITS)
            held |= np.uint64(1) << np.uint64(card)
        for place in range(own.shape[1]):
            held |= np.uint64(1) << np.uint64(own[row, place])
        count = 0
        for card in range(DECK):
            left[count] = card
            count += (held >> np.uint64(card)) & np.uint64(1) == 0
        suited = False
        for suit in range(SUITS):
            suited |= in_mask(masks[suit]) + 2 >= needed
        mine = _class_of(own[row, 0], own[row, 1], total, masks, suited, weights, plain, flush)
        for high in range(1, count):
            for low in range(high):
                found = _class_of(left[high], left[low], total, masks, suited, weights, plain, flush)
                relation = 0 if found < mine else 1 if found == mine else 2
                result = first[mine] + RELATIONS * theirs[found] + relation
                for option in range(wins.shape[1]):
                    values[row, option] += wins[result, option]


@inner_part
def _class_of(
    one: int,
    two: int,
    total: int,
    masks: Counts,
    suited: bool,
    weights: Counts,
    plain: NDArray[np.int16],
    flush: NDArray[np.int16],
) -> Any:
    """Return the class of two cards beside a board."""
    best = plain[total + weights[one // SUITS] + weights[two // SUITS]]
    if suited:
        for suit in range(SUITS):
            mask = masks[suit]
            if one % SUITS == suit:
                mask |= 1 << (one // SUITS)
            if two % SUITS == suit:
                mask |= 1 << (two // SUITS)
            best = max(best, flush[mask])
    return best
