"""The classes of an order of hands, as arrays that kernels rank hands with."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt._util.cached_by_key import cached_by_key
from crossfelt.analysis.solver.round_plan import is_by_suits
from crossfelt.cards.card import Card
from crossfelt.games.rules import ranker_of
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


def _ranking(game: Game, name: str) -> tuple[object, ...]:
    """Return all that an order depends on: games with the same settings rank hands alike."""
    kind = kinds_of(game.book)[name]
    return name, kind.cards, kind.categories, tuple(game.settings.items())


@cached_by_key(8, _ranking)
def order_of(game: Game, name: str) -> Order:
    """Return an order of hands by the settings of a game.

    >>> order = order_of(compile_game("nj-criss-cross"), "five_card")
    >>> len(order.classes), order.classes[-1].name
    (7462, 'royal flush')
    """
    cards = kinds_of(game.book)[name].cards
    rank, by_suits, rows = ranker_of(game, name), is_by_suits(game, name), rank_sets(cards).tolist()
    if by_suits:
        # The ranks held in each suit count; ranks of several suits count nothing.
        one_suit = [[each for each in range(RANKS) if mask >> each & 1] for mask in range(1 << RANKS)]
        several = []
    else:
        one_suit = [row for row in rows if len(set(row)) == cards]
        several = [rank(_several_suits(row)) for row in rows]
    suited = [rank([Card(SUITS * each) for each in ranks]) for ranks in one_suit]
    classes = sorted({*several, *suited}, key=lambda rank: (rank.level, rank.ranks))
    number = {rank: place for place, rank in enumerate(classes)}
    plain = np.array([number[rank] for rank in several] or [0] * len(rows), dtype=np.int16)
    flush = {sum(1 << each for each in held): number[rank] for held, rank in zip(one_suit, suited, strict=True)}
    table = exact_table(plain, flush, cards)
    digest = hashlib.sha256(table.plain.tobytes() + table.flush.tobytes()).hexdigest()
    return Order(name, tuple(classes), table, digest, by_suits)


def _several_suits(ranks: list[int]) -> list[Card]:
    """Return cards of these ranks, the lowest first, that are not all of one suit."""
    suits = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    suits[0] = 0 if any(suits) else 1
    return [Card(SUITS * rank + suit) for rank, suit in zip(ranks, suits, strict=True)]


@cached_by_key(16, lambda order, held: (order.digest, held))
def counts_by_class(order: Order, held: int) -> NDArray[np.int64]:
    """Count the hands of `held` cards by class, over every set of cards of the deck."""
    table, classes = order.best_of(held), len(order.classes)
    if order.by_suits:
        return class_counts_by_suits(table.flush, held, classes)
    return class_counts(table, held, classes)
