"""A comparison with the dealer a second time: every hand that the dealer can have, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

from oracles.five_card import key_of
from oracles.streets import DECK

Key = tuple[int, int]


def best_of(cards: Sequence[str], size: int, key: Callable[[Sequence[str]], Key] = key_of) -> Key:
    """The key of the best selection of some cards."""
    return max(key(some) for some in combinations(cards, size))


def expected(
    own: Sequence[str],
    shown: Sequence[str],
    hidden: int,
    key: Callable[[Sequence[str]], Key],
    net: Callable[[Key, Key], int],
    shared: Sequence[str] = (),
) -> Fraction:
    """The average net result over all dealer's hands of shown and hidden cards, by the keys of both hands."""
    mine = key([*own, *shared])
    left = [card for card in DECK if card not in {*own, *shown, *shared}]
    results = [net(mine, key([*shown, *rest, *shared])) for rest in combinations(left, hidden)]
    return Fraction(sum(results), len(results))
