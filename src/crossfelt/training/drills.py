"""The drills of a game, by kind: what can be practised, and one question of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from crossfelt.cards.shuffle import Chance, repeatable_seed
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game
from crossfelt.training import mishaps, ordering, paying, reading, setting, spotting
from crossfelt.training.question import Asked, DrillKind, Question

_NUMBER: Final = re.compile(r"[0-9]{1,18}")


class Drill(NamedTuple):
    """One kind of question."""

    subjects: Callable[[Game], tuple[str, ...]]
    ask: Callable[[Game, str, Chance], Asked]


_DRILLS: Final[Mapping[DrillKind, Drill]] = {
    "read": Drill(reading.subjects, reading.ask),
    "pay": Drill(paying.subjects, paying.ask),
    "order": Drill(ordering.subjects, ordering.ask),
    "happens": Drill(mishaps.subjects, mishaps.ask),
    "set": Drill(setting.subjects, setting.ask),
    "spot": Drill(spotting.subjects, spotting.ask),
}


def kinds_of(game: Game) -> tuple[DrillKind, ...]:
    """The kinds of drill that a game has.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> kinds_of(compile_game("nj-criss-cross"))
    ('read', 'pay', 'order', 'happens', 'spot')
    """
    return tuple(kind for kind in _DRILLS if subjects(game, kind))


def subjects(game: Game, kind: DrillKind) -> tuple[str, ...]:
    """What can be practised in one kind of drill.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> subjects(compile_game("md-criss-cross"), "happens")[:2]
    ('card_in_error.any', 'community_exposed.any')
    """
    return _DRILLS[kind].subjects(game)


def topic_of(game: Game, kind: DrillKind, subject: str) -> str:
    """What progress is kept of."""
    return f"{game.book.id}/{kind}/{subject}"


def ask(game: Game, kind: DrillKind, subject: str, number: int) -> Question:
    """The question of this number: the same one whenever it is asked for.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> question = ask(compile_game("nj-criss-cross"), "pay", "across.full_house", 7)
    >>> question.asks, question.right
    ('Seat 6 has $91 on the across bet. What do you pay?', ('109200',))
    """
    topic = topic_of(game, kind, subject)
    asked = _DRILLS[kind].ask(game, subject, Chance(repeatable_seed(number), f"training/{topic}"))
    return Question(
        id=f"{topic}/{number}",
        kind=kind,
        rulebook=game.book.id,
        title=game.book.title,
        topic=topic,
        asks=asked.asks,
        shown=asked.shown,
        answer=asked.answer,
        right=asked.right,
        explanation=asked.explanation,
    )


def find(game: Game, question_id: str) -> Question:
    """The question with this id; BadInput where the game has none.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> find(compile_game("nj-criss-cross"), "nj-criss-cross/read/five_card.flush/x")
    Traceback (most recent call last):
    crossfelt.problems.BadInput: question: no such question: 'nj-criss-cross/read/five_card.flush/x'
    """
    parts = question_id.split("/")
    for kind in kinds_of(game):
        named = len(parts) == 4 and parts[:2] == [game.book.id, kind] and parts[2] in subjects(game, kind)
        if named and _NUMBER.fullmatch(parts[3]):
            return ask(game, kind, parts[2], int(parts[3]))
    raise BadInput(Problem(code="question.unknown", where="question", what="no such question", value=question_id))
