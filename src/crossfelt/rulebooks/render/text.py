"""A rulebook as text for regulators and dealers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Final

import msgspec

from crossfelt.errors import BadInput
from crossfelt.money import dollars
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.loader import content_hash
from crossfelt.rulebooks.model import PayoutLimit, PayTable, Rulebook, Wager, Wheel
from crossfelt.rulebooks.render import phrases
from crossfelt.rulebooks.render.flatten import Item, brackets, by_section, flatten
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.rulebooks.render.step_phrases import opening_words, step_words
from crossfelt.rulebooks.rulebook_law import document_of, own_rules, readings_known
from crossfelt.rulebooks.settings import setting_rules
from crossfelt.text_layout import columns, paragraph

if TYPE_CHECKING:
    from crossfelt.games.exposure import Exposure

SECTIONS: Final[Mapping[str, str]] = {
    "identity": "Rulebook",
    "table": "Table and deck",
    "hands": "Hands",
    "wagers": "Wagers",
    "pays": "Pay tables",
    "wheels": "Wheels",
    "meters": "Meters",
    "limits": "Payout limit",
    "opening": "Opening the table",
    "round": "The round",
    "settings": "Settings",
    "irregularities": "Irregularities",
    "choices": "Choices of the operator",
    "requirements": "Requirements between choices",
    "readings": "Readings adopted where the document errs or is silent",
    "clauses": "Clauses of the document",
}
MARKS: Final = (
    "clauses and readings stand in brackets, by id; HOUSE RULE: in none of the documents; DEFAULT: the rules do not "
    "say; ILLUSTRATIVE: a placeholder that makes the wager playable, as no document prints a value"
)
LETTERS_ACROSS: Final = 9
"""The number of wheels that fit side by side."""
LONGEST_TITLE: Final = 22
"""The longest title of a wager on the same line as its description."""


class TextSection(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    title: str
    lines: tuple[str, ...]


def render_text(book: Rulebook) -> tuple[TextSection, ...]:
    """Render every non-empty part of a rulebook.

    The operator's figures are those of the default submission.

    >>> from crossfelt.rulebooks.loader import load
    >>> sections = {section.id: section for section in render_text(load("ma-criss-cross"))}
    >>> print(sections["pays"].lines[1])
        royal flush                           1 to 1
    """
    writer = _Writer(book)
    titles = {**SECTIONS, "identity": book.title}
    found = ((name, tuple(getattr(writer, name)())) for name in SECTIONS)
    return tuple(TextSection(id=name, title=titles[name], lines=lines) for name, lines in found if lines)


class _Writer:
    """A method for each section, named like the section."""

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self._game = Game(book, {})
        self._titles = {wager.id: wager.title for wager in book.wagers}
        self._items = by_section(flatten(book))

    def _basis(self, item: Item) -> str:
        """Return the basis of a datum in brackets; that of the rulebook's own document goes without saying."""
        plain = item.basis.house_rule == own_rules(self._book)
        return brackets(msgspec.structs.replace(item.basis, house_rule="") if plain else item.basis)

    def identity(self) -> Iterator[str]:
        book, document = self._book, document_of(self._book)
        code = f" ({document.code})" if document.code else ""
        rows = {
            "rulebook": f"{book.id}, version {book.version}",
            "hash": content_hash(book),
            "game": as_words(book.game) if book.game != book.id.replace("-", "_") else "",
            "document": f"{document.title}{code}, {document.authority}",
            "citation": document.citation,
            "status": f"{document.status}; dates: {document.dates}" if document.status else "",
            "marks": MARKS,
        }
        return (line for label, text in rows.items() if text for line in paragraph(text, 12, first=f"  {label}"))

    def table(self) -> Iterator[str]:
        for item in self._items["table"]:
            told = [fact for fact in item.facts if fact.value not in (None, [], False) and fact.name != "game"]
            for fact in told:
                basis = self._basis(item) if fact is told[-1] else ""
                yield from paragraph(f"{fact.label}: {fact.says}{basis}", 2, hanging=2)

    def hands(self) -> Iterator[str]:
        return self._listed("lines")

    def wagers(self) -> Iterator[str]:
        for item in self._items["wagers"]:
            offered = self._game.choices.get(f"wagers.{item.source.id}.offered", True)
            parts = [item.says, self._posted(item.source), "" if offered else "not offered by default"]
            text = "; ".join(filter(None, parts)) + self._basis(item)
            beside = len(item.title) <= LONGEST_TITLE
            if not beside:
                yield f"  {item.title}"
            yield from paragraph(text, LONGEST_TITLE + 4, first=f"  {item.title}" if beside else "")

    def _posted(self, wager: Wager) -> str:
        name, values = wager.stake.posted, self._game.choices
        low, high, step = (values.get(f"wagers.{name}.{end}_cents") for end in ("min", "max", "step"))
        if isinstance(low, int) and isinstance(high, int):
            steps = f" in steps of {dollars(step)}" if isinstance(step, int) else ""
            return f"by default {dollars(low)} to {dollars(high)}{steps}"
        low, high = (values.get(f"wagers.{name}.{end}_credits") for end in ("min", "max"))
        return f"by default {low} to {high} credits" if low is not None else ""

    def pays(self) -> Iterator[str]:
        for item in self._items.get("pays", []):
            table: PayTable = item.source
            least = "; minimum odds, which the operator may raise" if table.odds_are == "minimum" else ""
            heading = f"{item.title} ({table.name}): {phrases.kind_words(table.order)}{least}{self._basis(item)}"
            yield from paragraph(heading, 2, hanging=2)
            rows = [(f"{phrases.line_title(line):<36}", phrases.pay_words(line)) for line in table.lines]
            yield from columns(rows, indent=4, right=[1]) if rows else ("    pays nothing",)

    def wheels(self) -> Iterator[str]:
        found = self._items.get("wheels", [])
        wheels = [item for item in found if isinstance(item.source, Wheel)]
        for title, same in groupby(wheels, key=lambda item: item.title):
            group = list(same)
            for start in range(0, len(group), LETTERS_ACROSS):
                yield from self._wheel_group(title, group[start : start + LETTERS_ACROSS])
        for item in found:
            if item not in wheels:
                yield from paragraph(f"{item.title}: {item.says}{self._basis(item)}", 2, hanging=2)

    def _wheel_group(self, title: str, group: Sequence[Item]) -> Iterator[str]:
        """Render the wheels of one wager and ring, a column for each letter."""
        yield f"  {title}"
        facts = [{fact.name: fact.says for fact in item.facts} for item in group]
        yield from columns(_wheel_rows(group, facts), indent=4, right=range(1, len(group) + 1))
        if any("community" in each for each in facts):
            yield "    c1, c2, c3: the other bettors win the first, second or third community amount"
        yield from self._beside(group, facts, "community", "community amounts, spinner's / other bettors'")
        yield from self._beside(group, facts, "positions", "a submission's weights are in this order of positions")
        yield from self._beside(group, facts, "illustrative_weights", "default weights, ILLUSTRATIVE")
        for text, same in groupby(group, key=lambda item: self._basis(item).strip()):
            letters = ", ".join(item.source.letter for item in same)
            yield from paragraph(f"{letters}: {text}", 4, hanging=2)

    @staticmethod
    def _beside(group: Sequence[Item], facts: Sequence[Mapping[str, str]], name: str, title: str) -> Iterator[str]:
        """Render the text printed beside the wheels, once for the wheels that share it."""
        shared: dict[str, list[str]] = {}
        for item, each in zip(group, facts, strict=True):
            if each.get(name, "none") not in ("none", "not printed"):
                shared.setdefault(each[name], []).append(item.source.letter)
        for text, letters in shared.items():
            yield from paragraph(f"{title} ({', '.join(letters)}): {text}", 4, hanging=2)

    def meters(self) -> Iterator[str]:
        for item in self._items.get("meters", []):
            fed = item.source.fed_by
            titles = ", ".join(self._titles.get(wager, wager) for wager in fed)
            heading = f"{item.title} ({item.source.id}): fed by and paid on {titles}{self._basis(item)}"
            yield from paragraph(heading, 2, hanging=2)
            for choice in self._book.choices:
                if choice.path.startswith(f"meters.{item.source.id}.") and choice.default is not None:
                    mark = "  ILLUSTRATIVE" if choice.illustrative else ""
                    text = f"{choice.title}: by default {phrases.amount_words(choice, choice.default)}{mark}"
                    yield from paragraph(text, 4, hanging=2)

    def limits(self) -> Iterator[str]:
        for item in self._items.get("limits", []):
            limit: PayoutLimit = item.source
            may = "The operator may set a limit, which is" if limit.optional else "The limit is"
            yield from paragraph(f"{may} {phrases.limit_words(limit)}{self._basis(item)}", 2, hanging=2)
            counts = f"It counts one player's {as_words(limit.counts)} in one {as_words(limit.scope)}"
            yield f"    {counts}. The wager paid last is cut first."
            for name, wagers in (("covers", limit.covers), ("outside", limit.outside)):
                text = f"{phrases.label_of(name)}: {phrases.wagers_in_words(wagers, self._titles)}"
                yield from paragraph(text, 4, hanging=2)
            notice = phrases.value_words("notice_of_decrease", limit.notice_of_decrease)
            yield f"    {phrases.label_of('notice_of_decrease')}: {notice}"
            yield from self._computed(limit)

    def _computed(self, limit: PayoutLimit) -> Iterator[str]:
        exposure = exposure_of(self._game)
        if exposure is None:
            yield "    The most at the minimum wager cannot be computed: the rulebook lacks the wagers it depends on"
            return
        yield from paragraph(f"Computed: {exposure_words(self._game, limit, exposure)}", 4, hanging=2)
        stated = self._game.limit_cents(limit)
        yield f"    By default: {'no limit' if stated is None else f'a limit of {dollars(stated)}'}"

    def opening(self) -> Iterator[str]:
        for place, item in enumerate(self._items.get("opening", []), start=1):
            text = opening_words(item.source) + self._basis(item)
            yield from paragraph(text, 6, first=f"  {place:>2}")

    def round(self) -> Iterator[str]:
        for place, item in enumerate(self._items.get("script", []), start=1):
            first, *under = step_words(item.source, self._book)
            text = f"{first}{self._basis(item)}  ({item.source.id})"
            yield from paragraph(text, 6, first=f"  {place:>2}")
            yield from (line for text in under for line in paragraph(text, 8, hanging=2))

    def settings(self) -> Iterator[str]:
        for item in self._items["settings"]:
            name = item.key.removeprefix("settings.")
            rule = setting_rules()[name]
            topic = f", {item.topic}" if item.topic else ""
            yield from paragraph(f"{item.title} ({name}{topic})", 2, hanging=2)
            yield from paragraph(f"{item.says}{self._basis(item)}", 4, hanging=2)
            if rule.open_in(item.source):
                yield from paragraph(f"SELECTABLE in a submission: {rule.allowed}", 4, hanging=2)

    def irregularities(self) -> Iterator[str]:
        return self._listed("irregularities")

    def choices(self) -> Iterator[str]:
        for item in self._items.get("choices", []):
            yield from paragraph(f"{item.key}: {item.title}", 2, hanging=2)
            yield from paragraph(f"{item.says}{self._basis(item)}", 4, hanging=2)

    def requirements(self) -> Iterator[str]:
        for item in self._items.get("requirements", []):
            yield from paragraph(f"{item.source.says}{self._basis(item)}", 2, hanging=2)
            yield from paragraph(item.says, 4, hanging=2)

    def readings(self) -> Iterator[str]:
        items = [item for section in self._items.values() for item in section]
        bases = [item.basis for item in items] + [fact.basis for item in items for fact in item.facts]
        cited = {name for basis in bases for name in basis.readings}
        for name, reading in readings_known(self._book).items():
            if name in cited:
                yield from paragraph(reading.about, 11, first=f"  {name}")
                yield from paragraph(f"Read: {reading.reading}", 11)
                yield from (line for other in reading.alternatives for line in paragraph(f"Or: {other}", 11))

    def clauses(self) -> Iterator[str]:
        """Render the rulebook's own clauses; `crossfelt clauses` has the others."""
        for clause in self._book.own_clauses:
            yield from paragraph(f"{clause.citation}: {clause.says}", 11, first=f"  {clause.id}")

    def _listed(self, section: str) -> Iterator[str]:
        for item in self._items.get(section, []):
            yield from paragraph(f"{item.title}: {item.says}{self._basis(item)}", 2, hanging=2)


def _wheel_rows(group: Sequence[Item], facts: Sequence[Mapping[str, str]]) -> Iterator[tuple[str, ...]]:
    wheels: list[Wheel] = [item.source for item in group]
    yield ("pay table", *(wheel.letter for wheel in wheels))
    yield ("stake", *(dollars(wheel.stake_cents) for wheel in wheels))
    if any(wheel.top != "none" for wheel in wheels):
        yield ("top prize", *(wheel.top.replace("progressive", "meter") for wheel in wheels))
    for place in sorted({place for wheel in wheels for place in wheel.places}):
        yield (f"stop {place}", *(_at(wheel, place, each) for wheel, each in zip(wheels, facts, strict=True)))


def _at(wheel: Wheel, place: int, facts: Mapping[str, str]) -> str:
    """Return the pay of the slice at a printed position; empty where the wheel has none."""
    words = facts[f"slice {wheel.places.index(place)}"] if place in wheel.places else ""
    return words.replace("top prize", "top").replace(" + community ", " c")


def exposure_of(game: Game) -> Exposure | None:
    """Return the most one patron could win, or None where a rulebook lacks the wagers it is computed from."""
    try:
        return game.exposure
    except BadInput:
        return None


def exposure_words(game: Game, limit: PayoutLimit, exposure: Exposure) -> str:
    """Return the figure in words, as a multiple of the wager it depends on, with a deal that produces it.

    >>> game = compile_game("nj-double-cross")
    >>> exposure_words(game, game.book.payout_limits[0], game.exposure).partition(";")[0]
    'the most one patron could win at the minimum wager is $3,005, 601 times the smallest ante ($5)'
    """
    bound = "" if exposure.exact else "at most "
    words = f"the most one patron could win at the minimum wager is {bound}{dollars(exposure.cents)}"
    stakes = (wager.stake for wager in game.book.wagers if wager.id in limit.covers)
    base = next((stake.posted or stake.of for stake in stakes), None)
    smallest = game.choices.get(f"wagers.{base}.min_cents")
    if base and isinstance(smallest, int):
        times = Fraction(exposure.cents, smallest)
        shown = f"{times.numerator:,}" if times.denominator == 1 else f"{float(times):,.2f}"
        titles = {wager.id: wager.title.lower() for wager in game.book.wagers}
        words += f", {shown} times the smallest {titles.get(base, as_words(base))} ({dollars(smallest)})"
    return words + (f"; for example with {exposure.deal}" if exposure.deal else "")
