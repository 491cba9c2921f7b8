"""`crossfelt advise`: what each choice is worth, here and now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from crossfelt.analysis import Advice, advise
from crossfelt.analysis.exposed import FLASHED
from crossfelt.analysis.setting_advice import SettingAdvice
from crossfelt.cards.notation import format_cards
from crossfelt.cli.asking import AsJson, PayOptions, SubmissionFile, Which, read_game, read_pairs, read_pay
from crossfelt.cli.output import data, data_as_json, heading
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.typesetting import columns
from crossfelt.rulebooks.wording import plain


def advise_command(
    which: Which,
    hole: Annotated[str, typer.Option(metavar="CARDS", help='Your own cards: "As Kd".')] = "",
    across: Annotated[str, typer.Option(metavar="CARDS", help="The outer across cards, once they are seen.")] = "",
    down: Annotated[str, typer.Option(metavar="CARDS", help="The outer down cards, once they are seen.")] = "",
    middle: Annotated[str, typer.Option(metavar="CARD", hidden=True)] = "",
    cards: Annotated[
        str, typer.Option(metavar="CARDS", help="Pai gow poker: your seven cards, Jk for the joker.")
    ] = "",
    exact: Annotated[
        bool, typer.Option("--exact", help="Pai gow poker: every hand the dealer can have, not a sample of them.")
    ] = False,
    top: Annotated[str, typer.Option(metavar="CARD", help="Double Cross: the open card of the vertical line.")] = "",
    right: Annotated[
        str, typer.Option(metavar="CARD", help="Double Cross: the open card of the horizontal line.")
    ] = "",
    flashed: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE=CARD", help="Double Cross: a card that should not be seen: dealer, centre, bottom, left."
        ),
    ] = None,
    bets: Annotated[
        str, typer.Option(metavar="NAME=TIMES,…", help="Bets made so far, in antes: across=1,down=3.")
    ] = "",
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """What each choice is worth in this position: the expected net of the whole round, in antes or main wagers."""
    game = read_game(which, submission)
    seen = {"hole": hole, "across": across, "down": down, "middle": middle, "cards": cards, "top": top, "right": right}
    seen |= _read_flashed(flashed or [])
    made = read_pairs(
        [bet for bet in bets.split(",") if bet.strip()], where="--bets", allowed="NAME=TIMES, as across=1"
    )
    given = {name: text for name, text in seen.items() if text}
    advice = advise(game, pay=read_pay(pay), bets=dict(made), exact=exact, **given)
    if as_json:
        data_as_json(advice.as_data())
    else:
        data(_setting_lines(advice) if isinstance(advice, SettingAdvice) else _lines(advice))


def _read_flashed(given: Sequence[str]) -> dict[str, str]:
    cards = read_pairs(given, where="--flashed", allowed="PLACE=CARD, as dealer=Kh")
    allowed = ", ".join(FLASHED)
    problems = [
        Problem(code="advise.flashed", where="--flashed", what="no such place", value=place, allowed=allowed)
        for place in cards
        if place not in FLASHED
    ]
    if problems:
        raise BadInput.of(problems)
    return cards


def _lines(advice: Advice) -> Iterator[str]:
    yield heading(f"{advice.decision}: {advice.best}")
    rows = [("choice", "worth", "costs", "exactly")]
    for choice, value in sorted(advice.actions.items(), key=lambda item: -item[1]):
        cost = advice.cost(choice)
        rows.append((choice, f"{float(value):+.4f}", f"{float(cost):.4f}" if cost else "best", str(value)))
    yield from columns(rows, indent=2, right=[1, 2])
    yield "In antes: the expected net of the whole round, with best play after it."


def _setting_lines(advice: SettingAdvice) -> Iterator[str]:
    yield heading(f"{advice.decision}: {advice.best} in front")
    rows = [["in front", "behind", "", "wins", "pushes", "loses", "worth", "costs", ""]]
    for setting in advice.settings:
        cost = advice.cost(format_cards(setting.low))
        shares = [f"{float(100 * share):.2f} %" for share in (setting.win, setting.push, setting.lose)]
        worth = [f"{float(setting.ev):+.4f}", f"{float(cost):.4f}" if cost else "best"]
        house_way = f"house way: {plain(advice.house_rule)}" if setting.house_way else ""
        rows.append([format_cards(setting.low), format_cards(setting.high), setting.hands, *shares, *worth, house_way])
    yield from columns(rows, indent=2, right=[3, 4, 5, 6, 7])
    yield f"In main wagers, after commission, against {advice.dealer_hands:,} hands of the dealer: {advice.method}."
    if advice.settings[0].interval is not None:
        widest = max(setting.interval.standard_error for setting in advice.settings if setting.interval)
        yield f"Standard error of a worth {widest:.4f} at most; --exact goes through every hand the dealer can have."
