"""`crossfelt strategy`: what other ways to play cost, a card that a person can follow, best play written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
import typer

from crossfelt.analysis import solve, with_pay
from crossfelt.analysis.solution import OPTIMAL, Solution, exact
from crossfelt.analysis.ways import LONGEST_CARD, SHORTEST_CARD, StrategyCard, best_card, cards_of, ways_of
from crossfelt.cli.asking import AsJson, PayOptions, SubmissionFile, Which, read_game, read_pay
from crossfelt.cli.output import data, data_as_json, heading
from crossfelt.cli.progress import open_progress
from crossfelt.cli.strategy_book import book_command
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.typesetting import columns
from crossfelt.rulebooks.wording import plain

if TYPE_CHECKING:
    from crossfelt.analysis.pai_gow import PaiGowSolution

app = typer.Typer(
    help="Ways to play: their exact cost, a card to follow, best play written out.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("book")(book_command)

_DECISIONS: Final = {"line": "which line", "play": "raise or fold"}


@app.command("costs")
def costs_command(
    which: Which, submission: SubmissionFile = None, pay: PayOptions = None, as_json: AsJson = False
) -> None:
    """What each way to play gives away: against best play, exactly; in Pai Gow Poker against the best house way."""
    game = with_pay(read_game(which, submission), read_pay(pay))
    if game.book.game == "pai_gow":
        _tell_house_ways(game, as_json=as_json)
        return
    solutions = {name: solve(game, strategy=name) for name in (OPTIMAL, *ways_of(game))}
    if as_json:
        best = solutions[OPTIMAL].ev
        data_as_json({name: {**_figures(found), "cost": exact(best - found.ev)} for name, found in solutions.items()})
    else:
        data(_cost_lines(solutions))


def _figures(found: Solution) -> dict[str, Any]:
    return {
        "ev": exact(found.ev),
        "average_total_wagered": float(found.average_total_wagered),
        "standard_deviation": found.standard_deviation,
    }


def _cost_lines(solutions: dict[str, Solution]) -> Iterator[str]:
    best = solutions[OPTIMAL].ev
    yield heading("Ways to play, in antes a round")
    rows = [("", "worth", "costs", "wagered", "deviation", "worth, exactly")]
    for name, found in sorted(solutions.items(), key=lambda item: -item[1].ev):
        figures = (
            f"{float(found.ev):+.6f}",
            f"{float(best - found.ev):.6f}",
            f"{float(found.average_total_wagered):.3f}",
        )
        rows.append((name, *figures, f"{found.standard_deviation:.3f}", str(found.ev)))
    yield from columns(rows, indent=2, right=[1, 2, 3, 4])


def _tell_house_ways(game: Game, *, as_json: bool) -> None:
    found: PaiGowSolution = solve(game)  # type: ignore[assignment]
    best = max(way.value for way in found.house_ways.values())
    if as_json:
        ways = {
            name: {"ev": msgspec.to_builtins(way), "cost": best - way.value} for name, way in found.house_ways.items()
        }
        data_as_json({"method": found.method, "unit": found.unit, "dealer": found.strategy, "ways": ways})
    else:
        data(_house_way_lines(found, best))


def _house_way_lines(found: PaiGowSolution, best: float) -> Iterator[str]:
    yield heading(f"A player by each house way, against a dealer by {plain(found.strategy)}, in main wagers")
    rows = [("", "worth", "", "costs")]
    for name, way in sorted(found.house_ways.items(), key=lambda item: -item[1].value):
        interval = f"\N{PLUS-MINUS SIGN} {way.high - way.value:.6f}"
        rows.append((plain(name), f"{way.value:+.6f}", interval, f"{best - way.value:.6f}"))
    yield from columns(rows, indent=2, right=[1, 3])
    yield f"  By {found.method.partition(';')[0]}; all of them meet the same hands."


@app.command("card")
def card_command(
    which: Which,
    lines: Annotated[int, typer.Option(metavar="N", help="The most lines the card may have.", show_default=True)] = 8,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """The best strategy found that fits on a card, and what more or fewer lines would cost."""
    game = with_pay(read_game(which, submission), read_pay(pay))
    shortest = _shortest_card(game, which)
    if not shortest <= lines <= LONGEST_CARD:
        what, allowed = "no card of so many lines", f"{shortest} … {LONGEST_CARD}"
        raise BadInput(Problem(code="strategy.lines", where="--lines", what=what, value=lines, allowed=allowed))
    with open_progress("Searching for cards") as tell:
        cards = cards_of(game, tell)
    if as_json:
        data_as_json([_card_data(card) for card in cards])
    else:
        data(_card_lines(cards, lines))


def _shortest_card(game: Game, which: str) -> int:
    kind = game.book.game
    if kind not in SHORTEST_CARD:
        what, allowed = "there is no card for this game", ", ".join(SHORTEST_CARD)
        raise BadInput(Problem(code="strategy.game", where=which, what=what, value=kind, allowed=allowed))
    return SHORTEST_CARD[kind]


def _card_data(card: StrategyCard) -> dict[str, Any]:
    told = {
        decision: [{"when": line.when, "do": line.do} for line in lines]
        for decision, lines in groupby(card.lines, key=lambda line: line.decision)
    }
    figures = {"lines": len(card.lines), "ev": exact(card.ev), "cost": exact(card.cost)}
    return {**figures, "decisions": told, "note": card.note}


def _card_lines(cards: Sequence[StrategyCard], most: int) -> Iterator[str]:
    card = best_card(cards, most)
    yield heading(f"A card of {len(card.lines)} lines: it costs {float(card.cost):.6f} antes a round")
    for decision, lines in groupby(card.lines, key=lambda line: line.decision):
        yield f"  {_DECISIONS.get(decision, f'{decision} bet')}"
        yield from columns([(line.do, line.when) for line in lines], indent=4)
    yield f"  {card.note}"
    yield ""
    yield heading("Number of lines against cost, in antes a round")
    rows = [("lines", "costs", "worth", "costs, exactly")]
    rows += [(str(len(c.lines)), f"{float(c.cost):.6f}", f"{float(c.ev):+.6f}", str(c.cost)) for c in cards]
    yield from columns(rows, indent=2, right=[0, 1, 2])
    if len(cards[-1].lines) < LONGEST_CARD:
        yield f"  No better card was found with up to {LONGEST_CARD} lines."
    yield "  Costs are exact; that no better card exists is not proved."
