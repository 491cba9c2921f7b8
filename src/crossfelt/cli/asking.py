"""What the commands that compute are asked: a game, a submission, odds for the question at hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks import loading
from crossfelt.rulebooks.game import Game, compile_game

Which = Annotated[str, typer.Argument(metavar="ID", help="A rulebook's id, or the path of a .toml or .json file.")]
SubmissionFile = Annotated[
    Path | None, typer.Option("--submission", metavar="FILE", help="The Rules Submission of an operator.")
]
PayOptions = Annotated[
    list[str] | None,
    typer.Option("--pay", metavar="TABLE.LINE=ODDS", help="Other odds for this question, as bets.flush=7; repeatable."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def read_game(which: str, submission: Path | None) -> Game:
    """The game that was named, with the submission that was named."""
    if submission is None:
        return compile_game(which)
    # Reading one knows how to print one too, which takes a while to import.
    from crossfelt.cli.submission import read

    book, stated = read(submission)
    asked = loading.load(which)
    if asked.id != book.id:
        where, what = f"{submission}: rulebook", "is a submission for another rulebook"
        raise BadInput(Problem(code="submission.other", where=where, what=what, value=book.id, allowed=asked.id))
    return compile_game(asked, stated, where=str(submission))


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
