"""The differences between two rulebooks: every datum, both citations, and what fills a gap.

Items are paired by their keys (a wager or step by its id, a choice by its path). Each jurisdiction letters its
wheels differently, so wheels are also paired by stake and top prize.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.loader import content_hash
from crossfelt.rulebooks.model import Rulebook, Wheel
from crossfelt.rulebooks.render.flatten import Basis, Citation, Fact, Item, by_section, flatten
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.rulebooks.rulebook_law import clauses_known, document_of

SECTIONS: Final[Mapping[str, str]] = {
    "table": "The table and the deck",
    "lines": "Hands",
    "wagers": "Wagers",
    "pays": "Pay tables",
    "wheels": "Wheels",
    "meters": "Meters",
    "limits": "Payout limits",
    "settings": "Other settings",
    "irregularities": "Irregularities",
    "opening": "Opening the table",
    "script": "The round",
    "requirements": "Requirements on a submission",
    "choices": "Choices of the operator",
}
"""The parts of a rulebook, in the order of a comparison."""

ORDERED: Final = ("wagers", "opening", "script")
"""Sections in which the order matters."""


class NamedReading(msgspec.Struct, frozen=True):
    """An adopted reading, in words."""

    id: str
    reading: str


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """The datum of one rulebook and its basis."""

    value: Any
    says: str
    clauses: tuple[Citation, ...]
    readings: tuple[NamedReading, ...]
    house_rule: str
    silent: bool
    illustrative: bool


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One datum that differs; a side is None where its rulebook has no such item."""

    section: str
    topic: str
    thing: str
    """The key of its item: wager, wheel, step …"""
    key: str
    title: str
    label: str
    """The field, where both rulebooks have the item; empty where the whole item differs."""
    a: Side | None
    b: Side | None


class TopicStatement(msgspec.Struct, frozen=True, kw_only=True):
    """The content of one document on a topic, in our words."""

    says: str
    clauses: tuple[Citation, ...]
    silent: bool


class TopicNote(msgspec.Struct, frozen=True, kw_only=True):
    """A topic on which the two documents differ."""

    id: str
    title: str
    a: TopicStatement | None
    b: TopicStatement | None


class ComparedRulebook(msgspec.Struct, frozen=True, kw_only=True):
    """The identity of a compared rulebook."""

    id: str
    version: str
    title: str
    document: str
    hash: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    a: ComparedRulebook
    b: ComparedRulebook
    topics: tuple[TopicNote, ...]
    differences: tuple[Difference, ...]
    equal: int
    """The number of equal data."""


def compare(a: Rulebook, b: Rulebook) -> Comparison:
    """Compare two rulebooks and return every difference, in the order of the sections.

    >>> from crossfelt.rulebooks.loader import load
    >>> found = compare(load("nj-criss-cross"), load("md-criss-cross"))
    >>> cut = next(each for each in found.differences if each.key == "settings.cut_method")
    >>> cut.topic, cut.a.clauses[0].citation, cut.b.clauses[0].id
    ('D7', 'N.J.A.C. 13:69F-40.5(c)', 'MDC-13')
    """
    items = [by_section(flatten(book)) for book in (a, b)]
    differences: list[Difference] = []
    equal = 0
    for section in SECTIONS:
        mine, theirs = (found.get(section, []) for found in items)
        for left, right in _pairs(mine, theirs):
            found, same = _compare_items(left, right)
            differences += found
            equal += same
        if section in ORDERED:
            differences += _order(section, f"{section}.order", SECTIONS[section], mine, theirs)
    differing = {each.topic for each in differences}
    topics = tuple(_topic_notes(a, b, differing)) if a.document != b.document else ()
    return Comparison(a=_compared(a), b=_compared(b), topics=topics, differences=tuple(differences), equal=equal)


def _compared(book: Rulebook) -> ComparedRulebook:
    document = document_of(book).code or document_of(book).title
    return ComparedRulebook(**shared_fields(book, ComparedRulebook) | {"document": document}, hash=content_hash(book))


# --- pairing --------------------------------------------------------------------------------------------


def _pairs(mine: Sequence[Item], theirs: Sequence[Item]) -> Iterator[tuple[Item | None, Item | None]]:
    """Pair items with the same key and matching wheels; an item of one rulebook only has None beside it."""
    others = {item.key: item for item in theirs}
    keys = {item.key for item in mine}
    alone = [item for item in mine if item.key not in others]
    new = [item for item in theirs if item.key not in keys]
    like = [(left, right) for left in alone for right in new if _same_wheel(left.source, right.source)]
    # A wheel may have two partners: each pair has the first match of one of the two.
    first = {right.key: left for left, right in reversed(like)}, {left.key: right for left, right in reversed(like)}
    alike = [(left, right) for left, right in like if first[0][right.key] is left or first[1][left.key] is right]
    for item in mine:
        if item.key in others:
            yield item, others[item.key]
        else:
            partners: list[Item | None] = [right for left, right in alike if left is item]
            yield from ((item, partner) for partner in partners or [None])
    paired = {right.key for _, right in alike}
    yield from ((None, item) for item in new if item.key not in paired)


def _same_wheel(a: Any, b: Any) -> bool:
    """Say if two wheels do the same under different letters."""
    if not (isinstance(a, Wheel) and isinstance(b, Wheel)):
        return False
    tops = {a.top, b.top}
    same_top = len(tops) == 1 or ("either" in tops and "none" not in tops)
    return (a.wager, a.ring, a.stake_cents) == (b.wager, b.ring, b.stake_cents) and same_top


# --- comparing ------------------------------------------------------------------------------------------


def _compare_items(a: Item | None, b: Item | None) -> tuple[list[Difference], int]:
    """Return the differences between two items, and the number of their equal data."""
    if a is None or b is None:
        return [_difference(a, b)], 0
    theirs = {fact.name: fact for fact in b.facts}
    mine = {fact.name: fact for fact in a.facts}
    names = list(dict.fromkeys((*mine, *theirs)))
    found = [
        _difference(a, b, mine.get(name), theirs.get(name))
        for name in names
        if name not in mine or name not in theirs or mine[name].value != theirs[name].value
    ]
    found += _order(a.section, f"{a.key}.order", a.title, a.facts, b.facts) if a.section == "pays" else []
    flags = [(item.basis.silent, item.basis.illustrative) for item in (a, b)]
    if flags[0] != flags[1] and not found:
        return [_difference(a, b)], len(names) - 1
    return found, len(names) - len(found)


def _difference(a: Item | None, b: Item | None, mine: Fact | None = None, theirs: Fact | None = None) -> Difference:
    item = a or b
    assert item is not None
    fact = mine or theirs
    if mine and theirs and mine.says == theirs.says:
        mine, theirs = _plainly(mine), _plainly(theirs)
    key = item.key if a is None or b is None or a.key == b.key else f"{a.key} | {b.key}"
    return Difference(
        section=item.section,
        topic=item.topic or (b.topic if b else ""),
        thing=key,
        key=f"{key}.{fact.name}" if fact and fact.label else key,
        title=item.title,
        label=fact.label if fact else "",
        a=_side(mine if fact else a),
        b=_side(theirs if fact else b),
    )


def _plainly(fact: Fact) -> Fact:
    """Add the value to a fact whose words equal those of the other side."""
    return msgspec.structs.replace(fact, says=f"{fact.says} ({msgspec.json.encode(fact.value).decode()})")


def _side(thing: Fact | Item | None) -> Side | None:
    if thing is None:
        return None
    value = thing.value if isinstance(thing, Fact) else {fact.name: fact.value for fact in thing.facts}
    return _side_of(value, thing.says, thing.basis)


def _side_of(value: Any, says: str, basis: Basis) -> Side:
    known = {name: reading.reading for name, reading in law.readings().items()}
    readings = tuple(NamedReading(name, known.get(name, "a reading of the rulebook's own")) for name in basis.readings)
    return Side(value=value, says=says, **{**msgspec.structs.asdict(basis), "readings": readings})


def _order(
    section: str, key: str, title: str, mine: Sequence[Item | Fact], theirs: Sequence[Item | Fact]
) -> list[Difference]:
    """Compare the order of the items that both have, without the equal ones before and after the change."""
    here, there = ({_name(thing): thing for thing in things} for things in (mine, theirs))
    left = [thing for name, thing in here.items() if name in there]
    right = [thing for name, thing in there.items() if name in here]
    same = [_name(x) == _name(y) for x, y in zip(left, right, strict=True)]
    if all(same):
        return []
    moved = slice(same.index(False), len(same) - same[::-1].index(False))
    topics = {thing.topic if isinstance(thing, Item) else "" for thing in left[moved]}
    return [
        Difference(
            section=section,
            topic=topics.pop() if len(topics) == 1 else "",
            thing=key,
            key=key,
            title=title,
            label="Order",
            a=_sequence(left[moved]),
            b=_sequence(right[moved]),
        )
    ]


def _name(thing: Item | Fact) -> str:
    return thing.key if isinstance(thing, Item) else thing.name


def _sequence(things: Sequence[Item | Fact]) -> Side:
    names = [_name(thing).rpartition(".")[2] for thing in things]
    clauses = tuple(dict.fromkeys(clause for thing in things for clause in thing.basis.clauses))
    return _side_of(names, " → ".join(map(as_words, names)), Basis(clauses=clauses))


# --- topics ---------------------------------------------------------------------------------------------


def _topic_notes(a: Rulebook, b: Rulebook, differing: Collection[str]) -> Iterator[TopicNote]:
    """Yield the topics on which the documents differ, or on which data differ if only one document has a note."""
    titles = {topic.id: topic.title or topic.id for topic in (*a.own_topics, *b.own_topics)}
    titles |= {topic.id: topic.title for topic in law.topics().values()}
    for topic, title in titles.items():
        mine, theirs = _statement(a, topic), _statement(b, topic)
        differs = mine.says != theirs.says if mine and theirs else topic in differing
        if (mine or theirs) and differs:
            yield TopicNote(id=topic, title=title, a=mine, b=theirs)


def _statement(book: Rulebook, topic: str) -> TopicStatement | None:
    """Return what the document of a rulebook says on a topic; a copy of a shipped rulebook has the same document."""
    known = clauses_known(book)
    own = next((said for said in book.own_topics if said.id == topic), None)
    shipped = law.topics()[topic].rulebooks.get(document_of(book).rulebook) if topic in law.topics() else None
    said = own or shipped
    if said is None:
        return None
    cited = tuple(Citation(clause, known[clause].citation) for clause in said.clauses)
    return TopicStatement(says=said.says, clauses=cited, silent=shipped is not None and shipped.silent)
