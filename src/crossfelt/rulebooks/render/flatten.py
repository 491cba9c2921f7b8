"""Every datum of a rulebook as a fact: its place, its meaning in words, and its basis.

Objects (a wager, a wheel, a step) are walked field by field, so a field added to the model is compared at once.
Citations, ids and titles are not facts: they name a rule without changing it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.defaults import BY_DEFAULT
from crossfelt.rulebooks.loader import enc_hook
from crossfelt.rulebooks.model import Choice, Rulebook, Wheel
from crossfelt.rulebooks.render import phrases, settle_words
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.rulebooks.render.step_phrases import opening_words, step_words
from crossfelt.rulebooks.rulebook_law import clauses_known
from crossfelt.rulebooks.script import step_kind
from crossfelt.rulebooks.settings import setting_rules

RULES: Final = ("recut_rule", "device_rule", "count_rule", "losers_rule", "second_rule", "paid_rule")
"""Citations of one part of a datum."""
CITING: Final = frozenset({"clauses", "readings", "house_rule", "topic", *RULES})
NAMING: Final = frozenset({"id", "title", "illustrative", "silent"})


class Citation(msgspec.Struct, frozen=True):
    """A clause and its place in its document."""

    id: str
    citation: str


class Basis(msgspec.Struct, frozen=True, kw_only=True):
    """The basis of a fact: clauses, readings, or a house rule."""

    clauses: tuple[Citation, ...] = ()
    readings: tuple[str, ...] = ()
    house_rule: str = ""
    silent: bool = False
    """The document does not address the point."""
    illustrative: bool = False


class Fact(msgspec.Struct, frozen=True):
    """One value: plain data to compare, and words to read."""

    name: str
    label: str
    value: Any
    says: str
    basis: Basis


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of one object: a wager, a wheel, a step."""

    section: str
    key: str
    """Unique in its rulebook, and the same in every rulebook that has the object."""
    title: str
    topic: str
    basis: Basis
    facts: tuple[Fact, ...]
    source: Any
    """The object of the rulebook."""
    summary: str = ""

    @property
    def says(self) -> str:
        """All facts in one sentence."""
        if self.summary:
            return self.summary
        if len(self.facts) == 1:
            return self.facts[0].says
        telling = (fact for fact in self.facts if fact.value not in (None, False, [], {}, ""))
        return "; ".join(f"{fact.label[:1].lower()}{fact.label[1:]}: {fact.says}" for fact in telling)


def flatten(book: Rulebook) -> Iterator[Item]:
    """Yield the items of a rulebook, section by section.

    >>> from crossfelt.rulebooks.loader import load
    >>> cut = next(item for item in flatten(load("md-criss-cross")) if item.key == "settings.cut_min_cards")
    >>> cut.title, cut.says, cut.basis.clauses[0].id
    ('Fewest cards in the top packet of a cut', '10 cards', 'MDC-13')
    """
    make = _Maker(book)
    parts = (make.table, make.wagers, make.pays, make.settings, make.irregularities, make.procedures, make.choices)
    for part in parts:
        yield from part()


class _Maker:
    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self._clauses = clauses_known(book)
        self._titles = {wager.id: wager.title for wager in book.wagers}
        self._hands = settle_words.titles_of(book.hands)

    def table(self) -> Iterator[Item]:
        book = self._book
        game = Fact("game", "label", book.game, as_words(book.game), Basis())
        yield self._item("table", "game", "Game", book, (game,), basis=Basis())
        yield self._item("table", "deck", "Deck", book.deck)
        yield self._item("table", "table", "Table", book.table, self._fields(book.table, "layout", "fixtures"))
        areas = map(self._by_title, self._fields(book.table.layout))
        yield self._item("table", "layout", "Layout", book.table.layout, areas)
        if book.table.fixtures is not None:
            yield self._item("table", "fixtures", "Fixtures", book.table.fixtures)

    def _by_title(self, fact: Fact) -> Fact:
        """Return a fact of the layout with the wagers by their titles."""
        if fact.name not in ("rows", "optional") or not fact.value:
            return fact
        rows = fact.value if fact.name == "rows" else [fact.value]
        says = "; ".join(", ".join(phrases.wagers_in_words([name], self._titles) for name in row) for row in rows)
        return msgspec.structs.replace(fact, says=says)

    def wagers(self) -> Iterator[Item]:
        for group in self._book.groups:
            title = as_words(group.id).capitalize()
            summary = settle_words.group_words(group)
            cards = [self._whole("cards", group, summary, group)]
            yield self._item("lines", f"group.{group.id}", title, group, cards, summary=summary)
        for split in self._book.splits:
            yield self._item("lines", f"split.{split.id}", as_words(split.id).capitalize(), split)
        for order in self._book.orders:
            number = "1 card" if order.cards == 1 else f"{order.cards} cards"
            summary = f"hands of {number}, the highest first: {phrases.joined(order.categories)}"
            title = f"Order {as_words(order.id)}"
            yield self._item("lines", f"order.{order.id}", title, order, summary=summary)
        for hand in self._book.hands:
            title = hand.title or as_words(hand.id).capitalize()
            marks = (settle_words.mark_words(name, mark) for name, mark in hand.marks.items())
            summary = "; ".join((settle_words.formation_words(hand, self._hands), *marks))
            cards = [self._whole("cards", hand, summary, hand)]
            yield self._item("lines", f"hand.{hand.id}", title, hand, cards, summary=summary)
        for wager in self._book.wagers:
            title, basis = wager.title, self._basis(wager)
            name = Fact("title", "Name", title, title, basis)
            settled = [settle_words.rule_words(rule, self._hands) for rule in wager.settle]
            settled += [settle_words.bonus_words(bonus, self._hands) for bonus in wager.bonus]
            facts, summary = (name, *self._fields(wager)), phrases.wager_words(wager, settled)
            yield self._item("wagers", f"wager.{wager.id}", title, wager, facts, summary=summary)
        for meter in self._book.meters:
            yield self._item("meters", f"meter.{meter.id}", meter.title, meter)
        for place, limit in enumerate(self._book.payout_limits):
            yield self._item("limits", f"payout_limit[{place}]", "Payout limit", limit)

    def pays(self) -> Iterator[Item]:
        for table in self._book.paytables:
            letter = f", table {table.letter}" if table.letter else ""
            facts = [*self._fields(table, "lines")]
            for line in table.lines:
                basis, value = self._basis(table, line.clauses, line.readings), without_citations(line)
                facts.append(Fact(line.name, phrases.line_title(line), value, phrases.pay_words(line), basis))
            yield self._item("pays", f"paytable.{table.name}", table.title + letter, table, facts)
        for wheel in self._book.wheels:
            ring = "" if wheel.ring == "spin" else f", {as_words(wheel.ring)}"
            title = f"{self._titles.get(wheel.wager, wheel.wager)} wheel{ring}"
            summary = phrases.wheel_words(wheel)
            yield self._item("wheels", f"wheel.{wheel.name}", title, wheel, self._wheel(wheel), summary=summary)
        spins = {(wheel.wager, wheel.letter) for wheel in self._book.wheels if wheel.ring == "spin"}
        for pay in self._book.community_pays:
            if (pay.wager, pay.letter) not in spins:
                title = f"{self._titles.get(pay.wager, pay.wager)} community pay"
                yield self._item("wheels", f"community_pay.{pay.wager}.{pay.letter}", title, pay)

    def _wheel(self, wheel: Wheel) -> tuple[Fact, ...]:
        fields = self._fields(wheel, "slices", "wager", "ring")
        places = [slice_.position for slice_ in wheel.slices if slice_.position is not None]
        printed = ", ".join(map(str, places)) or "not printed"
        positions = Fact("positions", "Positions of the slices on the wheel", places, printed, self._basis(wheel))
        slices = []
        for place, slice_ in enumerate(wheel.slices):
            value = [slice_.pays_cents, slice_.community, *filter(None, [slice_.amount_setting])]
            basis = self._basis(wheel, (), slice_.readings)
            slices.append(Fact(f"slice {place}", f"slice {place}", value, phrases.slice_words(slice_), basis))
        return (*fields, positions, *slices, *self._community(wheel))

    def _community(self, wheel: Wheel) -> Iterator[Fact]:
        for pay in self._book.community_pays:
            if wheel.ring == "spin" and (pay.wager, pay.letter) == (wheel.wager, wheel.letter):
                value, says = {**without_citations(pay), "letter": ""}, phrases.community_words(pay.amounts_cents)
                yield Fact("community", phrases.label_of("amounts_cents"), value, says, self._basis(pay))

    def settings(self) -> Iterator[Item]:
        for name, setting in self._book.settings.items():
            rule = setting_rules()[name]
            fact = self._whole("value", setting.value, phrases.setting_words(rule, setting.value), setting)
            topic = setting.topic or rule.topic
            yield self._item("settings", f"settings.{name}", rule.title, setting, (fact,), topic=topic)

    def irregularities(self) -> Iterator[Item]:
        for kind, cases in self._book.irregularities.items():
            for case, irregularity in cases.items():
                fact = self._whole("then", irregularity.then, phrases.outcome_words(irregularity.then), irregularity)
                title = phrases.irregularity_title(kind, case)
                yield self._item("irregularities", f"irregularities.{kind}.{case}", title, irregularity, (fact,))

    def procedures(self) -> Iterator[Item]:
        opening = self._book.opening
        for key, step in _numbered((f"opening.{step.step}", step) for step in opening.steps):
            illustrative = step.illustrative or opening.illustrative
            basis = msgspec.structs.replace(self._basis(step), illustrative=illustrative)
            facts, summary = self._fields(step, "step"), opening_words(step)
            yield self._item("opening", key, f"Opening: {step.step}", step, facts, basis=basis, summary=summary)
        for act in self._book.script:
            kind = step_kind(act)
            first = Fact("step", "Kind of step", kind, as_words(kind), self._basis(act))
            title = f"Step: {as_words(act.id)}"
            summary = " ".join(step_words(act, self._book))
            yield self._item("script", f"script.{act.id}", title, act, (first, *self._fields(act)), summary=summary)

    def choices(self) -> Iterator[Item]:
        for choice in self._book.choices:
            facts = self._fields(choice, "path")
            yield self._item("choices", choice.path, choice.title, choice, facts, summary=phrases.choice_words(choice))
        named = ((f"requirement: {requirement.says}", requirement) for requirement in self._book.requirements)
        for key, requirement in _numbered(named):
            fact = self._whole("rule", requirement, phrases.requirement_words(requirement), requirement)
            yield self._item("requirements", key, f"Rule: {requirement.says}", requirement, (fact,))

    def _whole(self, name: str, value: Any, says: str, source: Cited) -> Fact:
        """Return the only fact of an item, which needs no label."""
        return Fact(name, "", without_citations(value), says, self._basis(source))

    def _item(
        self,
        section: str,
        key: str,
        title: str,
        source: Any,
        facts: Iterable[Fact] | None = None,
        *,
        basis: Basis | None = None,
        topic: str = "",
        summary: str = "",
    ) -> Item:
        return Item(
            section=section,
            key=key,
            title=title,
            topic=topic or getattr(source, "topic", ""),
            basis=basis or self._basis(source),
            facts=tuple(self._fields(source) if facts is None else facts),
            source=source,
            summary=summary,
        )

    def _fields(self, source: Cited, *skip: str) -> Iterator[Fact]:
        basis = self._basis(source)
        for name in source.__struct_fields__:
            if name in CITING or name in NAMING or name in skip:
                continue
            value = getattr(source, name)
            says = (
                phrases.amount_words(source, value) if isinstance(source, Choice) else phrases.value_words(name, value)
            )
            yield Fact(name, phrases.label_of(name, source), without_citations(value), says, basis)

    def _basis(self, source: Any, clauses: tuple[str, ...] = (), readings: tuple[str, ...] = ()) -> Basis:
        """Return the basis that `source` cites; one of its lines may cite its own clauses and readings."""
        rules = [rule for name in RULES if (rule := getattr(source, name, None)) is not None]
        named = dict.fromkeys(clauses or (*source.clauses, *(clause for rule in rules for clause in rule.clauses)))
        return Basis(
            clauses=tuple(Citation(clause, self._clauses[clause].citation) for clause in named),
            readings=tuple(dict.fromkeys((*readings, *source.readings))),
            house_rule="; ".join(filter(None, (source.house_rule, *(rule.house_rule for rule in rules)))),
            silent=getattr(source, "silent", False),
            illustrative=source.illustrative,
        )


def by_section(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Group items by their section."""
    sections: dict[str, list[Item]] = {}
    for item in items:
        sections.setdefault(item.section, []).append(item)
    return sections


def _numbered(named: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Make keys unique by numbering repetitions."""
    seen: Counter[str] = Counter()
    for key, value in named:
        seen[key] += 1
        yield (key if seen[key] == 1 else f"{key} ({seen[key]})"), value


def without_citations(value: Any) -> Any:
    """Return plain data without its citations.

    >>> from crossfelt.rulebooks.script import Delivery
    >>> dealt = Delivery(to="hole", at_a_time=2, methods=("hand",), clauses=("DCP-16",))
    >>> without_citations(dealt)
    {'to': 'hole', 'at_a_time': 2, 'methods': ['hand']}
    """
    return _without_citations(msgspec.to_builtins(value, enc_hook=enc_hook))


def _without_citations(data: Any) -> Any:
    match data:
        case dict():
            return {key: _without_citations(item) for key, item in data.items() if key not in CITING}
        case list() | tuple():
            return [_without_citations(item) for item in data]
        case _:
            return data


def cite(clauses: Sequence[Citation]) -> str:
    """Return clauses with their places in the document, the common start of the citations only once.

    >>> cite([Citation("NJC-18", "N.J.A.C. 13:69F-40.4(b)"), Citation("NJC-24", "N.J.A.C. 13:69F-40.5(e)")])
    'NJC-18, NJC-24: N.J.A.C. 13:69F-40.4(b); 40.5(e)'
    """
    if not clauses:
        return ""
    places = list(dict.fromkeys(clause.citation for clause in clauses))
    first, last = min(places), max(places)
    alike = (place for place, (x, y) in enumerate(zip(first, last, strict=False)) if x != y)
    shared = first[: next(alike, 0)]
    cut = max(shared.rfind(" "), shared.rfind("-")) + 1
    shown = "; ".join([places[0], *(place[cut:] for place in places[1:])])
    return f"{', '.join(clause.id for clause in clauses)}: {shown}"


def brackets(basis: Basis) -> str:
    """Return the basis of a datum in brackets: clauses and readings by id, and any house rule.

    >>> brackets(Basis(clauses=(Citation("MDC-16", "ch. 6"),), readings=("AMB-11",), silent=True))
    '  [MDC-16, AMB-11; the document is silent]'
    """
    ids = ", ".join([*(clause.id for clause in basis.clauses), *basis.readings])
    parts = [ids] if ids else []
    if basis.silent and basis.house_rule != BY_DEFAULT:
        parts.append("the document is silent")
    if basis.house_rule:
        parts.append("DEFAULT" if basis.house_rule == BY_DEFAULT else f"HOUSE RULE: {basis.house_rule}")
    if basis.illustrative:
        parts.append("ILLUSTRATIVE")
    return f"  [{'; '.join(parts)}]" if parts else ""
