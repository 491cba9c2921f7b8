"""`crossfelt solve`: the exact return of a game, and its best strategy."""

from __future__ import annotations

from typing import Annotated

import typer

from crossfelt.analysis import solve
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.cli.asking import AsJson, PayOptions, SubmissionFile, Which, read_game, read_pay
from crossfelt.cli.output import data, data_as_json
from crossfelt.cli.solution_text import solution_lines


def solve_command(
    which: Which,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    known: Annotated[
        str,
        typer.Option(
            metavar="CARD", help="For a player who has seen one such card at the start: middle, across, down."
        ),
    ] = "",
    strategy: Annotated[
        str, typer.Option(metavar="NAME", help="Another way to play: never-fold, simple, always-1 … always-3, card-8.")
    ] = OPTIMAL,
    as_json: AsJson = False,
) -> None:
    """The exact return of a game under its best strategy: every figure an exact fraction, in antes."""
    game = read_game(which, submission)
    solution = solve(game, pay=read_pay(pay), known=known, strategy=strategy)
    if as_json:
        data_as_json(solution.as_data())
    else:
        data(solution_lines(game, solution))
