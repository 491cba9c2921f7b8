"""Figures of a simulation: seats, wagers and meters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Final

import msgspec

from crossfelt.analysis.estimates import (
    Estimate,
    Interval,
    deviation,
    events,
    mean,
    mean_of,
    proportion,
    quantile,
    ratio,
)
from crossfelt.analysis.simulation.exact_values import (
    Expected,
    SeatValues,
    charges_odds,
    expected_results,
    jackpot_chance,
    long_run_cents,
    seat_values,
)
from crossfelt.analysis.simulation.plan import AT_TABLE, SeatPlan, SimulationPlan, base_of
from crossfelt.analysis.simulation.tally import SimulationTally, WagerTally
from crossfelt.progressive.meter import MICROS
from crossfelt.rulebooks.game import Game
from crossfelt.tabular import Record, Tabular

METER_SHARES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
SESSION_SHARES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
MILLION: Final = 10**6


class Quantiles(msgspec.Struct, frozen=True, kw_only=True):
    """Mean and quantiles of a number, and its ends in this simulation."""

    mean: Estimate
    quantiles: dict[str, Interval]
    lowest: int
    highest: int

    @classmethod
    def of(cls, counts: dict[int, int], shares: Sequence[float], confidence: float) -> Quantiles | None:
        """Estimate quantiles of counted numbers; None without any."""
        if not counts:
            return None
        return cls(
            mean=mean_of(counts, confidence),
            quantiles={f"{share:.0%}": quantile(counts, share, confidence) for share in shares},
            lowest=min(counts),
            highest=max(counts),
        )


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
    """A void round has no jackpot."""
    z_score: float | None
    """Distance of the number of jackpots from its expectation, in standard errors."""
    rounds_per_jackpot: Interval | None
    """All rounds divided by all jackpots; includes intervals cut off at the end, unlike `rounds_between`."""
    rounds_between: Quantiles | None
    """Complete intervals from the opening or a jackpot to the next jackpot."""
    jackpot_cents: Quantiles | None
    lowest_cents: int
    """Ends of the meter at the claims, over all rounds of this simulation."""
    highest_cents: int
    long_run_cents: float | None
    """Long-run average of the meter; exact unless `is_bound`."""
    is_bound: bool
    """The long-run average is a lower bound: odds are charged to the pool only above its reset amount."""


def meter_figures(
    game: Game, plan: SimulationPlan, meter: str, whole: SimulationTally, confidence: float
) -> MeterFigures:
    """Compute the figures from a tally."""
    tally = whole.meters[meter]
    jackpots, rounds = sum(tally.jackpots.values()), tally.rounds
    chance, long_run = jackpot_chance(game, plan, meter), long_run_cents(game, plan, meter)
    expected = float(chance) * (rounds - whole.void_rounds) if chance is not None else None
    rate = events(jackpots, rounds / MILLION, confidence).known_as(expected and expected * MILLION / rounds)
    return MeterFigures(
        rounds=rounds,
        history_rounds=plan.history_rounds,
        contributed=tally.contributed_micros / MICROS,
        put_in=tally.seeded_micros / MICROS,
        paid=tally.paid_cents,
        awards={f"{percent}%" if percent else "amount": count for percent, count in tally.awards.items()},
        jackpots=jackpots,
        jackpots_per_million_rounds=rate,
        z_score=(jackpots - expected) / sqrt(expected) if expected else None,
        rounds_per_jackpot=_rounds_for_one(rate) if jackpots else None,
        rounds_between=Quantiles.of(tally.waits, METER_SHARES, confidence),
        jackpot_cents=Quantiles.of(tally.jackpots, METER_SHARES, confidence),
        lowest_cents=tally.lowest_cents,
        highest_cents=tally.highest_cents,
        long_run_cents=None if long_run is None else float(long_run),
        is_bound=charges_odds(game, plan, meter),
    )


def _rounds_for_one(rate: Estimate) -> Interval:
    """Return the rounds for each event that happens at a rate per million rounds."""
    exact = MILLION / rate.exact if rate.exact else None
    return Interval(value=MILLION / rate.value, low=MILLION / rate.high, high=MILLION / rate.low, exact=exact)


# --- figures of seats and wagers ---


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
    results: dict[str, Estimate]
    """Share of each result, of the rounds in which the wager was placed."""
    expected_net_per_round: float | None = None
    """Exact expectation for wheels and their awards, in cents, at the average simulated meter."""
    z_score: float | None = None
    """Distance of the simulated net result from its expectation, in standard errors."""


class SeatFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one seat; money in cents."""

    seat: int
    strategy: str
    stakes: dict[str, int]
    net_per_round: Estimate
    standard_deviation: Estimate
    """Standard deviation of one round."""
    house_edge_per_base: Estimate
    """Loss of the required wagers and their bets, per unit of the base wager, an ante or main wager."""
    loss_per_base: Estimate
    """Loss of all wagers, optional ones too, per unit of the base wager."""
    loss_per_total_wagered: Estimate
    """Loss of all wagers, per unit of all stakes."""
    average_total_wagered: Estimate
    """Average of all stakes, in the same unit."""
    decisions: dict[str, dict[str, Estimate]]
    """Share of each choice, of the times that its decision was made."""
    wagers: dict[str, WagerFigures]
    session_net: Quantiles | None
    """None if no session was completed."""
    session_drawdown: Quantiles | None


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
        level = f"at {100 * self.confidence:.4g}% confidence"
        return f"{self.rulebook}, {self.rounds:,} rounds: house edge per base wager {', '.join(edges)}, {level}"

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
                "low": wager.house_edge and wager.house_edge.low,
                "high": wager.house_edge and wager.house_edge.high,
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
    seat, tally = plan.seats[number - 1], whole.seats[number - 1]
    base, expected = base_cents(game, seat), expected_results(game, plan, whole, number - 1)
    exact = seat_values(game, plan, whole, number - 1)
    rounds = tally.rounds
    base_net = mean(tally.base_net, tally.base_net_squared, rounds, confidence)
    net = mean(tally.net, tally.net_squared, rounds, confidence)
    per_wagered = ratio(
        -tally.net, tally.net_squared, tally.stake, tally.stake_squared, -tally.net_times_stake, rounds, confidence
    )
    wagered = mean(tally.stake, tally.stake_squared, rounds, confidence)
    spread = deviation(tally.nets, confidence)
    session = Quantiles.of(tally.sessions, SESSION_SHARES, confidence)
    edge, loss, average = base_net.over(-base), net.over(-base), wagered.over(base)
    if exact.solution and exact.results:
        value, total = exact.results.mean, exact.solution.average_total_wagered
        edge = edge.known_as(float(-value))
        if len(seat.wagers) == 1:
            loss, per_wagered = loss.known_as(float(-value)), per_wagered.known_as(float(-value / total))
            net, average = net.known_as(float(value * base)), average.known_as(float(total))
            spread = spread.known_as(base * sqrt(exact.results.variance))
            session = session and _known_session(session, exact, plan.session_rounds, base)
    return SeatFigures(
        seat=number,
        strategy=seat.strategy,
        stakes={name: seat.cents(game, name) if game.offers(name) else cents for name, cents in seat.wagers.items()},
        net_per_round=net,
        standard_deviation=spread,
        house_edge_per_base=edge,
        loss_per_base=loss,
        loss_per_total_wagered=per_wagered,
        average_total_wagered=average,
        decisions={
            name: _shares(taken, exact.rates(name), confidence) for name, taken in tally.decisions.items() if taken
        },
        wagers={
            name: _wager(name, counted, confidence, rounds, expected.get(name), exact, base)
            for name, counted in tally.wagers.items()
        },
        session_net=session,
        session_drawdown=Quantiles.of(tally.drawdowns, SESSION_SHARES, confidence),
    )


def _known_session(found: Quantiles, exact: SeatValues, rounds: int, base: int) -> Quantiles:
    """Return the result of a session beside its exact mean and quantiles, where these are computed."""
    session = exact.session(rounds, SESSION_SHARES)
    if session is None:
        return found
    quantiles = {
        name: each.known_as(float(session.quantiles[share] * base))
        for share, (name, each) in zip(SESSION_SHARES, found.quantiles.items(), strict=True)
    }
    return msgspec.structs.replace(found, mean=found.mean.known_as(float(session.mean * base)), quantiles=quantiles)


def _wager(
    name: str,
    tally: WagerTally,
    confidence: float,
    rounds: int,
    expected: Expected | None,
    exact: SeatValues,
    base: int,
) -> WagerFigures:
    edge, known = None, exact.house_edge(name)
    if tally.stake:
        sums = (-tally.net, tally.net_squared, tally.stake, tally.stake_squared, -tally.net_times_stake)
        edge = ratio(*sums, tally.placed, confidence).known_as(None if known is None else float(known))
    return WagerFigures(
        placed=tally.placed,
        stake=tally.stake,
        net=tally.net,
        limited=tally.limited,
        commission=tally.commission,
        house_edge=edge,
        net_per_round=mean(tally.net, tally.net_squared, rounds, confidence).known_as(
            float(exact.bonuses[name].mean * base) if name in exact.bonuses else None
        ),
        results=_shares(tally.results, exact.chances(name), confidence),
        expected_net_per_round=float(expected.net) if expected is not None else None,
        z_score=expected.z_score(tally.net, rounds) if expected is not None else None,
    )


def _shares(counts: Mapping[str, int], exact: Mapping[str, Fraction], confidence: float) -> dict[str, Estimate]:
    total = sum(counts.values())
    possible = {**{name: 0 for name, chance in exact.items() if chance}, **counts}
    return {
        name: proportion(count, total, confidence).known_as(float(exact.get(name, 0)) if exact else None)
        for name, count in possible.items()
        if total
    }
