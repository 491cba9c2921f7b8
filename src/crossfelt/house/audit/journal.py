"""The stream of the house itself: what was noted, and which proposals wait for a second person."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from crossfelt.house.audit import events as e
from crossfelt.house.store.folding import Folded, StreamHeader
from crossfelt.house.store.port import NOTHING, Lease, Store, Stored, Transaction, new_row

K = TypeVar("K")
V = TypeVar("V")
HOUSE: Final = "house"
"""The name of the stream."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What one person wants and a second must agree to."""

    number: int
    by: str
    at: int
    kind: e.ProposalKind
    subject: str
    details: dict[str, str | int]
    reason: str


class Software(msgspec.Struct, frozen=True, kw_only=True):
    """What ran from a moment on."""

    at: int
    version: str
    hash: str


class House(msgspec.Struct, frozen=True, kw_only=True):
    """What the journal comes to."""

    proposed: int = 0
    waiting: Mapping[int, Proposal] = msgspec.field(default_factory=dict)
    tables: Mapping[str, e.TableCreated] = msgspec.field(default_factory=dict)
    """The tables that there are, with their last opening."""
    closed: Mapping[str, e.TableCreated] = msgspec.field(default_factory=dict)
    """Those of the house that are closed for good, with their last opening; private ones come and go."""
    changing: Mapping[str, e.TableChanging] = msgspec.field(default_factory=dict)
    """What was last agreed to about the submission of each."""
    software: tuple[Software, ...] = ()
    """Each time that other software began to serve."""

    @property
    def coming(self) -> dict[str, e.TableChanging]:
        """Tables that open with another submission before their next round: their next opening, and no other."""
        there = {name: table.opening for name, table in self.tables.items()}
        return {
            name: changing
            for name, changing in self.changing.items()
            if name in there and changing.settings["opening"] == there[name] + 1
        }

    def software_at(self, at: int) -> Software | None:
        """What ran at a moment."""
        return next((it for it in reversed(self.software) if it.at <= at), None)


def evolve(house: House, event: e.HouseEvent) -> House:
    """The house after an event.

    >>> table = e.TableCreated(by="Ann", at=0, table="t", opening=1, rulebook="nj-criss-cross", game_hash="a1")
    >>> list(evolve(House(), table).tables)
    ['t']
    """
    match event:
        case e.TableCreated():
            changing = _without(house.changing, event.table)
            return replace(house, tables={**house.tables, event.table: event}, changing=changing)
        case e.TableChanging():
            return replace(house, changing={**house.changing, event.table: event})
        case e.HouseStarted() if not house.software or house.software[-1].hash != event.software:
            began = Software(at=event.at, version=event.version, hash=event.software)
            return replace(house, software=(*house.software, began))
        case e.TableRemoved():
            changing = _without(house.changing, event.table)
            closed = {event.table: table} if (table := house.tables.get(event.table)) and _of_the_house(table) else {}
            tables = _without(house.tables, event.table)
            return replace(house, tables=tables, closed={**house.closed, **closed}, changing=changing)
        case e.Proposed():
            return replace(house, proposed=event.proposal, waiting={**house.waiting, event.proposal: _waiting(event)})
        case e.Approved() | e.Declined():
            return replace(house, waiting=_without(house.waiting, event.proposal))
        case _:
            return house


def _of_the_house(table: e.TableCreated) -> bool:
    return not table.settings.get("owner")


def _without(held: Mapping[K, V], key: K) -> dict[K, V]:
    return {name: value for name, value in held.items() if name != key}


class Journal:
    """Writes and reads the stream of the house."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._folded: Folded[House] = Folded(e.Note, e.AnyHouseEvent, House(), evolve)

    async def note(self, *events: e.HouseEvent, lease: Lease | None = None) -> Stored:
        """Writes down what happened, by itself; under a lease what only its holder may say, `FenceLost` for others."""
        return await self._store.commit([HOUSE], lambda transaction: self.write(transaction, *events, lease=lease))

    async def note_once(self, command_id: str, event: e.HouseEvent) -> Stored:
        """The same for who must ask again, and does not know whether it was written already."""

        def work(transaction: Transaction) -> Stored:
            return transaction.find(HOUSE, command_id) or self.write(transaction, event, command_id=command_id)

        return await self._store.commit([HOUSE], work)

    def write(
        self, transaction: Transaction, *events: e.HouseEvent, command_id: str = "", lease: Lease | None = None
    ) -> Stored:
        """Writes down what happened, in a commit that names the stream of the house."""
        first = events[0]
        if transaction.head(HOUSE).seq == NOTHING:
            transaction.open(HOUSE, StreamHeader(stream=HOUSE), first.at)
        command = e.Note(id=command_id or secrets.token_hex(8), who=first.by, at=first.at)
        return transaction.append(HOUSE, new_row(command, events), lease=lease)

    def at(self, transaction: Transaction) -> House:
        """The house in a commit that names its stream."""
        return self._folded.at(transaction, HOUSE)

    async def now(self) -> House:
        return await self._folded.now(self._store, HOUSE)

    async def keep_snapshots(self) -> int:
        """So that a long journal is read quickly after the next start."""
        return await self._folded.keep_snapshots(self._store)

    async def events(self, after: int = NOTHING, limit: int | None = None) -> list[tuple[Stored, e.AnyHouseEvent]]:
        """What was noted, with the row it stands in."""
        rows = await self._store.rows(HOUSE, after, limit)
        return [(row, event) for row in rows if row.seq > 0 for event in self._folded.events(row)]


def _waiting(event: e.Proposed) -> Proposal:
    return Proposal(
        number=event.proposal,
        by=event.by,
        at=event.at,
        kind=event.kind,
        subject=event.subject,
        details=event.details,
        reason=event.reason,
    )
