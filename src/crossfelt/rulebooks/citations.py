"""Which clauses a datum rests on, and whether they exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from crossfelt.errors import Problem
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.cited import Cited
from crossfelt.rulebooks.model import Rulebook


def citing_data(book: Rulebook) -> Iterator[tuple[str, Cited]]:
    """Every datum of a rulebook that cites for itself, with its path."""
    return ((path, datum) for path, datum in _tables(book, "") if isinstance(datum, Cited))


def _tables(value: Any, path: str) -> Iterator[tuple[str, msgspec.Struct]]:
    if isinstance(value, msgspec.Struct):
        yield path, value
        for name, key in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True):
            yield from _tables(getattr(value, name), f"{path}.{key}" if path else key)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _tables(item, f"{path}.{key}")
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            label = getattr(item, "id", None) or getattr(item, "path", None) or place
            yield from _tables(item, f"{path}[{label}]")


def citation_problems(book: Rulebook) -> Iterator[Problem]:
    """Clauses, readings and topics that do not exist, and data that cite nothing."""
    known = {clause.id for clause in book.own_clauses} | set(law.clauses())
    for path, table in _tables(book, ""):
        for clause in _named(table, CLAUSES):
            if clause not in known:
                yield Problem(code="citation.clause", where=path, what="no such clause", value=clause)
        for reading in _named(table, READINGS):
            if reading not in law.readings():
                yield Problem(code="citation.reading", where=path, what="no such reading", value=reading)
        if isinstance(table, Cited):
            yield from _uncited(table, path)


CLAUSES = ("clauses", "settled_by")
READINGS = ("readings", "settled_readings", "push_readings")


def _named(table: msgspec.Struct, fields: tuple[str, ...]) -> list[str]:
    return [name for field in fields for name in getattr(table, field, ())]


def _uncited(datum: Cited, path: str) -> Iterator[Problem]:
    if datum.topic and datum.topic not in law.topics():
        yield Problem(code="citation.topic", where=path, what="no such topic", value=datum.topic)
    if not (datum.clauses or datum.readings or datum.house_rule) and not _inherits(path):
        what = "cites neither a clause nor a reading nor a house rule"
        yield Problem(code="citation.missing", where=path, what=what)


def _inherits(path: str) -> bool:
    """Whether an enclosing table cites: deliveries and opening steps may leave it to their step."""
    return path == "opening" or ".deliver[" in path


def citation_text(datum: Cited) -> str:
    """Citations in one line, for people.

    >>> from crossfelt.rulebooks.cited import Cited
    >>> citation_text(Cited(clauses=("MDC-38",), readings=("AMB-10",)))
    'MDC-38, AMB-10'
    """
    parts = [*datum.clauses, *datum.readings]
    if datum.house_rule:
        parts.append(f"house rule: {datum.house_rule}")
    return ", ".join(parts)
