"""Strategy sections: rates of each choice, the first decision by starting hand, other strategies and cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.reasons import FOLD
from crossfelt.analysis.solution import OPTIMAL, SIMPLE, Solution
from crossfelt.analysis.strategies.cards import LINES, LONGEST_CARD, StrategyCard, best_card
from crossfelt.analysis.strategies.named import ALWAYS, NEVER_FOLD, strategies_of
from crossfelt.cards.card import RANKS
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.reports.document import Block, Cell, Plot, Section, Series, Square, Table, Text
from crossfelt.reports.number_format import NONE, count, left, listing, measured, number, right, row, share, table
from crossfelt.reports.sections.returns import EXACT
from crossfelt.reports.study import Study
from crossfelt.rulebooks.render.phrases import as_words

if TYPE_CHECKING:
    from crossfelt.analysis.solver.two_hands import WayResult


FOLDED: Final = "A player who has folded makes no further decision, so later decisions are reached in fewer rounds."


def decisions_section(study: Study) -> Section | None:
    solution = study.solution
    if solution is None or not solution.decisions:
        return None
    blocks: list[Block] = [decisions_plot(solution), decisions_table(solution)]
    first: Mapping[str, Advice] = getattr(solution, "first_decision", dict)()
    if first:
        blocks.append(_square(first, solution))
    return Section(id="decisions", title="Decisions and strategy", blocks=tuple(blocks))


def choices_of(*solutions: Solution) -> list[str]:
    """List every choice, fold first."""
    named = {choice for solution in solutions for rates in solution.decisions.values() for choice in rates}
    return sorted(named, key=lambda choice: (choice != FOLD, choice))


def decisions_table(solution: Solution) -> Table:
    choices = choices_of(solution)
    body = [
        row(
            as_words(decision),
            *(share(rates[choice]) if choice in rates else NONE for choice in choices),
            share(sum(rates.values(), Fraction(0))),
        )
        for decision, rates in solution.decisions.items()
    ]
    return Table(
        id="decision-mix",
        caption="Frequency of each choice",
        columns=(
            left("Decision"),
            *(right(as_words(choice), "of all rounds") for choice in choices),
            right("Decision reached", "of all rounds"),
        ),
        rows=tuple(body),
        method=f"{EXACT}, {solution.strategy} strategy",
        notes=(FOLDED,) if len(solution.decisions) > 1 and FOLD in choices else (),
    )


def decisions_plot(*solutions: Solution, names: tuple[str, ...] = ("",)) -> Plot:
    choices = choices_of(*solutions)
    across, listed = [], []
    shares: dict[str, list[float]] = {choice: [] for choice in choices}
    for decision in dict.fromkeys(name for solution in solutions for name in solution.decisions):
        for name, solution in zip(names, solutions, strict=True):
            rates = solution.decisions.get(decision, {})
            label = f"{as_words(decision)}, {name}" if name else as_words(decision)
            across.append(label)
            for choice in choices:
                shares[choice].append(float(100 * rates.get(choice, 0)))
            told = (f"{as_words(choice)} {float(100 * rate):.1f} %" for choice, rate in rates.items())
            listed.append(f"{label}: {', '.join(told)}")
    return Plot(
        id="decisions-plot",
        kind="stacked",
        title="Decision mix",
        alt=f"Stacked bars of the frequency of each choice, of all rounds. {'; '.join(listed)}.",
        across=tuple(across),
        series=tuple(Series(name=as_words(choice), values=tuple(values)) for choice, values in shares.items()),
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
        unit=f"{solution.units}, expected net result of the whole round with optimal play",
        method=f"{EXACT}, {solution.strategy} strategy",
        ranks=tuple(reversed(RANKS)),
        cells=tuple(cells),
        notes=(
            "Hands above the diagonal are suited, those below offsuit. Each cell has the best choice and its value.",
            "The JSON report has the value of every choice. The command crossfelt advise covers later decisions.",
        ),
    )


NOTES: Final = {
    SIMPLE: "Simple is a strategy card of a few lines.",
    NEVER_FOLD: "Never-fold plays as optimal, with the smallest bet where that folds.",
    ALWAYS: "The others make the same choice at every decision where it is open.",
}


def strategies_section(study: Study) -> Section | None:
    blocks: list[Block] = []
    if study.solution and study.ways:
        blocks.append(_costs(study.solution, list(study.ways.values())))
    elif study.solution and strategies_of(study.game):
        why = "--quick leaves them out" if study.asked.quick else "each counts every board again, which takes minutes"
        text = f"This sheet has no other strategies: {why}. The command crossfelt strategy costs computes their costs."
        blocks.append(Text(paragraphs=(text,)))
    if study.solution and study.cards:
        blocks += [_frontier_plot(study.cards), _frontier(study.cards), _card(study.cards)]
    if study.solution:
        blocks += _house_ways(study.solution)
    return Section(id="strategies", title="Other strategies", blocks=tuple(blocks)) if blocks else None


def _costs(best: Solution, ways: list[Solution]) -> Table:
    unit = best.base
    ranked = sorted((best, *ways), key=lambda way: -way.ev)
    return table(
        "ways",
        "Cost of each strategy",
        ranked,
        {
            left("Strategy"): lambda way: way.strategy,
            right("Value of a round", f"{unit}s, for the player"): lambda way: number(way.ev, plus=True),
            right("Cost", f"{unit}s per round"): lambda way: number(best.ev - way.ev),
            right("House edge", "of the initial wagers"): lambda way: share(way.house_edge.per_initial_wagers),
            right("Wagered", f"{unit}s, on average"): lambda way: number(way.average_total_wagered, 4),
            right("Standard deviation", f"{unit}s"): lambda way: measured(way.standard_deviation),
        },
        method=EXACT,
        notes=[note for name, note in NOTES.items() if any(way.strategy.startswith(name) for way in ranked)],
    )


def _frontier_plot(cards: tuple[StrategyCard, ...]) -> Plot:
    first, last = cards[0], cards[-1]
    return Plot(
        id="frontier-plot",
        kind="columns",
        title="Cost by number of lines on the card",
        alt=(
            f"Columns that fall as the card gets longer: from {float(first.cost):.4f} {first.unit}s per round with "
            f"{len(first.lines)} lines to {float(last.cost):.4f} with {len(last.lines)}."
        ),
        across=tuple(str(len(card.lines)) for card in cards),
        series=(Series(name="cost", values=tuple(float(card.cost) for card in cards)),),
        across_label="lines on the card",
        value_label=f"cost, {first.unit}s per round",
    )


def _frontier(cards: tuple[StrategyCard, ...]) -> Table:
    longest, unit = len(cards[-1].lines), cards[-1].unit
    none_longer = [f"No better card was found with up to {LONGEST_CARD} lines."] if longest < LONGEST_CARD else []
    return table(
        "frontier",
        "Cost by number of lines",
        cards,
        {
            right("Lines"): lambda card: count(len(card.lines)),
            right("Cost", f"{unit}s per round"): lambda card: number(card.cost),
            right("Value of a round", f"{unit}s, for the player"): lambda card: number(card.ev, plus=True),
        },
        method=EXACT,
        notes=(*none_longer, "Costs are exact. A better card of the same length may exist."),
    )


def _card(cards: tuple[StrategyCard, ...]) -> Table:
    card = best_card(cards, LINES)
    return listing(
        "card",
        f"Strategy card of {len(card.lines)} lines",
        ("Decision", "With", "Do"),
        ((as_words(line.decision), line.when, line.do) for line in card.lines),
        notes=(
            f"Use the first line that applies. The card costs {float(card.cost):.6f} {card.unit}s per round.",
            *([card.note] if card.note else []),
        ),
    )


def _house_ways(found: Solution) -> Iterator[Table]:
    """List the value of best play and of each house way, for a player and for a player who banks."""
    caption = f"The dealer sets hands by {as_words(getattr(found, 'dealer_way', ''))}, the player by each house way"
    asked: tuple[tuple[str, str, Mapping[str, WayResult]], ...] = (
        ("house-ways", caption, getattr(found, "house_ways", {})),
        ("banking", "The player banks against the house alone", getattr(found, "banking", {})),
    )
    for name, caption, ways in asked:
        if ways:
            yield table(
                name,
                caption,
                sorted(ways.items(), key=lambda way: way[1].cost),
                {
                    left("Hands set by"): lambda way: "best play" if way[0] == OPTIMAL else as_words(way[0]),
                    right("Value", f"of {found.unit}"): lambda way: share(way[1].ev),
                    right("Cost", f"of {found.unit}"): lambda way: share(way[1].cost),
                    right("Hands that best play sets better", "of all"): lambda way: share(way[1].improved),
                },
                method=found.method,
            )
