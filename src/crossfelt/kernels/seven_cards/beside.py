"""Pairs of seven-card hands from one deck with a joker: the other hand beside a hand with a low high card.

A hand without pair, straight or flush, and without ace or joker, is seven ranks and their suits. Without flushes only
its ranks affect the other hand. A flush in one suit depends on which of the seven cards are of that suit. All cases are
counted with the number of hands they represent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.array_cache import cached_arrays
from crossfelt.kernels.house_way.decide import ACE, CARDS, RANKS
from crossfelt.kernels.jit import Kernel
from crossfelt.kernels.seven_cards.kinds import KINDS, Bits, kind_by_ranks, kind_in_suit
from crossfelt.kernels.solver.card_sets import choose_table
from crossfelt.kernels.solver.hand_shapes import FLUSH, SUITS
from crossfelt.kernels.threads import in_threads

Counts = NDArray[np.int64]


def kinds_beside(high_card: int) -> Counts:
    """Count pairs of hands by kind: one has only this high card, below the ace; the other is of each of `KINDS`.

    Both hands are dealt from one deck, so the total is the number of first hands times C(46, 7).

    A royal flush counts as one independent of the other two cards.

    >>> nine = 7
    >>> int(kinds_beside(nine).sum()) == 31_080 * comb(46, 7)
    True
    """
    return cached_arrays(("kinds beside", high_card), lambda: [_counted(high_card)])[0]


def rank_sets(high_card: int) -> Iterator[tuple[int, ...]]:
    """Yield seven different ranks up to this one, without five in a row."""
    for lower in combinations(range(high_card), CARDS - 1):
        ranks = (*lower, high_card)
        if all(ranks[place + 4] - ranks[place] > 4 for place in range(CARDS - 4)):
            yield ranks


def suit_ways(cards: int, suits: int) -> int:
    """Return the number of ways to suit the cards, with no five of one suit.

    >>> suit_ways(7, 4), suit_ways(0, 3)
    (15540, 1)
    """
    if suits == 0:
        return int(cards == 0)
    return sum(comb(cards, own) * suit_ways(cards - own, suits - 1) for own in range(min(cards, FLUSH - 1) + 1))


def _counted(high_card: int) -> Counts:
    if not CARDS <= high_card < ACE:
        raise ValueError(f"no hand of seven different ranks with nothing else and this high card: {high_card}")
    sets = list(rank_sets(high_card))
    spread = _spread()
    total = np.zeros(len(KINDS), dtype=np.int64)
    for counts in in_threads(lambda place: _beside(sets[place], spread), len(sets)):
        total += counts
    return total


def _beside(ranks: Sequence[int], spread: NDArray[Bits]) -> Counts:
    """Count the other hands for all suits of these ranks."""
    left = np.full(RANKS, SUITS, dtype=np.int64)
    left[list(ranks)] -= 1
    by_ranks = np.zeros(len(KINDS), dtype=np.int64)
    _count_by_ranks(left, choose_table(), by_ranks)
    total = suit_ways(CARDS, SUITS) * by_ranks
    for size in range(FLUSH):
        for of_suit in combinations(ranks, size):
            change = np.zeros(len(KINDS), dtype=np.int64)
            in_suit = np.ones(RANKS, dtype=np.int64)
            in_suit[list(of_suit)] = 0
            _change_by_flush(in_suit, left - in_suit, spread, change)
            # All four suits have a flush equally often.
            total += SUITS * suit_ways(CARDS - size, SUITS - 1) * change
    return total


def _spread() -> NDArray[Bits]:
    """Return sets of ranks in the form of the kernels: the bit of a rank in a group of four."""
    sets = np.arange(1 << RANKS, dtype=np.uint64)
    spread = np.zeros(1 << RANKS, dtype=np.uint64)
    for rank in range(RANKS):
        spread |= (sets >> Bits(rank) & Bits(1)) << Bits(4 * rank)
    return spread


@Kernel
def _count_by_ranks(left: Counts, choose: Counts, counts: Counts) -> None:
    """Count all hands of seven by their ranks without suits, with and without the joker."""
    taken = np.zeros(RANKS, dtype=np.int64)
    for joker in range(2):
        natural = CARDS - joker
        taken[:] = 0
        rank, dealt = 0, 0
        # Enumerates all numbers of cards of each rank that add up to a hand, like an odometer.
        while rank >= 0:
            if rank == RANKS:
                if dealt == natural:
                    ways, groups = 1, Bits(0)
                    for place in range(RANKS):
                        ways *= choose[left[place], taken[place]]
                        groups |= Bits(taken[place]) << Bits(4 * place)
                    counts[kind_by_ranks(groups, Bits(joker))] += ways
                rank -= 1
                while rank >= 0 and (taken[rank] == left[rank] or dealt == natural):
                    dealt -= taken[rank]
                    taken[rank] = 0
                    rank -= 1
                if rank >= 0:
                    taken[rank] += 1
                    dealt += 1
                    rank += 1
            else:
                rank += 1


@Kernel
def _change_by_flush(in_suit: Counts, others: Counts, spread: NDArray[Bits], change: Counts) -> None:
    """Return the number of hands with a flush in one suit by kind, minus those of the kind of their ranks.

    `in_suit` has the cards of that suit, `others` those of the other suits, by rank. A flush leaves two cards at
    most.
    """
    for joker in range(2):
        natural = CARDS - joker
        for ranks in range(1, 1 << RANKS):
            flush, fits = 0, True
            for rank in range(RANKS):
                if ranks >> rank & 1:
                    flush += 1
                    fits = fits and in_suit[rank] > 0
            if not fits or flush < FLUSH - joker or flush > natural:
                continue
            groups, kind = spread[ranks], kind_in_suit(spread[ranks], Bits(joker))
            for one in range(RANKS if natural > flush else 1):
                for two in range(one if natural > flush + 1 else RANKS - 1, RANKS):
                    ways, whole = 1, groups
                    if natural > flush:
                        ways *= others[one]
                        whole += Bits(1) << Bits(4 * one)
                    if natural > flush + 1:
                        ways *= others[two]
                        whole += Bits(1) << Bits(4 * two)
                        if one == two:
                            ways = others[one] * (others[one] - 1) // 2
                    if ways > 0:
                        by_ranks = kind_by_ranks(whole, Bits(joker))
                        change[max(kind, by_ranks)] += ways
                        change[by_ranks] -= ways
