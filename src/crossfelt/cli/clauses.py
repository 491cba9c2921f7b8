"""`crossfelt clauses`: each clause, how it is carried out, and by which tests that is proved."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Annotated, Final

import msgspec
import typer

from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.clauses import (
    Clause,
    Reading,
    Topic,
    clauses,
    clauses_of,
    coverage,
    documents,
    readings,
    topics,
)

_LABEL_WIDTH: Final = 10
_NOT_PROVED: Final = "no proof yet"


class ClauseRow(msgspec.Struct, frozen=True, kw_only=True):
    """What `crossfelt clauses --json` prints of each clause."""

    id: str
    citation: str
    how: str
    tests: tuple[str, ...]
    document: str
    says: str
    kind: tuple[str, ...]
    part: str
    status: str
    """``proved``, ``no proof yet``, or ``no proof yet: <part> is not built``."""
    records: str
    topics: tuple[str, ...]
    readings: tuple[str, ...]


def clauses_command(
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="ID", help="A rulebook (nj-criss-cross), a document (NJC) or one clause (NJC-41)."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
    missing: Annotated[bool, typer.Option("--missing", help="Only clauses that no test proves.")] = False,
) -> None:
    """List the clauses of the law: how each is carried out, and which tests prove it."""
    try:
        chosen = select(which)
    except BadInput as bad:
        typer.echo(str(bad), err=True)
        raise typer.Exit(2) from None
    rows = [row for row in map(row_of, chosen) if not (missing and row.tests)]
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(rows), indent=2).decode())
    elif rows and len(chosen) == 1:
        typer.echo("\n".join(describe(chosen[0])))
    else:
        _print_list(rows)
        typer.echo("\n".join(["", *summary(rows)]))


def select(which: str | None) -> tuple[Clause, ...]:
    """The clauses meant by a rulebook, a document code, a clause id, or nothing at all. Case does not matter.

    >>> len(select(None)), len(select("md-criss-cross")), len(select("MDC")), select("mdc-20A")[0].id
    (238, 58, 58, 'MDC-20a')
    >>> select("NJC-99")
    Traceback (most recent call last):
    crossfelt.problems.BadInput: no such clause: 'NJC-99' (allowed: NJC-1 to NJC-62a)
    """
    if which is None:
        return tuple(clauses().values())
    wanted = which.casefold()
    for document in documents().values():
        if wanted in (document.code.casefold(), document.rulebook):
            return clauses_of(document.code)
    for clause in clauses().values():
        if wanted == clause.id.casefold():
            return (clause,)
    raise BadInput(_unknown(which))


def _unknown(which: str) -> Problem:
    code = which.partition("-")[0].upper()
    if code in documents():
        first, *_, last = clauses_of(code)
        allowed = f"{first.id} to {last.id}"
    else:
        books = ", ".join(document.rulebook for document in documents().values())
        allowed = f"a rulebook: {books}; a document: {', '.join(documents())}; a clause, such as NJC-41"
    return Problem(code="clause.unknown", what="no such clause", value=which, allowed=allowed)


def row_of(clause: Clause) -> ClauseRow:
    """A clause with its proofs.

    >>> row_of(clauses()["NJC-6"]).how
    'physical'
    """
    tests = coverage().get(clause.id, ())
    return ClauseRow(
        id=clause.id,
        citation=clause.citation,
        how=clause.how,
        tests=tests,
        document=clause.code,
        says=clause.says,
        kind=clause.kind,
        part=clause.part,
        status="proved" if tests else _why_unproved(clause),
        records=clause.records,
        topics=clause.topics,
        readings=clause.readings,
    )


def _why_unproved(clause: Clause) -> str:
    return _NOT_PROVED if _is_built(clause.part) else f"{_NOT_PROVED}: {clause.part} is not built"


@cache
def _is_built(part: str) -> bool:
    return find_spec(f"crossfelt.{part}") is not None


def _proof(row: ClauseRow) -> str:
    if not row.tests:
        return row.status
    return f"{len(row.tests)} test{'s' if len(row.tests) > 1 else ''}"


def summary(rows: Sequence[ClauseRow]) -> list[str]:
    """How many clauses there are, by how they are carried out and by whether a test proves them.

    >>> summary([row_of(clauses()["NJC-6"])])[0]
    '1 clause: 1 physical'
    """
    by_how = Counter(row.how for row in rows)
    proved = sum(bool(row.tests) for row in rows)
    counts = ", ".join(f"{number} {how}" for how, number in by_how.most_common())
    total = f"{len(rows)} clause{'' if len(rows) == 1 else 's'}"
    return [
        f"{total}: {counts}" if rows else total,
        f"{proved} proved by tests, {len(rows) - proved} not yet",
    ]


def _print_list(rows: Sequence[ClauseRow]) -> None:
    if sys.stdout.isatty():
        _print_table(rows)
        return
    cells = [(row.id, row.citation, row.how, _proof(row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for cell in cells:
        padded = (text.ljust(width) for text, width in zip(cell, widths, strict=True))
        typer.echo("  ".join(padded).rstrip())


def _print_table(rows: Sequence[ClauseRow]) -> None:
    # rich takes a while to import; left alone it still prints bold and dim under NO_COLOR
    from rich.console import Console
    from rich.table import Table

    table = Table("clause", "citation", "how", "proof", box=None, header_style="bold", pad_edge=False)
    for row in rows:
        table.add_row(row.id, row.citation, row.how, _proof(row), style=None if row.tests else "dim")
    Console(color_system=None if os.environ.get("NO_COLOR") else "auto").print(table)


def describe(clause: Clause) -> Iterator[str]:
    """Everything about one clause, line by line.

    >>> next(describe(clauses()["MAC-45"]))
    'MAC-45  Mass. Rules of the Game, Criss-Cross Poker § 12(d)'
    """
    row, document = row_of(clause), clause.document
    yield f"{clause.id}  {clause.citation}"
    yield from _field("says", clause.says)
    yield from _field("document", f"{document.jurisdiction}: {document.title} ({document.authority})")
    yield from _field("status", f"{document.status}; dates: {document.dates}")
    yield from _field("kind", ", ".join(clause.kind))
    yield from _field("how", f"{clause.how}, by {clause.part}")
    if clause.records:
        yield from _field("records", clause.records)
    for topic in clause.topics:
        yield from _describe_topic(topics()[topic])
    for reading in clause.readings:
        yield from _describe_reading(readings()[reading])
    yield from _field("tests", _proof(row))
    yield from (f"{'':{_LABEL_WIDTH + 2}}{test}" for test in row.tests)


def _describe_topic(topic: Topic) -> Iterator[str]:
    yield from _field(topic.id, topic.title)
    for rulebook, statement in topic.rulebooks.items():
        cited = f" ({', '.join(statement.clauses)})" if statement.clauses else ""
        yield from _field("", f"{rulebook}: {statement.says}{cited}", hanging=2)


def _describe_reading(reading: Reading) -> Iterator[str]:
    yield from _field(reading.id, reading.about)
    yield from _field("", f"{reading.adopted_as}: {reading.reading}", hanging=2)
    for alternative in reading.alternatives:
        yield from _field("", f"or: {alternative}", hanging=2)


def _field(label: str, text: str, *, hanging: int = 0) -> list[str]:
    margin = " " * (_LABEL_WIDTH + 2)
    width = min(shutil.get_terminal_size((100, 24)).columns, 110)
    first = f"  {label:{_LABEL_WIDTH}}"
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=margin + " " * hanging, break_on_hyphens=False
    )
