"""`crossfelt strategy`: the exact cost of strategies, and strategy cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Final

from crossfelt.analysis import solve, with_pay
from crossfelt.analysis.solution import OPTIMAL, Solution, exact
from crossfelt.cli.options import AsJson, PayOptions, SubmissionFile, Which, command_group, option, read_game, read_pay
from crossfelt.cli.output import answer, heading
from crossfelt.cli.progress import open_progress
from crossfelt.errors import BadInput
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.text_layout import columns

if TYPE_CHECKING:
    from crossfelt.analysis.strategies.cards import StrategyCard

MOST_LINES: Final = 15
app = command_group("Compare strategies by their exact cost, or print a strategy card.")


@app.command("costs")
def costs_command(
    which: Which,
    strategy: Annotated[
        list[str] | None,
        option("NAME|FILE", "Only this one: a name, a card file, or a function such as mine.py:play. May be repeated."),
    ] = None,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """Show the exact cost of strategies against best play. In a game of two hands, strategies are house ways."""
    game = with_pay(read_game(which, submission), read_pay(pay))
    best = solve(game)
    solutions = {OPTIMAL: best, **dict(_solutions(game, strategy or []))}
    figures = {name: {**_figures(found), "cost": exact(best.ev - found.ev)} for name, found in solutions.items()}
    answer(figures, _cost_lines(solutions, best), as_json=as_json)


def _solutions(game: Game, asked: Sequence[str]) -> Iterator[tuple[str, Solution]]:
    from crossfelt.analysis.strategies.named import read_strategy, solve_named, strategies_of

    for name in asked or (house_way_ids() if game.book.splits else strategies_of(game)):
        with open_progress(f"counting {name}") as done:
            if game.book.splits:
                yield name, solve(game, strategy=name, done=done)
            else:
                yield name, solve_named(game, read_strategy(game, name), done)


def _figures(found: Solution) -> dict[str, Any]:
    return {
        "ev": exact(found.ev),
        "average_total_wagered": float(found.average_total_wagered),
        "standard_deviation": found.standard_deviation,
    }


def _cost_lines(solutions: dict[str, Solution], best: Solution) -> Iterator[str]:
    yield heading(f"Strategies, in {best.units} per round")
    rows = [("", "value", "cost", "wagered", "std. dev.", "exact value")]
    for name, found in sorted(solutions.items(), key=lambda item: -item[1].ev):
        figures = (
            f"{float(found.ev):+.6f}",
            f"{float(best.ev - found.ev):.6f}",
            f"{float(found.average_total_wagered):.3f}",
        )
        rows.append((name, *figures, f"{found.standard_deviation:.3f}", str(found.ev)))
    yield from columns(rows, indent=2, right=[1, 2, 3, 4])


@app.command("card")
def card_command(
    which: Which,
    lines: Annotated[int, option("N", "Most lines on the card.", show_default=True)] = 8,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """Print the best strategy card found. The cost of cards with more or fewer lines follows."""
    from crossfelt.analysis.strategies.cards import cards_of

    game = with_pay(read_game(which, submission), read_pay(pay))
    if not 1 <= lines <= MOST_LINES:
        what, allowed = "number of lines out of range", f"1 to {MOST_LINES}"
        raise BadInput.at("--lines", "strategy.lines", what, lines, allowed)
    with open_progress("searching for cards") as report:
        cards = cards_of(game, report)
    answer([_card_data(card) for card in cards], _card_lines(cards, lines), as_json=as_json)


def _card_data(card: StrategyCard) -> dict[str, Any]:
    decisions = {
        decision: [{"when": line.when, "do": line.do} for line in lines]
        for decision, lines in groupby(card.lines, key=lambda line: line.decision)
    }
    figures = {"lines": len(card.lines), "ev": exact(card.ev), "cost": exact(card.cost)}
    return {**figures, "decisions": decisions, "note": card.note}


def _card_lines(cards: Sequence[StrategyCard], most: int) -> Iterator[str]:
    from crossfelt.analysis.strategies.cards import best_card

    card = best_card(cards, most)
    yield heading(f"Strategy card of {len(card.lines)} lines; cost: {float(card.cost):.6f} {card.unit}s per round")
    for decision, lines in groupby(card.lines, key=lambda line: line.decision):
        yield f"  {as_words(decision)}"
        yield from columns([(line.do, line.when) for line in lines], indent=4)
    if card.note:
        yield f"  {card.note}"
    yield ""
    yield heading(f"Cost by number of lines, in {card.unit}s per round")
    rows = [("lines", "cost", "value", "exact cost")]
    rows += [(str(len(c.lines)), f"{float(c.cost):.6f}", f"{float(c.ev):+.6f}", str(c.cost)) for c in cards]
    yield from columns(rows, indent=2, right=[0, 1, 2])
    if len(cards) > 1 and len(cards[-1].lines) < MOST_LINES:
        yield f"  No better card was found with up to {MOST_LINES} lines."
    yield "  Costs are exact. A better card may exist."
