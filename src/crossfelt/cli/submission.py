"""`crossfelt submission`: a commented Rules Submission to begin with, and the check of one."""

from __future__ import annotations

import json
import os.path
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from crossfelt.analysis.returns import above_the_stake
from crossfelt.cli.output import data, data_as_json, message, messages
from crossfelt.cli.returns_text import progressive_lines, return_lines, return_warnings
from crossfelt.cli.writing import write
from crossfelt.money import dollars
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks import loading, submission
from crossfelt.rulebooks.game import Game, problems
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.showing import exposure_of, exposure_words
from crossfelt.rulebooks.template import template

app = typer.Typer(
    help="An operator's Rules Submission: write one, check one.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.command("new")
def new_command(
    which: Annotated[str, typer.Argument(metavar="ID", help="A rulebook's id, or the path of a .toml or .json file.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write to a file instead of stdout.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write a commented submission: every choice the regulation leaves open, its default and bounds."""
    book = loading.load(which)
    named = which if which in loading.rulebook_ids() else _path_from(out, which)
    text = template(book).replace(f'rulebook = "{book.id}"', f"rulebook = {_quoted(named)}", 1)
    if out is None:
        data(text.rstrip("\n"))
        return
    write(out, text.encode(), force=force)
    message(f"{out}: written. Check it with: crossfelt submission check {shlex.quote(str(out))}")


def _path_from(out: Path | None, which: str) -> str:
    """A rulebook file as the submission must name it: relative to the submission."""
    return Path(os.path.relpath(which, out.parent if out else None)).as_posix()


def _quoted(text: str) -> str:
    """A TOML string: escaped as in JSON, and the one control character besides that TOML wants escaped.

    >>> print(_quoted('a"b.json'))
    "a\\"b.json"
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """A payout limit of the game: what the regulation's figure is, and what is in force."""

    rule: str
    figure_cents: int
    limit_cents: int | None


class MostAtMinimum(msgspec.Struct, frozen=True, kw_only=True):
    cents: int
    deal: str


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A problem, with every field there whether it says something or not."""

    code: str
    where: str
    what: str
    value: Any
    allowed: str
    clauses: tuple[str, ...]
    readings: tuple[str, ...]
    house_rule: str


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What `crossfelt submission check --json` prints."""

    file: str
    rulebook: str
    rulebook_hash: str
    ok: bool
    problems: tuple[Told, ...]
    warnings: tuple[Told, ...]
    game_hash: str | None
    most_at_minimum: MostAtMinimum | None
    payout_limits: tuple[Limit, ...]


@app.command("check")
def check_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A submission, .toml or .json.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check a submission: every violation with its clause. Exits with 1 if there is one."""
    book, stated = read(file)
    found = list(problems(book, stated, where=str(file), filed=True))
    warned = list(submission.warnings(book, stated, where=str(file)))
    game = None if found else Game(book, stated)
    # What is only left unstated does not keep the wagers from having a return.
    if not any(problems(book, stated)):
        playable = game or Game(book, stated)
        warned += [*return_warnings(playable, where=str(file)), *above_the_stake(playable, where=str(file))]
    if as_json:
        data_as_json(_checked(file, book, game, found, warned))
    else:
        messages(warned, prefix="warning: ")
        data(_passed(file, game) if game else map(str, found))
        if found:
            message(f"{_counted(len(found))}. What a clause says: crossfelt clauses {_first_clause(found)}")
    raise typer.Exit(1 if found else 0)


def read(file: Path) -> tuple[Rulebook, dict[str, Any]]:
    """A submission file's rulebook, and the choices it states.

    The rulebook is named by id, or by a path relative to the file.
    """
    stated = loading.read_file(file)
    if not isinstance(stated, Mapping):
        raise BadInput(Problem(code="submission.form", where=str(file), what="not a table of choices"))
    name = stated.get("rulebook")
    if not isinstance(name, str) or not name:
        allowed = f"{', '.join(loading.rulebook_ids())}, or the path of a .toml or .json file"
        what = "names no rulebook"
        raise BadInput(Problem(code="submission.rulebook", where=f"{file}: rulebook", what=what, allowed=allowed))
    is_path = name.endswith((".toml", ".json"))
    book = loading.load(str(file.parent / name) if is_path else name)
    return book, {key: value for key, value in stated.items() if key != "rulebook"}


def _counted(number: int) -> str:
    return "1 violation" if number == 1 else f"{number} violations"


def _first_clause(found: list[Problem]) -> str:
    return next((clause for problem in found for clause in problem.clauses), "ID")


def _passed(file: Path, game: Game) -> Iterator[str]:
    yield f"{file}: meets {game.book.title} ({game.book.id} {game.book.version})"
    yield f"game {game.hash}"
    exposure = exposure_of(game)
    for limit in game.book.payout_limits if exposure else ():
        assert exposure is not None
        yield exposure_words(game, limit, exposure)
        now = game.limit_cents(limit)
        yield f"payout limit: {'none' if now is None else dollars(now)}"
    yield from return_lines(game)
    yield from progressive_lines(game)


def _checked(file: Path, book: Rulebook, game: Game | None, found: list[Problem], warned: list[Problem]) -> Checked:
    exposure = exposure_of(game) if game else None
    limits = [
        Limit(rule=limit.rule, figure_cents=game.limit_figure(limit), limit_cents=game.limit_cents(limit))
        for limit in book.payout_limits
        if game and exposure
    ]
    return Checked(
        file=str(file),
        rulebook=book.id,
        rulebook_hash=loading.content_hash(book),
        ok=not found,
        problems=tuple(map(_told, found)),
        warnings=tuple(map(_told, warned)),
        game_hash=game.hash if game else None,
        most_at_minimum=MostAtMinimum(cents=exposure.cents, deal=exposure.deal) if exposure else None,
        payout_limits=tuple(limits),
    )


def _told(problem: Problem) -> Told:
    return Told(
        code=problem.code,
        where=problem.where,
        what=problem.what,
        value=problem.value,
        allowed=problem.allowed,
        clauses=problem.clauses,
        readings=problem.readings,
        house_rule=problem.house_rule,
    )
