"""The game that a command is asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crossfelt.cli.submission import read
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks import loading
from crossfelt.rulebooks.game import Game, compile_game

Which = Annotated[str, typer.Argument(metavar="ID", help="A rulebook's id, or the path of a .toml or .json file.")]
SubmissionFile = Annotated[
    Path | None,
    typer.Option("--submission", metavar="FILE", help="A Rules Submission; else the defaults."),
]


def game_asked(which: str, submission: Path | None) -> Game:
    """A rulebook by id or file, with the choices of a submission file where one is given."""
    if submission is None:
        return compile_game(which)
    book, stated = read(submission)
    asked = loading.load(which)
    if asked.id != book.id:
        where, what = f"{submission}: rulebook", "is a submission for another rulebook"
        raise BadInput(Problem(code="submission.other", where=where, what=what, value=book.id, allowed=asked.id))
    return compile_game(asked, stated, where=str(submission))
