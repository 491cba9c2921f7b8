"""The return of a game: house edge by what it is divided by, and each wager's outcomes with their sums."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from crossfelt.analysis.simulation.estimates import Estimate
from crossfelt.analysis.solution import LEFT_OUT, SideBet, Solution, WagerOutcome, WagerOutcomes
from crossfelt.reports.document import Block, Column, Figure, Figures, Plot, Row, Section, Series, Table, Text
from crossfelt.reports.study import Study
from crossfelt.reports.values import (
    EMPTY,
    NONE,
    count,
    left,
    measured,
    measured_share,
    number,
    one_in,
    row,
    share,
)
from crossfelt.rulebooks.wording import listed, plain

EXACT: Final = "exact, every deal counted"
_ENDS: Final = {"lose": "loses", "forfeit": "forfeited by a fold", "push": "pushes", "win": "wins"}


def simulated(study: Study) -> str:
    """How a simulated figure was found."""
    return f"simulation, {study.asked.rounds:,} rounds, seed {study.asked.seed}, strategy {study.strategy}"


def headline(study: Study) -> tuple[Figure, ...]:
    """The four figures that people ask for first."""
    figures = {figure.id: figure for figure in return_figures(study)}
    first = "edge-initial" if "edge-initial" in figures else "edge-base"
    return tuple(figures[name] for name in (first, "edge-total", "standard-deviation", "hit-rate"))


def return_figures(study: Study) -> tuple[Figure, ...]:
    solution = study.solution
    return tuple(_exact_figures(solution) if solution else _simulated_figures(study))


def _exact_figures(solution: Solution) -> Iterator[Figure]:
    edge, unit = solution.house_edge, solution.unit
    initial = "one ante" if solution.initial_wagers == 1 else f"{solution.initial_wagers} antes"
    method = f"{EXACT}, {solution.strategy} strategy"

    def figure(name: str, label: str, value: Fraction, unit: str, *, percent: bool = True, note: str = "") -> Figure:
        told = share(value) if percent else number(value, plus=name == "ev")
        return Figure(id=name, label=label, value=told, unit=unit, method=method, note=note)

    yield figure("ev", "Expected value of a round", solution.ev, f"{unit} = 1, for the player", percent=False)
    yield figure("edge-base", "House edge per ante", edge.per_ante, "of one ante")
    if solution.initial_wagers != 1:
        note = f"{initial}, staked before the cards"
        yield figure("edge-initial", "House edge", edge.per_initial_wagers, "of the initial wagers", note=note)
    total = "all that is staked in a round, on average"
    yield figure("edge-total", "Element of risk", edge.per_total_wagered, "of the total wagered", note=total)
    yield figure("wagered", "Average total wagered", solution.average_total_wagered, f"{unit} = 1", percent=False)
    yield Figure(
        id="standard-deviation",
        label="Standard deviation",
        value=measured(solution.standard_deviation),
        unit=f"of a round, {unit} = 1",
        method=f"square root of the exact variance, {solution.strategy} strategy",
    )
    yield figure(
        "variance", "Variance", solution.variance, f"of a round, ({unit})\N{SUPERSCRIPT TWO} = 1", percent=False
    )
    yield figure("hit-rate", "Rounds won", solution.hit_rate, "of all rounds", note="the player ends ahead")
    tied = Fraction(sum(o.count for o in solution.distribution.outcomes if not o.net), solution.distribution.deals)
    yield figure("tie-rate", "Rounds level", tied, "of all rounds")


def _simulated_figures(study: Study) -> Iterator[Figure]:
    seat, method = study.simulation.seats[0], simulated(study)

    def figure(name: str, label: str, estimate: Estimate, unit: str) -> Figure:
        reach = f"\N{PLUS-MINUS SIGN} {100 * (estimate.high - estimate.value):.4f} %, 95 % confidence"
        value = measured_share(estimate.value)
        return Figure(id=name, label=label, value=value, unit=unit, method=method, note=reach)

    base = plain(study.base)
    yield figure("edge-initial", "House edge", seat.house_edge_per_base, f"of the {base} wager")
    yield figure("edge-total", "Element of risk", seat.house_edge_per_total_wagered, "of the total wagered")
    cents = float(study.plan.seats[0].wagers[study.base])
    yield Figure(
        id="standard-deviation",
        label="Standard deviation",
        value=measured(seat.standard_deviation / cents),
        unit=f"of a round, one {base} wager = 1",
        method=method,
    )
    tally = study.tally.seats[0]
    for name, label, won in (
        ("hit-rate", "Rounds won", sum(n for cents, n in tally.nets.items() if cents > 0)),
        ("tie-rate", "Rounds level", tally.nets.get(0, 0)),
    ):
        value = measured_share(won / tally.rounds)
        yield Figure(id=name, label=label, value=value, unit="of all rounds", method=method)


def return_section(study: Study) -> Section:
    blocks: list[Block] = [Figures(id="return", caption="The return of a round", figures=return_figures(study))]
    solution = study.solution
    if solution:
        deals = solution.distribution.deals
        text = (
            f"Counted over all {deals:,} deals under the {solution.strategy} strategy; of choices worth the same, the "
            f"rule is: {solution.tie_rule}. Side bets are apart. The same loss is quoted under three denominators, and "
            "figures are only comparable under the same one. Left out, because they hang on the size of the ante: "
            f"{' and '.join(LEFT_OUT)}."
        )
    else:
        text = (
            "The wagers of this game are estimated by simulation; intervals stand beside the figures, and the section "
            "on verification says how the simulation itself is checked. Side bets are apart."
        )
    blocks.append(Text(paragraphs=(text,)))
    return Section(id="return", title="Return", blocks=tuple(blocks))


# --- each wager -------------------------------------------------------------------------------------------------------


def wagers_section(study: Study) -> Section | None:
    blocks: list[Block] = []
    if study.wagers:
        blocks += [wager_summary(study), _brought(study)]
        blocks += [outcome_table(wager) for wager in study.wagers.values()]
    if study.side_bets:
        blocks += [side_bet_table(bet) for bet in study.side_bets.values()]
    if not study.wagers:
        blocks.insert(0, _simulated_wagers(study))
    return Section(id="wagers", title="Each wager, outcome by outcome", blocks=tuple(blocks))


def wager_summary(study: Study) -> Table:
    solution = study.solution
    assert solution is not None
    told = [
        row(
            wager.title,
            share(wager.placed),
            number(wager.average_stake),
            share(wager.hit_rate),
            number(wager.ev, plus=True),
            share(wager.house_edge),
        )
        for wager in study.wagers.values()
    ]
    whole = row(
        "The round",
        EMPTY,
        number(solution.average_total_wagered),
        EMPTY,
        number(solution.ev, plus=True),
        share(solution.house_edge.per_total_wagered),
        total=True,
    )
    return Table(
        id="wager-summary",
        caption="What each wager brings; stakes and contributions add up to those of the round",
        columns=(
            left("Wager"),
            Column(title="Placed", unit="of all rounds"),
            Column(title="Average stake", unit="antes"),
            Column(title="Wins", unit="of all rounds"),
            Column(title="Contribution", unit="antes, for the player"),
            Column(title="House edge", unit="of its stakes"),
        ),
        rows=(*told, whole),
        method=f"{EXACT}, {solution.strategy} strategy",
    )


def _brought(study: Study) -> Plot:
    names = tuple(wager.title for wager in study.wagers.values())
    values = tuple(float(wager.ev) for wager in study.wagers.values())
    told = ", ".join(f"{name} {value:+.3f}" for name, value in zip(names, values, strict=True))
    return Plot(
        id="brought",
        kind="bars",
        title="What each wager brings the player, on average",
        alt=f"Bars of the contribution of each wager in antes: {told}.",
        across=names,
        series=(Series(name="contribution", values=values),),
        value_label="antes a round",
    )


def outcome_table(wager: WagerOutcomes) -> Table:
    """Every outcome of a wager of the game, a column of deals for each size of its stake."""
    stakes = sorted({outcome.stake for outcome in wager.outcomes})
    groups: dict[tuple[str, str], list[WagerOutcome]] = {}
    for outcome in wager.outcomes:
        groups.setdefault((outcome.line, outcome.result), []).append(outcome)
    told = [_outcome_row(wager, same, stakes) for same in groups.values()]
    placed = sum(outcome.count for outcome in wager.outcomes)
    if placed != wager.deals:
        rest = wager.deals - placed
        blank = [EMPTY] * (len(stakes) if len(stakes) > 1 else 0)
        told.append(
            row("not placed", EMPTY, *blank, count(rest), share(Fraction(rest, wager.deals)), number(0, plus=True))
        )
    sums = [count(sum(o.count for o in wager.outcomes if o.stake == stake)) for stake in stakes]
    whole = (*(sums if len(stakes) > 1 else ()), count(wager.deals), share(1), number(wager.ev, plus=True))
    by_stake = tuple(Column(title=f"Deals at {_times(stake)}") for stake in stakes) if len(stakes) > 1 else ()
    return Table(
        id=f"outcomes-{wager.id.replace('_', '-')}",
        caption=f"{wager.title}: outcomes",
        columns=(
            left("Hand"),
            Column(title="Pays"),
            *by_stake,
            Column(title="Deals"),
            Column(title="Probability", unit="of all rounds"),
            Column(title="Contribution", unit="antes"),
        ),
        rows=(*told, row("All", EMPTY, *whole, total=True)),
        method=EXACT,
    )


def _outcome_row(wager: WagerOutcomes, same: list[WagerOutcome], stakes: list[Fraction]) -> Row:
    first = same[0]
    counts = {outcome.stake: outcome.count for outcome in same}
    deals = sum(counts.values())
    brought = Fraction(sum(outcome.count * outcome.net for outcome in same), wager.deals)
    by_stake = [count(counts[stake]) if stake in counts else NONE for stake in stakes] if len(stakes) > 1 else []
    name = plain(first.line) if first.line else _ENDS[first.result]
    chance = share(Fraction(deals, wager.deals))
    return row(name, first.pays or NONE, *by_stake, count(deals), chance, number(brought, plus=True))


def _times(stake: Fraction) -> str:
    return f"{stake}x"


def side_bet_table(bet: SideBet) -> Table:
    told = [
        row(
            listed(outcome.line.split(", ")) if outcome.line else "loses",
            outcome.pays or NONE,
            count(outcome.count),
            share(bet.probability(outcome), 6),
            one_in(bet.probability(outcome)),
            number(bet.contribution(outcome), plus=True),
        )
        for outcome in bet.outcomes
    ]
    whole = row("All", EMPTY, count(bet.deals), share(1, 6), EMPTY, number(bet.ev, plus=True), total=True)
    deviation = float(bet.distribution.variance) ** 0.5
    return Table(
        id=f"side-bet-{bet.id.replace('_', '-')}",
        caption=f"{bet.title}: outcomes",
        columns=(
            left("Hand"),
            Column(title="Pays"),
            Column(title="Deals"),
            Column(title="Probability", unit="of all rounds"),
            Column(title="One in", unit="rounds"),
            Column(title="Contribution", unit="stakes, for the player"),
        ),
        rows=(*told, whole),
        method=EXACT,
        notes=(
            f"House edge {share(bet.house_edge).text} of the stake, {bet.house_edge} exactly.",
            f"Paid in {share(bet.hit_rate).text} of rounds; standard deviation {deviation:.4f} stakes.",
        ),
    )


def _simulated_wagers(study: Study) -> Table:
    """Where no exact solution exists: what the simulated seats found, the first of them that places a wager."""
    told = []
    seats = reversed(study.simulation.seats)
    for name, wager in {name: wager for seat in seats for name, wager in seat.wagers.items()}.items():
        # Wheels, credits and awards that come with them stand in the part on meters, exactly.
        if name in study.side_bets or wager.expected_net_per_round is not None or not study.game.offers(name):
            continue
        edge = wager.house_edge
        rates = [measured_share(wager.results.get(result, 0.0), 3) for result in ("win", "push", "lose")]
        reach = measured_share(edge.high - edge.value) if edge else NONE
        told.append(row(study.game.wager(name).title, *rates, measured_share(edge.value) if edge else NONE, reach))
    return Table(
        id="wagers-simulated",
        caption="Wagers that are not counted exactly",
        columns=(
            left("Wager"),
            Column(title="Wins", unit="of wagers placed"),
            Column(title="Pushes", unit="of wagers placed"),
            Column(title="Loses", unit="of wagers placed"),
            Column(title="House edge", unit="of its stakes"),
            Column(title="Interval", unit="\N{PLUS-MINUS SIGN}, 95 % confidence"),
        ),
        rows=tuple(told),
        method=simulated(study),
    )
