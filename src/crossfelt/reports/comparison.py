"""The comparison report: two rulebooks or submissions side by side."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from crossfelt.analysis.simulation.figure_checks import require_agreement
from crossfelt.reports.document import (
    SCHEMA,
    Block,
    Code,
    Column,
    Figure,
    Report,
    Section,
    Table,
    Text,
    Value,
)
from crossfelt.reports.number_format import NONE, left, listing, measured, number, right, row, rows, share, table
from crossfelt.reports.sections.exposure import seen_gain, seen_name
from crossfelt.reports.sections.identity import (
    SOFTWARE,
    STATEMENT,
    flat,
    identity_of,
    identity_rows,
    simulation_options,
)
from crossfelt.reports.sections.meters import FROM_WEIGHTS, cases_of, rounded
from crossfelt.reports.sections.returns import EXACT, headline, return_figures
from crossfelt.reports.sections.simulation_check import checked
from crossfelt.reports.sections.strategy import decisions_plot
from crossfelt.reports.sections.volatility import results_plot
from crossfelt.reports.study import Study
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.diff import SECTIONS, Side, compare
from crossfelt.rulebooks.render.phrases import amount_words, as_words, line_title, pay_words, setting_words
from crossfelt.rulebooks.render.text import exposure_of
from crossfelt.rulebooks.settings import setting_rules


class Pair(NamedTuple):
    """Two studies and their names."""

    a: Study
    b: Study

    @property
    def names(self) -> tuple[str, str]:
        return self.a.asked.named, self.b.asked.named

    @property
    def columns(self) -> tuple[Column, Column]:
        return right(self.names[0]), right(self.names[1])


def comparison(a: Study, b: Study) -> Report:
    """Assemble the comparison of two games, figures first.

    Raises CheckFailed where a simulated figure contradicts its exact value.
    """
    require_agreement([*checked(a), *checked(b)])
    pair = Pair(a, b)
    sections = (
        _identity(pair),
        _returns(pair),
        _pays(pair),
        _play(pair),
        _meters(pair),
        _exposure(pair),
        _rules(pair),
        _verification(pair),
    )
    names = " and ".join(pair.names)
    return Report(
        schema=SCHEMA,
        kind="comparison",
        title=names,
        subtitle="Two sets of rules side by side",
        software=SOFTWARE,
        command=_command(pair),
        statement=STATEMENT,
        games=tuple(identity_of(study.game) for study in pair),
        headline=tuple(_headline(pair)),
        sections=tuple(section for section in sections if section is not None),
    )


def _command(pair: Pair) -> str:
    return shlex.join(["crossfelt", "report", "--compare", *pair.names, *simulation_options(pair.a.asked)])


def _headline(pair: Pair) -> Iterator[Figure]:
    for study, name in zip(pair, pair.names, strict=True):
        for figure in headline(study)[:2]:
            yield replace(figure, id=f"{figure.id}-{name}", label=f"{figure.label}, {name}", note="")


def _identity(pair: Pair) -> Section:
    items = [dict(identity_rows(study.game)) for study in pair]
    cells = ((what, items[0].get(what, NONE), items[1].get(what, NONE)) for what in {**items[0], **items[1]})
    block = listing("identity", "Compared rules", ("Item", *pair.names), cells)
    command = Code(caption="Command that reproduces this sheet", text=_command(pair))
    return Section(id="identity", title="Identity", blocks=(block, command))


def _difference(a: Value, b: Value) -> Value:
    """Subtract the first value from the second, exactly if both are exact."""
    if a.exact and b.exact:
        change = Fraction(b.exact) - Fraction(a.exact)
        return share(change) if "%" in a.text else number(change, plus=True)
    if a.number is None or b.number is None:
        return NONE
    change_seen = b.number - a.number
    return measured(100 * change_seen, plus=True) if "%" in a.text else measured(change_seen, plus=True)


def _returns(pair: Pair) -> Section:
    mine, theirs = ({figure.id: figure for figure in return_figures(study)} for study in pair)
    body = []
    for name in {**mine, **theirs}:
        one, two = mine.get(name), theirs.get(name)
        known = one or two
        assert known is not None
        values = [each.value if each else NONE for each in (one, two)]
        body.append(row(known.label, known.unit, *values, _difference(*values)))
    for wager in {**pair.a.side_bets, **pair.b.side_bets}:
        bets = [study.side_bets.get(wager) for study in pair]
        title = next(bet.title for bet in bets if bet)
        for label, unit, values in (
            ("house edge", "of the stake", [share(bet.house_edge) if bet else NONE for bet in bets]),
            ("paid", "of all rounds", [share(bet.hit_rate) if bet else NONE for bet in bets]),
        ):
            body.append(row(f"{title}: {label}", unit, *values, _difference(*values)))
    block = Table(
        id="returns",
        caption="Returns",
        columns=(left("Figure"), left("Unit"), *pair.columns, right("Difference", "second minus first")),
        rows=tuple(body),
        method="; ".join(
            dict.fromkeys(figure.method for figures in (mine, theirs) for figure in list(figures.values())[:1])
        ),
    )
    return Section(id="return", title="Returns", blocks=(block,))


def _pays(pair: Pair) -> Section:
    blocks: list[Block] = []
    same = 0
    for name in dict.fromkeys((*pair.a.game.pays, *pair.b.game.pays)):
        tables = [study.game.pays.get(name) for study in pair]
        lines = [{line.name: line for line in pays.lines} if pays else {} for pays in tables]
        differ = []
        for each in {**lines[0], **lines[1]}:
            paid = [pay_words(of[each]) if each in of else "" for of in lines]
            if paid[0] == paid[1]:
                same += 1
            else:
                differ.append((line_title(lines[0].get(each) or lines[1][each]), *(words or NONE for words in paid)))
        if differ:
            title = next(pays.title for pays in tables if pays)
            columns, id_ = (left("Hand"), *pair.columns), name.replace("_", "-")
            blocks.append(Table(id=f"pays-{id_}", caption=f"{title} ({name})", columns=columns, rows=rows(differ)))
    text = f"{same} pay lines are the same in both rulebooks." + ("" if blocks else " No pay line differs.")
    return Section(id="pays", title="Pay tables", blocks=(Text(paragraphs=(text,)), *blocks))


def _play(pair: Pair) -> Section | None:
    one, two = pair.a.solution, pair.b.solution
    if one is None or two is None:
        return None
    body = []
    for decision in {**one.decisions, **two.decisions}:
        made = [solution.decisions.get(decision, {}) for solution in (one, two)]
        for choice in {**made[0], **made[1]}:
            a, b = (rates.get(choice, Fraction(0)) for rates in made)
            body.append(row(f"{as_words(decision)}: {as_words(choice)}", share(a), share(b), share(b - a)))
    block = Table(
        id="decision-mix",
        caption="Frequency of each choice",
        columns=(
            left("Choice"),
            *(right(name, "of all rounds") for name in pair.names),
            right("Difference", "second minus first"),
        ),
        rows=tuple(body),
        method=f"{EXACT}, {one.strategy} strategy",
    )
    blocks = (results_plot(one, two, names=pair.names), decisions_plot(one, two, names=pair.names), block)
    return Section(id="play", title="Results and decisions", blocks=blocks)


def _meters(pair: Pair) -> Section | None:
    """List the wagers paid by a wheel or a meter; each has its own pay table, so each has its own row."""
    found = [(case, name) for study, name in zip(pair, pair.names, strict=True) for case in cases_of(study.game)]
    if not found:
        return None
    returns = table(
        "meter-returns",
        "Returns of the wagers",
        found,
        {
            left("Wager"): lambda each: each[0].title,
            left("Rules"): lambda each: each[1],
            right("Return without the meter", "of the stake"): lambda each: share(each[0].found.fixed),
            right("Break-even", "meter"): lambda each: rounded(each[0].found.break_even_cents),
            right("Return in the long run", "of the stake"): lambda each: share(each[0].found.long_run),
        },
        method=FROM_WEIGHTS,
    )
    return Section(id="progressive", title="Wheels and progressive wagers", blocks=(returns,))


def _exposure(pair: Pair) -> Section:
    seen, unit = [{card.place: seen_gain(card) for card in study.seen} for study in pair], f"{pair.a.units} per round"
    body = [
        row(f"{seen_name(place)} seen: gain".capitalize(), unit, *(each.get(place, NONE) for each in seen))
        for place in dict.fromkeys((*seen[0], *seen[1]))
    ]
    most = (f"${each.cents / 100:,.0f}" if each else NONE for each in (exposure_of(study.game) for study in pair))
    body.append(row("Most one patron can win at the minimum wager", "dollars", *most))
    body.append(row("Payout limit in force", "dollars", *(_limit(study.game) for study in pair)))
    block = Table(
        id="exposure",
        caption="Exposure",
        columns=(left("Figure"), left("Unit"), *pair.columns),
        rows=tuple(body),
        method=f"{EXACT}, optimal play with the seen card",
    )
    return Section(id="exposure-compared", title="Exposure", blocks=(block,))


def _limit(game: Game) -> str:
    limits = [game.limit_cents(limit) for limit in game.book.payout_limits]
    return ", ".join("none" if cents is None else f"${cents / 100:,.0f}" for cents in limits) or "none"


def _rules(pair: Pair) -> Section:
    one, two = pair.a.game, pair.b.game
    blocks: list[Block] = []
    stated = {path for game in (one, two) for path, _ in flat(game.stated)}
    chosen = [dict(_chosen(game, stated)) for game in (one, two)]
    differ = [
        (path, *(of_game.get(path, NONE) for of_game in chosen))
        for path in {**chosen[0], **chosen[1]}
        if chosen[0].get(path) != chosen[1].get(path)
    ]
    if differ:
        blocks.append(listing("choices", "Choices that differ", ("Choice or setting", *pair.names), differ))
    else:
        blocks.append(Text(paragraphs=("The operator's choices are the same in both.",)))
    found = compare(one.book, two.book)
    text = f"The two rulebooks agree in {found.equal:,} entries and differ in {len(found.differences):,}."
    blocks.append(Text(paragraphs=(text,)))
    if found.differences:
        blocks.append(
            table(
                "differences",
                "Differences between the rulebooks",
                found.differences,
                {
                    left("Part"): lambda each: SECTIONS[each.section],
                    left("Entry"): lambda each: f"{each.title}: {each.label}" if each.label else each.title,
                    left(pair.names[0]): lambda each: _says(each.a),
                    left(pair.names[1]): lambda each: _says(each.b),
                },
                long=True,
            )
        )
    return Section(id="rules", title="Rules", blocks=tuple(blocks))


def _says(side: Side | None) -> str:
    if side is None:
        return "not in this rulebook"
    ids = [clause.id for clause in side.clauses] + [reading.id for reading in side.readings]
    return f"{side.says} [{', '.join(ids)}]" if ids else side.says


def _chosen(game: Game, stated: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the operator's choices, and the settings that a submission states."""
    choices = {choice.path: choice for choice in game.book.choices}
    for path, value in game.choices.items():
        yield path, amount_words(choices[path], value)
    for name, setting in game.settings.items():
        if f"settings.{name}" in stated:
            yield f"settings.{name}", setting_words(setting_rules()[name], setting)


def _verification(pair: Pair) -> Section:
    found = [{each.title: each for each in checked(study)} for study in pair]
    body = []
    for title in {**found[0], **found[1]}:
        each = [of.get(title) for of in found]
        cells = ((share(one.exact), measured(one.z_score, 2, plus=True)) if one else (NONE, NONE) for one in each)
        body.append(row(title, next(one.unit for one in each if one), *chain.from_iterable(cells)))
    columns = (
        left("Figure"),
        left("Unit"),
        *(column for name in pair.names for column in (right(name, "exact"), right("z-score", "standard errors"))),
    )
    asked = pair.a.asked
    method = f"simulation of both games, {asked.rounds:,} rounds, seed {asked.seed}"
    block = Table(id="z-scores", caption="Exact against simulated", columns=columns, rows=tuple(body), method=method)
    return Section(id="verification", title="Verification", blocks=(block,))
