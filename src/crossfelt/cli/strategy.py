"""`crossfelt strategy`: what other ways to play cost, a card that a person can follow, best play written out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crossfelt.analysis import solve, with_pay
from crossfelt.analysis.solution import OPTIMAL, Solution, exact
from crossfelt.cli.asking import AsJson, PayOptions, SubmissionFile, Which, read_game, read_pairs, read_pay
from crossfelt.cli.output import data, data_as_json, heading, message
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.typesetting import columns, paragraph

if TYPE_CHECKING:
    from crossfelt.analysis.criss_cross_book import Pages
    from crossfelt.analysis.criss_cross_card import Card

app = typer.Typer(
    help="Ways to play: their exact cost, a card to follow, best play written out.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _ways_to_play(game: Game, which: str) -> Iterable[str]:
    """The strategies of a game that can be asked for by name."""
    match game.book.game:
        case "criss_cross":
            from crossfelt.analysis.criss_cross_plans import PLANS

            return PLANS
        case "double_cross":
            from crossfelt.analysis.double_cross_strategies import STRATEGIES

            return STRATEGIES
        case other:
            raise _no_strategies(which, other, "criss_cross, double_cross")


def _criss_cross(which: str, submission: Any, pay: list[str] | None) -> Game:
    game = with_pay(read_game(which, submission), read_pay(pay))
    if game.book.game != "criss_cross":
        raise _no_strategies(which, game.book.game, "criss_cross")
    return game


def _no_strategies(which: str, game: str, allowed: str) -> BadInput:
    what = "this is not written out for this game"
    return BadInput(Problem(code="strategy.game", where=which, what=what, value=game, allowed=allowed))


@app.command("costs")
def costs_command(
    which: Which, submission: SubmissionFile = None, pay: PayOptions = None, as_json: AsJson = False
) -> None:
    """What each way to play gives away against best play, exactly."""
    game = with_pay(read_game(which, submission), read_pay(pay))
    solutions = {name: solve(game, strategy=name) for name in (OPTIMAL, *_ways_to_play(game, which))}
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


@app.command("card")
def card_command(
    which: Which,
    lines: Annotated[int, typer.Option(metavar="N", help="The most lines the card may have.", show_default=True)] = 8,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """The best strategy found that fits on a card, and what more or fewer lines would cost."""
    from crossfelt.analysis.criss_cross_card import LONGEST, SHORTEST, frontier

    if not SHORTEST <= lines <= LONGEST:
        what, allowed = "no card of so many lines", f"{SHORTEST} … {LONGEST}"
        raise BadInput(Problem(code="strategy.lines", where="--lines", what=what, value=lines, allowed=allowed))
    game = _criss_cross(which, submission, pay)
    message("Searching for cards; it takes some seconds ...")
    cards = frontier(game)
    if as_json:
        data_as_json([_card_data(card) for card in cards])
    else:
        data(_card_lines(game, cards, lines))


def _card_data(card: Card) -> dict[str, Any]:
    told = {
        decision: [{"when": line.when, "do": line.action} for line in found] for decision, found in card.lines.items()
    }
    return {"lines": card.length, "ev": exact(card.ev), "cost": exact(card.cost), "decisions": told}


def _card_lines(game: Game, cards: Sequence[Card], most: int) -> Iterator[str]:
    from crossfelt.analysis.criss_cross_card import LONGEST
    from crossfelt.analysis.criss_cross_conditions import pair_words

    card = next(card for card in reversed(cards) if card.length <= most)
    yield heading(f"A card of {card.length} lines: it costs {float(card.cost):.6f} antes a round")
    for decision, lines in card.lines.items():
        yield f"  {decision} bet"
        yield from columns([(line.action, line.when) for line in lines], indent=4)
    yield f"  Points: {pair_words(game).points}."
    yield ""
    yield heading("Number of lines against cost, in antes a round")
    rows = [("lines", "costs", "worth", "costs, exactly")]
    rows += [(str(c.length), f"{float(c.cost):.6f}", f"{float(c.ev):+.6f}", str(c.cost)) for c in cards]
    yield from columns(rows, indent=2, right=[0, 1, 2])
    if cards[-1].length < LONGEST:
        yield f"  No better card was found with up to {LONGEST} lines."
    yield "  Costs are exact; that no better card exists is not proved."


@app.command("book")
def book_command(
    which: Which,
    hole: Annotated[str, typer.Option(metavar="CARDS", help='Two cards in hand, for the middle bet: "As Kd".')] = "",
    across: Annotated[str, typer.Option(metavar="CARDS", help="Two cards across, for the middle bet.")] = "",
    bets: Annotated[str, typer.Option(metavar="NAME=TIMES,…", help="Bets before the middle bet.")] = "across=1,down=1",
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """Best play written out: the down bet for every starting hand, or the middle bet for given cards."""
    from crossfelt.analysis.criss_cross_advice import read_position
    from crossfelt.analysis.criss_cross_book import second_book, third_book
    from crossfelt.analysis.criss_cross_induction import induce
    from crossfelt.analysis.criss_cross_terms import BETS, terms_of

    game = _criss_cross(which, submission, pay)
    play = induce(terms_of(game))
    if hole or across:
        made = read_pairs(bets.split(","), where="--bets", allowed="NAME=TIMES, as across=1")
        before = {name: made[name] for name in BETS[:1] if name in made}
        position = read_position(game, play.terms, {"hole": hole, "across": across}, before)
        down = _whole(made.get("down", "1"))
        in_hand, on_line = position.cards
        book = {f"{hole}, {across} across": third_book(play, in_hand, on_line, (_whole(made["across"]), down))}
    else:
        book = second_book(play)
    if as_json:
        data_as_json(book)
    else:
        data(line for name, pages in book.items() for line in _page_lines(name, pages))


def _whole(text: str) -> int:
    try:
        return int(Fraction(text.removesuffix("x")))
    except (ValueError, ZeroDivisionError):
        raise BadInput(Problem(code="advise.bets", where="--bets", what="no such bet", value=text)) from None


def _page_lines(name: str, pages: Pages) -> Iterator[str]:
    """The choice that most cards call for is told last."""
    usual = max(pages, key=lambda choice: len(pages[choice]))
    told = [f"{choice} with {', '.join(cards)}" for choice, cards in pages.items() if choice != usual]
    yield from paragraph(
        "; ".join([*told, f"{'otherwise ' if told else ''}{usual}"]), indent=max(6, len(name) + 2), first=name
    )
