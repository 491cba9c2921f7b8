"""Verification section: exact figures against an independent simulation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from crossfelt.analysis.estimates import Estimate
from crossfelt.analysis.solution import Solution
from crossfelt.reports.document import Block, Column, Plot, Section, Series, Table, Text, Value
from crossfelt.reports.number_format import left, measured, measured_share, number, row, share
from crossfelt.reports.sections.returns import simulated
from crossfelt.reports.study import CONFIDENCE, Study
from crossfelt.rulebooks.render.phrases import as_words

NET_UNIT: Final = "cents per round, at the simulated meters"
BOUND: Final = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)


class FigureCheck(NamedTuple):
    """A figure with its exact and simulated value."""

    title: str
    unit: str
    exact: Fraction
    value: float
    error: float
    percent: bool = True

    @property
    def z_score(self) -> float:
        return (self.value - float(self.exact)) / self.error if self.error else 0.0


def checked(study: Study) -> list[FigureCheck]:
    """List every figure with both an exact and a simulated value."""
    solution = study.solution
    found: list[FigureCheck] = []
    if solution is not None and solution.strategy == study.strategy:
        found += _base(study, solution)
        found += _decisions(study, solution)
        found += _wagers(study)
    found += _side_bets(study)
    found += _meters(study)
    return found


def _base(study: Study, solution: Solution) -> Iterator[FigureCheck]:
    seat, edge = study.simulation.seats[0], solution.house_edge
    yield _of("House edge per ante", "of one ante", edge.per_ante, seat.house_edge_per_base)
    yield _of("Element of risk", "of the total wagered", edge.per_total_wagered, seat.house_edge_per_total_wagered)
    tally = study.tally.seats[0]
    won = sum(times for cents, times in tally.nets.items() if cents > 0)
    yield _rate("Rounds won", "of all rounds", solution.hit_rate, won, tally.rounds)
    yield _rate(
        "Rounds tied",
        "of all rounds",
        solution.distribution.at_least(Fraction(0)) - solution.hit_rate,
        tally.nets.get(0, 0),
        tally.rounds,
    )


def _decisions(study: Study, solution: Solution) -> Iterator[FigureCheck]:
    for decision, made in study.tally.seats[0].decisions.items():
        rates = solution.decisions.get(decision, {})
        asked, times = sum(rates.values(), Fraction(0)), sum(made.values())
        for choice, rate in rates.items():
            if rate and times:
                title = f"{as_words(decision).capitalize()}: {as_words(choice)}"
                yield _rate(title, "of these decisions", rate / asked, made.get(choice, 0), times)


def _wagers(study: Study) -> Iterator[FigureCheck]:
    for name, wager in study.wagers.items():
        found = study.simulation.seats[0].wagers.get(name)
        if found is not None and found.house_edge is not None:
            yield _of(f"{wager.title}: house edge", "of its stakes", wager.house_edge, found.house_edge)


def _side_bets(study: Study) -> Iterator[FigureCheck]:
    seat, tally = study.simulation.seats[-1], study.tally.seats[-1]
    for name, bet in study.side_bets.items():
        found, counted = seat.wagers.get(name), tally.wagers.get(name)
        if found is not None and found.house_edge is not None and counted is not None:
            yield _of(f"{bet.title}: house edge", "of the stake", bet.house_edge, found.house_edge)
            yield _rate(
                f"{bet.title}: paid", "of wagers placed", bet.hit_rate, counted.results.get("win", 0), counted.placed
            )


def _meters(study: Study) -> Iterator[FigureCheck]:
    """Yield the figures of wheels, credits and meters, given the meters of the simulation."""
    from crossfelt.analysis.simulation.expectation import expected_results, jackpot_chance

    game, seat, rounds = study.game, len(study.plan.seats) - 1, study.tally.rounds
    for name, expected in expected_results(game, study.plan, study.tally, seat).items():
        counted = study.tally.seats[seat].wagers.get(name)
        if counted is not None:
            error = sqrt(float(expected.variance) / rounds)
            yield FigureCheck(
                f"{_titled(study, name)}: net", NET_UNIT, expected.net, counted.net / rounds, error, percent=False
            )
    for meter, tally in study.tally.meters.items():
        chance = jackpot_chance(game, study.plan, meter)
        if chance is not None:
            won = sum(tally.jackpots.values())
            yield _rate(f"Meter {as_words(meter)}: jackpots", "of all rounds", chance, won, tally.rounds)


def _titled(study: Study, name: str) -> str:
    return study.game.wager(name).title if study.game.offers(name) else as_words(name).capitalize()


def _of(title: str, unit: str, exact: Fraction, estimate: Estimate) -> FigureCheck:
    return FigureCheck(title, unit, exact, estimate.value, estimate.standard_error)


def _rate(title: str, unit: str, exact: Fraction, times: int, of: int) -> FigureCheck:
    return FigureCheck(title, unit, exact, times / of, sqrt(float(exact * (1 - exact)) / of))


def verification_section(study: Study) -> Section:
    found = checked(study)
    blocks: list[Block] = [Text(paragraphs=(_how(study),))]
    if found:
        blocks += [_plot(found), _table(study, found)]
    else:
        blocks.append(Text(paragraphs=("This game has no figure with both an exact and a simulated value.",)))
    return Section(id="verification", title="Verification", blocks=tuple(blocks))


def _how(study: Study) -> str:
    stakes = ""
    for place, seat in enumerate(study.simulation.seats, start=1):
        staked = ", ".join(f"{as_words(name)} ${cents / 100:,.0f}" for name, cents in seat.stakes.items())
        stakes += f"Seat {place} stakes {staked}. "
    return (
        f"The simulation plays {study.asked.rounds:,} rounds from seed {study.asked.seed} with the {study.strategy} "
        f"strategy. {stakes}The simulation settles by the rules of the table and does not use the solver. A z-score is "
        "the distance between the two figures in standard errors. By chance about one in twenty lies outside "
        f"\N{PLUS-MINUS SIGN}{BOUND:.2f}. Figures from the same rounds are correlated: a run with few good hands moves "
        "many of them in the same direction."
    )


def _table(study: Study, found: list[FigureCheck]) -> Table:
    return Table(
        id="z-scores",
        caption="Exact against simulated",
        columns=(
            left("Figure"),
            left("Unit"),
            Column(title="Exact"),
            Column(title="Simulated"),
            Column(title="Standard error"),
            Column(title="z-score", unit="standard errors"),
        ),
        rows=tuple(
            row(
                each.title,
                each.unit,
                _exact(each),
                _seen(each, each.value),
                _seen(each, each.error),
                measured(each.z_score, 2, plus=True),
            )
            for each in found
        ),
        method=simulated(study),
        notes=(_verdict(found),),
    )


def _verdict(found: list[FigureCheck]) -> str:
    """State how unlikely the largest z-score is if the figures were independent."""
    outside = sum(abs(each.z_score) > BOUND for each in found)
    furthest = max(abs(each.z_score) for each in found)
    alone = 2 * (1 - NormalDist().cdf(furthest))
    chance = 1 - (1 - alone) ** len(found)
    return (
        f"{outside} of {len(found)} z-scores lie outside \N{PLUS-MINUS SIGN}{BOUND:.2f}. The largest distance is "
        f"{furthest:.2f} standard errors. If the figures were independent, {100 * chance:.0f} % of runs would show one "
        "at least as large."
    )


def _exact(each: FigureCheck) -> Value:
    return share(each.exact) if each.percent else number(each.exact)


def _seen(each: FigureCheck, value: float) -> Value:
    return measured_share(value) if each.percent else measured(value)


def _plot(found: list[FigureCheck]) -> Plot:
    furthest = max(found, key=lambda each: abs(each.z_score))
    return Plot(
        id="z-plot",
        kind="dots",
        title="Distance between simulated and exact figures",
        alt=(
            f"A dot for each of {len(found)} figures on a scale of standard errors, with the band from {-BOUND:.2f} to "
            f"{BOUND:.2f} marked. The furthest is {furthest.title}, at {furthest.z_score:+.2f}."
        ),
        across=tuple(each.title for each in found),
        series=(Series(name="z-score", values=tuple(float(f"{each.z_score:.6g}") for each in found)),),
        value_label="standard errors",
    )
