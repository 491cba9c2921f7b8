"""What a table commits together: its own rows, what its meters and its players' accounts have to do with them, and
what a round is fixed with."""

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
from crossfelt.server.store.interface import Lease, Transaction, new_row
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.commands import Command
from crossfelt.table.engine import Accepted, run
from crossfelt.table.events import Event
from crossfelt.table.state import TableState

CHIPS_MOVE: Final = frozenset((e.SeatTaken, e.ChipsBought, e.SeatLeft))
"""Events that take chips to a table, or from it."""


class TableEntry(msgspec.Struct, frozen=True, gc=False):
    """One row of a table: an accepted command, with the table before and after it."""

    seq: int
    before: TableState
    command: Command
    events: tuple[Event, ...]
    after: TableState
    kinds: frozenset[type[Event]]
    """Of what happened: asked for again and again."""

    @classmethod
    def of(
        cls, seq: int, before: TableState, command: Command, events: tuple[Event, ...], after: TableState
    ) -> TableEntry:
        return cls(seq, before, command, events, after, frozenset(map(type, events)))

    @property
    def moves_chips(self) -> bool:
        """Whether it takes chips to a table, or from it."""
        return not CHIPS_MOVE.isdisjoint(self.kinds)


class CommitBatch(NamedTuple):
    """Rows that shall be written together, what the round they load a deck for is fixed with, and who agreed to it."""

    rows: Sequence[TableEntry]
    seal: CommitRound | None = None
    agreed: Approval | None = None


class Committed(NamedTuple):
    """What a commit has written: the plan's rows and, where a meter has answered, the rows of its answers."""

    rows: tuple[TableEntry, ...]
    hash: str
    """Of the last of them."""
    meters: dict[str, Meter]
    fixed: RoundCommitment | None


class Cashier(Protocol):
    """Moves chips between accounts and a table, within the table's commit."""

    def streams(self, rows: Collection[TableEntry]) -> Collection[str]:
        """The account streams that these rows move money of."""

    def move(self, tx: Transaction, settings: TableSettings, row: TableEntry) -> None:
        """Writes what a row moves; BadInput where an account has not enough."""


class CommitWriter:
    """Writes the plans of one table."""

    def __init__(self, settings: TableSettings, meters: LinkedMeters, cashier: Cashier, lease: Lease | None) -> None:
        self._settings = settings
        self._meters = meters
        self._cashier = cashier
        self.lease = lease

    def streams(self, plan: CommitBatch) -> set[str]:
        """Every stream that a plan may write to."""
        names = {self._settings.stream, *self._cashier.streams(plan.rows)}
        if plan.seal is not None:
            names.add(self._settings.seals)
        if plan.agreed is not None:
            names.update(plan.agreed.streams)
        speaks = any(not METER_EVENTS.isdisjoint(row.kinds) for row in plan.rows)
        return names.union(self._meters.streams) if speaks else names

    def write(self, tx: Transaction, plan: CommitBatch) -> Committed:
        """Carried out by the store, in one transaction."""
        if plan.agreed is not None:
            plan.agreed.note(tx)
        written: list[TableEntry] = []
        meters: dict[str, Meter] = {}
        for row in plan.rows:
            self._append(tx, row)
            written.append(row)
            grants, met = self._meters.receive(tx, row.events, row.seq, row.after.round)
            meters |= met
            for fields in grants:
                written.append(self._granted(tx, written[-1], fields))
        return Committed(tuple(written), tx.head(self._settings.stream).hash, meters, self._seal(tx, plan))

    def _append(self, tx: Transaction, row: TableEntry) -> None:
        tx.append(self._settings.stream, new_row(row.command, row.events), seq=row.seq, lease=self.lease)
        self._cashier.move(tx, self._settings, row)

    def _granted(self, tx: Transaction, last: TableEntry, fields: dict[str, object]) -> TableEntry:
        """The meter's answer enters the table in the same commit as the claim."""
        seq = last.seq + 1
        command = c.GrantAward(id=f"auto-{seq}", who="meter", role="dealer", at=last.command.at, **fields)  # type: ignore[arg-type]
        answer = run(last.after, command)
        assert isinstance(answer, Accepted), answer
        row = TableEntry.of(seq, last.after, command, answer.events, answer.table)
        self._append(tx, row)
        return row

    def _seal(self, tx: Transaction, plan: CommitBatch) -> RoundCommitment | None:
        if plan.seal is None:
            return None
        fixed = RoundCommitment.of(plan.seal)
        event = RoundCommitted(round=plan.seal.round, root=fixed.commitment.root)
        tx.append(self._settings.seals, new_row(plan.seal, (event,)), lease=self.lease)
        return fixed


def kinds_of(rows: Sequence[TableEntry]) -> frozenset[type[Event]]:
    """The kinds of what happened in some rows."""
    return rows[0].kinds if len(rows) == 1 else frozenset().union(*[row.kinds for row in rows])
