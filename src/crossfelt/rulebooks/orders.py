"""The orders of hands of a rulebook: those of the package, and those that it states itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from crossfelt.cards.card import Card
from crossfelt.errors import Problem, unknown
from crossfelt.hands.kinds import KINDS, HandKind
from crossfelt.hands.own_order import CATEGORIES, own_kind
from crossfelt.hands.rank import HandRank
from crossfelt.rulebooks.hand_forms import OrderRule
from crossfelt.rulebooks.model import Rulebook

FIVE: Final = 5


def kinds_of(book: Rulebook) -> Mapping[str, HandKind]:
    """Return the kinds of hand of a rulebook, by the name of their order."""
    return _with_own(book.orders) if book.orders else KINDS


@lru_cache(maxsize=64)
def _with_own(orders: tuple[OrderRule, ...]) -> Mapping[str, HandKind]:
    known = [order for order in orders if set(order.categories) <= set(CATEGORIES)]
    return {**KINDS, **{order.id: own_kind(order.id, order.cards, order.categories) for order in known}}


@lru_cache(maxsize=64)
def own_ranker(order: OrderRule, ace_low: bool) -> Callable[[Sequence[Card]], HandRank]:
    """Return the function that ranks hands of an order that a rulebook states; the setting is of five cards."""
    return own_kind(order.id, order.cards, order.categories, ace_low=ace_low or order.cards != FIVE).classify


def order_problems(book: Rulebook) -> Iterator[Problem]:
    """Report orders with unknown categories, or with the name of an order of the package."""
    for order in book.orders:
        where = f"order ({order.id})"
        if order.id in KINDS:
            yield Problem.at(where, "order.id", "the package has an order of this name", order.id)
        yield from unknown(order.categories, CATEGORIES, where, "order.category", "no such category")
        if len(set(order.categories)) < len(order.categories):
            yield Problem.at(where, "order.category", "names a category twice", str(list(order.categories)))
