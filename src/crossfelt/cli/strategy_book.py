"""`crossfelt strategy book`: best play written out, whole or for the cards in hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from crossfelt.analysis import with_pay
from crossfelt.cards.card import RANKS
from crossfelt.cards.notation import parse_cards
from crossfelt.cli.asking import AsJson, PayOptions, SubmissionFile, Which, read_game, read_pairs, read_pay
from crossfelt.cli.output import data, data_as_json, heading
from crossfelt.cli.progress import progress
from crossfelt.hands.starting_hands import STARTING_HANDS, StartingHand, starting_hand, starting_hand_named
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.typesetting import paragraph

if TYPE_CHECKING:
    from crossfelt.analysis.criss_cross_book import Choices, HandBook, Pages
    from crossfelt.analysis.double_cross_book import Square

_BETS: Final = "across=1,down=1"
_SIDE_BY_SIDE: Final = 5
"""Squares of Double Cross Poker that fit beside each other."""
_LEGEND: Final = (
    "The first that applies decides. any K: a king with any other card; QQ-66: pairs; J-T9: a jack with a ten or a "
    "nine; s: of the suit of both hole cards, o: of another, both s: two of that suit. Of choices that are worth the "
    "same it is the one that stakes more."
)
_SQUARE_LEGEND: Final = (
    "Down: the top card; across: the right card. F: fold, V: raise on the vertical line, H: on the horizontal line. "
    "Suits of the two cards: s that of both hole cards, h of the higher, l of the lower (h l: of a pair, one each), "
    "o another, p a fourth. Of choices that are worth the same it is the raise, and on the vertical line."
)


def book_command(
    which: Which,
    hole: Annotated[str, typer.Option(metavar="CARDS", help='Only for these two cards in hand: "As Kd", or AKo.')] = "",
    across: Annotated[str, typer.Option(metavar="CARDS", help="Criss Cross: the middle bet after these cards.")] = "",
    bets: Annotated[str, typer.Option(metavar="NAME=TIMES,…", help="Criss Cross: bets before the middle bet.")] = _BETS,
    middle: Annotated[bool, typer.Option("--middle", help="Criss Cross: the middle bet too, for all hands.")] = False,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """Best play written out: every hand, or the cards in hand. One line may stand for thousands of positions."""
    game = with_pay(read_game(which, submission), read_pay(pay))
    match game.book.game:
        case "criss_cross" if across:
            _tell_pages(game, hole, across, bets, as_json=as_json)
        case "criss_cross":
            _tell_hands(game, _hands(hole), middle=middle or bool(hole), as_json=as_json)
        case "double_cross" if across or middle or bets != _BETS:
            what, allowed = "this game has one decision; its book is asked by hole cards", "--hole"
            raise BadInput(Problem(code="strategy.book", where=which, what=what, allowed=allowed))
        case "double_cross":
            _tell_squares(game, _hands(hole), as_json=as_json)
        case other:
            what, allowed = "best play is not written out for this game", "criss_cross, double_cross"
            raise BadInput(Problem(code="strategy.game", where=which, what=what, value=other, allowed=allowed))


def _hands(hole: str) -> Sequence[StartingHand]:
    """The starting hand that was named, by two cards or as players write it; all of them where none was."""
    if not hole:
        return STARTING_HANDS
    if len(hole.strip()) < len("AsKd"):
        number = starting_hand_named(hole.strip())
    else:
        number = starting_hand(parse_cards(hole, count=(2,), where="--hole"))
    return (STARTING_HANDS[number],)


# --- Criss Cross Poker ----------------------------------------------------------------------------------------------


def _tell_hands(game: Game, hands: Sequence[StartingHand], *, middle: bool, as_json: bool) -> None:
    from crossfelt.analysis.criss_cross_book import book
    from crossfelt.analysis.criss_cross_induction import induce
    from crossfelt.analysis.criss_cross_terms import terms_of

    play = induce(terms_of(game))
    told: list[HandBook] = []
    with progress("Writing out", len(hands)) as advance:
        for hand in hands:
            told += book(play, [hand], middle=middle)
            advance(1)
    if as_json:
        data_as_json({hand.hand: _hand_data(hand) for hand in told})
    elif told:
        data([line for hand in told for line in _hand_lines(hand)] + paragraph(_LEGEND))
    else:
        data(f"{hands[0].name}  fold")


def _hand_data(hand: HandBook) -> dict[str, Any]:
    pages = [
        {"across": page.across, "down_bet": page.down_bet, "middle_bet": _choices_data(page.middle_bet)}
        for page in hand.pages
    ]
    told: dict[str, Any] = {"across_bet": hand.across_bet, "down_bet": _choices_data(hand.down_bet)}
    return {**told, "pages": pages} if pages else told


def _choices_data(choices: Choices) -> dict[str, Any]:
    return {"with": dict(choices.with_cards), "otherwise": choices.otherwise}


def _hand_lines(hand: HandBook) -> Iterator[str]:
    yield from _wrapped(f"across {hand.across_bet}; down {_choice_text(hand.down_bet)}", first=hand.hand, indent=5)
    for page in hand.pages:
        bets = f"down {page.down_bet}, middle {_choice_text(page.middle_bet)}"
        yield from _wrapped(f"{page.across}: {bets}", first="", indent=7)


def _choice_text(choices: Choices) -> str:
    told = [f"{choice} with {cards}" for choice, cards in choices.with_cards]
    return "; ".join([*told, f"otherwise {choices.otherwise}" if told else choices.otherwise])


def _wrapped(text: str, *, first: str, indent: int) -> list[str]:
    return paragraph(text, indent=indent, hanging=2, first=first)


def _tell_pages(game: Game, hole: str, across: str, bets: str, *, as_json: bool) -> None:
    """The middle bet for given cards, each two cards down by name."""
    from crossfelt.analysis.criss_cross_advice import read_bets, read_position
    from crossfelt.analysis.criss_cross_book import third_book
    from crossfelt.analysis.criss_cross_induction import induce
    from crossfelt.analysis.criss_cross_terms import BETS, terms_of

    play = induce(terms_of(game))
    made = read_pairs(bets.split(","), where="--bets", allowed="NAME=TIMES, as across=1")
    x, y = read_bets(game, play.terms, dict(made), BETS[:2])
    in_hand, on_line = read_position(game, play.terms, {"hole": hole, "across": across}, {BETS[0]: x}).cards
    pages = third_book(play, in_hand, on_line, (x, y))
    name = f"{hole}, {across} across"
    if as_json:
        data_as_json({name: pages})
    else:
        data(_page_lines(name, pages))


def _page_lines(name: str, pages: Pages) -> Iterator[str]:
    """The choice that most cards call for is told last."""
    usual = max(pages, key=lambda choice: len(pages[choice]))
    told = [f"{choice} with {', '.join(cards)}" for choice, cards in pages.items() if choice != usual]
    yield from paragraph(
        "; ".join([*told, f"{'otherwise ' if told else ''}{usual}"]), indent=max(6, len(name) + 2), first=name
    )


# --- Double Cross Poker ---------------------------------------------------------------------------------------------


def _tell_squares(game: Game, hands: Sequence[StartingHand], *, as_json: bool) -> None:
    from crossfelt.analysis.double_cross_book import book
    from crossfelt.analysis.double_cross_play import best_play
    from crossfelt.analysis.double_cross_terms import terms_of

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
