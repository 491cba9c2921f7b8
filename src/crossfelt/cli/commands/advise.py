"""`crossfelt advise`: the expected value of each choice in a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from crossfelt.analysis import advise
from crossfelt.analysis.advice import FLASHED
from crossfelt.analysis.families import family_of
from crossfelt.analysis.reasons import explain
from crossfelt.analysis.what_if import with_pay
from crossfelt.cli.options import (
    AsJson,
    PayOptions,
    SubmissionFile,
    Which,
    option_problem,
    read_game,
    read_pairs,
    read_pay,
    refuse,
)
from crossfelt.cli.output import answer
from crossfelt.cli.render.advice import advice_lines
from crossfelt.rulebooks.game import Game


def advise_command(
    which: Which,
    hole: Annotated[str, typer.Option(metavar="CARDS", help='Your hole cards, e.g. "As Kd".')] = "",
    across: Annotated[str, typer.Option(metavar="CARDS", help="The open cards of the line across.")] = "",
    down: Annotated[str, typer.Option(metavar="CARDS", help="The open cards of the line down.")] = "",
    cards: Annotated[
        str, typer.Option(metavar="CARDS", help="Your cards, where you set two hands; the joker is Jk.")
    ] = "",
    top: Annotated[str, typer.Option(metavar="CARD", help="The open card of the line down, nearest to you.")] = "",
    right: Annotated[str, typer.Option(metavar="CARD", help="The open card of the line across, on your left.")] = "",
    see: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=CARDS", help='Any game: cards of a group or a place, e.g. board="2c 7d Kh" or dealer=9s.'
        ),
    ] = None,
    flashed: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE=CARD",
            help="A flashed card at dealer, centre, bottom (near the dealer) or left (your right).",
        ),
    ] = None,
    bets: Annotated[
        str, typer.Option(metavar="NAME=TIMES,…", help="Bets made so far, in antes, e.g. across=1,down=3.")
    ] = "",
    stake: Annotated[
        float | None, typer.Option(metavar="DOLLARS", min=0.01, help="Your ante or main wager, for values in money.")
    ] = None,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """Show the expected net of the round for each choice in a position, and the reasons."""
    game = read_game(which, submission)
    seen = {"hole": hole, "across": across, "down": down, "cards": cards, "top": top, "right": right}
    seen |= read_pairs(see or [], where="--see", allowed='NAME=CARDS, e.g. board="2c 7d Kh"')
    seen |= _read_flashed(game, flashed or [])
    made = read_pairs(
        [bet for bet in bets.split(",") if bet.strip()], where="--bets", allowed="NAME=TIMES, e.g. across=1"
    )
    given = {name: text for name, text in seen.items() if text}
    odds = read_pay(pay)
    advice = advise(game, pay=odds, bets=dict(made), **given)
    cents = None if stake is None else round(100 * stake)
    told = explain(with_pay(game, odds), advice, given, cents)
    answer({**advice.as_data(), **told.as_data()}, advice_lines(advice, told, cents), as_json=as_json)


def _read_flashed(game: Game, given: Sequence[str]) -> dict[str, str]:
    cards = read_pairs(given, where="--flashed", allowed="PLACE=CARD, e.g. dealer=Kh")
    if family_of(game) is None:
        return cards
    unknown, known = [place for place in cards if place not in FLASHED], ", ".join(FLASHED)
    refuse([option_problem("advise", "--flashed", "unknown place of a card", place, known) for place in unknown])
    return cards
