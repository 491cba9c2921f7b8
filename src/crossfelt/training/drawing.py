"""A set of questions: what was missed, then what is due, then what is new, drills and games mixed, none twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

import msgspec

from crossfelt.cards.shuffle import Chance, repeatable_seed
from crossfelt.rulebooks.game import Game
from crossfelt.training.drills import ask, kinds_of, subjects, topic_of
from crossfelt.training.making import NotMade
from crossfelt.training.progress import Progress
from crossfelt.training.question import DRILLS, DrillKind, Face, Question

LARGEST_NUMBER = 1 << 32
ROUNDS = 5
"""So often all topics are gone through for more questions; then there are no more that differ."""

Topic = tuple[Game, DrillKind, str]


def draw_set(
    games: Sequence[Game],
    *,
    count: int,
    seed: int,
    kinds: Sequence[DrillKind] = (),
    progress: Progress | None = None,
    at: int = 0,
) -> Iterator[Question]:
    """So many questions, all different; fewer where there are no more. The same seed and progress give the same ones.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> made = list(draw_set([compile_game("nj-double-cross")], count=4, seed=1))
    >>> [question.kind for question in made]
    ['read', 'pay', 'order', 'happens']
    """
    chance = Chance(repeatable_seed(seed), "training/set")
    topics = [(game, kind, subject) for game in games for kind in kinds_of(game) for subject in subjects(game, kind)]
    wanted = chance.shuffled(topic for topic in topics if not kinds or topic[1] in kinds)
    ordered = list(_by_urgency(wanted, progress or Progress(), at))
    asked: set[bytes] = set()
    for game, kind, subject in ordered * ROUNDS:
        if len(asked) == count:
            return
        try:
            question = ask(game, kind, subject, chance.below(LARGEST_NUMBER))
        except NotMade:  # under an operator's own rules not everything can be shown
            continue
        content = _content(question)
        if content not in asked:
            asked.add(content)
            yield question


def _by_urgency(topics: Iterable[Topic], progress: Progress, at: int) -> Iterator[Topic]:
    """Missed, due, new, and what could wait, each of them mixed."""
    classes: list[list[Topic]] = [[], [], [], []]
    for topic in topics:
        standing = progress.standing(topic_of(*topic))
        if standing.missed:
            classes[0].append(topic)
        elif not standing.asked:
            classes[2].append(topic)
        else:
            classes[1 if standing.due <= at else 3].append(topic)
    for of_class in classes:
        yield from _mixed(of_class)


def _mixed(topics: Sequence[Topic]) -> Iterator[Topic]:
    """One of each kind of drill after the other, so that no kind crowds out the others."""
    by_kind: dict[DrillKind, list[Topic]] = {kind: [] for kind in DRILLS}
    for topic in topics:
        by_kind[topic[1]].append(topic)
    for row in zip_longest(*by_kind.values()):
        yield from (topic for topic in row if topic is not None)


def _content(question: Question) -> bytes:
    """What a person sees of a question: two with the same cards and words are the same."""
    seen = {name: getattr(question, name) for name in Face.__struct_fields__ if name not in ("id", "topic")}
    return msgspec.json.encode(seen)
