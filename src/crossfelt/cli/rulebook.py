"""`crossfelt rulebook`: list the rulebooks, show one, compare two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import typer

from crossfelt.cli.output import data, data_as_json, heading, message, messages
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks import checking, loading
from crossfelt.rulebooks.clauses import clauses_of, documents
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.typesetting import columns

if TYPE_CHECKING:
    from crossfelt.rulebooks.showing import Section

app = typer.Typer(
    help="Rulebooks: list them, show one, compare two.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Which = Annotated[str, typer.Argument(metavar="ID", help="A rulebook's id, or the path of a .toml or .json file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
RETURNS: Final = "returns"
SHORT_HASH: Final = 12
HINTS: Final = (
    "crossfelt rulebook show md-criss-cross --section pays    what a hand pays in Maryland",
    "crossfelt rulebook diff nj-criss-cross md-criss-cross    what two regulations do differently",
    'crossfelt hand "Ks Kd 9c 9h 2s" --game nj-criss-cross    name a hand and see what it pays',
)


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What `crossfelt rulebook list --json` prints of each rulebook."""

    id: str
    title: str
    jurisdiction: str
    game: str
    version: str
    hash: str
    wagers: int
    clauses: int


@app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """List the rulebooks that come with Crossfelt."""
    rows = [_row(loading.load(name)) for name in loading.rulebook_ids()]
    if as_json:
        data_as_json(rows)
        return
    message("Casino table games, each as its regulation has it:\n")
    data(_listing(rows))
    message("\nPlay money only. Try next:")
    for hint in HINTS:
        message(f"  {hint}")


def _row(book: Rulebook) -> Row:
    document = documents().get(book.document)
    return Row(
        id=book.id,
        title=book.title,
        jurisdiction=document.jurisdiction if document else "",
        game=book.game,
        version=book.version,
        hash=loading.content_hash(book),
        wagers=len(book.wagers),
        clauses=len(clauses_of(document.code)) if document else len(book.own_clauses),
    )


def _listing(rows: Sequence[Row]) -> Iterator[str]:
    cells = [("rulebook", "title", "version", "hash", "wagers", "clauses")]
    cells += [
        (row.id, row.title, row.version, row.hash[:SHORT_HASH], str(row.wagers), str(row.clauses)) for row in rows
    ]
    first, *others = columns(cells, right=[4, 5])
    yield heading(first)
    yield from others


@app.command("show")
def show_command(
    which: Which,
    section: Annotated[
        str | None, typer.Option("--section", metavar="NAME", help="One part only: pays, wagers, round, …")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a rulebook: every rule, with the clause it rests on."""
    from crossfelt.rulebooks.showing import show

    if as_json and section is not None:
        what, allowed = "not together with --json, which prints the whole rulebook", "one of the two"
        raise BadInput(Problem(code="section.json", where="--section", what=what, value=section, allowed=allowed))
    book = load(which)
    if as_json:
        data_as_json(loading.as_data(book))
        return
    sections = (*show(book), *_returns(book, asked=section == RETURNS))
    if section is not None:
        known = [part.id for part in sections]
        if section not in known:
            what, allowed = f"no such section of {book.id}", ", ".join(known)
            raise BadInput(Problem(code="section.unknown", what=what, value=section, allowed=allowed))
        sections = tuple(part for part in sections if part.id == section)
    parts = [[heading(part.title), *part.lines] for part in sections]
    data("\n\n".join("\n".join(lines) for lines in parts))


def _returns(book: Rulebook, *, asked: bool) -> Iterator[Section]:
    """What wagers with a wheel or a meter return by default; a census of hands is taken only when asked for."""
    from crossfelt.cli.returns_text import progressive_lines, return_lines
    from crossfelt.rulebooks.game import compile_game
    from crossfelt.rulebooks.showing import Section

    game = compile_game(book)
    lines = tuple(return_lines(game)) + (tuple(progressive_lines(game)) if asked else ())
    if lines:
        yield Section(id=RETURNS, title="Returns at the default weights and meters", lines=lines)


@app.command("diff")
def diff_command(
    a: Annotated[str, typer.Argument(metavar="A", help="A rulebook's id or file.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    as_json: AsJson = False,
) -> None:
    """Compare two rulebooks: every difference, with both citations and what fills a silence."""
    from crossfelt.cli.comparison_text import comparison_text
    from crossfelt.rulebooks.comparing import compare

    found = compare(load(a), load(b))
    if as_json:
        data_as_json(found)
    else:
        data(comparison_text(found))


def load(which: str) -> Rulebook:
    """A rulebook by id or path; what is worth a second look in it goes to stderr."""
    book = loading.load(which)
    messages(checking.warnings(book), prefix=f"warning: {book.id}: ")
    return book
