"""`crossfelt clauses`: list each clause, its implementation and the tests that prove it."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Final

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.cli.options import AsJson, argument, flag
from crossfelt.cli.output import data, data_as_json
from crossfelt.errors import BadInput
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.model import OwnClause
from crossfelt.rulebooks.rulebook_law import document_of
from crossfelt.text_layout import WIDTH, columns

_LABEL_WIDTH: Final = 10
WIDEST: Final = 110
_PROVED: Final = "proved"
_DATA_ONLY: Final = "data only"
_NOT_PROVED: Final = "no proof yet"
_OWN: Final = "no proof: a clause of your own"

AnyClause = law.Clause | OwnClause


class ClauseRow(msgspec.Struct, frozen=True, kw_only=True):
    """One clause in `crossfelt clauses --json`."""

    id: str
    citation: str
    how: str = "cited"
    tests: tuple[str, ...] = ()
    """Tests that look at what the software does or shows."""
    data_tests: tuple[str, ...] = ()
    """Tests that compare the rulebook's data with the document; they alone prove nothing."""
    document: str
    says: str
    kind: tuple[str, ...] = ()
    part: str = ""
    status: str = _OWN
    """``proved``, ``data only``, ``no proof yet``, or ``no proof: a clause of your own``."""
    records: str = ""
    topics: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


def clauses_command(
    which: Annotated[str | None, argument("ID", "Rulebook (id or file), document (NJC) or clause (NJC-41).")] = None,
    clause: Annotated[str | None, argument("CLAUSE", "One clause of that rulebook.")] = None,
    as_json: AsJson = False,
    missing: Annotated[
        bool, flag("--missing", "Show only clauses that no test of the software's behaviour proves.")
    ] = False,
) -> None:
    """List the clauses of each regulation, how each is implemented, and the tests that prove it."""
    chosen = select(which, clause)
    rows = [row for row in map(row_of, chosen) if not (missing and row.status == _PROVED)]
    if as_json:
        data_as_json(rows)
    elif rows and len(chosen) == 1:
        data(describe(chosen[0]))
    else:
        if sys.stdout.isatty():
            _print_table(rows)
        elif rows:
            data(columns((row.id, row.citation, row.how, _proof(row)) for row in rows))
        data(["", *summary(rows)])


def select(which: str | None, clause: str | None = None) -> tuple[AnyClause, ...]:
    """Find the clauses of a rulebook, a document code or a clause id, ignoring case; all clauses without one.

    The own clauses of a rulebook file come before those of its document.

    >>> len(select("md-criss-cross")), len(select("MDC")), select("mdc-20A")[0].id
    (58, 58, 'MDC-20a')
    >>> select("NJC-99")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: unknown clause: 'NJC-99' (allowed: NJC-1 to NJC-62a)
    """
    found = _all_of(which)
    if clause is None:
        return found
    one = tuple(each for each in found if each.id.casefold() == clause.casefold())
    if not one:
        raise _unknown(clause, f"those of {which}: {', '.join(each.id for each in found) or 'none'}")
    return one


def _all_of(which: str | None) -> tuple[AnyClause, ...]:
    if which is None:
        return tuple(law.clauses().values())
    if which.endswith((".toml", ".json")):
        book = loader.load(which)
        document = document_of(book)
        return (*book.own_clauses, *(law.clauses_of(document.code) if document.code else ()))
    wanted = which.casefold()
    for document in law.documents().values():
        if wanted in (document.code.casefold(), document.rulebook):
            return law.clauses_of(document.code)
    for clause in law.clauses().values():
        if wanted == clause.id.casefold():
            return (clause,)
    raise _unknown(which, _known(which))


def _known(which: str) -> str:
    code = which.partition("-")[0].upper()
    if code in law.documents():
        first, *_, last = law.clauses_of(code)
        return f"{first.id} to {last.id}"
    books = ", ".join(document.rulebook for document in law.documents().values())
    return (
        f"a rulebook: {books}, or the path of a .toml or .json file; a document: {', '.join(law.documents())}; "
        "a clause, such as NJC-41"
    )


def _unknown(which: str, allowed: str) -> BadInput:
    return BadInput.at("", "clause.unknown", "unknown clause", which, allowed)


def row_of(clause: AnyClause) -> ClauseRow:
    """Describe a clause with the tests that prove it."""
    own = ClauseRow(id=clause.id, citation=clause.citation, document=clause.id.partition("-")[0], says=clause.says)
    if isinstance(clause, OwnClause):
        return own
    proofs = law.coverage().get(clause.id, law.Proofs())
    found = {**shared_fields(clause, ClauseRow), "document": own.document, "status": _status(proofs)}
    return ClauseRow(tests=proofs.behaviour, data_tests=proofs.data, **found)


def _status(proofs: law.Proofs) -> str:
    if proofs.behaviour:
        return _PROVED
    return _DATA_ONLY if proofs.data else _NOT_PROVED


def _proof(row: ClauseRow) -> str:
    if row.status != _PROVED:
        return row.status
    return f"{len(row.tests)} test{'s' if len(row.tests) > 1 else ''}"


def summary(rows: Sequence[ClauseRow]) -> list[str]:
    """Count clauses by implementation and by their proofs."""
    by_how = Counter(row.how for row in rows)
    proved = sum(row.status == _PROVED for row in rows)
    counts = ", ".join(f"{number} {how}" for how, number in by_how.most_common())
    total = f"{len(rows)} clause{'' if len(rows) == 1 else 's'}"
    data_only = sum(row.status == _DATA_ONLY for row in rows)
    by_data = f", {data_only} by data only" if data_only else ""
    return [
        f"{total}: {counts}" if rows else total,
        f"{proved} proved by tests{by_data}, {len(rows) - proved - data_only} not yet",
    ]


def _print_table(rows: Sequence[ClauseRow]) -> None:
    # Imported here because rich is slow to load. Without `color_system=None` it prints bold and dim under NO_COLOR.
    from rich.console import Console
    from rich.table import Table

    table = Table("clause", "citation", "how", "proof", box=None, header_style="bold", pad_edge=False)
    for row in rows:
        table.add_row(row.id, row.citation, row.how, _proof(row), style=None if row.status == _PROVED else "dim")
    Console(color_system=None if os.environ.get("NO_COLOR") else "auto").print(table)


def describe(clause: AnyClause) -> Iterator[str]:
    row = row_of(clause)
    yield f"{clause.id}  {clause.citation}"
    yield from _field("says", clause.says)
    if isinstance(clause, OwnClause):
        yield from _field("how", row.how)
    else:
        yield from _describe_law(clause)
    yield from _field("tests", _proof(row))
    yield from (f"{'':{_LABEL_WIDTH + 2}}{test}" for test in (*row.tests, *row.data_tests))


def _describe_law(clause: law.Clause) -> Iterator[str]:
    document = clause.document
    yield from _field("document", f"{document.jurisdiction}: {document.title} ({document.authority})")
    yield from _field("status", f"{document.status}; dates: {document.dates}")
    yield from _field("kind", ", ".join(clause.kind))
    yield from _field("how", f"{clause.how}, by {clause.part}")
    if clause.records:
        yield from _field("records", clause.records)
    for topic in clause.topics:
        yield from _describe_topic(law.topics()[topic])
    for reading in clause.readings:
        yield from _describe_reading(law.readings()[reading])


def _describe_topic(topic: law.Topic) -> Iterator[str]:
    yield from _field(topic.id, topic.title)
    for rulebook, statement in topic.rulebooks.items():
        cited = f" ({', '.join(statement.clauses)})" if statement.clauses else ""
        yield from _field("", f"{rulebook}: {statement.says}{cited}", hanging=2)


def _describe_reading(reading: law.Reading) -> Iterator[str]:
    yield from _field(reading.id, reading.about)
    yield from _field("", f"{reading.adopted_as}: {reading.reading}", hanging=2)
    for alternative in reading.alternatives:
        yield from _field("", f"or: {alternative}", hanging=2)


def _field(label: str, text: str, *, hanging: int = 0) -> list[str]:
    margin = " " * (_LABEL_WIDTH + 2)
    width = min(shutil.get_terminal_size().columns, WIDEST) if sys.stdout.isatty() else WIDTH
    first = f"  {label:{_LABEL_WIDTH}}"
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=margin + " " * hanging, break_on_hyphens=False
    )
