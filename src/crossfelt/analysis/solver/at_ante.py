"""The exact return at an ante in cents: payments rounded to the cent, and cut at the payout limit in force."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cached_property
from math import gcd, lcm

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.courses import Courses, Stakes
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.played_out import Solved
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import RoundPlan

Counts = NDArray[np.int64]


class PayoffsAtAnte(Payoffs):
    """The winnings of a round at an ante. A limit makes them no sum over wagers, so that each end is a column."""

    def __init__(self, plan: RoundPlan, ante_cents: int) -> None:
        super().__init__(plan)
        self.ante_cents = ante_cents
        self._limit = limit_of(plan)
        self._cents: dict[tuple[str, str, int], tuple[Counts, Counts]] = {}

    @cached_property
    def _ends(self) -> dict[Stakes, int]:
        open_ends = (end for end in Courses(self.plan, every_multiple=True).ends if not end.settled)
        return {end: place for place, end in enumerate(open_ends)}

    @cached_property
    def _net_cents(self) -> Counts:
        return np.array([self._net(end) for end in self._ends], dtype=np.int64).reshape(-1, self.results)

    @cached_property
    def _cents_to_one(self) -> int:
        """The cents of which all amounts are multiples; smaller integers leave room for sums."""
        return gcd(self.ante_cents, *np.unique(self._net_cents).tolist())

    @cached_property
    def scale(self) -> int:
        return self.ante_cents // self._cents_to_one

    @cached_property
    def table(self) -> Counts:
        return self._net_cents // self._cents_to_one

    def stakes_of(self, ends: Sequence[Stakes]) -> Counts:
        """Return the column of each end; of a settled end none."""
        found = np.zeros((len(ends), len(self._ends)), dtype=np.int64)
        for row, end in enumerate(ends):
            if not end.settled:
                found[row, self._ends[end]] = 1
        return found

    def won(self, end: Stakes) -> Counts:
        """Return by result the winnings of an end that count towards the limit, in cents."""
        return self._summed(end, self._limit.covers if self._limit else (), 1)

    def _net(self, end: Stakes) -> Counts:
        """Return the player's gain on the open wagers by result, in cents."""
        gain = self._summed(end, self.plan.main, 0)
        return gain - np.maximum(self.won(end) - self._limit.cents, 0) if self._limit else gain

    def _summed(self, end: Stakes, wagers: Container[str], which: int) -> Counts:
        total = np.zeros(self.results, dtype=np.int64)
        for wager, stake in zip(self.plan.main, end.open, strict=True):
            if stake and wager in wagers:
                total += self._settled_cents(wager, end.named, stake * self.ante_cents)[which]
        return total

    def _settled_cents(self, wager: str, named: str, stake: int) -> tuple[Counts, Counts]:
        """Return the gain and the winnings of a wager by result."""
        if (wager, named, stake) not in self._cents:
            settled = self._settle_each(self.plan.game.wager(wager), named, stake)
            each = [
                (one.returned + one.paid - one.commission - stake, one.paid) if one else (0, 0)
                for one in settled.values()
            ]
            number = np.broadcast_to(self._numbers(settled), self.shape).reshape(-1)
            gain, paid = np.array(each, dtype=np.int64).T
            self._cents[wager, named, stake] = gain[number], paid[number]
        return self._cents[wager, named, stake]


class MainLimit(msgspec.Struct, frozen=True):
    """The payout limit on main wagers."""

    cents: int
    covers: frozenset[str]


def limit_of(plan: RoundPlan) -> MainLimit | None:
    """Return the payout limit in force on the main wagers; None if there is none."""
    game = plan.game
    covering = [
        (limit, covers)
        for limit in game.book.payout_limits
        if (covers := frozenset(plan.main).intersection(game.covered_by(limit)))
    ]
    if len(covering) > 1:
        raise Unreachable.form(game, "several payout limits cover the wagers of a round")
    return next((MainLimit(cents, covers) for limit, covers in covering if (cents := game.limit_cents(limit))), None)


def holds_to_cents(solved: Solved) -> int | None:
    """Return the largest ante at which the payout limit cuts no result of a strategy; None if it never does."""
    plan = solved.payoffs.plan
    limit = limit_of(plan)
    # At this ante nothing is rounded.
    ante = lcm(*(solved.payoffs.stake_cents(plan.game.wager(wager)) for wager in plan.main))
    at_ante = PayoffsAtAnte(plan, ante)
    most = max(
        (int(at_ante.won(end)[deals > 0].max(initial=0)) for end, deals in solved.counted.played.items()), default=0
    )
    return limit.cents * ante // most if limit and most else None
