"""How much each pay line matters, told and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from crossfelt.analysis.sensitivity import Sensitivity
from crossfelt.reports.document import Block, Column, Plot, Row, Section, Series, Table, Text
from crossfelt.reports.returns import EXACT
from crossfelt.reports.study import Study
from crossfelt.reports.values import NONE, left, points, row
from crossfelt.rulebooks.wording import plain

PLOTTED: Final = 10
"""As many lines as fit in a plot, those that matter most."""


def sensitivity_section(study: Study) -> Section | None:
    blocks: list[Block] = []
    if study.sensitivity and study.solution:
        initial = study.solution.initial_wagers
        blocks += [
            Text(
                paragraphs=(
                    "Each line of the pay tables one stake up and one down, everything else as it is, solved again.",
                    "Players are taken to follow the new odds. Some of these odds no submission could state.",
                )
            ),
            _tornado(study.sensitivity, initial),
            _table("sensitivity", "The game", "of the initial wagers", study.sensitivity, initial),
        ]
    for name, lines in study.side_sensitivity.items():
        title = study.side_bets[name].title
        blocks.append(_table(f"sensitivity-{name.replace('_', '-')}", title, "of the stake", lines, Fraction(1)))
    return Section(id="sensitivity", title="Sensitivity to pay-table changes", blocks=tuple(blocks)) if blocks else None


def _table(name: str, title: str, unit: str, lines: Sequence[Sensitivity], initial: Fraction) -> Table:
    unit_of_change = "percentage points"
    return Table(
        id=name,
        caption=f"{title}: change of the house edge {unit}",
        columns=(
            left("Pay line"),
            Column(title="Pays now"),
            Column(title="One more"),
            Column(title="House edge", unit=unit_of_change),
            Column(title="One less"),
            Column(title="House edge", unit=unit_of_change),
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
    return f"{plain(table)}: {plain(line)}"


def _tornado(lines: Sequence[Sensitivity], initial: Fraction) -> Plot:
    most = sorted(lines, key=lambda line: line.up.change)[:PLOTTED]
    first = most[0]
    return Plot(
        id="tornado",
        kind="bars",
        title="The pay lines that matter most",
        alt=(
            f"Bars to the left and right of zero for the {len(most)} lines that matter most: how the house edge falls "
            f"where a line pays one more and rises where it pays one less. The longest is {_name(first.path)}, "
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
