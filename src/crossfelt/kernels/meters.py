"""A meter over many rounds: contributions and claims in order.

The rule is `crossfelt.progressive.handler`: a claim is for a percentage of the displayed meter, or for an amount that
the pool pays as far as it stands above its reset amount. A full award restores the reset amount, and another award
brings the pool back to it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel

Integers = NDArray[np.int64]

MICROS = 1_000_000
FULL = 100
NO_LIMIT = 1 << 62
"""More than any meter shows or any claim asks."""


class Claims(NamedTuple):
    """The contributions and claims of some rounds for one meter."""

    contributed: Integers
    """Contributions by round, in millionths of a cent; 0 for a void round whose contribution is reversed."""
    rounds: Integers
    """Round of each claim; claims of a round are in their order."""
    percents: Integers
    cents: Integers
    """Claimed percentage of the meter or, if that is 0, cents."""
    at_most: Integers
    """Most that a payout limit allows, in cents."""


class Followed(NamedTuple):
    """The result of following a meter."""

    before: Integers
    """Pool before each round, in millionths of a cent."""
    paid: Integers
    """Payment of the meter for each claim, in whole cents."""
    seeded: int
    """Millionths that the house added."""
    pool: int
    """Millionths at the end."""


def follow(pool: int, claims: Claims, *, reset: int, limit: int = NO_LIMIT) -> Followed:
    """Follow a meter: the contributions of each round, then its claims in order.

    A claim is for a percentage of the displayed meter, which never exceeds its limit, or for cents if the
    percentage is 0. Reset and limit are in millionths, like the pool.

    >>> numbers = [np.array(row) for row in ([50, 50, 5_000_000], [1, 2], [100, 0], [0, 7], [10**9, 10**9])]
    >>> follow(3_000_000, Claims(*numbers), reset=2_000_000)[1:]
    (array([3, 5]), 2000000, 2000100)
    """
    before = np.empty(len(claims.contributed), dtype=np.int64)
    paid = np.empty(len(claims.rounds), dtype=np.int64)
    seeded, left = _follow(pool, claims, reset, limit, before, paid)
    return Followed(before, paid, int(seeded), int(left))


@Kernel
def _follow(pool: int, claims: Claims, reset: int, limit: int, before: Integers, paid: Integers) -> tuple[int, int]:
    added, rounds, percents, cents, at_most = claims
    seeded, claim = 0, 0
    for row in range(added.size):
        before[row] = pool
        pool += added[row]
        while claim < rounds.size and rounds[claim] == row:
            percent = percents[claim]
            full = cents[claim]
            if percent > 0:
                shown = min(pool, limit)
                # The product of amount and percentage may overflow.
                full = (shown // FULL * percent + shown % FULL * percent // FULL) // MICROS
            full = min(full, at_most[claim])
            floor = min(pool, reset)
            paid[claim] = full if percent > 0 else min(full, (pool - floor) // MICROS)
            pool -= paid[claim] * MICROS
            put_in = reset if percent == FULL else max(0, floor - pool)
            pool += put_in
            seeded += put_in
            claim += 1
    return seeded, pool
