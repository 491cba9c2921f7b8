"""The tree of a game in which the dealer has cards of its own, and there are no community cards.

A seat decides once it has seen its own cards and the dealer's open ones. A node is then the group of its hand and the
number of dealer's hands of each kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import comb, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt._util.cached_by_key import cached_by_key
from crossfelt.analysis.solver.payoffs import ABOVE, BELOW, EQUAL, RELATIONS, Payoffs
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.tree import Tree, distinct_rows
from crossfelt.kernels.array_cache import cached_arrays
from crossfelt.kernels.solver.card_sets import Counts, classes_of, set_kinds, set_number
from crossfelt.kernels.solver.hand_tables import DECK, MOST_CARDS
from crossfelt.kernels.solver.nodes import Level
from crossfelt.kernels.solver.position_list import sets_beside
from crossfelt.kernels.solver.suits import against_by_suits, hands_by_suits, numbers_by_suits, swept_by_suits
from crossfelt.kernels.solver.sweep import Facing, HandsBeside, Swept, numbers_beside, swept
from crossfelt.kernels.threads import in_threads

MOST_HANDS: Final = 21_000_000
"""The most hands of a dealer that are entered one by one."""
PER_SECOND: Final = 2_000_000
"""Hands that one processor enters and compares in a second."""
MOST_OPENED: Final = 2


class Sides(NamedTuple):
    """The cards of the player and of the dealer."""

    own: int
    theirs: int
    opened: int
    """The dealer's cards that the seat sees before it decides."""
    by_suits: bool
    """True if the cards of one suit rank both hands."""


def sides_of(payoffs: Payoffs) -> Sides:
    """Return the cards of both sides, or refuse a game that is no comparison of two hands."""
    plan = payoffs.plan
    opened = sum(place in plan.moments[0].places for place in plan.theirs)
    if len(plan.moments) != 2 or plan.moments[1].decisions:
        raise Unreachable.form(plan.game, "the seat decides before and after a card of the dealer is turned up")
    if len(payoffs.dealer) != 1:
        raise Unreachable.form(plan.game, "the dealer has several hands")
    for groups, places in (*((own, plan.own) for own in payoffs.own), (payoffs.dealer[0], plan.theirs)):
        if set(groups.hand.places) != set(places):
            raise Unreachable.form(plan.game, f"the hand {groups.hand.name} leaves out cards of its owner")
    if opened > MOST_OPENED:
        raise Unreachable.form(plan.game, f"the dealer opens more than {MOST_OPENED} cards before a decision")
    compared = payoffs.own[payoffs.against("")], payoffs.dealer[0]
    by_suits = not opened and all(it.order.by_suits and it.order.ranks_every(len(it.hand.places)) for it in compared)
    if not by_suits:
        payoffs.refuse_orders_by_suits()
    for cards in (len(plan.own), len(plan.theirs) - opened):
        if cards > MOST_CARDS or (comb(DECK, cards) > MOST_HANDS and not by_suits):
            raise Unreachable.size(plan.game, f"hands of {cards} cards", comb(DECK, cards), PER_SECOND)
    return Sides(len(plan.own), len(plan.theirs), opened, by_suits)


def tree_of(payoffs: Payoffs) -> Tree:
    """Return the tree of a game, from disk if it was made before."""
    sides = sides_of(payoffs)
    made = nodes_of(payoffs)
    root = np.arange(len(made.ways), dtype=np.int32)
    rest = sides.theirs - sides.opened
    deals = comb(DECK - sides.own - sides.opened, rest)
    level = Level(made.start, made.child, made.counts)
    return Tree(root, made.ways, (level,), (deals, 1), (payoffs.plan.moments[0].decisions, ()))


def _structure(payoffs: Payoffs) -> tuple[object, ...]:
    """Return all that the nodes of a game depend on; no odds."""
    orders = ((each.order.digest, each.hand.cards, each.first) for each in (*payoffs.own, *payoffs.dealer))
    return (sides_of(payoffs), payoffs.against(""), *orders)


class Nodes(NamedTuple):
    ways: Counts
    start: Counts
    child: NDArray[np.int32]
    counts: Counts
    of_hand: NDArray[np.int32]
    """Node of each hand of the player up to suits, beside each set of open cards in turn."""


@cached_by_key(4, _structure)
def nodes_of(payoffs: Payoffs) -> Nodes:
    """Return the nodes of a game, from disk if they were made before."""
    ways, cells, of_hand = cached_arrays(("sweep", *_structure(payoffs)), lambda: _swept(sides_of(payoffs), payoffs))
    node, column = np.nonzero(cells[:, 1:])
    start = np.concatenate([[0], np.cumsum(np.count_nonzero(cells[:, 1:], axis=1))])
    child = (cells[node, 0] + column).astype(np.int32)
    return Nodes(ways, start, child, cells[node, column + 1].astype(np.int64), of_hand)


def _swept(sides: Sides, payoffs: Payoffs) -> Iterable[NDArray[np.int64] | NDArray[np.int32]]:
    """Return the ways of every node, its first result with the counts of the results from there on, and the node of
    each hand."""
    facing, opened = facing_of(payoffs, sides), set_kinds(sides.opened)

    def work(place: int) -> Merged:
        found = swept_by_suits(facing) if sides.by_suits else swept(facing, tuple(opened.example[place].tolist()))
        return _merged(found.ways * opened.ways[place], _cells(payoffs, facing, found, sides))

    parts = in_threads(work, len(opened.ways))
    merged = _merged(np.concatenate([part.ways for part in parts]), np.concatenate([part.cells for part in parts]))
    first = np.cumsum([0, *(len(part.ways) for part in parts)])
    of_hand = [merged.number[part.number + start] for part, start in zip(parts, first, strict=False)]
    return [merged.ways, merged.cells, np.concatenate(of_hand).astype(np.int32)]


def hands_of(sides: Sides, opened: Sequence[int]) -> tuple[NDArray[np.uint8], Counts]:
    """Return the player's hands up to suits beside open cards of the dealer, and the hands that each stands for."""
    if sides.by_suits:
        hands = hands_by_suits(sides.own)
        return hands.cards, hands.ways
    return sets_beside(opened, sides.own)


def hand_numbers(sides: Sides, own: NDArray[np.uint8], opened: NDArray[np.uint8]) -> NDArray[np.int32] | Counts:
    """Return the number of each hand among those up to suits."""
    if sides.by_suits:
        return numbers_by_suits(own)
    return numbers_beside(own, opened, _hands_beside(sides.own, sides.opened))


def facing_of(payoffs: Payoffs, sides: Sides) -> Facing:
    """Return the two hands that are compared."""
    own, dealer = payoffs.own[payoffs.against("")], payoffs.dealer[0]
    return Facing(
        own=sides.own,
        own_table=own.order.best_of(sides.own),
        theirs=sides.theirs,
        table=dealer.order.best_of(sides.theirs),
        classes=len(dealer.order.classes),
        bounds=dealer.first[1:-1],
    )


def _cells(payoffs: Payoffs, facing: Facing, found: Swept, sides: Sides) -> NDArray[np.int32]:
    """Return for each hand of the player its first result, then the dealer's hands by group and relation."""
    lower, equal_or_lower, *below_bounds = found.below
    every = comb(DECK - sides.own - sides.opened, sides.theirs - sides.opened)
    cells = np.zeros((len(found.ways), 1 + RELATIONS * payoffs.dealer[0].number), dtype=np.int32)
    none = np.zeros(len(found.ways), dtype=np.int32)
    edges = [none, *below_bounds, none + every]
    for group, ((first, low), (end, high)) in enumerate(pairwise(zip(payoffs.dealer[0].first, edges, strict=True))):
        at = 1 + RELATIONS * group
        below = np.where(found.classes >= end, high, np.where(found.classes >= first, lower, low))
        not_above = np.where(found.classes >= end, high, np.where(found.classes >= first, equal_or_lower, low))
        cells[:, at + BELOW] = below - low
        cells[:, at + EQUAL] = not_above - below
        cells[:, at + ABOVE] = high - not_above
    for place, groups in enumerate(payoffs.own):
        number = classes_of(found.cards, groups.table, np.zeros(0, dtype=np.uint8))
        cells[:, 0] += prod(payoffs.shape[place + 1 :]) * number
    return cells


def counts_by_suits(payoffs: Payoffs, own: Sequence[int]) -> Counts:
    """Return the number of the dealer's hands by group and relation, against one hand in an order by suits."""
    sides = sides_of(payoffs)
    facing = facing_of(payoffs, sides)
    found = against_by_suits(facing, np.array([own], dtype=np.uint8))
    return _cells(payoffs, facing, found, sides)[0, 1:].astype(np.int64)


class Merged(NamedTuple):
    ways: Counts
    cells: NDArray[np.int32]
    number: NDArray[np.int64]
    """New number of each node."""


def _merged(ways: Counts, cells: NDArray[np.int32]) -> Merged:
    """Merge equal nodes."""
    rows, number = distinct_rows(cells)
    merged = np.zeros(len(rows), dtype=np.int64)
    np.add.at(merged, number, ways)
    return Merged(merged, rows, number)


@lru_cache(maxsize=2)
def _hands_beside(own: int, opened: int) -> HandsBeside:
    """Number the player's hands up to suits beside each set of open cards."""
    kinds = set_kinds(opened)
    place = np.full((len(kinds.ways), comb(DECK, own)), -1, dtype=np.int32)
    begin = 0
    for row, cards in enumerate(kinds.example.tolist()):
        sets, _ = sets_beside(cards, own)
        place[row, set_number(sets)] = np.arange(begin, begin + len(sets))
        begin += len(sets)
    return HandsBeside(set_number(kinds.example), kinds.number, place)
