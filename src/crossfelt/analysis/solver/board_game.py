"""A game in which player and dealer have two cards each and share a board, in the form of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from math import comb, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.courses import Courses, Option, Stakes
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.kernels.solver.boards import PAIRS, Options, Ranking
from crossfelt.kernels.solver.hand_tables import DECK, MOST_CARDS

Counts = NDArray[np.int64]
HELD: Final = 2
"""Cards of a player, and of the dealer."""
MOST_OPEN: Final = 4
PER_SECOND: Final = 10**7
"""Parts of a board with two own cards that one processor sums in a second."""


class Stage(NamedTuple):
    """The board cards that are open at some decisions, and the numbers of these decisions."""

    opened: int
    decisions: tuple[int, ...]


class BoardGame:
    """A game with a shared board, ready to be counted."""

    def __init__(self, payoffs: Payoffs, courses: Courses) -> None:
        self.payoffs = payoffs
        self.courses = courses
        self.board = sum(len(group.names) for group in payoffs.plan.game.book.groups if group.owner == "community")
        self._require_reach()

    # --- the round ------------------------------------------------------------------------------------------------

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The decisions that are still to be made, by the number of open cards of the board."""
        plan, found = self.payoffs.plan, []
        opened, number = 0, len(self.courses.decisions) - len(self.courses.every_decision)
        for moment in plan.moments:
            opened += sum(place in plan.hidden and not place.startswith("dealer.") for place in moment.places)
            numbers = range(max(number, 0), number + len(moment.decisions))
            if numbers:
                found.append(Stage(opened, tuple(numbers)))
            number += len(moment.decisions)
        return tuple(found)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The numbers of open cards before the whole board: none, and those at decisions."""
        return (0, *(stage.opened for stage in self.stages if 0 < stage.opened < self.board))

    def decisions_at(self, opened: int) -> tuple[int, ...]:
        return next((stage.decisions for stage in self.stages if stage.opened == opened), ())

    def _require_reach(self) -> None:
        self.payoffs.refuse_orders_by_suits()
        plan, game = self.payoffs.plan, self.payoffs.plan.game
        dealer = [place for place in plan.hidden if place.startswith("dealer.")]
        if len(plan.own) != HELD or len(dealer) != HELD or len(self.payoffs.own) != 1 or len(self.payoffs.dealer) != 1:
            raise Unreachable.form(game, f"a shared board is solved for one hand of {HELD} own cards on each side")
        own, theirs = self.payoffs.own[0], self.payoffs.dealer[0]
        if (own.order.id, own.hand.cards) != (theirs.order.id, theirs.hand.cards):
            raise Unreachable.form(game, "the player's and the dealer's hands are ranked in different ways")
        if {len(own.hand.places), len(theirs.hand.places)} != {HELD + self.board} or HELD + self.board > MOST_CARDS:
            raise Unreachable.form(game, "a hand leaves out a card of the board, or has more than seven cards")
        if len(self.decisions_at(self.board)) > 1:
            raise Unreachable.form(game, "the seat decides several times when the whole board is open")
        if max(self.levels) > MOST_OPEN:
            parts = comb(DECK, max(self.levels)) * PAIRS
            raise Unreachable.size(game, "parts of a board with two own cards", parts, PER_SECOND)
        if plan.ceiling_marks:
            raise Unreachable.form(game, "the largest bet beside a shared board depends on the player's hand")
        if set(dealer) & {place for moment in plan.moments[:-1] for place in moment.places}:
            raise Unreachable.form(game, "the seat decides after a card of the dealer is turned up")

    @cached_property
    def deals(self) -> int:
        """Every way in which cards can come: hole cards, the board part by part, the dealer's cards."""
        return comb(DECK, HELD) * self.deals_after(0)

    def deals_after(self, level: int) -> int:
        """Return the number of ways in which the cards after a level can come."""
        sizes = [*self.levels[level:], self.board]
        parts = (comb(DECK - HELD - opened, more - opened) for opened, more in pairwise(sizes))
        return prod(parts) * comb(DECK - HELD - self.board, HELD)

    # --- arrays of the kernels ------------------------------------------------------------------------------------

    @cached_property
    def ranking(self) -> Ranking:
        own, dealer = self.payoffs.own[0], self.payoffs.dealer[0]
        table = own.order.best_of(HELD + self.board)
        bounds = np.array(dealer.first[1:-1], dtype=np.int64)
        return Ranking(table.cards, table.weights, table.plain, table.flush, own.of_class, bounds)

    @cached_property
    def _columns(self) -> tuple[Counts, Counts]:
        """Return the winnings of each column by result, and the number of the column of each of `Payoffs.columns`.

        Wagers whose stakes are equal at every end share a column.
        """
        stakes = self.payoffs.stakes_of(self.courses.ends)
        _, number = np.unique(stakes, axis=1, return_inverse=True)
        wins = np.zeros((number.max() + 1, self.payoffs.results), dtype=np.int64)
        np.add.at(wins, number.reshape(-1), self.payoffs.table)
        return wins, number.reshape(-1)

    @property
    def wins(self) -> Counts:
        return self._columns[0]

    def units_of(self, stakes: Stakes) -> Counts:
        """Return the units that are staked on each column."""
        wins, number = self._columns
        units = np.zeros(len(wins), dtype=np.int64)
        units[number] = self.payoffs.stakes_of([stakes])[0]
        return units

    @cached_property
    def arriving(self) -> tuple[Stakes, ...]:
        """The stakes with which a seat can see the whole board."""
        last = self.decisions_at(self.board)
        every = self.courses.before[last[0]] if last else self.courses.ends
        return tuple(stakes for stakes in every if not stakes.settled)

    def options_of(self, stakes: Stakes) -> list[Option]:
        last = self.decisions_at(self.board)
        return self.courses.options(last[0], stakes) if last else [Option("", stakes)]

    def options(self, states: Sequence[Stakes]) -> Options:
        listed = [self.options_of(stakes) for stakes in states]
        every = [option.then for options in listed for option in options]
        columns = len(self.wins)
        return Options(
            start=np.cumsum([0, *map(len, listed)]),
            units=np.array([self.units_of(stakes) for stakes in every], dtype=np.int64).reshape(len(every), columns),
            sure=np.array([-stakes.lost * self.payoffs.scale for stakes in every], dtype=np.int64),
        )
