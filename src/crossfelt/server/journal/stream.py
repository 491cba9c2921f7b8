"""The journal: the server's own stream, and its state with tables, proposals and software versions."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from crossfelt._util.shared_fields import shared_fields
from crossfelt.money import dollars
from crossfelt.proof.history import StreamHeader
from crossfelt.server.journal import events as e
from crossfelt.server.store.interface import NOTHING, Lease, Stored
from crossfelt.server.store.projection import Projection
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction

K = TypeVar("K")
V = TypeVar("V")
JOURNAL_STREAM: Final = "journal"
ALONE: Final = "open a public table with a submission"
"""The denial of a table that takes two people."""
PARTY: Final = ("approval.same_person", "approval.interest")
"""Why a person who is a party to a proposal is refused."""
MOST_ALARMS: Final = 100
METER_KINDS: Final = ("meter_change", "meter_retirement")
AlarmKind = Literal["record", "meter", "award", "odds", "log_in", "software", "proposal"]


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """An act that one person proposed and a second has to approve."""

    number: int
    by: str
    at: int
    kind: e.ProposalKind
    subject: str
    details: dict[str, str | int]
    reason: str
    address: str = ""
    outcome: Literal["waiting", "approved", "declined", "expired"] = "waiting"
    decided_by: str = ""
    """The second person; the first for a proposal that was withdrawn."""
    decided_at: int = 0
    decided_from: str = ""


class Software(msgspec.Struct, frozen=True, kw_only=True):
    """A version of the software, and the time when it began to serve."""

    at: int
    version: str
    hash: str


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """A matter that the floor must see."""

    kind: AlarmKind
    what: str
    at: int | None = None
    """The time of the event; null for an alarm that lasts until its cause is gone."""
    subject: str = ""
    """The table, the meter, the account or the stream."""
    by: str = ""
    """The person who acted alone. Another person acknowledges the alarm."""


class JournalState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the journal."""

    proposed: int = 0
    waiting: Mapping[int, Proposal] = msgspec.field(default_factory=dict)
    decided: tuple[Proposal, ...] = ()
    """The proposals that no longer wait, the last one first."""
    tables: Mapping[str, e.TableCreated] = msgspec.field(default_factory=dict)
    closed: Mapping[str, e.TableCreated] = msgspec.field(default_factory=dict)
    """The closed public tables; private tables come and go."""
    successors: Mapping[str, str] = msgspec.field(default_factory=dict)
    """The tables that a change of rules closed, each with its successor."""
    coming: Mapping[str, e.TableChanging] = msgspec.field(default_factory=dict)
    """The tables that close after the round, because two people approved another submission."""
    closing: Mapping[str, str] = msgspec.field(default_factory=dict)
    """The tables that the floor closes for good after the round, each with the person who did it."""
    roles: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The accounts whose roles were changed, with their present roles."""
    software: tuple[Software, ...] = ()
    """The versions of the software, in order of their start."""
    alarms: tuple[Alarm, ...] = ()
    """The last alarms that no person of the floor has acknowledged."""

    def software_at(self, at: int) -> Software | None:
        return next((it for it in reversed(self.software) if it.at <= at), None)


def evolve(state: JournalState, event: e.JournalEvent) -> JournalState:
    alarm = _alarm(state, event)
    state = _evolve(state, event)
    return state if alarm is None else replace(state, alarms=(*state.alarms, alarm)[-MOST_ALARMS:])


def _evolve(state: JournalState, event: e.JournalEvent) -> JournalState:
    match event:
        case e.TableCreated():
            return replace(state, tables={**state.tables, event.table: event})
        case e.TableChanging():
            return replace(state, coming={**state.coming, event.table: event})
        case e.TableClosing():
            return replace(state, closing={**state.closing, event.table: event.by})
        case e.ServerStarted() if not state.software or state.software[-1].hash != event.software:
            began = Software(at=event.at, version=event.version, hash=event.software)
            return replace(state, software=(*state.software, began))
        case e.TableRemoved():
            closed = {event.table: table} if (table := state.tables.get(event.table)) and _is_public(table) else {}
            followed = {event.table: event.successor} if event.successor else {}
            return replace(
                state,
                tables=_without(state.tables, event.table),
                closed={**state.closed, **closed},
                successors={**state.successors, **followed},
                coming=_without(state.coming, event.table),
                closing=_without(state.closing, event.table),
            )
        case e.RolesChanged():
            return replace(state, roles={**state.roles, event.account: event.after})
        case e.Proposed():
            return replace(state, proposed=event.proposal, waiting={**state.waiting, event.proposal: _waiting(event)})
        case e.Approved() | e.Declined() | e.Expired():
            waiting = _without(state.waiting, event.proposal)
            return replace(state, waiting=waiting, decided=(_decided(state, event), *state.decided))
        case e.AlarmsAcknowledged():
            left = (it for it in state.alarms if it.at is None or it.at > event.until or it.by == event.by)
            return replace(state, alarms=tuple(left))
        case _:
            return state


def _alarm(state: JournalState, event: e.JournalEvent) -> Alarm | None:
    """Return the alarm that an event raises.

    >>> paid = e.LargePayment(by="dealer", at=0, table="pit-1", round=9, seat=2, wager="ante", cents=2_500_000)
    >>> evolve(JournalState(), paid).alarms[0].what
    'Round 9, seat 2: $25,000 paid.'
    """
    match event:
        case e.LargePayment():
            what = f"Round {event.round:,}, seat {event.seat}: {dollars(event.cents)} paid."
            return _raised(event, "award", event.table, what)
        case e.TableChanging():
            what = f"Rules changed, proposed by {event.proposed_by}, approved by {event.approved_by}."
            return _raised(event, "odds", event.table, what)
        case e.TableCreated() if event.settings.get("submission") and _is_public(event):
            if event.table in state.successors.values():  # whose change was an alarm
                return None
            return _raised(event, "odds", event.table, f"Opened by {event.by} with rules other than the default.")
        case e.Approved() if (proposal := state.waiting.get(event.proposal)) and proposal.kind in METER_KINDS:
            what = f"Meter changed, proposed by {event.proposed_by}, approved by {event.by}."
            return _raised(event, "odds", proposal.subject, what)
        case e.Withheld() if event.act == ALONE:
            what = f"{event.by} tried alone to open a public table with rules other than the default."
            return _raised(event, "odds", event.by, what, by=event.by)
        case e.Withheld() if event.why in PARTY:
            what = f"{event.by} tried to {event.act}, and must not: the proposal or its subject is their own."
            return _raised(event, "proposal", event.by, what, by=event.by)
        case e.PasswordReset():
            what = f"{event.by} made a one-time password, and could use it to act as {event.account}."
            return _raised(event, "log_in", event.account, what, by=event.by)
        case e.AccountSuspended() if set(state.roles.get(event.account, ())) - {"player"}:
            what = f"{event.by} suspended {event.account}, who is staff."
            return _raised(event, "log_in", event.account, what, by=event.by)
        case e.Expired():
            expired = state.waiting[event.proposal]
            what = f"Proposal {expired.number} of {expired.by} expired before a second person decided it."
            return _raised(event, "proposal", expired.subject, what)
        case e.LockedOut():
            return _raised(event, "log_in", event.account, f"Too many wrong passwords from {event.address}.")
        case e.ServerStarted() if state.software and state.software[-1].hash != event.software:
            before = state.software[-1]
            what = f"Version {event.version}, hash {event.software[:12]}; before: {before.version}, {before.hash[:12]}."
            return _raised(event, "software", "", what)
    return None


def _raised(event: e.JournalEvent, kind: AlarmKind, subject: str, what: str, by: str = "") -> Alarm:
    return Alarm(kind=kind, at=event.at, subject=subject, what=what, by=by)


def _is_public(table: e.TableCreated) -> bool:
    return not table.settings.get("owner")


def _without(held: Mapping[K, V], key: K) -> dict[K, V]:
    return {name: value for name, value in held.items() if name != key}


class Journal:
    """Reads and writes the journal."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.projection: Projection[JournalState] = Projection(e.Note, e.AnyJournalEvent, JournalState(), evolve)

    async def note(self, *events: e.JournalEvent, lease: Lease | None = None) -> Stored:
        """Append events in a commit of their own; with a lease, `FenceLost` if another process holds it."""
        return await self._store.commit(
            [JOURNAL_STREAM], lambda transaction: self.write(transaction, *events, lease=lease)
        )

    async def note_once(self, command_id: str, event: e.JournalEvent) -> Stored:
        """Append an event unless its command id is in the journal already: a retry is safe."""

        def work(transaction: Transaction) -> Stored:
            return transaction.find(JOURNAL_STREAM, command_id) or self.write(transaction, event, command_id=command_id)

        return await self._store.commit([JOURNAL_STREAM], work)

    def write(
        self, transaction: Transaction, *events: e.JournalEvent, command_id: str = "", lease: Lease | None = None
    ) -> Stored:
        """Append events in a commit that names the journal."""
        first = events[0]
        if transaction.head(JOURNAL_STREAM).seq == NOTHING:
            transaction.open(JOURNAL_STREAM, StreamHeader(stream=JOURNAL_STREAM), first.at)
        command = e.Note(id=command_id or secrets.token_hex(8), who=first.by, at=first.at)
        return transaction.append(JOURNAL_STREAM, command, events, lease=lease)

    def at(self, transaction: Transaction) -> JournalState:
        return self.projection.at(transaction, JOURNAL_STREAM)

    async def now(self) -> JournalState:
        return await self.projection.now(self._store, JOURNAL_STREAM)

    async def events(self, after: int = NOTHING, limit: int | None = None) -> list[tuple[Stored, e.AnyJournalEvent]]:
        """Return events, each with its row."""
        rows = await self._store.rows(JOURNAL_STREAM, after, limit)
        return [(row, event) for row in rows if row.seq > 0 for event in self.projection.events(row)]


def _waiting(event: e.Proposed) -> Proposal:
    return Proposal(number=event.proposal, **shared_fields(event, Proposal))


def _decided(state: JournalState, event: e.Approved | e.Declined | e.Expired) -> Proposal:
    decision: dict[str, Any] = {"decided_at": event.at, "decided_by": event.by}
    match event:
        case e.Expired():
            decision |= {"outcome": "expired", "decided_by": ""}
        case e.Approved():
            decision |= {"outcome": "approved", "decided_from": event.address}
        case e.Declined():
            decision |= {"outcome": "declined", "decided_from": event.address}
    return replace(state.waiting[event.proposal], **decision)
