"""What players decide: how often each choice is the best, and what to do with each starting hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.solution import Solution
from crossfelt.cards.card import RANKS
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.reports.document import Block, Cell, Column, Plot, Section, Series, Square, Table, Value
from crossfelt.reports.returns import EXACT
from crossfelt.reports.study import Study
from crossfelt.reports.values import NONE, left, number, row, share
from crossfelt.rulebooks.wording import plain


def decisions_section(study: Study) -> Section | None:
    solution = study.solution
    if solution is None:
        return None
    blocks: list[Block] = [decisions_plot(solution), decisions_table(solution)]
    first: Mapping[str, Advice] = getattr(solution, "first_decision", dict)()
    if first:
        blocks.append(_square(first, solution))
    return Section(id="decisions", title="Decisions and strategy", blocks=tuple(blocks))


def choices_of(*solutions: Solution) -> list[str]:
    """Every choice there is, the fold first."""
    named = {choice for solution in solutions for rates in solution.decisions.values() for choice in rates}
    return sorted(named, key=lambda choice: (choice != "fold", choice))


def decisions_table(solution: Solution) -> Table:
    choices = choices_of(solution)
    told = []
    for decision, rates in solution.decisions.items():
        asked = sum(rates.values(), Fraction(0))
        told.append(row(plain(decision), *_rates(rates, choices), share(asked)))
    return Table(
        id="decision-mix",
        caption="How often each choice is made",
        columns=(
            left("Decision"),
            *(Column(title=plain(choice), unit="of all rounds") for choice in choices),
            Column(title="Asked", unit="of all rounds"),
        ),
        rows=tuple(told),
        method=f"{EXACT}, {solution.strategy} strategy",
        notes=(
            *_folded_before(solution),
            "Best play in every position is written out by crossfelt strategy book.",
        ),
    )


def _folded_before(solution: Solution) -> Iterator[str]:
    if len(solution.decisions) > 1:
        yield "Who has folded is not asked again: what is missing from 100 % was folded before."


def _rates(rates: Mapping[str, Fraction], choices: list[str]) -> list[Value]:
    return [share(rates[choice]) if choice in rates else NONE for choice in choices]


def decisions_plot(*solutions: Solution, names: tuple[str, ...] = ("",)) -> Plot:
    choices = choices_of(*solutions)
    across, told = [], []
    shares: dict[str, list[float]] = {choice: [] for choice in choices}
    for decision in dict.fromkeys(name for solution in solutions for name in solution.decisions):
        for name, solution in zip(names, solutions, strict=True):
            rates = solution.decisions.get(decision, {})
            label = f"{plain(decision)}, {name}" if name else plain(decision)
            across.append(label)
            for choice in choices:
                shares[choice].append(float(100 * rates.get(choice, 0)))
            told.append(
                f"{label}: " + ", ".join(f"{plain(choice)} {float(100 * rate):.1f} %" for choice, rate in rates.items())
            )
    return Plot(
        id="decisions-plot",
        kind="stacked",
        title="Decision mix",
        alt=f"Stacked bars of how often each choice is made, of all rounds. {'; '.join(told)}.",
        across=tuple(across),
        series=tuple(Series(name=plain(choice), values=tuple(values)) for choice, values in shares.items()),
        value_label="% of all rounds",
    )


def _square(first: Mapping[str, Advice], solution: Solution) -> Square:
    cells = []
    for hand in STARTING_HANDS:
        advice = first[hand.name]
        choices = {choice: number(ev, 4, plus=True) for choice, ev in advice.actions.items()}
        value = number(advice.actions[advice.best], 2, plus=True)
        cells.append(Cell(hand=hand.name, best=advice.best, value=value, choices=choices))
    return Square(
        id="first-decision",
        caption="The first decision with each of the 169 starting hands",
        unit="antes, expected net of the whole round with best play",
        method=f"{EXACT}, {solution.strategy} strategy",
        ranks=tuple(reversed(RANKS)),
        cells=tuple(cells),
        notes=(
            "Above the diagonal both cards are of one suit, below it of two. Under the choice stands what it is worth.",
            "The JSON of this report has the value of every choice; crossfelt advise answers for every later decision.",
        ),
    )
