"""Return of a spin wager, summed from the printed tables over every outcome.

Each outcome of the trigger and of the wheel has its probability; the receipts of one bettor are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

RANKS_AND_SUITS = [(rank, suit) for rank in range(13) for suit in range(4)]


def pair_probability() -> Fraction:
    """Every two cards of the deck looked at."""
    hands = list(combinations(RANKS_AND_SUITS, 2))
    return Fraction(sum(one[0] == other[0] for one, other in hands), len(hands))


def bonus_spin(
    stake: int,
    slices: Sequence[tuple[int, int]],
    weights: Sequence[int],
    others: int,
    top: int,
) -> Fraction:
    """The return per dollar for one bettor. `slices` are (spinner's dollars, others' dollars); the first is the top.

    Each of the bettors at the table, oneself included, may hold a pair; each pair spins on its own.
    """
    chance = pair_probability()
    total = Fraction(0)
    for spinner in range(others + 1):
        for (own, community), weight in zip(slices, weights, strict=True):
            probability = chance * Fraction(weight, sum(weights))
            prize = top if own == 0 else own
            total += probability * (prize if spinner == 0 else community)
    return total / stake


def xtreme(
    stake: int,
    event: Fraction,
    hot_spot: tuple[Sequence[int], Sequence[int]],
    community: tuple[Sequence[int], Sequence[int]],
    bettors: int,
    top: int,
) -> Fraction:
    """The return per dollar: both wheels and the hot spot enumerated together; a prize of 0 is the top."""
    prizes, prize_weights = hot_spot
    shares, share_weights = community
    whole = sum(prize_weights) * sum(share_weights) * bettors
    total = Fraction(0)
    for chosen, prize, share in product(range(bettors), range(len(prizes)), range(len(shares))):
        received = shares[share]
        if chosen == 0:
            received += prizes[prize] or top
        total += Fraction(prize_weights[prize] * share_weights[share], whole) * received
    return event * total / stake
