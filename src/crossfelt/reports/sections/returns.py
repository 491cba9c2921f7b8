"""Return sections: house edge under each denominator, outcomes of each wager, and sensitivity to the odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from crossfelt.analysis.estimates import CONFIDENCE, proportion
from crossfelt.analysis.sensitivity import Sensitivity
from crossfelt.analysis.solution import LEFT_OUT, SideBet, Solution, WagerOutcome, WagerOutcomes
from crossfelt.money import dollars
from crossfelt.reports.document import Block, Figure, Figures, Plot, Row, Section, Series, Table, Text, Value
from crossfelt.reports.number_format import (
    EMPTY,
    NONE,
    count,
    estimated,
    estimated_share,
    left,
    measured,
    money,
    number,
    one_in,
    points,
    right,
    row,
    share,
    table,
)
from crossfelt.reports.study import Study
from crossfelt.rulebooks.render.phrases import a, as_words, joined

EXACT: Final = "exact, every deal counted"
INTERVALS: Final = "Intervals are at 95 % confidence."
_ENDS: Final = {"lose": "loses", "forfeit": "forfeited by a fold", "push": "pushes", "win": "wins"}


def simulated(study: Study) -> str:
    """Describe the method of a simulated figure."""
    rounds = f"{study.asked.rounds:,} rounds, seed {study.asked.seed}, strategy {study.strategy}"
    return f"{study.simulation.method}, {rounds}"


def headline(study: Study) -> tuple[Figure, ...]:
    """Select the four headline figures."""
    figures = {figure.id: figure for figure in return_figures(study)}
    first = "edge-initial" if "edge-initial" in figures else "edge-base"
    return tuple(figures[name] for name in (first, "edge-total", "standard-deviation", "hit-rate"))


def return_figures(study: Study) -> tuple[Figure, ...]:
    solution = study.solution
    return tuple(_exact_figures(solution) if solution else _simulated_figures(study))


def _exact_figures(solution: Solution) -> Iterator[Figure]:
    edge = solution.house_edge
    units, one = solution.units, solution.unit
    initial = one if solution.initial_wagers == 1 else f"{solution.initial_wagers} {units}"
    method = f"{EXACT}, {solution.strategy} strategy"

    def figure(name: str, label: str, value: Fraction, unit: str, *, percent: bool = True, note: str = "") -> Figure:
        formatted = share(value) if percent else number(value, plus=name == "ev")
        return Figure(id=name, label=label, value=formatted, unit=unit, method=method, note=note)

    yield figure("ev", "Expected value of a round", solution.ev, f"{units}, for the player", percent=False)
    yield figure("edge-base", f"House edge per {solution.base}", edge.per_ante, f"of {one}")
    if solution.initial_wagers != 1:
        holds = solution.holds_to_cents
        note = f"{initial}, staked before the deal{f', up to {a(solution.base)} of {dollars(holds)}' if holds else ''}"
        yield figure("edge-initial", "House edge", edge.per_initial_wagers, "of the initial wagers", note=note)
    total = "average of all stakes in a round"
    yield figure("edge-total", "Element of risk", edge.per_total_wagered, "of the total wagered", note=total)
    yield figure(
        "wagered", "Average total wagered", solution.average_total_wagered, f"{units} per round", percent=False
    )
    yield Figure(
        id="standard-deviation",
        label="Standard deviation",
        value=measured(solution.standard_deviation),
        unit=f"{units}, of a round",
        method=f"square root of the exact variance, {solution.strategy} strategy",
    )
    yield figure("variance", "Variance", solution.variance, f"{units} squared, of a round", percent=False)
    for name, moment, normal in (
        ("skewness", solution.distribution.skewness, "0"),
        ("kurtosis", solution.distribution.kurtosis, "3"),
    ):
        yield Figure(
            id=name,
            label=name.capitalize(),
            value=measured(moment),
            unit="of the result of a round",
            method=f"from the exact distribution, {solution.strategy} strategy",
            note=f"a normal distribution has {normal}",
        )
    yield figure("hit-rate", "Rounds won", solution.hit_rate, "of all rounds", note="with a positive net result")
    tied = Fraction(sum(o.count for o in solution.distribution.outcomes if not o.net), solution.distribution.deals)
    yield figure("tie-rate", "Rounds tied", tied, "of all rounds")


def _simulated_figures(study: Study) -> Iterator[Figure]:
    seat, method = study.simulation.seats[0], simulated(study)

    def figure(name: str, label: str, value: Value, unit: str) -> Figure:
        note = "95 % confidence" if value.low is not None else "too few rounds for an interval"
        return Figure(id=name, label=label, value=value, unit=unit, method=method, note=note)

    base, cents = as_words(study.base), float(study.plan.seats[0].wagers[study.base])
    yield figure("edge-initial", "House edge", estimated_share(seat.house_edge_per_base, 4), f"of the {base} wager")
    total = estimated_share(seat.loss_per_total_wagered, 4)
    yield figure("edge-total", "Element of risk", total, "of the total wagered")
    deviation = estimated(seat.standard_deviation, unit=cents)
    yield figure("standard-deviation", "Standard deviation", deviation, f"{base} wagers, of a round")
    tally = study.tally.seats[0]
    for name, label, won in (
        ("hit-rate", "Rounds won", sum(n for cents, n in tally.nets.items() if cents > 0)),
        ("tie-rate", "Rounds tied", tally.nets.get(0, 0)),
    ):
        yield figure(name, label, estimated_share(proportion(won, tally.rounds, CONFIDENCE)), "of all rounds")


def return_section(study: Study) -> Section:
    blocks: list[Block] = [Figures(id="return", caption="The return of a round", figures=return_figures(study))]
    solution = study.solution
    if solution:
        deals = solution.distribution.deals
        text = (
            f"The figures count all {deals:,} deals under the {solution.strategy} strategy. Rule for choices "
            f"of equal value: {solution.tie_rule}. Side bets are listed separately. The house edge has three "
            "denominators; compare only figures with the same one. The figures do not include "
            f"{' and '.join(LEFT_OUT)}, because both depend on the size of the wagers."
        )
    else:
        text = (
            f"{study.game.book.title}: {study.unsolved}. A simulation estimates the wagers of this game, with "
            "confidence intervals. The verification section checks the simulation. Side bets are listed separately."
        )
    limited = solution.limit_words() if solution else ""
    blocks.append(Text(paragraphs=(text, limited) if limited else (text,)))
    if solution and solution.at_antes:
        blocks += _under_limit(solution)
    return Section(id="return", title="Return", blocks=tuple(blocks))


def _under_limit(solution: Solution) -> Iterator[Block]:
    """Show the house edge by ante, with the payout limit in force."""
    plays = {
        "the strategy above": [at.same_play for at in solution.at_antes],
        f"best play at the {solution.base}": [at.best_play for at in solution.at_antes if at.best_play],
    }
    edges = {
        name: [-play.mean / solution.initial_wagers for play in column] for name, column in plays.items() if column
    }
    antes = [at.ante_cents for at in solution.at_antes]
    limit = dollars(solution.limit_cents or 0)
    last = ", ".join(f"{share(column[-1]).text} with {name}" for name, column in edges.items())
    yield Plot(
        id="under-limit",
        kind="lines",
        title=f"House edge by {solution.base}, under the payout limit",
        alt=f"The house edge rises with the {solution.base}. At {dollars(antes[-1])}, the largest, it is {last}.",
        across=tuple(cents / 100 for cents in antes),
        series=tuple(
            Series(name=name, values=tuple(float(100 * edge) for edge in column)) for name, column in edges.items()
        ),
        across_label=f"{solution.base}, dollars",
        value_label="house edge, percent of the initial wagers",
    )
    yield Table(
        id="under-limit-antes",
        caption=f"House edge with the payout limit of {limit} in force",
        columns=(
            right(solution.base.capitalize(), "dollars"),
            *(right(name.capitalize(), "of the initial wagers") for name in edges),
        ),
        rows=tuple(row(money(ante), *map(share, found)) for ante, *found in zip(antes, *edges.values(), strict=True)),
        method=f"{EXACT}, payments in whole cents",
    )


def wagers_section(study: Study) -> Section | None:
    blocks: list[Block] = []
    if study.wagers:
        blocks += [wager_summary(study), _contributions(study)]
        blocks += [outcome_table(wager, study.units) for wager in study.wagers.values()]
    if study.side_bets:
        blocks += [side_bet_table(bet) for bet in study.side_bets.values()]
    if (others := _simulated_wagers(study)).rows:
        blocks.insert(0, others)
    return Section(id="wagers", title="Outcomes of each wager", blocks=tuple(blocks))


def wager_summary(study: Study) -> Table:
    solution = study.played or study.solution
    assert solution is not None
    edge = share(solution.house_edge.per_total_wagered)
    return table(
        "wager-summary",
        "Contribution of each wager to the round",
        study.wagers.values(),
        {
            left("Wager"): lambda wager: wager.title,
            right("Placed", "of all rounds"): lambda wager: share(wager.placed),
            right("Average stake", solution.units): lambda wager: number(wager.average_stake),
            right("Wins", "of all rounds"): lambda wager: share(wager.hit_rate),
            right("Contribution", f"{solution.units}, for the player"): lambda wager: number(wager.ev, plus=True),
            right("House edge", "of its stakes"): lambda wager: share(wager.house_edge),
        },
        total=("The round", EMPTY, number(solution.average_total_wagered), EMPTY, number(solution.ev, plus=True), edge),
        method=f"{EXACT}, {as_words(solution.strategy)} strategy",
    )


def _contributions(study: Study) -> Plot:
    names = tuple(wager.title for wager in study.wagers.values())
    values = tuple(float(wager.ev) for wager in study.wagers.values())
    listed = ", ".join(f"{name} {value:+.3f}" for name, value in zip(names, values, strict=True))
    return Plot(
        id="brought",
        kind="bars",
        title="Average contribution of each wager, for the player",
        alt=f"Bars of the contribution of each wager in {study.units}: {listed}.",
        across=names,
        series=(Series(name="contribution", values=values),),
        value_label=f"{study.units} per round",
    )


def outcome_table(wager: WagerOutcomes, units: str) -> Table:
    """List every outcome of a wager, with a column of deals for each size of its stake."""
    stakes = sorted({outcome.stake for outcome in wager.outcomes})
    groups: dict[tuple[str, str], list[WagerOutcome]] = {}
    for outcome in wager.outcomes:
        groups.setdefault((outcome.line, outcome.result), []).append(outcome)
    results = Counter(line for line, _ in groups)
    body = [_outcome_row(wager, same, stakes, is_one_of=results[line] > 1) for (line, _), same in groups.items()]
    placed = sum(outcome.count for outcome in wager.outcomes)
    if placed != wager.deals:
        rest = wager.deals - placed
        blank = [EMPTY] * (len(stakes) if len(stakes) > 1 else 0)
        body.append(
            row("not placed", EMPTY, *blank, count(rest), share(Fraction(rest, wager.deals)), number(0, plus=True))
        )
    sums = [count(sum(o.count for o in wager.outcomes if o.stake == stake)) for stake in stakes]
    whole = (*(sums if len(stakes) > 1 else ()), count(wager.deals), share(1), number(wager.ev, plus=True))
    by_stake = tuple(right(f"Deals at {stake}x") for stake in stakes) if len(stakes) > 1 else ()
    return Table(
        id=f"outcomes-{wager.id.replace('_', '-')}",
        caption=f"{wager.title}: outcomes",
        columns=(
            left("Hand"),
            right("Pays"),
            *by_stake,
            right("Deals"),
            right("Probability", "of all rounds"),
            right("Contribution", units),
        ),
        rows=(*body, row("All", EMPTY, *whole, total=True)),
        method=EXACT,
    )


def _outcome_row(wager: WagerOutcomes, same: list[WagerOutcome], stakes: list[Fraction], *, is_one_of: bool) -> Row:
    """Make the row of one outcome; where it is one of several with this hand, with the result of the wager."""
    first = same[0]
    counts = {outcome.stake: outcome.count for outcome in same}
    deals = sum(counts.values())
    contribution = Fraction(sum(outcome.count * outcome.net for outcome in same), wager.deals)
    by_stake = [count(counts[stake]) if stake in counts else NONE for stake in stakes] if len(stakes) > 1 else []
    ends = _ENDS[first.result]
    name = f"{as_words(first.line)}, {ends}" if first.line and is_one_of else as_words(first.line) or ends
    chance = share(Fraction(deals, wager.deals))
    return row(name, first.pays or NONE, *by_stake, count(deals), chance, number(contribution, plus=True))


def side_bet_table(bet: SideBet) -> Table:
    deviation = float(bet.distribution.variance) ** 0.5
    return table(
        f"side-bet-{bet.id}",
        f"{bet.title}: outcomes",
        bet.outcomes,
        {
            left("Hand"): lambda outcome: joined(outcome.line.split(", ")) if outcome.line else "loses",
            right("Pays"): lambda outcome: outcome.pays or NONE,
            right("Deals"): lambda outcome: count(outcome.count),
            right("Probability", "of all rounds"): lambda outcome: share(bet.probability(outcome), 6),
            right("One in", "rounds"): lambda outcome: one_in(bet.probability(outcome)),
            right("Contribution", "stakes, for the player"): lambda outcome: number(
                bet.contribution(outcome), plus=True
            ),
        },
        total=("All", EMPTY, count(bet.deals), share(1, 6), EMPTY, number(bet.ev, plus=True)),
        method=EXACT,
        notes=(
            f"House edge: {share(bet.house_edge).text} of the stake, exactly {bet.house_edge}.",
            f"Paid in {share(bet.hit_rate).text} of rounds. Standard deviation: {deviation:.4f} stakes.",
            *filter(None, [bet.note]),
        ),
    )


def _simulated_wagers(study: Study) -> Table:
    """List the simulated figures of wagers without exact ones."""
    body, game = [], study.game
    exact = {*study.wagers, *study.side_bets}
    seats = reversed(study.simulation.seats)
    for name, wager in {name: wager for seat in seats for name, wager in seat.wagers.items()}.items():
        # Wheels, credits and their awards have exact figures in the section on meters.
        if name in exact or wager.expected_net_per_round is not None or not game.offers(name) or game.wager(name).spins:
            continue
        results = (wager.results.get(result) for result in ("win", "push", "lose"))
        figures = (*results, wager.house_edge)
        body.append(row(game.wager(name).title, *(estimated_share(each) if each else NONE for each in figures)))
    return Table(
        id="wagers-simulated",
        caption="Simulated wagers",
        columns=(
            left("Wager"),
            *(right(result, "of wagers placed") for result in ("Wins", "Pushes", "Loses")),
            right("House edge", "of its stakes"),
        ),
        rows=tuple(body),
        method=simulated(study),
        notes=(INTERVALS,),
    )


PLOTTED: Final = 10
"""Most pay lines in the plot, those with the largest effect."""


def sensitivity_section(study: Study) -> Section | None:
    blocks: list[Block] = []
    if study.sensitivity and study.solution:
        initial = study.solution.initial_wagers
        blocks += [
            Text(
                paragraphs=(
                    "Each row solves the game two more times: with the pay line one stake higher, and one stake lower.",
                    "Players adapt their strategy to the new odds. The regulation does not permit all of these odds.",
                )
            ),
            _tornado(study.sensitivity, initial),
            _table("sensitivity", "The round", "of the initial wagers", study.sensitivity, initial),
        ]
    for name, lines in study.side_sensitivity.items():
        title = study.side_bets[name].title
        blocks.append(_table(f"sensitivity-{name.replace('_', '-')}", title, "of the stake", lines, Fraction(1)))
    return Section(id="sensitivity", title="Sensitivity to pay-table changes", blocks=tuple(blocks)) if blocks else None


def _table(name: str, title: str, unit: str, lines: Sequence[Sensitivity], initial: Fraction) -> Table:
    change = f"change, percentage points {unit}"
    return Table(
        id=name,
        caption=f"{title}: change of the house edge",
        columns=(
            left("Pay line"),
            right("Pays now"),
            right("Raised to"),
            right("House edge", change),
            right("Lowered to"),
            right("House edge", change),
        ),
        rows=tuple(_row(line, initial) for line in lines),
        method=EXACT,
    )


def _row(line: Sensitivity, initial: Fraction) -> Row:
    less = (line.down.odds, points(line.down.change / initial)) if line.down else (NONE, NONE)
    return row(_name(line.path), line.odds, line.up.odds, points(line.up.change / initial), *less)


def _name(path: str) -> str:
    """
    >>> _name("bets.full_house")
    'bets: full house'
    """
    table, _, line = path.partition(".")
    return f"{as_words(table)}: {as_words(line)}"


def _tornado(lines: Sequence[Sensitivity], initial: Fraction) -> Plot:
    most = sorted(lines, key=lambda line: line.up.change)[:PLOTTED]
    first = most[0]
    return Plot(
        id="tornado",
        kind="bars",
        title="Pay lines with the largest effect",
        alt=(
            f"Bars to the left and right of zero for the {len(most)} pay lines with the largest effect: the house edge "
            f"falls if a line pays one more and rises if it pays one less. The longest is {_name(first.path)}, "
            f"{points(first.up.change / initial).text} percentage points for one more."
        ),
        across=tuple(_name(line.path) for line in most),
        series=(
            Series(name="pays one more", values=tuple(float(100 * line.up.change / initial) for line in most)),
            Series(
                name="pays one less",
                values=tuple(float(100 * line.down.change / initial) if line.down else None for line in most),
            ),
        ),
        value_label="change of the house edge, percentage points of the initial wagers",
    )
