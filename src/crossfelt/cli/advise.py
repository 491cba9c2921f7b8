"""`crossfelt advise`: what each choice is worth, here and now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from crossfelt.analysis import Advice, advise
from crossfelt.cli.asking import AsJson, PayOptions, SubmissionFile, Which, read_game, read_pairs, read_pay
from crossfelt.cli.output import data, data_as_json, heading
from crossfelt.rulebooks.typesetting import columns


def advise_command(
    which: Which,
    hole: Annotated[str, typer.Option(metavar="CARDS", help='Your own cards: "As Kd".')] = "",
    across: Annotated[str, typer.Option(metavar="CARDS", help="The outer across cards, once they are seen.")] = "",
    down: Annotated[str, typer.Option(metavar="CARDS", help="The outer down cards, once they are seen.")] = "",
    middle: Annotated[str, typer.Option(metavar="CARD", hidden=True)] = "",
    bets: Annotated[
        str, typer.Option(metavar="NAME=TIMES,…", help="Bets made so far, in antes: across=1,down=3.")
    ] = "",
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """What each choice is worth in this position: the expected net of the whole round, exactly, in antes."""
    game = read_game(which, submission)
    seen = {"hole": hole, "across": across, "down": down, "middle": middle}
    cards = {name: text for name, text in seen.items() if text or name == "hole"}
    made = read_pairs(
        [bet for bet in bets.split(",") if bet.strip()], where="--bets", allowed="NAME=TIMES, as across=1"
    )
    advice = advise(game, pay=read_pay(pay), bets=dict(made), **cards)
    if as_json:
        data_as_json(advice.as_data())
    else:
        data(_lines(advice))


def _lines(advice: Advice) -> Iterator[str]:
    yield heading(f"{advice.decision}: {advice.best}")
    rows = [("choice", "worth", "costs", "exactly")]
    for choice, value in sorted(advice.actions.items(), key=lambda item: -item[1]):
        cost = advice.cost(choice)
        rows.append((choice, f"{float(value):+.4f}", f"{float(cost):.4f}" if cost else "best", str(value)))
    yield from columns(rows, indent=2, right=[1, 2])
    yield "In antes: the expected net of the whole round, with best play after it."
