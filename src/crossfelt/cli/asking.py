"""What the commands that compute are asked: a game, a submission, odds for the question at hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks import loading
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.model import Rulebook

Which = Annotated[str, typer.Argument(metavar="ID", help="A rulebook's id, or the path of a .toml or .json file.")]
SubmissionFile = Annotated[
    Path | None, typer.Option("--submission", metavar="FILE", help="The Rules Submission of an operator.")
]
PayOptions = Annotated[
    list[str] | None,
    typer.Option("--pay", metavar="TABLE.LINE=ODDS", help="Other odds for this question, as bets.flush=7; repeatable."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Workers = Annotated[int | None, typer.Option("--workers", metavar="N", help="Processors to use.")]
MOST_WORKERS = 256
"""On one machine: more would keep it busy with itself."""


def read_game(which: str, submission: Path | None) -> Game:
    """The game that was named, with the submission that was named."""
    if submission is None:
        return compile_game(which)
    asked = loading.load(which)
    return compile_game(asked, read_submission(submission, asked), where=str(submission))


def read_submission(path: Path, asked: Rulebook) -> dict[str, Any]:
    """What a submission for this rulebook states."""
    # Reading one knows how to print one too, which takes a while to import.
    from crossfelt.cli.submission import read

    book, stated = read(path)
    if asked.id != book.id:
        where, what = f"{path}: rulebook", "is a submission for another rulebook"
        raise BadInput(Problem(code="submission.other", where=where, what=what, value=book.id, allowed=asked.id))
    return stated


def option_problem(command: str, where: str, what: str, value: int | str | None, allowed: str) -> Problem:
    """What is wrong with an option of a command."""
    return Problem(code=f"{command}.option", where=where, what=what, value=value, allowed=allowed)


def worker_problems(command: str, workers: int | None) -> list[Problem]:
    """
    >>> [str(problem) for problem in worker_problems("sweep", 0)]
    ['--workers: nobody would work: 0 (allowed: 1 … 256)']
    """
    if workers is None or 1 <= workers <= MOST_WORKERS:
        return []
    what = "nobody would work" if workers < 1 else "too many"
    return [option_problem(command, "--workers", what, workers, f"1 … {MOST_WORKERS}")]


def read_pay(given: Sequence[str] | None) -> dict[str, str]:
    """Odds by pay table and line.

    >>> read_pay(["bets.flush=7", "bets.straight = 9 to 2"])
    {'bets.flush': '7', 'bets.straight': '9 to 2'}
    """
    return read_pairs(given or (), where="--pay", allowed="TABLE.LINE=ODDS, as bets.flush=7")


def read_pairs(given: Sequence[str], *, where: str, allowed: str) -> dict[str, str]:
    """Names and values with an equals sign between them; a name that comes twice is refused."""
    pairs: dict[str, str] = {}
    problems = []
    for text in given:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            problems.append(
                Problem(code="option.form", where=where, what="no name and value", value=text, allowed=allowed)
            )
        elif name in pairs:
            problems.append(Problem(code="option.twice", where=where, what="given more than once", value=name))
        pairs[name] = value
    if problems:
        raise BadInput.of(problems)
    return pairs
