"""Drills on the server: a worker process draws questions and marks answers; progress is stored for each account.

A question's id and topic give the answer away (``RULEBOOK/read/five_card.flush/7``). So the client gets a random
ticket instead, and the server stores which question it stands for.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace

from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.json import tint_of
from crossfelt.server.accounts.sessions import LASTS_MS, Identity
from crossfelt.server.core.rulebooks import Rulebooks
from crossfelt.server.store.interface import Record
from crossfelt.server.workers.advice import AdvicePool, encoded, game_from, whole_game
from crossfelt.training.progress import PACE_FROM, DrillProgress, DrillTally, in_pace, pace_seconds, tallies
from crossfelt.training.question import DRILLS, Answer, DrillKind, Explanation, Question, Shown

if TYPE_CHECKING:  # a worker process need not load the database
    from crossfelt.server.store.sql_store import Store
    from crossfelt.server.store.transaction import Transaction

KIND: Final = "practice"
APART: Final = 3
"""Questions between two of the same topic."""
MOST_EXAMS: Final = 20
_SEED_BYTES: Final = 6


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """The question that waits for an answer."""

    ticket: str
    question: str
    at: int


class ExamResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an exam at the dealer's desk."""

    at: int
    table: str
    title: str
    asked: int
    right: int
    millis: int


class Practice(msgspec.Struct, frozen=True, kw_only=True):
    """The stored practice of one account."""

    progress: DrillProgress = DrillProgress()
    pending: Pending | None = None
    recent: tuple[str, ...] = ()
    """The last topics, oldest first."""
    exams: tuple[ExamResult, ...] = ()
    """The last exams at the desk, oldest first."""


class GameOffered(msgspec.Struct, frozen=True, kw_only=True):
    """The drills of one rulebook, with their numbers of topics."""

    rulebook: str
    title: str
    topics: dict[str, int]


class Offered(msgspec.Struct, frozen=True, kw_only=True):
    """All drills, and the account's results."""

    drills: dict[DrillKind, str]
    games: tuple[GameOffered, ...]
    tallies: tuple[DrillTally, ...]
    exams: tuple[ExamResult, ...]


class Posed(msgspec.Struct, frozen=True, kw_only=True):
    """A question as the client gets it."""

    question: str
    """The ticket that the answer must name."""
    kind: DrillKind
    rulebook: str
    title: str
    tint: int
    """The number of the felt's colour."""
    asks: str
    shown: tuple[Shown, ...]
    answer: Answer
    again: bool
    """True if the last answer to this topic was wrong."""


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """The time of a right answer, and the time that a dealer has."""

    millis: int
    seconds: int
    in_pace: bool


class AnswerResult(msgspec.Struct, frozen=True, kw_only=True):
    """The mark of an answer."""

    right: bool
    given: str | None
    """The answer in the form of `answers`: a number, cents, numbers in order, cards; null if it was given up."""
    answers: tuple[str, ...]
    words: str
    """A right answer in words."""
    explanation: Explanation
    pace: Pace | None
    """Only for a topic that the account knows: accuracy comes first."""
    tallies: tuple[DrillTally, ...]


class Drills:
    """Draws questions and marks answers."""

    def __init__(self, store: Store, advisers: AdvicePool, rulebooks: Rulebooks, now: Callable[[], int]) -> None:
        self._store = store
        self._rulebooks = rulebooks
        self._advisers = advisers
        self._now = now
        self._games: tuple[GameOffered, ...] = ()

    async def offered(self, identity: Identity) -> Offered:
        if not self._games:
            offered = await self._advisers.ask(identity.account, offer, self._asked(None))
            self._games = msgspec.convert(offered["games"], type=tuple[GameOffered, ...])
        kept = await self._practice(identity)
        return Offered(drills=DRILLS, games=self._games, tallies=tuple(tallies(kept.progress)), exams=kept.exams)

    async def progress(self, identity: Identity) -> DrillProgress:
        return (await self._practice(identity)).progress

    async def merge(self, identity: Identity, progress: DrillProgress) -> DrillProgress:
        """Add progress made in the terminal; return both together."""
        try:
            progress.require_topics()
        except msgspec.ValidationError as error:
            raise BadInput.at("topics", "progress", str(error)) from None
        _, after = await self._change(identity, lambda it: replace(it, progress=it.progress.merged(progress)))
        return after.progress

    async def keep_exam(self, identity: Identity, result: ExamResult) -> None:
        """Keep the result of an exam, if anything was asked in it."""
        if result.asked:
            await self._change(identity, lambda it: replace(it, exams=(*it.exams, result)[-MOST_EXAMS:]))

    async def pose(self, identity: Identity, rulebook: str | None, kind: DrillKind | None) -> Posed:
        """Draw the next question, in place of the last: missed topics first, then due ones, then new ones."""
        kept = await self._practice(identity)
        seed = int.from_bytes(secrets.token_bytes(_SEED_BYTES), "big")
        drawn = await self._advisers.ask(
            identity.account, draw, self._asked(rulebook), kind, seed, msgspec.json.encode(kept), self._now()
        )
        pending = Pending(ticket=secrets.token_urlsafe(12), question=drawn["id"], at=self._now())
        await self._change(identity, lambda it: replace(it, pending=pending))
        return msgspec.convert({**drawn, "question": pending.ticket}, type=Posed)

    async def mark(self, identity: Identity, ticket: str, answer: str | None) -> AnswerResult:
        """Mark an answer once and store the progress; an invalid answer may be tried again."""
        pending = (await self._practice(identity)).pending
        at = self._now()
        if pending is None or pending.ticket != ticket:
            raise _unknown(ticket)
        (game,) = self._asked(pending.question.partition("/")[0])
        marked = await self._advisers.ask(identity.account, mark_answer, game, pending.question, answer)
        topic = pending.question.rpartition("/")[0]
        millis = max(0, at - pending.at)

        def answered(before: Practice) -> Practice:
            if before.pending != pending:
                raise _unknown(ticket)
            progress = before.progress.answered(topic, right=marked["right"], at=at, millis=millis)
            recent = (*(one for one in before.recent if one != topic), topic)[-APART:]
            return replace(before, progress=progress, recent=recent, pending=None)

        before, after = await self._change(identity, answered)
        known = marked["right"] and before.progress.standing(topic).in_a_row >= PACE_FROM
        pace = Pace(millis=millis, seconds=pace_seconds(topic), in_pace=in_pace(topic, millis)) if known else None
        result = {**marked, "pace": pace, "tallies": tuple(tallies(after.progress))}
        return msgspec.convert(result, type=AnswerResult, from_attributes=True)

    def _asked(self, rulebook: str | None) -> tuple[str, ...]:
        """Return a game as text for the worker process; all games if no rulebook is named."""
        return tuple(map(whole_game, [self._rulebooks.game(rulebook)] if rulebook else self._rulebooks.games()))

    async def _practice(self, identity: Identity) -> Practice:
        return _read(await self._store.record(KIND, identity.account))

    async def _change(self, identity: Identity, change: Callable[[Practice], Practice]) -> tuple[Practice, Practice]:
        """Change the stored practice; return it before and after. A guest's expires with the session."""
        until = self._now() + LASTS_MS if identity.guest else None

        def work(transaction: Transaction) -> tuple[Practice, Practice]:
            before = _read(transaction.record(KIND, identity.account))
            after = change(before)
            body = msgspec.json.encode(after)
            transaction.put(Record(kind=KIND, key=identity.account, body=body, until=until))
            return before, after

        return await self._store.commit([], work)


def _read(record: Record | None) -> Practice:
    return Practice() if record is None else record.read(Practice)


def _unknown(ticket: str) -> BadInput:
    what = "is not the current question: it was answered, or another one was drawn"
    return BadInput.at("question", "question.unknown", what, ticket)


# --- in the worker process --------------------------------------------------------------------------------------------


@encoded
def offer(texts: tuple[str, ...]) -> dict[str, Any]:
    from crossfelt.training.question_set import kinds_of, subjects

    def offered(game: Game) -> GameOffered:
        topics: dict[str, int] = {kind: len(subjects(game, kind)) for kind in kinds_of(game)}
        return GameOffered(rulebook=game.book.id, title=game.book.title, topics=topics)

    return {"games": [offered(game) for game in map(game_from, texts)]}


@encoded
def draw(texts: tuple[str, ...], kind: DrillKind | None, seed: int, kept: bytes, at: int) -> dict[str, Any]:
    """Draw the next question for an account's practice, not on a recent topic if there is another."""
    from crossfelt.training.question_set import draw_set

    practice = msgspec.json.decode(kept, type=Practice)
    games, kinds = list(map(game_from, texts)), (kind,) if kind else ()
    drawn: list[Question] = []
    for question in draw_set(games, count=APART + 1, seed=seed, kinds=kinds, progress=practice.progress, at=at):
        drawn.append(question)
        if question.topic not in practice.recent:
            return _posed(question, practice, games)
    if not drawn:
        raise BadInput.at("kind", "practice.none", "this game has no such drill", kind)
    return _posed(min(drawn, key=lambda question: practice.recent.index(question.topic)), practice, games)


def _posed(question: Question, practice: Practice, games: list[Game]) -> dict[str, Any]:
    """Return a question as the client gets it, with its id, which the server keeps back."""
    face = {name: getattr(question, name) for name in Posed.__struct_fields__ if hasattr(question, name)}
    again = practice.progress.standing(question.topic).missed
    tint = next(tint_of(game) for game in games if game.book.id == question.rulebook)
    return {**face, "id": question.id, "tint": tint, "again": again}


@encoded
def mark_answer(game: str, question_id: str, answer: str | None) -> dict[str, Any]:
    """Mark an answer, with an explanation; None stands for giving up."""
    from crossfelt.training.answers import grade, in_words
    from crossfelt.training.question_set import find

    question = find(game_from(game), question_id)
    marked = grade(question, answer) if answer is not None else None
    return {
        "right": marked is not None and marked.right,
        "given": marked.given if marked else None,
        "answers": question.right,
        "words": in_words(question, question.right[0]),
        "explanation": question.explanation,
    }
