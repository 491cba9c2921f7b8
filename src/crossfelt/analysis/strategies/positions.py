"""Every position of a seat: street by street in games without a dealer's hand, or once against a dealer's cards.

Positions are listed up to suits. Where a strategy asks of suits only whether a flush is possible, the suits in which
none is possible are alike, and there are far fewer positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver import lines, sweep
from crossfelt.analysis.solver.courses import Stakes
from crossfelt.analysis.solver.nodes import Streets, deals_after, streets_of
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.played_out import has_lines, tree_of
from crossfelt.kernels.solver.card_sets import Cards, Counts, set_kinds
from crossfelt.kernels.solver.hand_tables import DECK, SUITS
from crossfelt.kernels.solver.nodes import Level
from crossfelt.kernels.solver.position_list import count_results, next_rows, sum_results

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
        kinds = set_kinds(self.held(0))
        return kinds.example, kinds.ways

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
    def _inside(self) -> NDArray[np.uint8]:
        return np.array([[place in places for place in self.places] for places in self.hands], dtype=np.uint8)

    @cached_property
    def _orders(self) -> int:
        """The number of orders in which the same remaining cards are drawn."""
        return prod(factorial(len(block.places)) for block in self.streets.blocks[self.last + 1 :])

    def count(self, cards: Cards, ways: Counts, end: NDArray[np.int32], counts: Counts) -> None:
        """Add the results of positions after the last decision to counts by end and result."""
        found = np.zeros_like(counts)
        count_results(cards, ways, end, self._inside, self.payoffs.tables, found)
        counts += found // self._orders

    def values(self, cards: Cards, ends: Sequence[Stakes]) -> Counts:
        """Return the value of each end by position, summed over the remaining cards."""
        sums = sum_results(cards, self._inside, self.payoffs.tables, self.payoffs.table) // self._orders
        lost = np.array([end.lost for end in ends]) * self.payoffs.scale * self.deals(self.last)
        values: Counts = sums @ self.payoffs.stakes_of(ends).T - lost
        return values


class DealerPositions:
    """The positions of a game in which a seat decides once, beside a dealer's cards or lines of a shared board."""

    def __init__(self, payoffs: Payoffs) -> None:
        self.payoffs = payoffs
        self.tree = tree_of(payoffs)
        self._open = tuple(p for p in payoffs.plan.moments[0].places if p not in payoffs.plan.own)

    def __iter__(self) -> Iterator[tuple[dict[str, Cards], Counts, NDArray[np.int32]]]:
        """Yield the cards by place, the number of deals that each row stands for so far, and the node of each."""
        return self._on_lines() if has_lines(self.payoffs) else self._beside_hands()

    def _beside_hands(self) -> Iterator[tuple[dict[str, Cards], Counts, NDArray[np.int32]]]:
        sides, own = sweep.sides_of(self.payoffs), self.payoffs.plan.own
        nodes = sweep.nodes_of(self.payoffs).of_hand
        kinds = set_kinds(sides.opened)
        for opened, times in zip(kinds.example, kinds.ways, strict=True):
            cards, ways = sweep.hands_of(sides, opened.tolist())
            places = dict(zip(own, cards.T, strict=True))
            for place, card in zip(self._open, opened, strict=True):
                places[place] = np.full(len(ways), card, dtype=np.uint8)
            yield places, ways * times, nodes[: len(ways)]
            nodes = nodes[len(ways) :]

    def _on_lines(self) -> Iterator[tuple[dict[str, Cards], Counts, NDArray[np.int32]]]:
        kinds = set_kinds(lines.HELD)
        rows, ways = kinds.example, kinds.ways
        for _ in self._open:
            found = next_rows(rows, None, 1)
            rows, ways = found.cards, ways[found.origin] * found.ways
        places = dict(zip((*self.payoffs.plan.own, *self._open), rows.T, strict=True))
        shown = np.stack([places[place] for place in lines.lines_of(self.payoffs).opened], axis=1)
        number = lines.position_numbers(shown, rows[:, : lines.HELD])
        yield places, ways, lines.nodes_of(self.payoffs).of_position[number]

    def _level(self, end: Stakes) -> Level:
        return self.tree.named[end.named] if end.named in self.tree.named else self.tree.levels[0]

    def values(self, ends: Sequence[Stakes]) -> Counts:
        """Return the value of each end by node, summed over the deals that can follow."""
        lost = np.array([[end.lost * self.payoffs.scale] for end in ends])
        wins = self.payoffs.stakes_of(ends) @ self.payoffs.table - lost
        return np.stack([self._level(end).summed(won[None])[0] for end, won in zip(ends, wins, strict=True)], axis=1)

    def counts(self, end: Stakes, reached: Counts) -> Counts:
        """Return the deals by result, from the ways in which an end is reached at each node."""
        return self._level(end).spread(reached[None], self.payoffs.results).reshape(-1)
