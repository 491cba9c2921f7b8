"""Rules sections: wagers, pay tables, the round, choices, settings, readings and clauses, each with its basis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from crossfelt.money import dollars
from crossfelt.play.posted_notice import limit_texts, posted_notice
from crossfelt.reports.document import Block, Section, Table, Text
from crossfelt.reports.number_format import left, listing, right, rows, table
from crossfelt.reports.sections.identity import flat
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayLine, Wager
from crossfelt.rulebooks.render.flatten import Basis, Item, brackets, flatten
from crossfelt.rulebooks.render.phrases import amount_words, as_words, line_title, pay_words, setting_words
from crossfelt.rulebooks.render.step_phrases import step_words
from crossfelt.rulebooks.rulebook_law import clauses_known, readings_known
from crossfelt.rulebooks.settings import setting_rules

BASIS: Final = "Basis"
RESTS_ON: Final = left(BASIS)
FROM_SUBMISSION: Final = "The chances are those of the submission."
MARKS: Final = (
    "The basis of each rule stands beside it: clauses of the document by number, adopted readings of its gaps "
    "(AMB-…), or a house rule where no document applies. The last section lists the clauses and readings."
)


def rests_on(basis: Basis) -> str:
    """
    >>> rests_on(Basis(readings=("AMB-11",), silent=True))
    'AMB-11; the document is silent'
    """
    return brackets(basis).strip().removeprefix("[").removesuffix("]")


def rules_section(game: Game) -> Section:
    by_section: dict[str, list[Item]] = {}
    for item in flatten(game.book):
        by_section.setdefault(item.section, []).append(item)
    blocks: list[Block] = [Text(paragraphs=(MARKS,)), _wagers(game, by_section["wagers"])]
    blocks += pay_tables(game, by_section.get("pays", []))
    blocks += _wheels(game, by_section.get("wheels", []))
    blocks.append(_posted(game))
    blocks += [_round(game, by_section["script"]), _choices(game, by_section["choices"])]
    return Section(id="rules", title="Rules and pay tables as compiled", blocks=tuple(blocks))


def _wagers(game: Game, found: list[Item]) -> Table:
    offered = {wager.id for wager in game.wagers}
    return table(
        "rules-wagers",
        "Wagers on offer",
        (item for item in found if item.source.id in offered),
        {
            left("Wager"): lambda item: item.title,
            left("Description"): lambda item: item.says,
            left("Limits in force"): lambda item: limits_words(game, item.source),
            RESTS_ON: lambda item: rests_on(item.basis),
        },
    )


def limits_words(game: Game, wager: Wager) -> str:
    """Describe the limits of a wager at this table."""
    stake = wager.stake
    if stake.posted is None:
        listed = " or ".join(dollars(cents) for cents in stake.cents)
        return listed or (
            f"{stake.min} to {stake.max} times the {as_words(stake.of)}" if stake.of else "set by its pay table"
        )
    limits = game.limits(stake.posted)
    if wager.unit == "credits":
        return f"{limits.min} to {limits.max} credits"
    return f"{dollars(limits.min)} to {dollars(limits.max)} in steps of {dollars(limits.step)}"


def pay_tables(game: Game, found: list[Item]) -> Iterator[Table]:
    """Yield the pay tables in force; a basis common to all lines is given once."""
    written = {item.source.name: item for item in found}
    for name, pays in game.pays.items():
        item = written.get(pays.name)
        if item is None or not pays.lines:
            continue
        lines = [(line_title(line), pay_words(line), _line_basis(line, item)) for line in pays.lines]
        bases = {basis for _, _, basis in lines}
        same = len(bases) == 1
        yield Table(
            id=f"pays-{name.replace('_', '-')}",
            caption=pays.title,
            columns=(left("Hand"), right("Pays"), *(() if same else (RESTS_ON,))),
            rows=rows(line[:2] if same else line for line in lines),
            notes=(
                f"{_paid_wagers(game, name)} Id of the pay table: {name}.",
                *(f"Basis: {basis}." for basis in bases if same),
            ),
        )


def _line_basis(line: PayLine, item: Item) -> str:
    fact = next((fact for fact in item.facts if fact.name == line.name), None)
    if fact is None:
        return rests_on(item.basis)
    basis = rests_on(fact.basis)
    return basis if fact.says == pay_words(line) else f"submission; the document says {fact.says} [{basis}]"


def _paid_wagers(game: Game, table: str) -> str:
    titles = [
        wager.title
        for wager in game.wagers
        if table in (*wager.tables, *wager.also_pays, *(bonus.pay for bonus in wager.bonus))
    ]
    return f"Wagers: {', '.join(titles)}." if titles else "No wager on offer uses this table."


def _wheels(game: Game, found: list[Item]) -> Iterator[Table]:
    in_force = {wheel.name: wheel for wheel in game.wheels}
    posted_wheels = {wheel.name: wheel for spin in posted_notice(game).spins for wheel in spin.wheels}
    for item in found:
        wheel = in_force.get(getattr(item.source, "name", ""))
        if wheel is not None:
            posted = posted_wheels[wheel.name]
            yield table(
                f"wheel-{wheel.name.replace('.', '-')}",
                f"{item.title}, table {wheel.letter}, {dollars(wheel.stake_cents)} stake",
                posted.slices,
                {
                    left("Stop"): lambda each: str(each.place),
                    right("Weight"): lambda each: str(each.weight),
                    left("Pays"): lambda each: each.text,
                },
                notes=(f"Basis: {rests_on(item.basis)}. {posted.mark or FROM_SUBMISSION}",),
            )


def _posted(game: Game) -> Text:
    """Return the rest of the notice at the table: triggers of spins, fixed odds, random awards, the payout limit."""
    notice = posted_notice(game)
    spins = [f"{spin.title}: {spin.trigger}" for spin in notice.spins]
    texts = (*spins, *map(str, (*notice.odds, *notice.awards)), *limit_texts(notice))
    return Text(paragraphs=texts or ("No payout limit is in force.",))


def _round(game: Game, found: list[Item]) -> Table:
    steps = (
        (f"{place}. {as_words(item.source.id)}", _action(step_words(item.source, game.book)), rests_on(item.basis))
        for place, item in enumerate(found, start=1)
    )
    return listing("rules-round", "The round, step by step", ("Step", "Action", BASIS), steps)


def _action(lines: Sequence[str]) -> str:
    """Join the lines of a step into one paragraph.

    >>> _action(["Cards are dealt:", "two to each player", "five to the layout"])
    'Cards are dealt: two to each player; five to the layout.'
    """
    text = "; ".join(lines).replace(":; ", ": ").replace(".; ", ". ")
    return text if text.endswith(".") else f"{text}."


def _choices(game: Game, found: list[Item]) -> Table:
    stated = {path for path, _ in flat(game.stated)}
    body = []
    for item in found:
        choice = item.source
        value = game.choices.get(choice.path)
        if value is None:
            continue
        origin = "submission" if choice.path in stated else "default"
        if choice.path in game.illustrative:
            origin += ", illustrative"
        body.append((choice.title, choice.path, amount_words(choice, value), origin))
    titles = "Choice", "Path in a submission", "In force", "From"
    return listing("rules-choices", "Operator's choices", titles, body, long=True)


def appendix(game: Game) -> Section:
    """List every setting, adopted reading and cited clause."""
    found = list(flatten(game.book))
    return Section(
        id="appendix",
        title="Settings, readings and clauses",
        blocks=(_settings(game, found), _readings(game, found), _clauses(game, found)),
    )


def _settings(game: Game, found: list[Item]) -> Table:
    body = []
    for item in found:
        if item.section == "settings":
            name = item.key.removeprefix("settings.")
            value, rests = game.settings[name], rests_on(item.basis)
            if value != item.source.value:
                rests = f"submission; otherwise {rests}"
            body.append((item.title, setting_words(setting_rules()[name], value), rests))
    return listing("settings", "Settings in force", ("Setting", "In force", BASIS), body, long=True)


def _readings(game: Game, found: list[Item]) -> Table:
    cited = {name for item in found for basis in _bases(item) for name in basis.readings}
    known = readings_known(game.book).items()
    body = [(name, reading.about, reading.reading) for name, reading in known if name in cited]
    caption = "Adopted readings, where the document errs or is silent"
    return listing("readings", caption, ("Reading", "About", "Adopted reading"), body, long=True)


def _clauses(game: Game, found: list[Item]) -> Table:
    cited = {clause.id for item in found for basis in _bases(item) for clause in basis.clauses}
    known = [(clause.id, clause.citation, clause.says) for clause in clauses_known(game.book).values()]
    body = [clause for clause in known if clause[0] in cited]
    return listing("clauses", "Cited clauses, in our own words", ("Clause", "Citation", "Summary"), body, long=True)


def _bases(item: Item) -> Iterator[Basis]:
    yield item.basis
    yield from (fact.basis for fact in item.facts)


def marks_section(game: Game) -> Section:
    """List illustrative figures and house rules, which no document states."""
    choices = {choice.path: choice for choice in game.book.choices}
    body = [
        (choices[path].title, path, amount_words(choices[path], game.choices[path]))
        for path in game.illustrative
        if path in choices and path in game.choices
    ]
    pays = {pays.name for pays in game.pays.values()} | {wheel.name for wheel in game.wheels}
    for item in flatten(game.book):
        in_force = getattr(item.source, "name", "") in pays
        if item.basis.illustrative and item.section in ("pays", "wheels") and in_force:
            body.append((item.title, item.key, "all amounts of the table"))
    house = [
        (item.title, item.says, item.basis.house_rule)
        for item in flatten(game.book)
        if item.basis.house_rule and item.section != "choices"
    ]
    blocks: list[Block] = []
    if body:
        warning = (
            "The documents print no value for these figures. The values below only make the wagers playable. Every "
            "return that depends on them is an example, not a property of the game."
        )
        blocks += [
            Text(paragraphs=(warning,), warning=True),
            listing("illustrative", "Illustrative figures in force", ("Figure", "Path", "In force"), body),
        ]
    else:
        blocks.append(Text(paragraphs=("No figure in force is illustrative.",)))
    if house:
        caption = "House rules, which no document states"
        blocks.append(listing("house-rules", caption, ("Rule", "In force", "Why"), house, long=True))
    return Section(id="illustrative-figures", title="Illustrative figures and house rules", blocks=tuple(blocks))
