"""`crossfelt advise`: the expected value of each choice in a position."""

from __future__ import annotations

from typing import Annotated

from crossfelt.analysis import advise
from crossfelt.analysis.reasons import explain
from crossfelt.analysis.what_if import with_pay
from crossfelt.cli.options import AsJson, PayOptions, SubmissionFile, Which, option, read_game, read_pairs, read_pay
from crossfelt.cli.output import answer
from crossfelt.cli.render.advice import advice_lines
from crossfelt.games.round_stakes import unit_of


def advise_command(
    which: Which,
    hole: Annotated[str, option("CARDS", 'Your own cards, e.g. "As Kd".')] = "",
    cards: Annotated[str, option("CARDS", "Your cards, where you set two hands; the joker is Jk.")] = "",
    see: Annotated[
        list[str] | None,
        option("NAME=CARDS", 'Open cards of a group or a place, e.g. across="Qs 2d", board="2c 7d Kh" or dealer=9s.'),
    ] = None,
    flashed: Annotated[
        list[str] | None, option("PLACE=CARD", "A hidden card that the dealer flashed, e.g. dealer=Kh.")
    ] = None,
    bets: Annotated[str, option("NAME=TIMES,…", "Bets made so far, in antes, e.g. across=1,down=3.")] = "",
    stake: Annotated[float | None, option("DOLLARS", "Your ante or main wager, for values in money.", min=0.01)] = None,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """Show the expected net of the round for each choice in a position, and the reasons."""
    game = read_game(which, submission)
    own = next(group.id for group in game.book.groups if group.owner in ("seat", "positions"))
    seen = {own: hole, "cards": cards}
    seen |= read_pairs(see or [], where="--see", allowed='NAME=CARDS, e.g. board="2c 7d Kh"')
    seen |= read_pairs(flashed or [], where="--flashed", allowed="PLACE=CARD, e.g. dealer=Kh")
    made = read_pairs(
        [bet for bet in bets.split(",") if bet.strip()], where="--bets", allowed="NAME=TIMES, e.g. across=1"
    )
    given = {name: text for name, text in seen.items() if text}
    odds = read_pay(pay)
    advice = advise(game, pay=odds, bets=dict(made), **given)
    cents = None if stake is None else round(100 * stake)
    told = explain(with_pay(game, odds), advice, given, cents)
    lines = advice_lines(advice, told, unit_of(game), cents)
    answer({**advice.as_data(), **told.as_data()}, lines, as_json=as_json)
