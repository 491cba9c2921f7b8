"""Ways to play other than the best one: what each costs, and a card that a person can follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crossfelt.analysis.solution import Solution
from crossfelt.analysis.ways import LONGEST_CARD, StrategyCard, best_card
from crossfelt.reports.document import Block, Column, Plot, Section, Series, Table
from crossfelt.reports.returns import EXACT
from crossfelt.reports.study import Study
from crossfelt.reports.values import count, left, measured, measured_share, number, row, rows, share
from crossfelt.rulebooks.wording import plain

NOTES: Final[Mapping[str, tuple[str, ...]]] = {
    "criss_cross": (
        "Never-fold is the best play of who never folds; simple is what the bots of the table play from memory.",
    ),
    "double_cross": (
        "Those that are named after a hand raise with it or better, on the line that looks better, and fold otherwise.",
        "Simple is what the bots of the table play from memory: they raise with king-high or better.",
    ),
}
"""What the names mean."""
LINES: Final = 8
"""The card that is printed has as many lines as this, or fewer."""


def strategies_section(study: Study) -> Section | None:
    blocks: list[Block] = []
    if study.solution and study.ways:
        blocks.append(_costs(study.game.book.game, study.solution, list(study.ways.values())))
    if study.solution and study.cards:
        blocks += [_frontier_plot(study.cards), _frontier(study.cards), _card(study.cards)]
    if study.found and study.game.book.game == "pai_gow":
        blocks.append(_house_ways(study.found))
    return Section(id="strategies", title="Other ways to play", blocks=tuple(blocks)) if blocks else None


def _costs(game: str, best: Solution, ways: list[Solution]) -> Table:
    told = sorted((best, *ways), key=lambda way: -way.ev)
    return Table(
        id="ways",
        caption="What each way to play costs",
        columns=(
            left("Strategy"),
            Column(title="Value of a round", unit="antes, for the player"),
            Column(title="Cost", unit="antes a round"),
            Column(title="House edge", unit="of the initial wagers"),
            Column(title="Wagered", unit="antes, on average"),
            Column(title="Standard deviation", unit="antes"),
        ),
        rows=tuple(
            row(
                way.strategy,
                number(way.ev, plus=True),
                number(best.ev - way.ev),
                share(way.house_edge.per_initial_wagers),
                number(way.average_total_wagered, 4),
                measured(way.standard_deviation),
            )
            for way in told
        ),
        method=EXACT,
        notes=NOTES.get(game, ()),
    )


def _frontier_plot(cards: tuple[StrategyCard, ...]) -> Plot:
    first, last = cards[0], cards[-1]
    return Plot(
        id="frontier-plot",
        kind="columns",
        title="What a card of so many lines costs",
        alt=(
            f"Columns that fall as a card has more lines: from {float(first.cost):.4f} antes a round with "
            f"{len(first.lines)} lines to {float(last.cost):.4f} with {len(last.lines)}."
        ),
        across=tuple(str(len(card.lines)) for card in cards),
        series=(Series(name="cost", values=tuple(float(card.cost) for card in cards)),),
        across_label="lines on the card",
        value_label="cost, antes a round",
    )


def _frontier(cards: tuple[StrategyCard, ...]) -> Table:
    longest = len(cards[-1].lines)
    none_longer = [f"No better card was found with up to {LONGEST_CARD} lines."] if longest < LONGEST_CARD else []
    return Table(
        id="frontier",
        caption="Number of lines against cost",
        columns=(
            Column(title="Lines"),
            Column(title="Cost", unit="antes a round"),
            Column(title="Value of a round", unit="antes, for the player"),
        ),
        rows=tuple(row(count(len(card.lines)), number(card.cost), number(card.ev, plus=True)) for card in cards),
        method=EXACT,
        notes=(*none_longer, "Costs are exact; that no better card of the same length exists is not proved."),
    )


def _card(cards: tuple[StrategyCard, ...]) -> Table:
    card = best_card(cards, LINES)
    return Table(
        id="card",
        caption=f"A card of {len(card.lines)} lines",
        columns=(left("Decision"), left("With"), left("Do")),
        rows=rows((plain(line.decision), line.when, line.do) for line in card.lines),
        notes=(
            f"From the top, the first line that applies decides. It costs {float(card.cost):.6f} antes a round.",
            card.note,
        ),
    )


def _house_ways(found: Solution) -> Table:
    """Players who set by each house way, and one who banks."""
    from crossfelt.analysis.pai_gow import PaiGowSolution

    assert isinstance(found, PaiGowSolution)
    told = [
        (plain(name), estimate) for name, estimate in sorted(found.house_ways.items(), key=lambda each: -each[1].value)
    ]
    if found.bank is not None:
        told.append(("banks against the house", found.bank))
    return Table(
        id="house-ways",
        caption=f"A player by each house way, against a dealer by {plain(found.strategy)}",
        columns=(
            left("The player sets by"),
            Column(title="Value", unit="of a main wager"),
            Column(title="Interval", unit="\N{PLUS-MINUS SIGN}, 95 % confidence"),
        ),
        rows=tuple(
            row(name, measured_share(estimate.value), measured_share(estimate.high - estimate.value))
            for name, estimate in told
        ),
        method=found.method.partition(";")[0],
        notes=("All of them meet the same hands, so that differences are surer than the intervals say.",),
    )
