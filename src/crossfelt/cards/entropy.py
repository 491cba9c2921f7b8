"""The one place where chance enters: the operating system's generator.

Only the outer edge calls it (the house, the terminal table, the laboratory's commands); whatever is pure gets
its seeds as arguments.
"""

from __future__ import annotations

import secrets

from crossfelt.cards.shuffle import SEED_BYTES


def fresh_seed() -> bytes:
    """384 bits that nobody knows, for one shuffle or one set of draws.

    There are 2^225.6 orders of 52 cards and 2^231.3 of 53, so that no order is out of reach.

    >>> len(fresh_seed()), fresh_seed() == fresh_seed()
    (48, False)
    """
    return secrets.token_bytes(SEED_BYTES)


def fresh_seeds(count: int) -> bytes:
    """As many seeds in one piece, each its own 384 bits.

    >>> len(fresh_seeds(10))
    480
    """
    return secrets.token_bytes(SEED_BYTES * count)
