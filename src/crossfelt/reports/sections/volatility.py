"""Volatility sections: distribution of a round, sessions and drawdowns."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from crossfelt.analysis.solution import Distribution, ResultRow, Solution
from crossfelt.reports.document import Block, Plot, Section, Series, Table, Text
from crossfelt.reports.number_format import (
    EMPTY,
    MINUS,
    count,
    estimated,
    left,
    measured,
    measured_share,
    net,
    number,
    one_in,
    right,
    row,
    share,
    table,
)
from crossfelt.reports.sections.returns import EXACT, INTERVALS, simulated
from crossfelt.reports.study import BAND, SESSION_ROUNDS, Study

PRINTED_LENGTHS: Final = (10, 50, 100, 200)
PLOTTED_TO: Final = 12
"""Results above this number of units share the last column of the plot."""


def volatility_section(study: Study) -> Section:
    blocks: list[Block] = []
    if study.solution:
        blocks += [results_plot(study.solution), results_table(study.solution)]
        blocks += [_bands(study), _sessions(study)]
    blocks += [_simulated_sessions(study)]
    return Section(id="volatility", title="Volatility", blocks=tuple(blocks))


def results_table(solution: Solution) -> Table:
    deals = solution.distribution.deals
    return table(
        "results",
        "Result of a round",
        solution.distribution.rows(),
        {
            right("Player's net", solution.units): span,
            right("Deals"): lambda each: count(each.deals),
            right("Probability", "of all rounds"): lambda each: share(Fraction(each.deals, deals)),
            right("One in", "rounds"): lambda each: one_in(Fraction(each.deals, deals)),
        },
        total=("All", count(deals), share(1), EMPTY),
        method=f"{EXACT}, {solution.strategy} strategy",
        notes=("The section “Every result of a round” lists each result.",),
    )


def span(results: ResultRow) -> str:
    """
    >>> span(ResultRow(Fraction(-11), Fraction(-7), 1)), span(ResultRow(Fraction(0), Fraction(0), 1))
    ('−11 … −7', '0')
    """
    low, high = net(results.low).text, net(results.high).text
    return low if low == high else f"{low} … {high}"


def results_plot(*solutions: Solution, names: tuple[str, ...] = ("probability",)) -> Plot:
    """Plot the distribution of results, with the highest in one column."""
    least = min(int(solution.distribution.outcomes[0].net // 1) for solution in solutions)
    places, units = range(least, PLOTTED_TO + 1), solutions[0].units
    series = []
    for name, solution in zip(names, solutions, strict=True):
        series.append(Series(name=name, values=tuple(_in_columns(solution.distribution, places))))
    first = series[0].values
    commonest = max(range(len(first)), key=lambda place: first[place] or 0)
    alt = (
        f"Columns of the frequency of each result, from {least} {units} to {PLOTTED_TO} and more. The "
        f"commonest is {places[commonest]} {units}, in {100 * (first[commonest] or 0):.1f} % of rounds."
    )
    return Plot(
        id="results-plot",
        kind="columns",
        title="Result of a round",
        alt=alt,
        across=(*(str(place).replace("-", MINUS) for place in places[:-1]), f"{PLOTTED_TO}+"),
        series=tuple(series),
        across_label=f"player's net, {units}",
        value_label="% of rounds",
    )


def _in_columns(distribution: Distribution, places: range) -> list[float]:
    counts = dict.fromkeys(places, 0)
    for outcome in distribution.outcomes:
        counts[min(int(outcome.net // 1), places[-1])] += outcome.count
    return [float(Fraction(100 * number, distribution.deals)) for number in counts.values()]


def _bands(study: Study) -> Plot:
    lengths = (0, *(session.rounds for session in study.sessions))

    def edge(share: float) -> tuple[float, ...]:
        return (0.0, *(float(session.quantiles[share]) for session in study.sessions))

    last = study.sessions[-1]
    low, middle, high = (float(last.quantiles[share]) for share in (BAND[0], 0.5, BAND[-1]))
    return Plot(
        id="bands",
        kind="bands",
        title="Bankroll over a session",
        alt=(
            f"Bands that widen with the number of rounds. After {last.rounds} rounds nine sessions in ten lie between "
            f"{low:+g} and {high:+g} {study.units}, half of them below {middle:+g}."
        ),
        across=tuple(map(float, lengths)),
        series=(
            Series(name="90 % of sessions", values=edge(BAND[4]), low=edge(BAND[0])),
            Series(name="50 % of sessions", values=edge(BAND[3]), low=edge(BAND[1])),
            Series(name="median", values=edge(0.5)),
        ),
        across_label="rounds played",
        value_label=f"player's net, {study.units}",
    )


def _sessions(study: Study) -> Table:
    body = [
        row(
            count(session.rounds),
            number(session.mean, 2, plus=True),
            measured(session.standard_deviation, 2),
            measured_share(session.ahead, 2),
            *(net(session.quantiles[share]) for share in BAND),
        )
        for session in study.sessions
        if session.rounds in PRINTED_LENGTHS
    ]
    return Table(
        id="sessions",
        caption="Sessions",
        columns=(
            right("Rounds"),
            right("Mean", study.units),
            right("Standard deviation", study.units),
            right("Ends ahead", "of sessions"),
            *(right(f"{share:.0%}".replace("%", " %"), f"quantile, {study.units}") for share in BAND),
        ),
        rows=tuple(body),
        method="exact distribution of a round, convolved; no side bets, optimal strategy",
    )


def _simulated_sessions(study: Study) -> Table:
    """List the quantiles of simulated sessions, where they are not exact, and of drawdowns."""
    base, seat = float(study.plan.seats[0].wagers[study.base]), study.simulation.seats[0]
    results = {"Largest drawdown": seat.session_drawdown}
    if not study.sessions:
        results = {"Result": seat.session_net, **results}
    found = {name: spread for name, spread in results.items() if spread is not None}
    shares = tuple(seat.session_drawdown.quantiles) if seat.session_drawdown else ()
    return Table(
        id="drawdown",
        caption=f"Sessions of {SESSION_ROUNDS} rounds, simulated",
        columns=(
            left("In one session"),
            *(right(each.replace("%", " %"), f"quantile, {study.units}") for each in shares),
        ),
        rows=tuple(
            row(name, *(estimated(each, 1, unit=base) for each in spread.quantiles.values()))
            for name, spread in found.items()
        ),
        method=simulated(study),
        notes=("No side bets; the base wager is constant.", INTERVALS) if found else ("Too few rounds for a session.",),
    )


def all_results(solution: Solution) -> Section:
    """List the whole distribution."""
    distribution = solution.distribution
    text = (
        f"The round has {len(distribution.outcomes)} different results in {distribution.deals:,} deals. Their "
        f"average is the expected value of a round, {distribution.mean} {solution.units}."
    )
    results = table(
        "all-results",
        "Every result of a round",
        distribution.outcomes,
        {
            right("Player's net", solution.units): lambda outcome: net(outcome.net),
            right("Deals"): lambda outcome: count(outcome.count),
            right("Probability", "of all rounds"): lambda outcome: share(distribution.probability(outcome), 8),
        },
        total=("All", count(distribution.deals), share(1, 8)),
        method=f"{EXACT}, {solution.strategy} strategy",
        long=True,
    )
    return Section(id="every-result", title="Every result of a round", blocks=(Text(paragraphs=(text,)), results))
