"""Shared helpers of the drill tests: the games, and many questions of one subject."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.training.question import CardsShown, ChipsShown, DrillKind, Question
from crossfelt.training.question_set import ask, subjects

BOOKS: Final = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross", "nj-double-cross", "nj-pai-gow")
CRISS_CROSS: Final = BOOKS[:3]


@cache
def game_of(book: str) -> Game:
    return compile_game(book)


@cache
def drilled(book: str, kind: DrillKind, numbers: int = 3) -> tuple[tuple[str, Question], ...]:
    """Yield some questions of every subject of a drill."""
    return tuple(
        (subject, ask(game_of(book), kind, subject, number))
        for subject in subjects(game_of(book), kind)
        for number in range(numbers)
    )


def cards_of(question: Question) -> dict[str, list[str]]:
    """Return the shown cards by place; those of a cross by its lines."""
    found: dict[str, list[str]] = {}
    for item in question.shown:
        if isinstance(item, CardsShown) and item.shape == "cross":
            far, left, middle, right, near = item.cards
            found |= {"across": [left, right], "down": [far, near], "middle": [middle]}
        elif isinstance(item, CardsShown):
            found[item.place] = list(item.cards)
    return found


def chips_of(question: Question) -> dict[str, int]:
    return {item.place: item.cents for item in question.shown if isinstance(item, ChipsShown)}


def chosen(question: Question) -> str:
    """Return the text of the right option."""
    answer: Any = question.answer
    return str(answer.options[int(question.right[0]) - 1])
