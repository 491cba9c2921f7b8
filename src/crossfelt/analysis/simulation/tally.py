"""Tallies of many rounds: exact sums, so that the tallies of shards add up to the tally of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from typing import Any, Self, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.payoffs import RESULTS, Cents, WagerRounds

K = TypeVar("K")


def counted(numbers: NDArray[np.int64]) -> dict[int, int]:
    """Count each number in an array.

    >>> counted(np.array([5, 7, 5]))
    {5: 2, 7: 1}
    """
    values, counts = np.unique(numbers, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def added(one: Mapping[K, int], other: Mapping[K, int]) -> dict[K, int]:
    """Add two counts.

    >>> added({"win": 1}, {"win": 2, "lose": 3})
    {'win': 3, 'lose': 3}
    """
    return dict(Counter(one) + Counter(other))


def sum_of_products(one: NDArray[np.int64], other: NDArray[np.int64]) -> int:
    """Return the sum of the products of two arrays, without overflow.

    >>> sum_of_products(np.array([1 << 62, 2]), np.array([1 << 62, 3])) == (1 << 124) + 6
    True
    """
    if _largest(one) * _largest(other) * len(one) < 1 << 63:
        return int(np.dot(one, other))
    return sum(x * y for x, y in zip(one.tolist(), other.tolist(), strict=True))


def _largest(numbers: NDArray[np.int64]) -> int:
    return max(-int(numbers.min(initial=0)), int(numbers.max(initial=0)))


class _Sums(msgspec.Struct, frozen=True, kw_only=True):
    """Sums that are added field by field."""

    def __add__(self, other: Self) -> Self:
        fields = self.__struct_fields__
        return type(self)(**{name: _plus(getattr(self, name), getattr(other, name)) for name in fields})


def _plus(one: Any, other: Any) -> Any:
    """Add two sums; what is in one of them only, such as a wager that was placed there, stays."""
    if isinstance(one, tuple):
        return tuple(mine + theirs for mine, theirs in zip(one, other, strict=True))
    if not isinstance(one, dict):
        return one + other
    if all(isinstance(value, int) for value in (*one.values(), *other.values())):
        return added(one, other)
    return {
        name: _plus(one[name], other[name]) if name in one and name in other else value
        for name, value in (one | other).items()
    }


class WagerTally(_Sums, frozen=True, kw_only=True):
    """Sums of one wager of one seat, in cents."""

    placed: int
    results: dict[str, int]
    stake: int
    returned: int
    paid: int
    commission: int
    limited: int
    net_squared: int
    stake_squared: int
    net_times_stake: int

    @property
    def net(self) -> int:
        return self.returned + self.paid - self.commission - self.stake

    @classmethod
    def of(cls, wagered: WagerRounds) -> Self:
        prices, limited, granted = wagered.prices, int(wagered.cut_cents.sum()), int(wagered.meter_cents.sum())
        counts = np.bincount(wagered.outcomes, minlength=len(prices.stake))
        by_result = [int(counts[prices.result == place].sum()) for place in range(len(RESULTS))]
        results = {result: count for result, count in zip(RESULTS, by_result, strict=True) if count}
        return cls(
            placed=sum(by_result),
            results=results,
            stake=int(counts @ prices.stake),
            returned=int(counts @ prices.returned),
            paid=int(counts @ prices.paid) + granted - limited,
            commission=int(counts @ prices.commission),
            limited=limited,
            net_squared=sum_of_products(wagered.net, wagered.net),
            stake_squared=sum_of_products(wagered.stake, wagered.stake),
            net_times_stake=sum_of_products(wagered.net, wagered.stake),
        )


class SeatTally(_Sums, frozen=True, kw_only=True):
    """Sums of one seat."""

    wagers: dict[str, WagerTally]
    nets: dict[int, int]
    """Number of rounds by net result in cents."""
    base_net: int
    base_net_squared: int
    """Of the required wagers and their bets."""
    stake_squared: int
    net_times_stake: int
    decisions: dict[str, dict[str, int]]
    """Number of choices by decision."""
    sessions: dict[int, int]
    """Number of sessions by net result in cents."""
    drawdowns: dict[int, int]
    """Number of sessions by largest drawdown in cents."""

    @property
    def rounds(self) -> int:
        return sum(self.nets.values())

    @property
    def net(self) -> int:
        return sum(cents * count for cents, count in self.nets.items())

    @property
    def net_squared(self) -> int:
        return sum(cents * cents * count for cents, count in self.nets.items())

    @property
    def stake(self) -> int:
        return sum(wager.stake for wager in self.wagers.values())

    @classmethod
    def of(
        cls,
        wagers: Mapping[str, WagerRounds],
        sides: Container[str],
        decisions: dict[str, dict[str, int]],
        session_rounds: int,
    ) -> Self:
        """Tally rounds; those after the last whole session do not count in the sessions."""
        base_net = _sum([wagered.net for name, wagered in wagers.items() if name not in sides])
        net = _sum([base_net.copy(), *(wagered.net for name, wagered in wagers.items() if name in sides)])
        stake = _sum([wagered.stake for wagered in wagers.values()])
        whole = len(net) // session_rounds * session_rounds
        bankroll = net[:whole].reshape(-1, session_rounds).cumsum(axis=1)
        highest = np.maximum.accumulate(np.maximum(bankroll, 0), axis=1)
        return cls(
            wagers={name: WagerTally.of(wagered) for name, wagered in wagers.items()},
            nets=counted(net),
            base_net=int(base_net.sum()),
            base_net_squared=sum_of_products(base_net, base_net),
            stake_squared=sum_of_products(stake, stake),
            net_times_stake=sum_of_products(net, stake),
            decisions=decisions,
            sessions=counted(bankroll[:, -1]),
            drawdowns=counted((highest - bankroll).max(axis=1)),
        )


class MeterTally(_Sums, frozen=True, kw_only=True):
    """Sums of a meter over some rounds, which can be added."""

    rounds: int
    contributed_micros: int
    seeded_micros: int
    paid_cents: int
    awards: dict[int, int]
    """Number of paid claims by percentage; 0 for amounts charged to the meter."""
    jackpots: dict[int, int]
    """Number of jackpots by amount in cents."""
    waits: dict[int, int]
    """Number of intervals by length in rounds, from the opening or a jackpot to the next jackpot, inclusive."""
    shown_cents: int
    """Sum over all rounds of the meter at the claims."""
    shown_squared: int
    """Sum of the squares of the meter at the claims."""
    lowest_cents: int
    highest_cents: int

    def __add__(self, other: Self) -> Self:
        ends = min(self.lowest_cents, other.lowest_cents), max(self.highest_cents, other.highest_cents)
        return msgspec.structs.replace(super().__add__(other), lowest_cents=ends[0], highest_cents=ends[1])


class SimulationTally(_Sums, frozen=True, kw_only=True):
    """The tally of a share of a simulation or of all of it."""

    seats: tuple[SeatTally, ...] = ()
    rounds: int = 0
    meters: dict[str, MeterTally] = {}
    mishaps: dict[str, int] = {}
    """Number of irregularities by kind and case."""
    void_rounds: int = 0

    def __add__(self, other: Self) -> Self:
        if not self.rounds or not other.rounds:
            return self if self.rounds else other
        return super().__add__(other)


def _sum(columns: list[Cents]) -> Cents:
    total = columns[0]
    for column in columns[1:]:
        total += column
    return total
