"""`crossfelt strategy`: cost of other strategies, strategy cards, and optimal play written out as a book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from crossfelt.analysis import solve, with_pay
from crossfelt.analysis.families import family_of
from crossfelt.analysis.solution import OPTIMAL, Solution, exact
from crossfelt.analysis.strategies import LONGEST_CARD, SHORTEST_CARD, StrategyCard, best_card, cards_of, strategies_of
from crossfelt.cards.card import RANKS
from crossfelt.cards.notation import parse_cards
from crossfelt.cli.options import (
    AsJson,
    PayOptions,
    SubmissionFile,
    Which,
    command_group,
    read_game,
    read_pairs,
    read_pay,
)
from crossfelt.cli.output import answer, bad_input, data, data_as_json, heading
from crossfelt.cli.progress import open_progress, progress
from crossfelt.hands.starting_hands import STARTING_HANDS, StartingHand, starting_hand, starting_hand_named
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.game import Game
from crossfelt.text_layout import columns, paragraph

if TYPE_CHECKING:
    from crossfelt.analysis.solver.criss_cross.strategy_book import Choices, HandBook, Pages
    from crossfelt.analysis.solver.double_cross.strategy_book import Square

_BETS: Final = "across=1,down=1"
_SIDE_BY_SIDE: Final = 5
"""Squares of Double Cross Poker that fit in one row."""
_LEGEND: Final = (
    "The first entry that applies decides. any K: a king with any other card; QQ-66: pairs; J-T9: a jack with a ten "
    "or a nine; s: the suit of both hole cards; o: another suit; both s: two cards of the suit of both hole cards. "
    "Among choices of equal value the book lists the one that stakes more."
)
_SQUARE_LEGEND: Final = (
    "Rows: the open card of the vertical line, nearest to you; columns: that of the horizontal line, on your left. "
    "F: fold; V: raise on the vertical line; H: raise on the horizontal line. Suits of the two cards: s the suit of "
    "both hole cards; h of the higher, l of the lower (h l with a pair: one of each); o another suit; p the fourth "
    "suit. Among choices of equal value the book lists the raise, and the vertical line."
)


def book_command(
    which: Which,
    hole: Annotated[str, typer.Option(metavar="CARDS", help='Only this starting hand, e.g. "As Kd" or AKo.')] = "",
    across: Annotated[
        str, typer.Option(metavar="CARDS", help="Criss Cross: show the middle bet after these across cards.")
    ] = "",
    bets: Annotated[
        str, typer.Option(metavar="NAME=TIMES,…", help="Criss Cross: bets made before the middle bet, in antes.")
    ] = _BETS,
    middle: Annotated[
        bool, typer.Option("--middle", help="Criss Cross: include the middle bet for all hands.")
    ] = False,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """Write out optimal play, for every starting hand or one. A line may cover thousands of positions."""
    game = with_pay(read_game(which, submission), read_pay(pay))
    match family_of(game):
        case "criss_cross" if across:
            _print_pages(game, hole, across, bets, as_json=as_json)
        case "criss_cross":
            _print_hands(game, _hands(hole), middle=middle or bool(hole), as_json=as_json)
        case "double_cross" if across or middle or bets != _BETS:
            what = "Double Cross has one decision; leave out --across, --bets and --middle"
            raise bad_input("strategy.book", what, where=which, allowed="--hole")
        case "double_cross":
            _print_squares(game, _hands(hole), as_json=as_json)
        case other:
            what, allowed = "no strategy book for this game", "criss_cross, double_cross"
            raise bad_input("strategy.game", what, where=which, value=other, allowed=allowed)


def _hands(hole: str) -> Sequence[StartingHand]:
    """Find a starting hand by two cards or by name (AKo); all of them without one."""
    if not hole:
        return STARTING_HANDS
    if len(hole.strip()) < len("AsKd"):
        number = starting_hand_named(hole.strip())
    else:
        number = starting_hand(parse_cards(hole, count=(2,), where="--hole"))
    return (STARTING_HANDS[number],)


def _print_hands(game: Game, hands: Sequence[StartingHand], *, middle: bool, as_json: bool) -> None:
    from crossfelt.analysis.solver.criss_cross.induction import induce
    from crossfelt.analysis.solver.criss_cross.payoffs import terms_of
    from crossfelt.analysis.solver.criss_cross.strategy_book import book

    play = induce(terms_of(game))
    books: list[HandBook] = []
    with progress("writing", len(hands)) as advance:
        for hand in hands:
            books += book(play, [hand], middle=middle)
            advance(1)
    if as_json:
        data_as_json({hand.hand: _hand_data(hand) for hand in books})
    elif books:
        data([line for hand in books for line in _hand_lines(hand)] + paragraph(_LEGEND))
    else:
        data(f"{hands[0].name}  fold")


def _hand_data(hand: HandBook) -> dict[str, Any]:
    pages = [
        {"across": page.across, "down_bet": page.down_bet, "middle_bet": _choices_data(page.middle_bet)}
        for page in hand.pages
    ]
    found: dict[str, Any] = {"across_bet": hand.across_bet, "down_bet": _choices_data(hand.down_bet)}
    return {**found, "pages": pages} if pages else found


def _choices_data(choices: Choices) -> dict[str, Any]:
    return {"with": dict(choices.with_cards), "otherwise": choices.otherwise}


def _hand_lines(hand: HandBook) -> Iterator[str]:
    bets = f"across {hand.across_bet}; down {_choice_text(hand.down_bet)}"
    yield from paragraph(bets, first=hand.hand, indent=5, hanging=2)
    for page in hand.pages:
        bets = f"down {page.down_bet}, middle {_choice_text(page.middle_bet)}"
        yield from paragraph(f"{page.across}: {bets}", indent=7, hanging=2)


def _choice_text(choices: Choices) -> str:
    choices_text = [f"{choice} with {cards}" for choice, cards in choices.with_cards]
    return "; ".join([*choices_text, f"otherwise {choices.otherwise}" if choices_text else choices.otherwise])


def _print_pages(game: Game, hole: str, across: str, bets: str, *, as_json: bool) -> None:
    """Print the middle bet for given cards, by each pair of down cards."""
    from crossfelt.analysis.solver.criss_cross.advice import read_bets, read_position
    from crossfelt.analysis.solver.criss_cross.induction import induce
    from crossfelt.analysis.solver.criss_cross.payoffs import BETS, terms_of
    from crossfelt.analysis.solver.criss_cross.strategy_book import third_book

    play = induce(terms_of(game))
    made = read_pairs(bets.split(","), where="--bets", allowed="NAME=TIMES, e.g. across=1")
    x, y = read_bets(game, play.terms, dict(made), BETS[:2])
    in_hand, on_line = read_position(game, play.terms, {"hole": hole, "across": across}, {BETS[0]: x}).cards
    pages = third_book(play, in_hand, on_line, (x, y))
    name = f"{hole}, {across} across"
    answer({name: pages}, _page_lines(name, pages), as_json=as_json)


def _page_lines(name: str, pages: Pages) -> Iterator[str]:
    """Render the choices; the most frequent one comes last."""
    usual = max(pages, key=lambda choice: len(pages[choice]))
    choices_text = [f"{choice} with {', '.join(cards)}" for choice, cards in pages.items() if choice != usual]
    yield from paragraph(
        "; ".join([*choices_text, f"{'otherwise ' if choices_text else ''}{usual}"]),
        indent=max(6, len(name) + 2),
        first=name,
    )


def _print_squares(game: Game, hands: Sequence[StartingHand], *, as_json: bool) -> None:
    from crossfelt.analysis.solver.double_cross.payoffs import terms_of
    from crossfelt.analysis.solver.double_cross.positions import best_play
    from crossfelt.analysis.solver.double_cross.strategy_book import book

    squares = book(best_play(terms_of(game)), hands)
    if as_json:
        by_hand = groupby(squares, key=lambda square: square.hand)
        data_as_json({hand: [{"suits": one.suits, "rows": one.rows} for one in found] for hand, found in by_hand})
    else:
        data([*_square_lines(squares), *paragraph(_SQUARE_LEGEND)])


def _square_lines(squares: Iterable[Square]) -> Iterator[str]:
    for hand, found in groupby(squares, key=lambda square: square.hand):
        yield heading(hand)
        every = list(found)
        for start in range(0, len(every), _SIDE_BY_SIDE):
            yield from _beside_each_other(every[start : start + _SIDE_BY_SIDE])
            yield ""


def _beside_each_other(squares: Sequence[Square]) -> Iterator[str]:
    ranks = RANKS[::-1]
    labels = [", ".join(square.suits) for square in squares]
    widths = [max(len(label), len(ranks)) for label in labels]
    for texts in (labels, [ranks] * len(squares)):
        yield _row(" ", texts, widths)
    for place, rank in enumerate(ranks):
        yield _row(rank, [square.rows[place] for square in squares], widths)


def _row(first: str, texts: Iterable[str], widths: Iterable[int]) -> str:
    cells = "   ".join(text.ljust(width) for text, width in zip(texts, widths, strict=True))
    return f"  {first} {cells}".rstrip()


app = command_group("Compare strategies, print a strategy card, or write out optimal play.")
app.command("book")(book_command)

_DECISIONS: Final = {"line": "which line", "play": "raise or fold"}


@app.command("costs")
def costs_command(
    which: Which, submission: SubmissionFile = None, pay: PayOptions = None, as_json: AsJson = False
) -> None:
    """Show the exact cost of each strategy.

    The cost is against optimal play. Where players set two hands, the strategies are house ways.
    """
    game = with_pay(read_game(which, submission), read_pay(pay))
    names = house_way_ids() if game.book.splits else strategies_of(game)
    with open_progress("counting") as done:
        solutions = {name: solve(game, strategy=name, done=done) for name in (OPTIMAL, *names)}
    best = solutions[OPTIMAL].ev
    figures = {name: {**_figures(found), "cost": exact(best - found.ev)} for name, found in solutions.items()}
    answer(figures, _cost_lines(solutions), as_json=as_json)


def _figures(found: Solution) -> dict[str, Any]:
    return {
        "ev": exact(found.ev),
        "average_total_wagered": float(found.average_total_wagered),
        "standard_deviation": found.standard_deviation,
    }


def _cost_lines(solutions: dict[str, Solution]) -> Iterator[str]:
    best = solutions[OPTIMAL].ev
    yield heading(f"Strategies, in {solutions[OPTIMAL].unit.removeprefix('one ')}s per round")
    rows = [("", "value", "cost", "wagered", "std. dev.", "exact value")]
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
    lines: Annotated[int, typer.Option(metavar="N", help="Most lines on the card.", show_default=True)] = 8,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """Print the best strategy card found. The cost of cards with more or fewer lines follows."""
    game = with_pay(read_game(which, submission), read_pay(pay))
    kind = str(family_of(game))
    if kind not in SHORTEST_CARD:
        what, allowed = "no strategy card for this game", ", ".join(SHORTEST_CARD)
        raise bad_input("strategy.game", what, where=which, value=kind, allowed=allowed)
    shortest = SHORTEST_CARD[kind]
    if not shortest <= lines <= LONGEST_CARD:
        what, allowed = "number of lines out of range", f"{shortest} to {LONGEST_CARD}"
        raise bad_input("strategy.lines", what, where="--lines", value=lines, allowed=allowed)
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
    card = best_card(cards, most)
    yield heading(f"Strategy card of {len(card.lines)} lines; cost: {float(card.cost):.6f} antes per round")
    for decision, lines in groupby(card.lines, key=lambda line: line.decision):
        yield f"  {_DECISIONS.get(decision, f'{decision} bet')}"
        yield from columns([(line.do, line.when) for line in lines], indent=4)
    yield f"  {card.note}"
    yield ""
    yield heading("Cost by number of lines, in antes per round")
    rows = [("lines", "cost", "value", "exact cost")]
    rows += [(str(len(c.lines)), f"{float(c.cost):.6f}", f"{float(c.ev):+.6f}", str(c.cost)) for c in cards]
    yield from columns(rows, indent=2, right=[0, 1, 2])
    if len(cards[-1].lines) < LONGEST_CARD:
        yield f"  No better card was found with up to {LONGEST_CARD} lines."
    yield "  Costs are exact. A better card may exist."
