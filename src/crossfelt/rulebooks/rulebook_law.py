"""The law behind a rulebook: its document, its clauses and its readings, in the package or in its own file."""

from __future__ import annotations

from collections.abc import Mapping

from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.model import OwnClause, OwnReading, Rulebook


def document_of(book: Rulebook) -> law.Document:
    """Return the document of a rulebook; one of its own has neither code nor status."""
    own = book.document
    if isinstance(own, str):
        return law.documents()[own]
    return law.Document(
        code="",
        rulebook=book.id,
        title=own.title,
        jurisdiction=own.jurisdiction,
        authority=own.authority,
        citation=own.citation,
        status="",
        dates="",
    )


def own_rules(book: Rulebook) -> str:
    """Return the house rule that data of a document of the rulebook's own cite, where they cite no clause."""
    return f"the rules of {book.document.title}" if not isinstance(book.document, str) else ""


def clauses_known(book: Rulebook) -> Mapping[str, law.Clause | OwnClause]:
    """Return every clause that the rulebook may cite, its own first."""
    return {clause.id: clause for clause in book.own_clauses} | dict(law.clauses())


def readings_known(book: Rulebook) -> Mapping[str, law.Reading | OwnReading]:
    """Return every reading that the rulebook may adopt, its own first."""
    return {reading.id: reading for reading in book.own_readings} | dict(law.readings())
