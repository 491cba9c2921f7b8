"""Every position of a seat: street by street in games without a dealer's hand, or once against a dealer's cards.

Positions are listed up to suits. Where a strategy asks of suits only whether a flush is possible, the suits in which
none is possible are alike, and there are far fewer positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.exact import sweep
from crossfelt.analysis.exact.nodes import Streets, deals_after, starting_cards, streets_of
from crossfelt.analysis.exact.payoffs import Payoffs
from crossfelt.kernels.exact.branches import spread, summed
from crossfelt.kernels.exact.card_sets import Cards, Counts, card_sets, sets_up_to_suits
from crossfelt.kernels.exact.hand_tables import DECK, SUITS
from crossfelt.kernels.exact.listing import Ranked, count_results, next_rows, sum_results

_ROWS = 1_000_000
"""Rows that are listed at once."""


class StreetPositions:
    """The positions of a game whose cards come in blocks."""

    def __init__(self, payoffs: Payoffs, *, all_suits: bool) -> None:
        self.payoffs = payoffs
        self.all_suits = all_suits
        self.hands = [groups.hand.places for groups in payoffs.own]
        self.streets: Streets = streets_of(payoffs.plan, self.hands)
        self.last = max(at for at, steps in enumerate(self.streets.decisions) if steps)
        """The number of the last block that a decision follows."""

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Every place in the order in which it is turned up."""
        return tuple(place for block in self.streets.blocks for place in block.places)

    def held(self, block: int) -> int:
        """Return the number of cards that are open after a block."""
        return sum(len(each.places) for each in self.streets.blocks[: block + 1])

    def deals(self, block: int) -> int:
        """Return the number of ways in which the cards after a block can come."""
        return deals_after(self.streets.blocks)[block]

    @property
    def all_deals(self) -> int:
        return comb(DECK, self.held(0)) * self.deals(0)

    def start(self) -> tuple[Cards, Counts]:
        """Return the cards of the first block up to suits, and the number that each row stands for."""
        cards, ways = starting_cards(self.held(0))
        return cards.astype(np.uint8), ways

    def after(self, cards: Cards, block: int) -> Iterator[tuple[Cards, NDArray[np.int64], Counts]]:
        """Yield the positions after a block that follow some rows: cards, the rows that they follow, and ways."""
        size = len(self.streets.blocks[block].places)
        # Cards that are alike make fewer sets; memory is reserved for all of them.
        step = max(1, _ROWS // comb(DECK - cards.shape[1], size))
        live = None if self.all_suits else self._live(cards, block)
        for first in range(0, len(cards), step):
            part = slice(first, first + step)
            found = next_rows(cards[part], live[part] if live is not None else None, size)
            yield found.cards, found.origin + np.int64(first), found.ways

    def _live(self, cards: Cards, block: int) -> NDArray[np.bool_]:
        """Say in which suits a flush is still possible."""
        live = np.zeros((len(cards), SUITS), dtype=np.bool_)
        for groups, places in zip(self.payoffs.own, self.hands, strict=True):
            inside = [number for number, place in enumerate(self.places[: cards.shape[1]]) if place in places]
            coming = sum(place in places for place in self.places[cards.shape[1] :])
            for suit in range(SUITS):
                has = (cards[:, inside] % SUITS == suit).sum(axis=1)
                live[:, suit] |= (coming > 0) & (has + coming >= groups.hand.cards)
        return live

    # --- results --------------------------------------------------------------------------------------------------

    @cached_property
    def _ranked(self) -> Ranked:
        tables = [groups.table for groups in self.payoffs.own]
        shape = self.payoffs.shape
        return Ranked(
            needed=np.array([table.cards for table in tables], dtype=np.int64),
            weights=np.array([table.weights for table in tables]),
            plain=np.concatenate([table.plain for table in tables]),
            plain_start=np.cumsum([0, *(len(table.plain) for table in tables[:-1])]),
            flush=np.array([table.flush for table in tables]),
            strides=np.array([prod(shape[place + 1 :]) for place in range(len(tables))], dtype=np.int64),
        )

    @cached_property
    def _inside(self) -> NDArray[np.uint8]:
        return np.array([[place in places for place in self.places] for places in self.hands], dtype=np.uint8)

    @cached_property
    def _orders(self) -> int:
        """The number of orders in which the same remaining cards are drawn."""
        return prod(factorial(len(block.places)) for block in self.streets.blocks[self.last + 1 :])

    def count(self, cards: Cards, ways: Counts, end: NDArray[np.int32], counts: Counts) -> None:
        """Add the results of positions after the last decision to counts by end and result."""
        found = np.zeros_like(counts)
        count_results(cards, ways, end, self._inside, self._ranked, found)
        counts += found // self._orders

    def sums(self, cards: Cards) -> Counts:
        """Return the winnings of each column of the payoffs by position, over the remaining cards."""
        return sum_results(cards, self._inside, self._ranked, self.payoffs.table) // self._orders


class HandPositions:
    """The positions of a game in which a seat decides beside a dealer's own cards."""

    def __init__(self, payoffs: Payoffs) -> None:
        self.payoffs = payoffs
        self.sides = sweep.sides_of(payoffs)
        self.level = sweep.tree_of(payoffs).levels[0]
        own, opened = self.sides.own, self.sides.opened
        self.deals = comb(DECK - own - opened, self.sides.theirs - opened)
        """The number of ways in which the dealer's other cards can come."""
        self.all_deals = comb(DECK, own) * comb(DECK - own, opened) * self.deals

    def __iter__(self) -> Iterator[tuple[dict[str, Cards], Counts, NDArray[np.int32]]]:
        """Yield the cards by place, the number that each row stands for, and the node of each."""
        plan, sides = self.payoffs.plan, self.sides
        open_places = [place for place in plan.moments[0].places if place not in plan.own]
        nodes, every = sweep.nodes_of(self.payoffs).of_hand, card_sets(sides.own)
        for opened, times in zip(*sweep.opened_cards(sides.opened), strict=True):
            cards, ways = sets_up_to_suits(every, tuple(opened.tolist()))
            places = dict(zip(plan.own, cards.T, strict=True))
            places |= {
                place: np.full(len(ways), card, np.uint8) for place, card in zip(open_places, opened, strict=True)
            }
            yield places, ways * times, nodes[: len(ways)]
            nodes = nodes[len(ways) :]

    @cached_property
    def sums(self) -> Counts:
        """The winnings of each column of the payoffs by node, over the dealer's other cards."""
        return np.ascontiguousarray(summed(*self.level, self.payoffs.table).T)

    def counts(self, reached: Counts) -> Counts:
        """Return the results by end, from the ways to each node by end."""
        return spread(*self.level, reached, self.payoffs.results)
