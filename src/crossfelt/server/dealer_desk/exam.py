"""The exam at the desk: the amounts are hidden, the dealer types each payment, and it is marked and timed.

Neither the desk nor the updates of the table carry hands, results and amounts before the dealer has answered. An
account has one exam at a time. It is kept as a record, so that a reload or another process continues it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from crossfelt._util.shared_fields import shared_fields
from crossfelt.errors import BadInput, Problem
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.dealer_desk.desk import Desk, Movement, movements
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.store.interface import Record
from crossfelt.server.store.sql_store import Store
from crossfelt.table.events import HandsExposed, HandShown

KIND: Final = "exam"
LASTS_MS: Final = 12 * 3600 * 1000
PAID: Final = ("pay", "meter")


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A typed payment and the right one, in cents, with the time that it took."""

    movement: str
    round: int
    seat: int
    title: str
    given_cents: int | None
    """None if the payment was not typed before the exam ended, which is wrong."""
    cents: int
    millis: int
    words: str
    """The arithmetic of the right payment."""

    @property
    def right(self) -> bool:
        return self.given_cents == self.cents


class Exam(msgspec.Struct, frozen=True, kw_only=True):
    """The exam of an account at a table."""

    table: str
    title: str
    since_seq: int
    """The last row before the exam; payments of later rows are asked."""
    answered_at: int
    marks: tuple[Mark, ...] = ()


class ExamScore(msgspec.Struct, frozen=True, kw_only=True):
    """The score of an exam so far, or at its end."""

    table: str
    title: str
    asked: int
    right: int
    millis: int
    rounds: int
    last: Mark | None
    last_right: bool
    wrong: tuple[Mark, ...]

    @classmethod
    def of(cls, exam: Exam) -> ExamScore:
        return cls(
            **shared_fields(exam, ExamScore),
            asked=len(exam.marks),
            right=sum(mark.right for mark in exam.marks),
            millis=sum(mark.millis for mark in exam.marks),
            rounds=len({mark.round for mark in exam.marks}),
            last=exam.marks[-1] if exam.marks else None,
            last_right=bool(exam.marks) and exam.marks[-1].right,
            wrong=tuple(mark for mark in exam.marks if not mark.right),
        )


def hidden(desk: Desk, exam: Exam, rows: Iterable[TableEntry]) -> Desk:
    """Return the desk without the amounts of the payments that are still to be typed, but with the cards shown."""
    asked = _unanswered(exam, desk.movements)
    events = [event for row in rows for event in row.events]
    hands = {event.seat: event for event in events if isinstance(event, HandShown | HandsExposed)}
    shown = [_question(it, hands.get(it.seat)) if it in asked else it for it in desk.movements]
    return replace(desk, movements=tuple(shown))


def _unanswered(exam: Exam, made: Iterable[Movement]) -> list[Movement]:
    """Return the payments that are still asked: those of settled wagers, after the exam began."""
    marked = {mark.movement for mark in exam.marks}
    return [it for it in made if it.stake_cents > 0 and _row_of(it) > exam.since_seq and it.id not in marked]


def _row_of(movement: Movement) -> int:
    return int(movement.id.partition(".")[0])


def _mark(movement: Movement, given_cents: int | None, round_: int, millis: int) -> Mark:
    cents = movement.cents if movement.way in PAID else 0
    made = {"movement": movement.id, "round": round_, "given_cents": given_cents, "cents": cents, "millis": millis}
    return Mark(**shared_fields(movement, Mark) | made)


def _question(movement: Movement, hand: HandShown | HandsExposed | None) -> Movement:
    return Movement(
        id=movement.id,
        seat=movement.seat,
        way="asked",
        title=movement.title,
        cents=0,
        stake_cents=movement.stake_cents,
        cards=tuple(card.text for card in hand.cards) if hand is not None else (),
        low=tuple(card.text for card in hand.low) if isinstance(hand, HandsExposed) else (),
    )


class Exams:
    """The exams of all accounts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, account: str, table: str) -> Exam | None:
        """Return the exam of an account at a table; None if it has none there."""
        record = await self._store.record(KIND, account)
        exam = None if record is None else msgspec.json.decode(record.body, type=Exam)
        return exam if exam is not None and exam.table == table else None

    async def begin(self, by: Identity, actor: TableActor) -> Exam:
        """Begin an exam, in place of one at another table. At a public table the dealer works, and people are paid."""
        if not actor.settings.owner:
            what = "an exam takes place at a table of your own: open one with Practise dealing in the trainer"
            raise BadInput.at("table", "exam.table", what, actor.settings.id)
        if await self.of(by.account, actor.settings.id) is not None:
            raise BadInput(Problem(code="exam.open", what="an exam is open at this table: end it first"))
        now = actor.now()
        exam = Exam(
            table=actor.settings.id,
            title=actor.table.game.book.title,
            since_seq=actor.seq,
            answered_at=now,
        )
        await self._keep(by.account, exam)
        actor.examine(by.name, on=True)
        return exam

    async def answer(self, account: str, actor: TableActor, movement: str, cents: int) -> Exam:
        """Mark a typed payment. Each is marked once."""
        exam = await self._required(account, actor)
        rows = actor.memory.round_rows
        found = next((it for it in _unanswered(exam, movements(rows)) if it.id == movement), None)
        if found is None:
            raise BadInput(Problem(code="exam.question", what="this payment is not asked", value=movement))
        now = actor.now()
        asked_at = max([exam.answered_at, *(row.command.at for row in rows if row.seq == _row_of(found))])
        mark = _mark(found, cents, actor.table.round, max(0, now - asked_at))
        exam = replace(exam, answered_at=now, marks=(*exam.marks, mark))
        await self._keep(account, exam)
        return exam

    async def waits(self, account: str, actor: TableActor) -> bool:
        """Return whether an exam waits for a payment: the dealer goes on when it is typed."""
        exam = await self.of(account, actor.settings.id)
        return exam is not None and bool(_unanswered(exam, movements(actor.memory.round_rows)))

    async def end(self, by: Identity, actor: TableActor) -> Exam:
        """End an exam, and return it. Payments that are still asked are wrong."""
        exam = await self._required(by.account, actor)
        left = [_mark(it, None, actor.table.round, 0) for it in _unanswered(exam, movements(actor.memory.round_rows))]
        exam = replace(exam, marks=(*exam.marks, *left))
        await self._store.commit([], lambda transaction: transaction.drop(KIND, by.account))
        actor.examine(by.name, on=False)
        return exam

    async def _required(self, account: str, actor: TableActor) -> Exam:
        exam = await self.of(account, actor.settings.id)
        if exam is None:
            raise BadInput(Problem(code="exam.none", what="no exam is open at this table: start one first"))
        return exam

    async def _keep(self, account: str, exam: Exam) -> None:
        record = Record(kind=KIND, key=account, body=msgspec.json.encode(exam), until=exam.answered_at + LASTS_MS)
        await self._store.commit([], lambda transaction: transaction.put(record))
