"""`crossfelt hand`: rank and name of a hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from crossfelt.cards import JOKER, Card, format_cards, parse_cards
from crossfelt.cli.output import data, data_as_json
from crossfelt.hands import KINDS, HandKind, HandRank
from crossfelt.problems import BadInput, Problem

_KIND_OF_COUNT: Final = {2: "two_card", 3: "three_card", 5: "five_card", 7: "pai_gow_seven"}
_ALLOWED: Final = "2c … As; Jk (joker) in two, five or seven cards"


class HandAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What `crossfelt hand --json` prints."""

    cards: str
    category: str
    name: str
    ranks: tuple[int, ...]


def hand(
    cards: Annotated[str, typer.Argument(help='For example "As Ks Qs Js Ts"; the joker is Jk.')],
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="ID", help="A rulebook's id or file: also say what the hand pays there."),
    ] = None,
    submission: Annotated[
        Path | None,
        typer.Option("--submission", metavar="FILE", help="With a game: the Rules Submission of an operator."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Rank and name a hand of two, three, five or seven cards; with a game, say what it pays."""
    if submission is not None and game is None:
        problem = Problem(code="hand.game", where="--submission", what="says nothing of a hand without --game")
        raise BadInput(problem)
    answer, lines = _on_its_own(cards) if game is None else _in_game(game, submission, cards)
    if as_json:
        data_as_json(answer)
    else:
        data(lines)


def _on_its_own(text: str) -> tuple[HandAnswer, list[str]]:
    given, kind = read_hand(text)
    answer = answer_of(given, kind.classify(given))
    return answer, [f"{answer.name} ({answer.category})"]


def _in_game(game: str, submission: Path | None, text: str) -> tuple[msgspec.Struct, list[str]]:
    # rulebooks take a while to read
    from crossfelt.cli.asking import read_game
    from crossfelt.cli.hand_pays import answer_in

    return answer_in(read_game(game, submission), text)


def read_hand(text: str) -> tuple[tuple[Card, ...], HandKind]:
    """The cards that were typed, and the kind of hand that so many cards make.

    Five or seven cards with the joker are ranked as in pai gow poker.

    >>> read_hand("As Kd 2c")[1].id, read_hand("As Ks Jk 2c 3d")[1].id
    ('three_card', 'pai_gow_five')
    """
    cards = parse_cards(text, count=tuple(_KIND_OF_COUNT), joker=True, where="hand", allowed=_ALLOWED)
    if len(cards) == 5 and JOKER in cards:
        return cards, KINDS["pai_gow_five"]
    kind = KINDS[_KIND_OF_COUNT[len(cards)]]
    return parse_cards(text, joker=kind.deck == 53, where="hand"), kind


def answer_of(cards: Sequence[Card], rank: HandRank) -> HandAnswer:
    """What is printed of a ranked hand.

    >>> given, kind = read_hand("Kd Kc 4h")
    >>> answer_of(given, kind.classify(given)).name
    'pair of kings'
    """
    return HandAnswer(cards=format_cards(cards), category=rank.category, name=rank.name, ranks=rank.ranks)
