"""Clauses and adopted readings for a screen: citation, our own words, other documents, and the tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.errors import BadInput
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.model import OwnClause


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """The rule of another document on the same topic."""

    jurisdiction: str
    rulebook: str
    topic: str
    says: str
    clauses: tuple[str, ...]


class ClauseText(msgspec.Struct, frozen=True, kw_only=True):
    """A clause, or an adopted reading."""

    id: str
    citation: str
    says: str
    document: str
    jurisdiction: str
    elsewhere: tuple[Elsewhere, ...] = ()
    readings: tuple[str, ...] = ()
    """The readings of a clause; the other possible readings of a reading."""
    tests: tuple[str, ...] = ()
    """Tests that look at what the software does or shows. They prove the clause."""
    data_tests: tuple[str, ...] = ()
    """Tests that compare a rulebook's data with the document."""


def clause_text(name: str, own: Iterable[OwnClause] = ()) -> ClauseText:
    """Return a clause, a reading, or a rulebook's own clause; raise `BadInput` where there is none.

    >>> cut = clause_text("NJC-22")
    >>> cut.citation, cut.jurisdiction, bool(cut.tests)
    ('N.J.A.C. 13:69F-40.5(c)', 'New Jersey', True)
    >>> clause_text("AMB-11").citation
    'MDC-16'
    """
    stated = next((clause for clause in own if clause.id == name), None)
    if stated is not None:
        return ClauseText(**shared_fields(stated, ClauseText), document="", jurisdiction="")
    if (reading := law.readings().get(name)) is not None:
        return ClauseText(
            id=name,
            citation=", ".join(reading.clauses),
            says=f"{reading.about} {reading.reading}",
            document=reading.group,
            jurisdiction="",
            readings=reading.alternatives,
        )
    found = law.clauses().get(name)
    if found is None:
        raise BadInput.at("clause", "clause.unknown", "there is no clause with this id", name)
    proofs = law.coverage().get(name, law.Proofs())
    return ClauseText(
        **shared_fields(found, ClauseText) | {"document": found.document.title},
        jurisdiction=found.document.jurisdiction,
        elsewhere=tuple(_elsewhere(found)),
        tests=proofs.behaviour,
        data_tests=proofs.data,
    )


def _elsewhere(clause: law.Clause) -> Iterator[Elsewhere]:
    documents = {document.rulebook: document for document in law.documents().values()}
    for topic in clause.topics:
        for rulebook, statement in law.topics()[topic].rulebooks.items():
            if rulebook != clause.document.rulebook:
                yield Elsewhere(
                    jurisdiction=documents[rulebook].jurisdiction,
                    rulebook=rulebook,
                    topic=law.topics()[topic].title,
                    says=statement.says,
                    clauses=statement.clauses,
                )
