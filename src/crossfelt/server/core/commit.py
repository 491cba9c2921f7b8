"""The commit of a table: its rows, the answers of its meters, the money of its players' accounts, and the seal of its
round, in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt.play.meters import METER_EVENTS
from crossfelt.progressive.meter import Meter
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.usernames import account_key, account_stream
from crossfelt.server.core.bots import bot_style
from crossfelt.server.core.meters import LinkedMeters
from crossfelt.server.core.rng import CommitRound, RoundCommitment, RoundCommitted
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.dual_control.dual_control import Approval
from crossfelt.server.journal.events import LargePayment
from crossfelt.server.journal.stream import JOURNAL_STREAM, Journal
from crossfelt.server.store.interface import Lease
from crossfelt.server.store.transaction import Transaction
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.commands import Command
from crossfelt.table.engine import Accepted, run
from crossfelt.table.events import Event
from crossfelt.table.state import TableState

CHIPS_MOVE: Final = frozenset((e.SeatTaken, e.ChipsBought, e.SeatLeft))
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
        return not CHIPS_MOVE.isdisjoint(self.kinds)


class Committed(NamedTuple):
    """The result of a commit: its rows, and the rows of awards that meters have granted."""

    rows: tuple[TableEntry, ...]
    hash: str
    """The hash of the last row."""
    meters: dict[str, Meter]
    commitment: RoundCommitment | None


class CommitWriter(NamedTuple):
    """Writes the commits of one table."""

    settings: TableSettings
    meters: LinkedMeters
    accounts: Accounts | None
    """None if the table's chips are no money of its players."""
    lease: Lease
    journal: Journal

    def streams(self, rows: Sequence[TableEntry], seal: CommitRound | None, approval: Approval | None) -> set[str]:
        """Return every stream that these rows, the seal of the round that they open and an approval may write to."""
        names = {self.settings.stream}
        if self.accounts is not None:
            names.update(account_stream(account_key(move.player)) for row in rows for move in _moves(row))
        if seal is not None:
            names.add(self.settings.seals)
        if approval is not None:
            names.update(approval.streams)
        if any(map(self._alarms, rows)):
            names.add(JOURNAL_STREAM)
        if any(not METER_EVENTS.isdisjoint(row.kinds) for row in rows):
            names.update(self.meters.streams)
        return names

    def write(
        self, tx: Transaction, rows: Sequence[TableEntry], seal: CommitRound | None, approval: Approval | None
    ) -> Committed:
        if approval is not None:
            approval.note(tx)
        written: list[TableEntry] = []
        meters: dict[str, Meter] = {}
        for row in rows:
            self._append(tx, row)
            written.append(row)
            if METER_EVENTS.isdisjoint(row.kinds):
                continue
            grants, changed = self.meters.receive(tx, row.events, row.seq, row.after.round)
            meters |= changed
            for fields in grants:
                written.append(self._grant(tx, written[-1], fields))
        commitment = None if seal is None else self._seal(tx, seal)
        return Committed(tuple(written), tx.head(self.settings.stream).hash, meters, commitment)

    def _append(self, tx: Transaction, row: TableEntry) -> None:
        tx.append(self.settings.stream, row.command, row.events, seq=row.seq, lease=self.lease)
        if self.accounts is not None and row.moves_chips:
            self.move_money(tx, self.accounts, row)
        for alarm in self._alarms(row):
            self.journal.write(tx, alarm)

    def move_money(self, tx: Transaction, accounts: Accounts, row: TableEntry) -> None:
        """Move money between players' accounts and the table; raise `BadInput` if an account refuses."""
        for move in _moves(row):
            key, place = account_key(move.player), (self.settings.id, move.seat, row.command.id)
            if move.cents > 0:
                if not self.settings.owner:
                    accounts.require_player(tx, key)
                accounts.take_to_table(tx, key, move.cents, *place, by=move.player)
            else:
                accounts.bring_back(tx, key, -move.cents, *place, by=row.command.who)

    def _alarms(self, row: TableEntry) -> list[LargePayment]:
        """Return the alarms for large payments; a private table is for practice and has none."""
        if self.settings.owner or PAYMENTS.isdisjoint(row.kinds):
            return []
        alarms = []
        for event in row.events:
            match event:
                case e.AwardPaid():
                    wager, cents = event.wager or event.award, event.cents
                case e.WagerSettled() | e.CouponSettled():
                    wager, cents = event.wager, event.paid
                case _:
                    continue
            if cents >= LARGE_CENTS:
                place: dict[str, Any] = {"table": self.settings.id, "round": row.after.round, "seat": event.seat}
                alarms.append(LargePayment(by=event.by, at=event.at, wager=wager, cents=cents, **place))
        return alarms

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
        tx.append(self.settings.seals, seal, (event,), lease=self.lease)
        return commitment


class _Move(NamedTuple):
    player: str
    seat: int
    cents: int
    """To the table; negative if the chips go back to the account."""


def _moves(row: TableEntry) -> Iterator[_Move]:
    """Yield the chip movements of people; bots bring chips of their own."""
    for event in row.events if row.moves_chips else ():
        match event:
            case e.SeatTaken():
                move = _Move(event.player, event.seat, event.chips_cents)
            case e.ChipsBought():
                move = _Move(row.before.seat(event.seat).player, event.seat, event.cents)
            case e.SeatLeft():
                move = _Move(row.before.seat(event.seat).player, event.seat, -event.chips_cents)
            case _:
                continue
        if bot_style(move.player) is None:
            yield move


def kinds_of(rows: Iterable[TableEntry]) -> frozenset[type[Event]]:
    return frozenset[type[Event]]().union(*[row.kinds for row in rows])
