"""`crossfelt rulebook`: list the rulebooks, show one, or compare two.

The text of a comparison goes topic by topic, then through the differences that belong to no topic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.cli.options import AsJson, Force, Which, argument, command_group, option
from crossfelt.cli.output import answer, data, data_as_json, heading, message, messages
from crossfelt.cli.render.wheel_returns import progressive_lines, return_lines
from crossfelt.errors import BadInput
from crossfelt.play.posted_notice import notice_lines, posted_notice
from crossfelt.rulebooks import checks, loader
from crossfelt.rulebooks.clauses import clauses_of, documents, readings, topics
from crossfelt.rulebooks.defaults import BY_DEFAULT
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.render.diff import (
    SECTIONS,
    ComparedRulebook,
    Comparison,
    Difference,
    Side,
    TopicStatement,
    compare,
)
from crossfelt.rulebooks.render.flatten import cite
from crossfelt.rulebooks.render.text import TextSection, render_text
from crossfelt.rulebooks.rulebook_law import document_of
from crossfelt.text_layout import WIDTH, columns, paragraph

BY_LINE: Final = ("pays", "wheels")
"""Sections that are compared line by line, in columns."""
ABOUT_TOPICS: Final = ("table", "limits", "settings", "irregularities", "opening", "script", "requirements")
"""Sections whose differences are listed under their topic."""
LONG: Final = 30
"""A cell wider than this gets lines of its own."""


class ComparisonText:
    """Every difference between two rulebooks as text."""

    def __init__(self, found: Comparison) -> None:
        self._found = found
        a, b = found.a.id, found.b.id
        self._names = (a, b) if a != b else (f"{a} (A)", f"{b} (B)")
        self._margin = max(map(len, self._names)) + 4
        self._read: dict[str, None] = {}
        """Ids of readings that were cited but not explained yet."""

    def lines(self) -> Iterator[str]:
        by_topic = [each for each in self._found.differences if each.topic and each.section in ABOUT_TOPICS]
        yield from self._head(by_topic)
        yield from self._topics(by_topic)
        rest = [each for each in self._found.differences if each not in by_topic]
        for section, title in SECTIONS.items():
            mine = [each for each in rest if each.section == section]
            if mine:
                yield from ("", heading(title))
                yield from self._columns(mine) if section in BY_LINE else self._entries(mine)
        yield from self._readings()
        yield ""
        number = len(self._found.differences)
        counted = {0: "No differences", 1: "1 difference"}.get(number, f"{number} differences")
        yield f"{counted}; {self._found.equal} equal entries are not shown."

    def _head(self, by_topic: Sequence[Difference]) -> Iterator[str]:
        sides = zip(self._names, (self._found.a, self._found.b), strict=True)
        yield from columns([(name, side.version, side.hash[:12], _document(side)) for name, side in sides])
        differing = {note.id for note in self._found.topics} | {each.topic for each in by_topic}
        for words, wanted in (("Topics that differ", True), ("Topics without differences", False)):
            named = [f"{t.id} {t.title}" for t in topics().values() if (t.id in differing) == wanted]
            yield ""
            yield from paragraph(f"{words}: {'; '.join(named) or 'none'}", hanging=2)

    def _topics(self, by_topic: Sequence[Difference]) -> Iterator[str]:
        notes = {note.id: note for note in self._found.topics}
        for topic in topics().values():
            mine = [each for each in by_topic if each.topic == topic.id]
            note = notes.get(topic.id)
            if mine or note:
                yield from ("", heading(f"{topic.id}  {topic.title}"))
                for name, said in zip(self._names, (note.a, note.b) if note else (), strict=False):
                    yield from self._says(name, *_stated(said), indent=2)
                yield from self._entries(mine)

    def _entries(self, found: Sequence[Difference]) -> Iterator[str]:
        things = list(_groups(found, lambda each: each.thing))
        both = [group for group in things if not _one_sided(group)]
        for title, group in _merged(both):
            yield from self._entry(title, group)
        for place, name in enumerate(self._names):
            alone = [group[0] for group in things if _one_sided(group) and _sides(group[0])[place]]
            if alone:
                yield f"  Only in {name}"
            for each in alone:
                side = _sides(each)[place]
                assert side is not None
                yield from paragraph(f"{each.title}: {side.says}", 4, hanging=2)
                yield from (line for why in self._why(side) for line in paragraph(why, 6, hanging=2))

    def _entry(self, title: str, group: Sequence[Difference]) -> Iterator[str]:
        """Render one entry that both rulebooks have, one side under the other."""
        first = group[0]
        if len(group) == 1 and first.label:
            title = f"{title}: {first.label[0].lower()}{first.label[1:]}"
        says = [_field_texts(group, place) for place in (0, 1)]
        if says[0] == says[1] and not first.label:
            title, says = f"{title}: in both, {says[0][0]}", [[], []]
        yield from paragraph(title, 2, hanging=2)
        for place, name in enumerate(self._names):
            sides = [side for each in group if (side := _sides(each)[place])]
            yield from self._says(name, says[place], self._why(sides[0]) if sides else [], indent=4)

    def _says(self, name: str, words: Sequence[str], why: Sequence[str], indent: int) -> Iterator[str]:
        """Render a rulebook's statement and its citations, on one line if they fit."""
        margin, head = self._margin + indent - 2, " " * indent + name
        lines = [*words, *why] or ["–"]
        if len(lines) == 2 and margin + len("  ".join(lines)) <= WIDTH:
            lines = ["  ".join(lines)]
        yield from paragraph(lines[0], margin, hanging=1, first=head)
        yield from (line for other in lines[1:] for line in paragraph(other, margin, hanging=1))

    def _why(self, side: Side) -> list[str]:
        """Cite the clauses; where the document is silent, the adopted reading."""
        lines = [f"[{cite(side.clauses)}]"] if side.clauses else []
        if side.silent:
            lines = [f"[the document is silent{'; ' if side.clauses else ''}{cite(side.clauses)}]"]
            lines += [f"adopted reading {reading.id}: {reading.reading}" for reading in side.readings]
        elif side.readings:
            named = [reading.id for reading in side.readings]
            self._read.update(dict.fromkeys(named))
            lines = [f"[{'; '.join(filter(None, [cite(side.clauses), 'reading ' + ', '.join(named)]))}]"]
        if side.house_rule:
            lines.append(f"house rule: {side.house_rule}")
        if side.illustrative:
            lines.append("illustrative: printed in no document")
        return lines

    def _columns(self, found: Sequence[Difference]) -> Iterator[str]:
        """Render pay tables and wheels: differing lines in columns, one-sided ones in a row."""
        for group in _groups([each for each in found if each.label], lambda each: each.thing):
            yield f"  {group[0].title}"
            rows = [(each.label, *(side.says if side else "–" for side in _sides(each))) for each in group]
            yield from _table(("", *self._names), rows)
            for place, name in enumerate(self._names):
                yield from self._says(name, "", [self._cited(_sides(each)[place] for each in group)], indent=4)
        whole = [each for each in found if not each.label]
        for group in _groups(whole, lambda each: each.title):
            for place, name in enumerate(self._names):
                sides = [side for each in group if (side := _sides(each)[place])]
                if sides:
                    yield f"  {group[0].title}: only in {name}"
                    yield from (line for side in sides for line in paragraph(side.says, 4, hanging=4))
                    yield from paragraph(self._cited(sides), 4, hanging=2)

    def _cited(self, sides: Iterable[Side | None]) -> str:
        """Join the citations of many lines, each once."""
        present = [side for side in sides if side]
        clauses = tuple(dict.fromkeys(clause for side in present for clause in side.clauses))
        named = list(dict.fromkeys(reading.id for side in present for reading in side.readings))
        rules = dict.fromkeys(f"house rule: {side.house_rule}" for side in present if side.house_rule)
        self._read.update(dict.fromkeys(named))
        parts = [cite(clauses), f"reading {', '.join(named)}" if named else "", *rules]
        return f"[{'; '.join(filter(None, parts))}]"

    def _readings(self) -> Iterator[str]:
        if self._read:
            yield from ("", heading("Readings cited above"))
            for name, reading in readings().items():
                if name in self._read:
                    yield from paragraph(f"{reading.about} Adopted: {reading.reading}", 11, first=f"  {name}")


def _document(side: ComparedRulebook) -> str:
    document = documents().get(side.document)
    return f"{document.citation} ({document.status})" if document else side.document


def _stated(said: TopicStatement | None) -> tuple[list[str], list[str]]:
    if said is None:
        return ["no statement recorded"], []
    parts = ["the document is silent" if said.silent else "", cite(said.clauses)]
    return [said.says], [f"[{'; '.join(filter(None, parts))}]"]


def _groups(found: Iterable[Difference], key: Callable[[Difference], str]) -> Iterator[list[Difference]]:
    groups: dict[str, list[Difference]] = {}
    for each in found:
        groups.setdefault(key(each), []).append(each)
    yield from groups.values()


def _sides(each: Difference) -> tuple[Side | None, Side | None]:
    return each.a, each.b


def _one_sided(group: Sequence[Difference]) -> bool:
    return not group[0].label and None in _sides(group[0])


def _field_texts(group: Sequence[Difference], place: int) -> list[str]:
    says = [(each.label, side.says if (side := _sides(each)[place]) else "nothing") for each in group]
    return [words if len(says) == 1 else f"{label.lower()}: {words}" for label, words in says]


def _merged(things: Sequence[list[Difference]]) -> Iterator[tuple[str, list[Difference]]]:
    """Join entries with the same change under all their names."""
    groups: dict[tuple[str, ...], list[list[Difference]]] = {}
    for group in things:
        labels = [each.label for each in group]
        alike = (*labels, *_field_texts(group, 0), *_field_texts(group, 1)) if all(labels) else (group[0].thing,)
        groups.setdefault(alike, []).append(group)
    for same in groups.values():
        first, *others = [group[0].title for group in same]
        yield ", ".join([first, *(title.partition(": ")[2] or title for title in others)]), same[0]


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    wide = [row for row in rows if max(map(len, row)) > LONG]
    yield from columns([head, *(row for row in rows if row not in wide)], indent=4)
    for label, mine, theirs in wide:
        yield from paragraph(f"{label}: {mine}  |  {theirs}", 4, hanging=2)


app = command_group("List the rulebooks, show one, or compare two.")

RETURNS: Final = "returns"
SHORT_HASH: Final = 12
HINTS: Final = (
    "crossfelt rulebook show {0} --section pays    its pay tables",
    "crossfelt rulebook diff {0} {1}    differences between two regulations",
    'crossfelt hand "Ks Kd 9c 9h 2s" --game {0}    name a hand and see what it pays',
)


class RulebookRow(msgspec.Struct, frozen=True, kw_only=True):
    """One rulebook in `crossfelt rulebook list --json`."""

    id: str
    title: str
    jurisdiction: str
    game: str
    version: str
    hash: str
    wagers: int
    clauses: int


@app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """List the rulebooks that ship with Crossfelt."""
    rows = [_row(loader.load(name)) for name in loader.rulebook_ids()]
    if as_json:
        data_as_json(rows)
        return
    message("Casino table games, each built from its regulation:\n")
    cells = [("rulebook", "title", "version", "hash", "wagers", "clauses")]
    cells += [
        (row.id, row.title, row.version, row.hash[:SHORT_HASH], str(row.wagers), str(row.clauses)) for row in rows
    ]
    first, *others = columns(cells, right=[4, 5])
    data([heading(first), *others])
    message("\nPlay money only. Next steps:")
    for hint in HINTS:
        message(f"  {hint.format(*loader.rulebook_ids())}")


def _row(book: Rulebook) -> RulebookRow:
    document = document_of(book)
    clauses = clauses_of(document.code) if document.code else book.own_clauses
    counts = {"wagers": len(book.wagers), "clauses": len(clauses), "hash": loader.content_hash(book)}
    return RulebookRow(**shared_fields(book, RulebookRow) | counts, jurisdiction=document.jurisdiction)


@app.command("show")
def show_command(
    which: Which,
    section: Annotated[str | None, option("NAME", "Show one section: pays, wagers, round, …")] = None,
    as_json: AsJson = False,
) -> None:
    """Show a rulebook: every rule, with its clause."""
    if as_json and section is not None:
        what = "cannot be combined with --json, which prints the whole rulebook"
        raise BadInput.at("--section", "section.json", what, section, "one of the two")
    book = load(which)
    if as_json:
        data_as_json(loader.as_data(book))
        return
    sections = (*render_text(book), _posted(book), *_returns(book, asked=section == RETURNS))
    if section is not None:
        known = [part.id for part in sections]
        if section not in known:
            what = f"unknown section of {book.id}"
            raise BadInput.at("", "section.unknown", what, section, ", ".join(known))
        sections = tuple(part for part in sections if part.id == section)
    parts = [[heading(part.title), *part.lines] for part in sections]
    data("\n\n".join("\n".join(lines) for lines in parts))


def _posted(book: Rulebook) -> TextSection:
    notice = posted_notice(compile_game(book))
    place = "printed on the layout" if notice.odds_on == "layout" else "on a sign at the table"
    lines = (f"  Odds and amounts {place}:", *notice_lines(notice))
    return TextSection(id="posted", title="Posted at the table, by the default submission", lines=lines)


def _returns(book: Rulebook, *, asked: bool) -> Iterator[TextSection]:
    """Yield the default returns of wheels and meters; the slow census of hands runs only when asked for."""
    game = compile_game(book)
    lines = tuple(return_lines(game)) + (tuple(progressive_lines(game)) if asked else ())
    if lines:
        yield TextSection(id=RETURNS, title="Returns at the default weights and meters", lines=lines)


@app.command("diff")
def diff_command(
    a: Annotated[str, argument("A", "Rulebook id or file.")],
    b: Annotated[str, argument("B", "Rulebook id or file to compare with.")],
    as_json: AsJson = False,
) -> None:
    """Compare two rulebooks: every difference, with both citations."""
    found = compare(load(a), load(b))
    answer(found, ComparisonText(found).lines(), as_json=as_json)


@app.command("check")
def check_command(which: Which) -> None:
    """Check a rulebook file, and list every problem."""
    book = load(which)
    compile_game(book)
    usual = [name for name, setting in book.settings.items() if setting.house_rule == BY_DEFAULT]
    counts = {
        "group": len(book.groups),
        "hand": len(book.hands),
        "wager": len(book.wagers),
        "pay table": len(book.paytables),
        "step": len(book.script),
    }
    data(f"{book.title}: no problems. {', '.join(_number(count, name) for name, count in counts.items())}.")
    if usual:
        message(f"{_number(len(usual), 'setting')} by default; `crossfelt rulebook show` prints each.")
    message(f"Next: crossfelt play {which}")


def _number(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"


@app.command("new")
def new_command(
    name: Annotated[str, argument("NAME", "Id of the new game, such as river-stud.")], force: Force = False
) -> None:
    """Write a small game to NAME.toml, to start from."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        what, allowed = "not an id", "small letters and digits, with single hyphens between words"
        raise BadInput.at("NAME", "rulebook.id", what, name, allowed)
    file = Path(f"{name}.toml")
    if file.exists() and not force:
        raise BadInput.at("", "file.exists", "there is such a file", str(file), "--force to overwrite it")
    text = files("crossfelt.rulebooks").joinpath("new_game.toml").read_text("utf-8")
    words = name.replace("-", " ").title()
    text = text.replace('"NAME"', f'"{name}"').replace('"TITLE"', f'"{words}"')
    file.write_text(text.replace('"LABEL"', f'"{name.replace("-", "_")}"'), "utf-8")
    data(f"Wrote {file}.")
    message(f"Next: crossfelt rulebook check {file}, then crossfelt play {file}")
    message("For completion in your editor: crossfelt rulebook schema > rulebook.schema.json")


@app.command("schema")
def schema_command() -> None:
    """Print the JSON Schema of a rulebook file, for an editor."""
    data(files("crossfelt.rulebooks").joinpath("rulebook.schema.json").read_text("utf-8").rstrip())


def load(which: str) -> Rulebook:
    """Load a rulebook by id or path and print its warnings to stderr."""
    book = loader.load(which)
    messages(checks.warnings(book), prefix=f"warning: {book.id}: ")
    return book
