"""Subjects and questions of each drill, and sets of questions by urgency: missed, due, then new topics."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Final, NamedTuple

import msgspec

from crossfelt.cards.shuffle import Chance, repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game
from crossfelt.training.drills import errors, hand_names, house_way, irregularities, payout_order, payouts
from crossfelt.training.hand_generator import HandNotFound
from crossfelt.training.progress import DrillProgress
from crossfelt.training.question import DRILLS, DrillKind, Question, QuestionContent

_NUMBER: Final = re.compile(r"[0-9]{1,18}")


class Drill(NamedTuple):
    """One kind of question."""

    subjects: Callable[[Game], tuple[str, ...]]
    ask: Callable[[Game, str, Chance], QuestionContent]


_DRILLS: Final[Mapping[DrillKind, Drill]] = {
    "read": Drill(hand_names.subjects, hand_names.ask),
    "pay": Drill(payouts.subjects, payouts.ask),
    "order": Drill(payout_order.subjects, payout_order.ask),
    "happens": Drill(irregularities.subjects, irregularities.ask),
    "set": Drill(house_way.subjects, house_way.ask),
    "spot": Drill(errors.subjects, errors.ask),
}


def kinds_of(game: Game) -> tuple[DrillKind, ...]:
    """List the kinds of drill that a game has.

    >>> kinds_of(compile_game("nj-criss-cross"))
    ('read', 'pay', 'order', 'happens', 'spot')
    """
    return tuple(kind for kind in _DRILLS if subjects(game, kind))


def subjects(game: Game, kind: DrillKind) -> tuple[str, ...]:
    """List the subjects of one kind of drill.

    >>> subjects(compile_game("md-criss-cross"), "happens")[:2]
    ('card_in_error.any', 'community_exposed.any')
    """
    return _DRILLS[kind].subjects(game)


def topic_of(game: Game, kind: DrillKind, subject: str) -> str:
    """Return the key of progress."""
    return f"{game.book.id}/{kind}/{subject}"


def ask(game: Game, kind: DrillKind, subject: str, number: int) -> Question:
    """Make the question of this number; the same arguments give the same question.

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
        **msgspec.structs.asdict(asked),
    )


def find(game: Game, question_id: str) -> Question:
    """Find the question with this id; raise BadInput if the game has none.

    >>> find(compile_game("nj-criss-cross"), "nj-criss-cross/read/five_card.flush/x")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: question: no such question: 'nj-criss-cross/read/five_card.flush/x'
    """
    parts = question_id.split("/")
    for kind in kinds_of(game):
        named = len(parts) == 4 and parts[:2] == [game.book.id, kind] and parts[2] in subjects(game, kind)
        if named and _NUMBER.fullmatch(parts[3]):
            return ask(game, kind, parts[2], int(parts[3]))
    raise BadInput.at("question", "question.unknown", "no such question", question_id)


LARGEST_NUMBER = 1 << 32
ROUNDS = 5
"""Passes over all topics in search of further questions that differ."""

Topic = tuple[Game, DrillKind, str]


def draw_set(
    games: Sequence[Game],
    *,
    count: int,
    seed: int,
    kinds: Sequence[DrillKind] = (),
    progress: DrillProgress | None = None,
    at: int = 0,
) -> Iterator[Question]:
    """Yield up to `count` different questions; the same seed and progress give the same ones.

    >>> made = list(draw_set([compile_game("nj-double-cross")], count=4, seed=1))
    >>> [question.kind for question in made]
    ['read', 'pay', 'order', 'happens']
    """
    chance = Chance(repeatable_seed(seed), "training/set")
    topics = [(game, kind, subject) for game in games for kind in kinds_of(game) for subject in subjects(game, kind)]
    wanted = chance.shuffled(topic for topic in topics if not kinds or topic[1] in kinds)
    ordered = list(_by_urgency(wanted, progress or DrillProgress(), at))
    asked: set[bytes] = set()
    for game, kind, subject in ordered * ROUNDS:
        if len(asked) == count:
            return
        try:
            question = ask(game, kind, subject, chance.below(LARGEST_NUMBER))
        except HandNotFound:  # some topics have no question under an operator's own rules
            continue
        # Equal visible parts mean equal questions.
        seen = msgspec.json.encode(msgspec.structs.replace(question.face, id="", topic=""))
        if seen not in asked:
            asked.add(seen)
            yield question


def _by_urgency(topics: Iterable[Topic], progress: DrillProgress, at: int) -> Iterator[Topic]:
    """Order topics: missed, due, new, then the others; in each group one topic of each kind of drill in turn."""

    def urgency(topic: Topic) -> int:
        standing = progress.standing(topic_of(*topic))
        return 0 if standing.missed else 2 if not standing.asked else 1 if standing.due <= at else 3

    for _, group in groupby(sorted(topics, key=urgency), urgency):
        together = list(group)
        for row in zip_longest(*([topic for topic in together if topic[1] == kind] for kind in DRILLS)):
            yield from (topic for topic in row if topic is not None)
