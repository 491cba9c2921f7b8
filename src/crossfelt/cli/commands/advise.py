"""`crossfelt advise`: the expected value of each choice in a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from crossfelt.analysis import Advice, advise
from crossfelt.analysis.advice import FLASHED, SettingAdvice
from crossfelt.cards.notation import format_cards
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
from crossfelt.cli.output import answer, heading
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.text_layout import columns


def advise_command(
    which: Which,
    hole: Annotated[str, typer.Option(metavar="CARDS", help='Your hole cards, e.g. "As Kd".')] = "",
    across: Annotated[str, typer.Option(metavar="CARDS", help="The two outer across cards, once revealed.")] = "",
    down: Annotated[str, typer.Option(metavar="CARDS", help="The two outer down cards, once revealed.")] = "",
    cards: Annotated[str, typer.Option(metavar="CARDS", help="Pai Gow Poker: your seven cards; the joker is Jk.")] = "",
    exact: Annotated[
        bool, typer.Option("--exact", help="Pai Gow Poker: every possible dealer hand instead of a sample.")
    ] = False,
    top: Annotated[str, typer.Option(metavar="CARD", help="Double Cross: the exposed card of the vertical line.")] = "",
    right: Annotated[
        str, typer.Option(metavar="CARD", help="Double Cross: the exposed card of the horizontal line.")
    ] = "",
    flashed: Annotated[
        list[str] | None,
        typer.Option(metavar="PLACE=CARD", help="Double Cross: a flashed card at dealer, centre, bottom or left."),
    ] = None,
    bets: Annotated[
        str, typer.Option(metavar="NAME=TIMES,…", help="Bets made so far, in antes, e.g. across=1,down=3.")
    ] = "",
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """Show the expected net of the round for each choice in a position, in antes or main wagers."""
    game = read_game(which, submission)
    seen = {"hole": hole, "across": across, "down": down, "cards": cards, "top": top, "right": right}
    seen |= _read_flashed(flashed or [])
    made = read_pairs(
        [bet for bet in bets.split(",") if bet.strip()], where="--bets", allowed="NAME=TIMES, e.g. across=1"
    )
    given = {name: text for name, text in seen.items() if text}
    advice = advise(game, pay=read_pay(pay), bets=dict(made), exact=exact, **given)
    lines = _setting_lines(advice) if isinstance(advice, SettingAdvice) else _lines(advice)
    answer(advice.as_data(), lines, as_json=as_json)


def _read_flashed(given: Sequence[str]) -> dict[str, str]:
    cards = read_pairs(given, where="--flashed", allowed="PLACE=CARD, e.g. dealer=Kh")
    unknown, known = [place for place in cards if place not in FLASHED], ", ".join(FLASHED)
    refuse([option_problem("advise", "--flashed", "unknown place of a card", place, known) for place in unknown])
    return cards


def _lines(advice: Advice) -> Iterator[str]:
    yield heading(f"{advice.decision}: {advice.best}")
    rows = [("choice", "value", "cost", "exact value")]
    for choice, value in sorted(advice.actions.items(), key=lambda item: -item[1]):
        cost = advice.cost(choice)
        rows.append((choice, f"{float(value):+.4f}", f"{float(cost):.4f}" if cost else "best", str(value)))
    yield from columns(rows, indent=2, right=[1, 2])
    yield "Expected net of the whole round in antes, with optimal play afterwards."


def _setting_lines(advice: SettingAdvice) -> Iterator[str]:
    yield heading(f"{advice.decision}: {advice.best} in front")
    rows = [["in front", "behind", "", "wins", "pushes", "loses", "value", "cost", ""]]
    for setting in advice.settings:
        cost = advice.cost(format_cards(setting.low))
        shares = [f"{float(100 * share):.2f} %" for share in (setting.win, setting.push, setting.lose)]
        worth = [f"{float(setting.ev):+.4f}", f"{float(cost):.4f}" if cost else "best"]
        house_way = f"house way: {as_words(advice.house_rule)}" if setting.house_way else ""
        rows.append([format_cards(setting.low), format_cards(setting.high), setting.hands, *shares, *worth, house_way])
    yield from columns(rows, indent=2, right=[3, 4, 5, 6, 7])
    yield f"In main wagers, after commission, against {advice.dealer_hands:,} dealer hands: {advice.method}."
    if advice.settings[0].interval is not None:
        widest = max(setting.interval.standard_error for setting in advice.settings if setting.interval)
        yield f"Standard error of a value: at most {widest:.4f}. --exact enumerates every dealer hand."
