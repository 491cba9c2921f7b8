"""Tallies of many rounds: exact sums that can be added, so that shares make one whole."""

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


class WagerTally(msgspec.Struct, frozen=True, kw_only=True):
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

    def __add__(self, other: WagerTally) -> WagerTally:
        names = (name for name in self.__struct_fields__ if name != "results")
        sums = {name: getattr(self, name) + getattr(other, name) for name in names}
        return WagerTally(results=added(self.results, other.results), **sums)


class SeatTally(msgspec.Struct, frozen=True, kw_only=True):
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

    def __add__(self, other: SeatTally) -> SeatTally:
        return SeatTally(
            wagers=_joined(self.wagers, other.wagers),
            nets=added(self.nets, other.nets),
            base_net=self.base_net + other.base_net,
            base_net_squared=self.base_net_squared + other.base_net_squared,
            stake_squared=self.stake_squared + other.stake_squared,
            net_times_stake=self.net_times_stake + other.net_times_stake,
            decisions={
                name: added(self.decisions.get(name, {}), other.decisions.get(name, {}))
                for name in self.decisions | other.decisions
            },
            sessions=added(self.sessions, other.sessions),
            drawdowns=added(self.drawdowns, other.drawdowns),
        )


def _joined(one: dict[str, WagerTally], other: dict[str, WagerTally]) -> dict[str, WagerTally]:
    """Add the tallies of each wager; a wager may have been placed in one of them only."""
    both = {name: one[name] + other[name] for name in one if name in other}
    return {name: both.get(name, tally) for name, tally in (one | other).items()}


class MeterTally(msgspec.Struct, frozen=True, kw_only=True):
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

    def __add__(self, other: MeterTally) -> MeterTally:
        ends = {
            "lowest_cents": min(self.lowest_cents, other.lowest_cents),
            "highest_cents": max(self.highest_cents, other.highest_cents),
        }
        sums: dict[str, Any] = {}
        for name in self.__struct_fields__:
            mine, theirs = getattr(self, name), getattr(other, name)
            sums[name] = added(mine, theirs) if isinstance(mine, dict) else mine + theirs
        return MeterTally(**{**sums, **ends})


class SimulationTally(msgspec.Struct, frozen=True, kw_only=True):
    """The tally of a share of a simulation or of all of it."""

    seats: tuple[SeatTally, ...] = ()
    rounds: int = 0
    meters: dict[str, MeterTally] = {}
    mishaps: dict[str, int] = {}
    """Number of irregularities by kind and case."""
    void_rounds: int = 0

    def __add__(self, other: SimulationTally) -> SimulationTally:
        if not self.rounds or not other.rounds:
            return self if self.rounds else other
        seats = tuple(mine + theirs for mine, theirs in zip(self.seats, other.seats, strict=True))
        meters = {name: tally + other.meters[name] for name, tally in self.meters.items()}
        return SimulationTally(
            seats=seats,
            rounds=self.rounds + other.rounds,
            meters=meters,
            mishaps=added(self.mishaps, other.mishaps),
            void_rounds=self.void_rounds + other.void_rounds,
        )


def _sum(columns: list[Cents]) -> Cents:
    total = columns[0]
    for column in columns[1:]:
        total += column
    return total
