"""The stream of the house itself: what was noted, and which proposals wait for a second person."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from crossfelt.proof.verify_stream import StreamHeader
from crossfelt.server.journal import events as e
from crossfelt.server.store.interface import NOTHING, Lease, Store, Stored, Transaction, new_row
from crossfelt.server.store.projection import Projection

K = TypeVar("K")
V = TypeVar("V")
JOURNAL_STREAM: Final = "journal"
"""The name of the stream."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """An act that one person proposed and a second has to approve."""

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


class JournalState(msgspec.Struct, frozen=True, kw_only=True):
    """What the journal comes to."""

    proposed: int = 0
    waiting: Mapping[int, Proposal] = msgspec.field(default_factory=dict)
    tables: Mapping[str, e.TableCreated] = msgspec.field(default_factory=dict)
    """The tables that there are."""
    closed: Mapping[str, e.TableCreated] = msgspec.field(default_factory=dict)
    """Those of the house that are closed for good; private ones come and go."""
    successors: Mapping[str, str] = msgspec.field(default_factory=dict)
    """The tables that a change of rules has closed, each with the one that it has opened."""
    coming: Mapping[str, e.TableChanging] = msgspec.field(default_factory=dict)
    """Tables that close after the round, because two people have agreed to another submission."""
    software: tuple[Software, ...] = ()
    """Each time that other software began to serve."""

    def software_at(self, at: int) -> Software | None:
        """What ran at a moment."""
        return next((it for it in reversed(self.software) if it.at <= at), None)


def evolve(server: JournalState, event: e.JournalEvent) -> JournalState:
    """The house after an event.

    >>> table = e.TableCreated(by="Ann", at=0, table="t", rulebook="nj-criss-cross", game_hash="a1")
    >>> list(evolve(JournalState(), table).tables)
    ['t']
    """
    match event:
        case e.TableCreated():
            return replace(server, tables={**server.tables, event.table: event})
        case e.TableChanging():
            return replace(server, coming={**server.coming, event.table: event})
        case e.ServerStarted() if not server.software or server.software[-1].hash != event.software:
            began = Software(at=event.at, version=event.version, hash=event.software)
            return replace(server, software=(*server.software, began))
        case e.TableRemoved():
            closed = {event.table: table} if (table := server.tables.get(event.table)) and _of_the_house(table) else {}
            followed = {event.table: event.successor} if event.successor else {}
            return replace(
                server,
                tables=_without(server.tables, event.table),
                closed={**server.closed, **closed},
                successors={**server.successors, **followed},
                coming=_without(server.coming, event.table),
            )
        case e.Proposed():
            return replace(server, proposed=event.proposal, waiting={**server.waiting, event.proposal: _waiting(event)})
        case e.Approved() | e.Declined():
            return replace(server, waiting=_without(server.waiting, event.proposal))
        case _:
            return server


def _of_the_house(table: e.TableCreated) -> bool:
    return not table.settings.get("owner")


def _without(held: Mapping[K, V], key: K) -> dict[K, V]:
    return {name: value for name, value in held.items() if name != key}


class Journal:
    """Writes and reads the stream of the house."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._folded: Projection[JournalState] = Projection(e.Note, e.AnyJournalEvent, JournalState(), evolve)

    async def note(self, *events: e.JournalEvent, lease: Lease | None = None) -> Stored:
        """Writes down what happened, by itself; under a lease what only its holder may say, `FenceLost` for others."""
        return await self._store.commit(
            [JOURNAL_STREAM], lambda transaction: self.write(transaction, *events, lease=lease)
        )

    async def note_once(self, command_id: str, event: e.JournalEvent) -> Stored:
        """The same for who must ask again, and does not know whether it was written already."""

        def work(transaction: Transaction) -> Stored:
            return transaction.find(JOURNAL_STREAM, command_id) or self.write(transaction, event, command_id=command_id)

        return await self._store.commit([JOURNAL_STREAM], work)

    def write(
        self, transaction: Transaction, *events: e.JournalEvent, command_id: str = "", lease: Lease | None = None
    ) -> Stored:
        """Writes down what happened, in a commit that names the stream of the house."""
        first = events[0]
        if transaction.head(JOURNAL_STREAM).seq == NOTHING:
            transaction.open(JOURNAL_STREAM, StreamHeader(stream=JOURNAL_STREAM), first.at)
        command = e.Note(id=command_id or secrets.token_hex(8), who=first.by, at=first.at)
        return transaction.append(JOURNAL_STREAM, new_row(command, events), lease=lease)

    def at(self, transaction: Transaction) -> JournalState:
        """The house in a commit that names its stream."""
        return self._folded.at(transaction, JOURNAL_STREAM)

    async def now(self) -> JournalState:
        return await self._folded.now(self._store, JOURNAL_STREAM)

    async def keep_snapshots(self) -> int:
        """So that a long journal is read quickly after the next start."""
        return await self._folded.keep_snapshots(self._store)

    async def events(self, after: int = NOTHING, limit: int | None = None) -> list[tuple[Stored, e.AnyJournalEvent]]:
        """What was noted, with the row it stands in."""
        rows = await self._store.rows(JOURNAL_STREAM, after, limit)
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
