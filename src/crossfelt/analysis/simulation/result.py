"""Figures of a simulation: seats, wagers and meters."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

import msgspec

from crossfelt.analysis.estimates import Estimate, around, events, mean, quantile, ratio
from crossfelt.analysis.simulation.plan import AT_TABLE, SeatPlan, SimulationPlan, base_of
from crossfelt.progressive.meter import MICROS
from crossfelt.rulebooks.game import Game
from crossfelt.tabular import Record, Tabular

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.expectation import Expected
    from crossfelt.analysis.simulation.meters import MeterTally
    from crossfelt.analysis.simulation.plan import SimulationPlan
    from crossfelt.analysis.simulation.tally import SimulationTally, WagerTally
    from crossfelt.rulebooks.game import Game

METER_SHARES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
MILLION: Final = 10**6


class Quantiles(msgspec.Struct, frozen=True, kw_only=True):
    """Quantiles of a number."""

    mean: float
    quantiles: dict[str, int]
    lowest: int
    highest: int

    @classmethod
    def of(cls, counts: dict[int, int]) -> Quantiles | None:
        """Compute quantiles of counts; None without counts."""
        if not counts:
            return None
        mean = sum(number * times for number, times in counts.items()) / sum(counts.values())
        quantiles = {f"{share:.0%}": quantile(counts, share) for share in METER_SHARES}
        return cls(mean=mean, quantiles=quantiles, lowest=min(counts), highest=max(counts))


class MeterFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one meter; money in cents."""

    rounds: int
    history_rounds: int
    """Rounds after which the meter is opened anew."""
    contributed: float
    put_in: float
    """Amount that the house added after the opening: reset amounts and deficits."""
    paid: int
    awards: dict[str, int]
    """Number of paid claims by percentage of the meter; ``amount`` for odds charged to it."""
    jackpots: int
    """Number of jackpots."""
    jackpots_per_million_rounds: Estimate
    expected_per_million_rounds: float | None
    """Exact expectation if known; void rounds have no jackpot."""
    z_score: float | None
    """Distance of the number of jackpots from its expectation, in standard errors."""
    rounds_per_jackpot: float | None
    """All rounds divided by all jackpots; includes intervals cut off at the end, unlike `rounds_between`."""
    rounds_between: Quantiles | None
    """Interval from the opening or a jackpot to the next jackpot."""
    jackpot_cents: Quantiles | None
    shown_cents: Quantiles | None
    """Meter at the claims, over all rounds; quantiles to a hundredth of the opening amount."""
    long_run_cents: float | None
    """Long-run average of the meter; exact unless `is_bound`."""
    is_bound: bool
    """The long-run average is a lower bound: odds are charged to the pool only above its reset amount."""


def meter_figures(
    game: Game, plan: SimulationPlan, meter: str, whole: SimulationTally, confidence: float
) -> MeterFigures:
    """Compute the figures from a tally."""
    from crossfelt.analysis.simulation.expectation import charges_odds, jackpot_chance, long_run_cents

    tally = whole.meters[meter]
    jackpots, rounds = sum(tally.jackpots.values()), tally.rounds
    chance, long_run = jackpot_chance(game, plan, meter), long_run_cents(game, plan, meter)
    expected = float(chance) * (rounds - whole.void_rounds) if chance is not None else None
    return MeterFigures(
        rounds=rounds,
        history_rounds=plan.history_rounds,
        contributed=tally.contributed_micros / MICROS,
        put_in=tally.seeded_micros / MICROS,
        paid=tally.paid_cents,
        awards={f"{percent}%" if percent else "amount": count for percent, count in tally.awards.items()},
        jackpots=jackpots,
        jackpots_per_million_rounds=events(jackpots, rounds / MILLION, confidence),
        expected_per_million_rounds=None if expected is None else expected * MILLION / rounds,
        z_score=(jackpots - expected) / sqrt(expected) if expected else None,
        rounds_per_jackpot=rounds / jackpots if jackpots else None,
        rounds_between=Quantiles.of(tally.waits),
        jackpot_cents=Quantiles.of(tally.jackpots),
        shown_cents=_shown(game, meter, tally),
        long_run_cents=None if long_run is None else float(long_run),
        is_bound=charges_odds(game, plan, meter),
    )


def _shown(game: Game, meter: str, tally: MeterTally) -> Quantiles:
    from crossfelt.analysis.simulation.meters import level_cents

    step = level_cents(game, meter)
    quantiles = {f"{share:.0%}": quantile(tally.levels, share) * step for share in METER_SHARES}
    mean = tally.shown_cents / tally.rounds
    return Quantiles(mean=mean, quantiles=quantiles, lowest=tally.lowest_cents, highest=tally.highest_cents)


# --- figures of seats and wagers ---

SHARES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""Quantiles of a session."""


class WagerFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one wager of one seat; money in cents."""

    placed: int
    stake: int
    net: int
    limited: int
    commission: int
    house_edge: Estimate | None
    """House edge of its stakes; None without stakes."""
    net_per_round: Estimate
    """Net result over all rounds."""
    results: dict[str, float]
    """Share of each result, of the rounds in which the wager was placed."""
    expected_net_per_round: float | None = None
    """Exact expectation for wheels and their awards, in cents, at the average simulated meter."""
    z_score: float | None = None
    """Distance of the simulated net result from its expectation, in standard errors."""


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of sessions, in cents."""

    mean: float
    quantiles: dict[str, int]


class SeatFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one seat; money in cents."""

    seat: int
    strategy: str
    stakes: dict[str, int]
    net_per_round: Estimate
    standard_deviation: float
    """Standard deviation of one round."""
    house_edge_per_base: Estimate
    """Loss of the required wagers and their bets, per unit of the base wager, an ante or main wager."""
    loss_per_base: Estimate
    """Loss of all wagers, optional ones too, per unit of the base wager."""
    loss_per_total_wagered: Estimate
    """Loss of all wagers, per unit of all stakes."""
    average_total_wagered: float
    """Average of all stakes, in the same unit."""
    decisions: dict[str, dict[str, float]]
    """Share of each choice, of the times that its decision was made."""
    wagers: dict[str, WagerFigures]
    session_net: Spread | None
    """None if no session was completed."""
    session_drawdown: Spread | None


class Simulation(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a simulation, with its rules and plan."""

    rulebook: str
    version: str
    game_hash: str
    method: str
    seed: str
    rounds: int
    confidence: float
    session_rounds: int
    seats: tuple[SeatFigures, ...]
    meters: dict[str, MeterFigures] = {}
    bank: int = 0
    """Seat that banked every round; 0 for the house."""
    co_bank: bool = False
    mishaps_per_million: int = 0
    mishaps: dict[str, int] = {}
    """Number of irregularities by kind and case."""
    void_rounds: int = 0

    def headline(self) -> str:
        edges = (f"{seat.house_edge_per_base.in_percent(3)} ({seat.strategy})" for seat in self.seats)
        return f"{self.rulebook}, {self.rounds:,} rounds: house edge per base wager {', '.join(edges)}"

    def records(self) -> list[Record]:
        return [
            {
                "seat": seat.seat,
                "strategy": seat.strategy,
                "wager": name,
                "placed": wager.placed,
                "stake_cents": wager.stake,
                "net_cents": wager.net,
                "house_edge": wager.house_edge and wager.house_edge.value,
                "standard_error": wager.house_edge and wager.house_edge.standard_error,
            }
            for seat in self.seats
            for name, wager in seat.wagers.items()
        ]


def figures_of(game: Game, plan: SimulationPlan, tally: SimulationTally, confidence: float) -> Simulation:
    """Compute the figures from a tally."""
    return Simulation(
        rulebook=game.book.id,
        version=game.book.version,
        game_hash=game.hash,
        method=AT_TABLE if plan.at_table else "simulation",
        seed=plan.seed,
        rounds=tally.rounds,
        confidence=confidence,
        session_rounds=plan.session_rounds,
        seats=tuple(_seat(game, plan, tally, number, confidence) for number in range(1, len(plan.seats) + 1)),
        meters={name: meter_figures(game, plan, name, tally, confidence) for name in tally.meters},
        bank=plan.bank,
        co_bank=plan.co_bank,
        mishaps_per_million=plan.mishaps_per_million,
        mishaps=tally.mishaps,
        void_rounds=tally.void_rounds,
    )


def base_cents(game: Game, seat: SeatPlan) -> int:
    """Return the stake of the base wager; of a seat without it, of its first wager."""
    return seat.wagers.get(base_of(game)) or next(iter(seat.wagers.values()))


def _seat(game: Game, plan: SimulationPlan, whole: SimulationTally, number: int, confidence: float) -> SeatFigures:
    from crossfelt.analysis.simulation.expectation import expected_results

    seat, tally = plan.seats[number - 1], whole.seats[number - 1]
    base, expected = base_cents(game, seat), expected_results(game, plan, whole, number - 1)
    rounds = tally.rounds
    net = mean(tally.net, tally.net_squared, rounds, confidence)
    base_net = mean(tally.base_net, tally.base_net_squared, rounds, confidence)
    per_wagered = ratio(
        -tally.net, tally.net_squared, tally.stake, tally.stake_squared, -tally.net_times_stake, rounds, confidence
    )
    return SeatFigures(
        seat=number,
        strategy=seat.strategy,
        stakes={name: seat.cents(game, name) if game.offers(name) else cents for name, cents in seat.wagers.items()},
        net_per_round=net,
        standard_deviation=net.standard_error * sqrt(rounds),
        house_edge_per_base=around(-base_net.value / base, base_net.standard_error / base, confidence),
        loss_per_base=around(-net.value / base, net.standard_error / base, confidence),
        loss_per_total_wagered=per_wagered,
        average_total_wagered=tally.stake / rounds / base,
        decisions={name: _shares(taken) for name, taken in tally.decisions.items()},
        wagers={
            name: _wager(counted, confidence, rounds, expected.get(name)) for name, counted in tally.wagers.items()
        },
        session_net=_spread(tally.sessions),
        session_drawdown=_spread(tally.drawdowns),
    )


def _wager(tally: WagerTally, confidence: float, rounds: int, expected: Expected | None) -> WagerFigures:
    edge = None
    if tally.stake:
        sums = (-tally.net, tally.net_squared, tally.stake, tally.stake_squared, -tally.net_times_stake)
        edge = ratio(*sums, tally.placed, confidence)
    return WagerFigures(
        placed=tally.placed,
        stake=tally.stake,
        net=tally.net,
        limited=tally.limited,
        commission=tally.commission,
        house_edge=edge,
        net_per_round=mean(tally.net, tally.net_squared, rounds, confidence),
        results=_shares(tally.results),
        expected_net_per_round=float(expected.net) if expected is not None else None,
        z_score=expected.z_score(tally.net, rounds) if expected is not None else None,
    )


def _shares(counts: dict[str, int]) -> dict[str, float]:
    total = sum(counts.values())
    return {name: count / total for name, count in counts.items()} if total else {}


def _spread(counts: dict[int, int]) -> Spread | None:
    sessions = sum(counts.values())
    if not sessions:
        return None
    total = sum(cents * count for cents, count in counts.items())
    return Spread(mean=total / sessions, quantiles={f"{share:.0%}": quantile(counts, share) for share in SHARES})
