"""What a table commits together: its own rows, what its meters and its players' accounts have to do with them, and
what a round is fixed with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple, Protocol

import msgspec

from crossfelt.house.store.port import Lease, Transaction, new_row
from crossfelt.house.tables.chance import Fixed, RoundSealed, SealRound
from crossfelt.house.tables.meters import LinkedMeters
from crossfelt.house.tables.settings import TableSettings
from crossfelt.progressive.meter import Meter
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.commands import Command
from crossfelt.table.engine import Accepted, run
from crossfelt.table.events import Event
from crossfelt.table.meters import SPEAKING
from crossfelt.table.state import Table

CHIPS_MOVE: Final = frozenset((e.SeatTaken, e.ChipsBought, e.SeatLeft))
"""Events that take chips to a table, or from it."""


def is_personal(command_id: str) -> bool:
    """Whether a person has asked for a command: what the house does by itself is numbered anew in each opening.

    >>> is_personal("Ann/7"), is_personal("auto-7")
    (True, False)
    """
    return "/" in command_id


class Row(msgspec.Struct, frozen=True, gc=False):
    """One row of a table: an accepted command, with the table before and after it."""

    seq: int
    before: Table
    command: Command
    events: tuple[Event, ...]
    after: Table
    kinds: frozenset[type[Event]]
    """Of what happened: asked for again and again."""

    @classmethod
    def of(cls, seq: int, before: Table, command: Command, events: tuple[Event, ...], after: Table) -> Row:
        return cls(seq, before, command, events, after, frozenset(map(type, events)))

    @property
    def moves_chips(self) -> bool:
        """Whether it takes chips to a table, or from it."""
        return not CHIPS_MOVE.isdisjoint(self.kinds)


class Agreed(NamedTuple):
    """That two people agree to a row: noted in the same commit, or neither happens."""

    streams: Collection[str]
    note: Callable[[Transaction], object]


class Plan(NamedTuple):
    """Rows that shall be written together, what the round they load a deck for is fixed with, and who agreed to it."""

    rows: Sequence[Row]
    seal: SealRound | None = None
    agreed: Agreed | None = None


class Written(NamedTuple):
    """What a commit has written: the plan's rows and, where a meter has answered, the rows of its answers."""

    rows: tuple[Row, ...]
    hash: str
    """Of the last of them."""
    meters: dict[str, Meter]
    fixed: Fixed | None


class Cashier(Protocol):
    """Moves chips between accounts and a table, within the table's commit."""

    def streams(self, rows: Collection[Row]) -> Collection[str]:
        """The account streams that these rows move money of."""

    def move(self, tx: Transaction, settings: TableSettings, row: Row) -> None:
        """Writes what a row moves; BadInput where an account has not enough."""


class Ledger:
    """Writes the plans of one table."""

    def __init__(self, settings: TableSettings, meters: LinkedMeters, cashier: Cashier, lease: Lease | None) -> None:
        self._settings = settings
        self._meters = meters
        self._cashier = cashier
        self.lease = lease

    def streams(self, plan: Plan) -> set[str]:
        """Every stream that a plan may write to."""
        names = {self._settings.stream, *self._cashier.streams(plan.rows)}
        if plan.seal is not None:
            names.add(self._settings.seals)
        if plan.agreed is not None:
            names.update(plan.agreed.streams)
        speaks = any(not SPEAKING.isdisjoint(row.kinds) for row in plan.rows)
        return names.union(self._meters.streams) if speaks else names

    def write(self, tx: Transaction, plan: Plan) -> Written:
        """Carried out by the store, in one transaction."""
        if plan.agreed is not None:
            plan.agreed.note(tx)
        written: list[Row] = []
        meters: dict[str, Meter] = {}
        for row in plan.rows:
            self._append(tx, row)
            written.append(row)
            grants, met = self._meters.hear(tx, row.events, row.seq, row.after.round)
            meters |= met
            for fields in grants:
                written.append(self._granted(tx, written[-1], fields))
        return Written(tuple(written), tx.head(self._settings.stream).hash, meters, self._seal(tx, plan))

    def _append(self, tx: Transaction, row: Row) -> None:
        tx.append(self._settings.stream, new_row(row.command, row.events), seq=row.seq, lease=self.lease)
        self._cashier.move(tx, self._settings, row)

    def _granted(self, tx: Transaction, last: Row, fields: dict[str, object]) -> Row:
        """The meter's answer enters the table in the same commit as the claim."""
        seq = last.seq + 1
        command = c.GrantAward(id=f"auto-{seq}", who="meter", role="dealer", at=last.command.at, **fields)  # type: ignore[arg-type]
        answer = run(last.after, command)
        assert isinstance(answer, Accepted), answer
        row = Row.of(seq, last.after, command, answer.events, answer.table)
        self._append(tx, row)
        return row

    def _seal(self, tx: Transaction, plan: Plan) -> Fixed | None:
        if plan.seal is None:
            return None
        fixed = Fixed.of(plan.seal)
        event = RoundSealed(round=plan.seal.round, root=fixed.commitment.root)
        tx.append(self._settings.seals, new_row(plan.seal, (event,)), lease=self.lease)
        return fixed


def kinds_of(rows: Sequence[Row]) -> frozenset[type[Event]]:
    """The kinds of what happened in some rows."""
    return rows[0].kinds if len(rows) == 1 else frozenset().union(*[row.kinds for row in rows])
