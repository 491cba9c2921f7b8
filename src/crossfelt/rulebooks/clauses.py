"""The clauses: every rule of the five documents, numbered, cited, and stated in our own words.

``law/`` holds one file for each document, ``topics.toml`` (the differences between the jurisdictions),
``readings.toml`` (errors and open points, with the adopted readings) and ``coverage.json`` (the tests that prove
each clause; written by ``tools/write_coverage.py``). Each file is read once, at its first use.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import Meta

from crossfelt.errors import BadInput

CODES: Final = ("NJC", "MAC", "PGP", "DCP", "MDC")
"""The documents, in the order of the catalogue."""

Kind = Literal["enforce", "record", "compute", "display", "physical"]
"""The demand of a clause."""
How = Literal["enforced", "recorded", "computed", "displayed", "physical"]
"""The answer of the software. A program cannot carry out a physical clause; it records what was done."""
Part = Literal["hands", "rulebooks", "games", "progressive", "table", "web"]
"""The part of the software that answers: the package ``crossfelt.<part>``."""
Text = Annotated[str, Meta(min_length=1)]
ClauseId = Annotated[str, Meta(pattern=r"^(NJC|MAC|PGP|DCP|MDC)-[1-9][0-9]*[a-z]?$")]
TopicId = Annotated[str, Meta(pattern=r"^D[1-9][0-9]*[a-z]?$")]
ReadingId = Annotated[str, Meta(pattern=r"^AMB-[1-9][0-9]*[a-z]?$")]


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A regulation, as it names itself."""

    code: Text
    rulebook: Text
    """The id of the document's rulebook."""
    title: Text
    jurisdiction: Text
    authority: Text
    citation: Text
    status: Literal["adopted", "amendment", "proposal", ""]
    dates: Text
    """Dates of adoption and effect, as far as the document states them."""


class Clause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule of a document.

    >>> cut = clauses()["NJC-22"]
    >>> cut.citation, cut.how, cut.part, cut.document.jurisdiction
    ('N.J.A.C. 13:69F-40.5(c)', 'enforced', 'table', 'New Jersey')
    """

    id: ClauseId
    citation: Text
    kind: Annotated[tuple[Kind, ...], Meta(min_length=1)]
    says: Text
    """The rule in our own words; the citation leads to the document's."""
    how: How
    part: Part
    records: str = ""
    """The content of the record, where the rule requires one or a program cannot carry it out."""
    topics: tuple[TopicId, ...] = ()
    readings: tuple[ReadingId, ...] = ()

    @property
    def code(self) -> str:
        return self.id.partition("-")[0]

    @property
    def document(self) -> Document:
        return documents()[self.code]


class Statement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of one document on a topic."""

    says: Text
    clauses: tuple[ClauseId, ...] = ()
    silent: bool = False
    """The document does not settle the point; ``clauses`` are then those that leave it open."""


class Topic(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A point on which the jurisdictions differ."""

    id: TopicId
    title: Text
    rulebooks: Mapping[str, Statement]


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An error, contradiction or gap of the documents, with the reading that applies unless a setting differs.

    >>> readings()["AMB-10"].alternatives
    ('Antes are paid by the table of 12 § A.',)
    """

    id: ReadingId
    group: Text
    """The rulebook of the document with the error or gap; the reading may apply to clauses of others too."""
    about: Text
    reading: Text
    alternatives: tuple[Text, ...] = ()
    """Other readings that can be chosen."""
    clauses: Annotated[tuple[ClauseId, ...], Meta(min_length=1)]
    adopted_as: Literal["read", "suggested"]
    """``read``: the necessary meaning of the words; ``suggested``: a rule that fills a gap."""


class _DocumentFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    document: Document
    clause: tuple[Clause, ...]


@cache
def documents() -> Mapping[str, Document]:
    return MappingProxyType({code: _document_file(code).document for code in CODES})


@cache
def clauses() -> Mapping[str, Clause]:
    """Return every clause, by id, in the order of the documents.

    >>> next(iter(clauses())), clauses()["DCP-16a"].citation
    ('NJC-1', 'N.J.A.C. 19:47-25.7(b)')
    """
    return MappingProxyType({clause.id: clause for code in CODES for clause in clauses_of(code)})


def clauses_of(code: str) -> tuple[Clause, ...]:
    """Return the clauses of one document, in its order.

    >>> [clause.id for clause in clauses_of("PGP")][-2:]
    ['PGP-28', 'PGP-28a']
    >>> clauses_of("NVC")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: no such document: 'NVC' (allowed: NJC, MAC, PGP, DCP, MDC)
    """
    if code not in CODES:
        raise BadInput.at("", "document.unknown", "no such document", code, ", ".join(CODES))
    return _document_file(code).clause


@cache
def topics() -> Mapping[str, Topic]:
    return MappingProxyType({topic.id: topic for topic in _parse("topics.toml", dict[str, tuple[Topic, ...]])["topic"]})


@cache
def readings() -> Mapping[str, Reading]:
    """Return the adopted readings, by id.

    >>> readings()["AMB-11"].reading
    'It is the lowest straight and, in one suit, the lowest straight flush.'
    """
    return MappingProxyType(
        {item.id: item for item in _parse("readings.toml", dict[str, tuple[Reading, ...]])["reading"]}
    )


class Proofs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tests of a clause."""

    behaviour: tuple[str, ...] = ()
    """Tests that look at what the software does or shows. They prove the clause."""
    data: tuple[str, ...] = ()
    """Tests that compare a rulebook's data with the document. They alone prove nothing about the software."""


@cache
def coverage() -> Mapping[str, Proofs]:
    """Return the tests of each clause, as of the last run of ``tools/write_coverage.py``; none for an absent clause."""
    return MappingProxyType(msgspec.json.decode(_read("coverage.json"), type=dict[str, Proofs]))


@cache
def _document_file(code: str) -> _DocumentFile:
    return _parse(f"{code}.toml", _DocumentFile)


_File = TypeVar("_File")


def _parse(name: str, kind: type[_File]) -> _File:
    return msgspec.convert(tomllib.loads(_read(name)), kind)


def _read(name: str) -> str:
    return resources.files("crossfelt.rulebooks").joinpath("law", name).read_text("utf-8")
