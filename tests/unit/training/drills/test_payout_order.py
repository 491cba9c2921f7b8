"""The order of taking and paying, against the order that the documents print."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from crossfelt.training.question import Arrange, Question
from crossfelt.training.question_set import ask
from unit.training.sample_questions import BOOKS, CRISS_CROSS, game_of

ANTES_AND_BETS = ("ante across", "across bet", "ante down", "down bet", "middle bet")
BONUS = ("5 Card Bonus", "Five Card Bonus")
ITEM = re.compile(r"(take|pay) seat (\d)'s (.+) \((.+)\)")
STEPS = {
    "criss": ("Players may", "no more bets", "dealer deals", "stub goes", "decides on the across", "up: across left",
              "decides on the down", "up: down far", "decides on the middle", "up: middle"),
    "double": ("Players may", "no more bets", "dealer deals", "stub goes", "decides on the raise"),
    "pai gow": ("bank is offered", "Players may", "no more bets", "Dice", "dealer deals", "players set", "dealer sets",
                "exposes", "settles player by player"),
}  # fmt: skip


def in_order(question: Question) -> list[str]:
    assert isinstance(question.answer, Arrange)
    return [question.answer.items[int(number) - 1] for number in question.right[0].split()]


def key(book: str, item: str) -> tuple[int, ...]:
    """Return the place of an act by the document: part of the settlement, seat from the dealer's right, wager."""
    if item.startswith("collect"):
        return (1,)
    found = ITEM.fullmatch(item)
    if found is None:
        return (3,)  # an award beside a spin
    verb, seat, title, _ = found.groups()
    from_the_right = -int(seat)
    if book in CRISS_CROSS:
        if "Spin" in title:  # hands without a pair lose as the wheel is come to; then it is spun from the right
            return (3, verb == "pay", from_the_right)
        if (
            title in BONUS
        ):  # N.J. 40.11(b): at the end; Mass. 10(h)(5): after the seat's others; Md. 11H: first, for all
            return {"nj": (2, 1, from_the_right), "ma": (2, 0, from_the_right, 9), "md": (2, -1, from_the_right)}[
                book[:2]
            ]
        return (2, 0, from_the_right, ANTES_AND_BETS.index(title))
    if book == "nj-double-cross":
        if "three" in title.lower():  # 25.8(c): all losing wagers are taken before a winner is paid
            return (0, verb == "pay", from_the_right)
        return (2, from_the_right, ("ante", "raise").index(title.removesuffix("s").removesuffix(" wager")))
    # 11.9: losing wagers as each hand is exposed, then the winners, the main wager first.
    main = "pai gow poker" not in title.lower()
    return (2, verb == "pay", from_the_right, main if verb == "pay" else 0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("subject", ["one_seat", "seats", "table"])
def test_wagers_are_taken_and_paid_as_the_document_says(book: str, subject: str) -> None:
    for number in range(25):
        question = ask(game_of(book), "order", subject, number)
        keys: list[Any] = [key(book, item) for item in in_order(question)]
        assert all(one[: len(other)] <= other for one, other in pairwise(keys)), question


@pytest.mark.parametrize("book", BOOKS)
def test_steps_come_in_the_order_of_the_document(book: str) -> None:
    steps = STEPS["pai gow" if "pai" in book else "double" if "double" in book else "criss"]
    for number in range(10):
        items = in_order(ask(game_of(book), "order", "round", number))
        places = [next((place for place, words in enumerate(steps) if words in item), None) for item in items]
        known = [place for place in places if place is not None]
        assert known == sorted(known), items
        assert len(set(items)) == len(items) >= 3
