"""Citations: the basis of each datum of a rulebook, and the check that every citation exists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from crossfelt.errors import Problem, Value, basis_text
from crossfelt.rulebooks import clauses as law

if TYPE_CHECKING:
    from crossfelt.rulebooks.model import Rulebook

Name = Annotated[
    str, Meta(pattern=r"^[a-z][a-z0-9_]*$", extra={"words": "a name of small letters, digits and underscores"})
]
Text = Annotated[str, Meta(min_length=1)]


class Cited(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The clauses of the document, the adopted readings of its gaps, or the house rule that fills them."""

    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    """Adopted readings of the points that the document leaves open (``AMB-10``)."""
    house_rule: str = ""
    """The source of the rule where no document has it."""
    illustrative: bool = False
    """A placeholder that makes the wager playable; the sources print no value."""
    topic: str = ""
    """The row of the difference matrix this datum fills (``D13``)."""

    @property
    def basis(self) -> str:
        """Clauses, readings and house rule in one line."""
        return basis_text(self.clauses, self.readings, self.house_rule)

    def problem(self, where: str, code: str, what: str, value: Value = None, allowed: str = "") -> Problem:
        """Make a problem that cites this datum."""
        return Problem(
            code=code,
            where=where,
            what=what,
            value=value,
            allowed=allowed,
            clauses=self.clauses,
            readings=self.readings,
            house_rule=self.house_rule,
        )


def data_of(value: Any, path: str = "") -> Iterator[tuple[str, msgspec.Struct]]:
    """Yield every table of a rulebook with its path."""
    if isinstance(value, msgspec.Struct):
        yield path, value
        for name, key in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True):
            yield from data_of(getattr(value, name), f"{path}.{key}" if path else key)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from data_of(item, f"{path}.{key}")
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            label = getattr(item, "id", None) or getattr(item, "path", None)
            yield from data_of(item, f"{path} ({label})" if label else f"{path}[{place}]")


def citation_problems(book: Rulebook) -> Iterator[Problem]:
    """Report clauses, readings and topics that do not exist, and data without a citation."""
    in_package = book.document in law.CODES
    clauses = {clause.id for clause in book.own_clauses} | (set(law.clauses()) if in_package else set())
    readings = {reading.id for reading in book.own_readings} | (set(law.readings()) if in_package else set())
    topics = {topic.id for topic in book.own_topics} | set(law.topics())
    for path, table in data_of(book):
        cited = [("clause", name, clauses, law.clauses()) for name in getattr(table, "clauses", ())]
        read = [name for field in ("readings", "tie_readings") for name in getattr(table, field, ())]
        for kind, name, known, shipped in (*cited, *(("reading", name, readings, law.readings()) for name in read)):
            if name not in known:
                what = OF_ANOTHER if name in shipped else f"no such {kind}"
                yield Problem.at(path, f"citation.{kind}", what, name, "" if in_package else known)
        if isinstance(table, Cited):
            if table.topic and table.topic not in topics:
                yield Problem.at(path, "citation.topic", "no such topic", table.topic)
            if in_package and not table.basis and not inherits(path):
                yield Problem.at(path, "citation.missing", "cites neither a clause nor a reading nor a house rule")


OF_ANOTHER = "is of another document, and this rulebook has a document of its own"


def inherits(path: str) -> bool:
    """Say if an enclosing table may cite instead: that of a delivery, of a rule of settlement, of a mark."""
    return path in ("opening", "") or any(part in path for part in (".deliver[", ".settle[", ".marks.", ".actions["))
