"""The classes of an order of hands, as arrays that kernels rank hands with."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt._util.cached_by_key import cached_by_key
from crossfelt.analysis.solver.round_plan import is_by_suits
from crossfelt.cards.card import Card
from crossfelt.games.rules import Ranker, ranker_of
from crossfelt.hands.rank import HandRank
from crossfelt.kernels.solver.hand_tables import (
    RANKS,
    SUITS,
    HandTable,
    best_table,
    class_counts,
    exact_table,
    rank_sets,
)
from crossfelt.kernels.solver.suits import class_counts_by_suits
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.orders import kinds_of

Ranks = tuple[int, ...]


class Order(NamedTuple):
    """The classes of one order of hands, the lowest first, and the table that ranks its hands."""

    id: str
    classes: tuple[HandRank, ...]
    table: HandTable
    digest: str
    """A hash of the table: equal orders rank hands alike."""
    by_suits: bool = False
    """True if the cards of one suit rank a hand, in any of the four suits."""

    def ranks_every(self, held: int) -> bool:
        """Say if every hand of `held` cards has a category."""
        two_alike = any(rank.category == "two_card_flush" for rank in self.classes)
        return not self.by_suits or (two_alike and held > SUITS)

    def best_of(self, held: int) -> HandTable:
        """Return the table of hands of `held` cards, of which the best selection counts."""
        return best_table(self.table, held)


def order_of(game: Game, name: str) -> Order:
    """Return an order of hands by the settings of a game.

    >>> order = order_of(compile_game("nj-criss-cross"), "five_card")
    >>> len(order.classes), order.classes[-1].name
    (7462, 'royal flush')
    """
    kind = kinds_of(game.book)[name]
    # Games with the same settings rank hands alike.
    return _order((name, kind.cards, kind.categories, tuple(game.settings.items())), game, name, kind.cards)


@cached_by_key(8)
def _order(key: tuple[object, ...], game: Game, name: str, cards: int) -> Order:
    rank = ranker_of(game, name)
    if is_by_suits(game, name):
        return _by_suits(name, cards, rank)
    ranked = [rank(example) for example in _examples(cards)]
    classes = sorted(set(ranked), key=lambda rank: (rank.level, rank.ranks))
    number = {rank: place for place, rank in enumerate(classes)}
    rows = len(rank_sets(cards))
    plain = np.array([number[rank] for rank in ranked[:rows]], dtype=np.int16)
    suited = [row for row in rank_sets(cards).tolist() if len(set(row)) == cards]
    flush = {sum(1 << each for each in row): number[rank] for row, rank in zip(suited, ranked[rows:], strict=True)}
    table = exact_table(plain, flush, cards)
    digest = hashlib.sha256(table.plain.tobytes() + table.flush.tobytes()).hexdigest()
    return Order(name, tuple(classes), table, digest)


def _by_suits(name: str, cards: int, rank: Ranker) -> Order:
    """Return an order whose classes follow from the ranks held in each suit; ranks of several suits count nothing."""
    in_suit = {
        mask: rank([Card(SUITS * each) for each in range(RANKS) if mask >> each & 1]) for mask in range(1 << RANKS)
    }
    classes = sorted(set(in_suit.values()), key=lambda rank: (rank.level, rank.ranks))
    number = {rank: place for place, rank in enumerate(classes)}
    rows = np.zeros(len(rank_sets(cards)), dtype=np.int16)
    table = exact_table(rows, {mask: number[rank] for mask, rank in in_suit.items()}, cards)
    digest = hashlib.sha256(table.plain.tobytes() + table.flush.tobytes()).hexdigest()
    return Order(name, tuple(classes), table, digest, by_suits=True)


@lru_cache(maxsize=8)
def _examples(cards: int) -> tuple[tuple[Card, ...], ...]:
    """Return a hand of several suits for every row of `rank_sets`, then one of a single suit where there is one."""
    rows = rank_sets(cards).tolist()
    suited = [row for row in rows if len(set(row)) == cards]
    return (
        *(tuple(map(Card, _several_suits(row))) for row in rows),
        *(tuple(Card(SUITS * rank) for rank in row) for row in suited),
    )


def _several_suits(ranks: list[int]) -> list[int]:
    """Return cards of these ranks that are not all of one suit."""
    seen: Counter[int] = Counter()
    cards = []
    for rank in ranks:
        cards.append(SUITS * rank + seen[rank])
        seen[rank] += 1
    if max(seen.values()) == 1:
        cards[0] += 1
    return cards


def counts_by_class(order: Order, held: int) -> NDArray[np.int64]:
    """Count the hands of `held` cards by class, over every set of cards of the deck."""
    return _counts((order.digest, held), order, held)


@cached_by_key(16)
def _counts(key: tuple[object, ...], order: Order, held: int) -> NDArray[np.int64]:
    table, classes = order.best_of(held), len(order.classes)
    if order.by_suits:
        return class_counts_by_suits(table.flush, held, classes)
    return class_counts(table, held, classes)
