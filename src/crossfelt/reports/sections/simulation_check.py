"""Verification section: exact figures against an independent simulation."""

from __future__ import annotations

from statistics import NormalDist
from typing import Final

from crossfelt.analysis.estimates import CONFIDENCE
from crossfelt.analysis.simulation.exact_values import SeatValues, holds_for, may_be_cut
from crossfelt.analysis.simulation.figure_checks import (
    FigureCheck,
    jackpot_checks,
    meter_checks,
    seat_checks,
    side_bet_checks,
)
from crossfelt.reports.document import Block, Plot, Section, Series, Table, Text, Value
from crossfelt.reports.number_format import NONE, left, measured, measured_share, number, right, share, table
from crossfelt.reports.sections.returns import simulated
from crossfelt.reports.study import Study
from crossfelt.rulebooks.render.phrases import as_words

BOUND: Final = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)


def checked(study: Study) -> list[FigureCheck]:
    """List every figure with both an exact and a simulated value."""
    game, plan, tally, found = study.game, study.plan, study.tally, study.simulation
    last = len(plan.seats) - 1
    checks: list[FigureCheck] = []
    first, counted = tally.seats[0].wagers, tally.seats[last].wagers
    if study.played is not None and not may_be_cut(game, plan.seats[0], first, study.played, {}):
        checks += seat_checks(tally, found, SeatValues.of(game, study.played), 0)
    cut = may_be_cut(game, plan.seats[last], counted, study.played, study.side_bets)
    bets = {name: bet for name, bet in study.side_bets.items() if not cut and holds_for(counted.get(name))}
    checks += side_bet_checks(tally, found, bets, last)
    if not plan.at_table:
        checks += meter_checks(game, plan, tally, last)
        checks += jackpot_checks(game, plan, tally)
    return checks


def verification_section(study: Study) -> Section:
    found = checked(study)
    blocks: list[Block] = [Text(paragraphs=(_how(study),))]
    if found:
        blocks += [_plot(found), _table(study, found)]
    else:
        blocks.append(Text(paragraphs=("This game has no figure with both an exact and a simulated value.",)))
    return Section(id="verification", title="Verification", blocks=tuple(blocks))


def _how(study: Study) -> str:
    count, stakes = study.asked.replayed, ""
    for place, seat in enumerate(study.simulation.seats, start=1):
        staked = ", ".join(f"{as_words(name)} ${cents / 100:,.0f}" for name, cents in seat.stakes.items())
        stakes += f"Seat {place} stakes {staked}. "
    replayed = f"The table played {count} of these rounds again and paid the same to the cent. "
    if study.plan.at_table:
        replayed = (
            "The table itself plays these rounds, because the vectorised engine does not know the game. A second "
            f"settlement of {count} of them agrees to the cent. "
        )
    return (
        f"The simulation plays {study.asked.rounds:,} rounds from seed {study.asked.seed} with the {study.strategy} "
        f"strategy. {stakes}{replayed}"
        "The simulation settles by the rules of the table and does not use the solver. A z-score is "
        "the distance between the two figures in standard errors. By chance about one in twenty lies outside "
        f"\N{PLUS-MINUS SIGN}{BOUND:.2f}. Figures from the same rounds are correlated: a run with few good hands moves "
        "many of them in the same direction."
    )


def _table(study: Study, found: list[FigureCheck]) -> Table:
    return table(
        "z-scores",
        "Exact against simulated",
        found,
        {
            left("Figure"): lambda each: each.title,
            left("Unit"): lambda each: each.unit,
            right("Exact"): lambda each: share(each.exact) if each.percent else number(each.exact),
            right("Simulated"): lambda each: _seen(each, each.value),
            right("Interval", f"{CONFIDENCE:.0%} confidence".replace("%", " %")): _interval,
            right("z-score", "standard errors"): lambda each: measured(each.z_score, 2, plus=True),
        },
        method=simulated(study),
        notes=[_verdict(found)],
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


def _seen(each: FigureCheck, value: float) -> Value:
    return measured_share(value) if each.percent else measured(value)


def _interval(each: FigureCheck) -> Value:
    low, high = (_seen(each, bound).text for bound in (each.found.low, each.found.high))
    return Value(text=f"{low} to {high}", low=each.found.low, high=each.found.high) if each.found.is_bounded else NONE


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
