"""The commit of a table: its rows, the answers of its meters, the money of its players' accounts, and the seal of its
round, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, Protocol

import msgspec

from crossfelt.play.meters import METER_EVENTS
from crossfelt.progressive.meter import Meter
from crossfelt.server.core.meters import LinkedMeters
from crossfelt.server.core.rng import CommitRound, RoundCommitment, RoundCommitted
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.dual_control.dual_control import Approval
from crossfelt.server.journal.events import LargePayment
from crossfelt.server.journal.stream import JOURNAL_STREAM, Journal
from crossfelt.server.store.interface import Lease, Transaction, new_row
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.commands import Command
from crossfelt.table.engine import Accepted, run
from crossfelt.table.events import Event
from crossfelt.table.state import TableState

CHIPS_MOVE: Final = frozenset((e.SeatTaken, e.ChipsBought, e.SeatLeft))
"""Events that take chips to a table, or from it."""
PAYMENTS: Final = frozenset((e.WagerSettled, e.CouponSettled, e.AwardPaid))
LARGE_CENTS: Final = 1_000_000
"""The payment from which the floor gets an alarm."""


class TableEntry(msgspec.Struct, frozen=True, gc=False):
    """One row of a table: an accepted command, with the table before and after it."""

    seq: int
    before: TableState
    command: Command
    events: tuple[Event, ...]
    after: TableState
    kinds: frozenset[type[Event]]
    """The types of the events, kept because many callers need them."""

    @classmethod
    def of(
        cls, seq: int, before: TableState, command: Command, events: tuple[Event, ...], after: TableState
    ) -> TableEntry:
        return cls(seq, before, command, events, after, frozenset(map(type, events)))

    @property
    def moves_chips(self) -> bool:
        """True if the row takes chips to the table, or from it."""
        return not CHIPS_MOVE.isdisjoint(self.kinds)


class CommitBatch(NamedTuple):
    """Rows to be stored together, the seal of the round that they open, and the approval of a second person."""

    rows: Sequence[TableEntry]
    seal: CommitRound | None
    approval: Approval | None


class Committed(NamedTuple):
    """The result of a commit: the rows of the batch, and the rows of awards that meters have granted."""

    rows: tuple[TableEntry, ...]
    hash: str
    """The hash of the last row."""
    meters: dict[str, Meter]
    commitment: RoundCommitment | None


class Cashier(Protocol):
    """Moves chips between accounts and a table, within the table's commit, for rows that move chips."""

    def streams(self, rows: Collection[TableEntry]) -> Collection[str]:
        """Return the streams of the accounts whose money these rows move."""

    def move(self, tx: Transaction, settings: TableSettings, row: TableEntry) -> None:
        """Write the movements of a row; raise `BadInput` if an account refuses one."""


class CommitWriter:
    """Writes the batches of one table."""

    def __init__(
        self, settings: TableSettings, meters: LinkedMeters, cashier: Cashier, lease: Lease, journal: Journal
    ) -> None:
        self._settings = settings
        self._journal = journal
        self._meters = meters
        self._cashier = cashier
        self._lease = lease

    def streams(self, batch: CommitBatch) -> set[str]:
        """Return every stream that a batch may write to."""
        names = {self._settings.stream}
        if moving := [row for row in batch.rows if row.moves_chips]:
            names.update(self._cashier.streams(moving))
        if batch.seal is not None:
            names.add(self._settings.seals)
        if batch.approval is not None:
            names.update(batch.approval.streams)
        if any(map(self._large_payments, batch.rows)):
            names.add(JOURNAL_STREAM)
        if any(not METER_EVENTS.isdisjoint(row.kinds) for row in batch.rows):
            names.update(self._meters.streams)
        return names

    def write(self, tx: Transaction, batch: CommitBatch) -> Committed:
        """Write a batch within a transaction of the store."""
        if batch.approval is not None:
            batch.approval.note(tx)
        written: list[TableEntry] = []
        meters: dict[str, Meter] = {}
        for row in batch.rows:
            self._append(tx, row)
            written.append(row)
            if METER_EVENTS.isdisjoint(row.kinds):
                continue
            grants, changed = self._meters.receive(tx, row.events, row.seq, row.after.round)
            meters |= changed
            for fields in grants:
                written.append(self._grant(tx, written[-1], fields))
        commitment = None if batch.seal is None else self._seal(tx, batch.seal)
        return Committed(tuple(written), tx.head(self._settings.stream).hash, meters, commitment)

    def _append(self, tx: Transaction, row: TableEntry) -> None:
        tx.append(self._settings.stream, new_row(row.command, row.events), seq=row.seq, lease=self._lease)
        if row.moves_chips:
            self._cashier.move(tx, self._settings, row)
        for event, wager, cents in self._large_payments(row):
            large = LargePayment(
                by=event.by,
                at=event.at,
                table=self._settings.id,
                round=row.after.round,
                seat=event.seat,
                wager=wager,
                cents=cents,
            )
            self._journal.write(tx, large)

    def _large_payments(self, row: TableEntry) -> list[_Payment]:
        """Return the payments of a row that are an alarm; a private table is for practice and has none."""
        return [] if self._settings.owner else _large_payments(row)

    def _grant(self, tx: Transaction, last: TableEntry, fields: dict[str, object]) -> TableEntry:
        """Write the meter's answer to a claim as a row of the table, in the same commit as the claim."""
        seq = last.seq + 1
        command = c.GrantAward(id=f"auto-{seq}", who="meter", role="dealer", at=last.command.at, **fields)  # type: ignore[arg-type]
        answer = run(last.after, command)
        assert isinstance(answer, Accepted), answer
        row = TableEntry.of(seq, last.after, command, answer.events, answer.table)
        self._append(tx, row)
        return row

    def _seal(self, tx: Transaction, seal: CommitRound) -> RoundCommitment:
        commitment = RoundCommitment.of(seal)
        event = RoundCommitted(round=seal.round, root=commitment.commitment.root)
        tx.append(self._settings.seals, new_row(seal, (event,)), lease=self._lease)
        return commitment


def _large_payments(row: TableEntry) -> list[_Payment]:
    """Return the payments of a row from which the floor gets an alarm, each with its wager and its amount."""
    if PAYMENTS.isdisjoint(row.kinds):
        return []
    found: list[_Payment] = []
    for event in row.events:
        if isinstance(event, e.AwardPaid):
            found.append(_Payment(event, event.wager or event.award, event.cents))
        elif isinstance(event, e.WagerSettled | e.CouponSettled):
            found.append(_Payment(event, event.wager, event.paid))
    return [it for it in found if it.cents >= LARGE_CENTS]


class _Payment(NamedTuple):
    event: e.WagerSettled | e.CouponSettled | e.AwardPaid
    wager: str
    cents: int


def kinds_of(rows: Sequence[TableEntry]) -> frozenset[type[Event]]:
    """Return the types of all events in some rows."""
    return rows[0].kinds if len(rows) == 1 else frozenset().union(*[row.kinds for row in rows])
