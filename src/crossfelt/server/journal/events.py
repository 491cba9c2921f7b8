"""What happened to the house itself, in one stream: who did what when, with before and after."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from crossfelt._util.tagging import BaseCommand, BaseEvent

ProposalKind = Literal["void", "card_correction", "meter_change", "correction", "submission"]


class Note(BaseCommand, frozen=True, kw_only=True, tag="note"):
    """The command of every row: something is to be noted."""


class JournalEvent(BaseEvent, frozen=True, kw_only=True):
    """A fact about the server, its accounts or its tables."""


class ServerStarted(JournalEvent, frozen=True, kw_only=True):
    """A process began to serve."""

    process: str
    version: str
    software: str
    """The hash of the software that runs."""
    key: str = ""
    """The public key that heads are signed with."""


class ServerStopped(JournalEvent, frozen=True, kw_only=True):
    process: str


class ServerRestored(JournalEvent, frozen=True, kw_only=True):
    """Everything up to here came from a backup; what the old house did after it was made is not in it."""

    server_id: str
    """The name that the house had before."""
    backed_up_at: int


class TableCreated(JournalEvent, frozen=True, kw_only=True):
    table: str
    rulebook: str
    game_hash: str
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    """Everything it was opened with."""


class TableChanging(JournalEvent, frozen=True, kw_only=True):
    """Two people agreed to another submission: after the round the table closes, and its successor opens."""

    proposed_by: str
    approved_by: str
    table: str
    settings: dict[str, Any]
    """Of the successor."""


class TableRemoved(JournalEvent, frozen=True, kw_only=True):
    table: str
    successor: str = ""
    """The table with the new rules, where a change of rules has closed this one."""


class Proposed(JournalEvent, frozen=True, kw_only=True):
    """One person proposed an act that takes two."""

    proposal: int
    kind: ProposalKind
    subject: str
    """A table, a meter or an account."""
    details: dict[str, str | int]
    reason: str


class Approved(JournalEvent, frozen=True, kw_only=True):
    """A second person approved a proposal, and it took effect."""

    proposal: int
    proposed_by: str


class Declined(JournalEvent, frozen=True, kw_only=True):
    proposal: int
    reason: str = ""


class Withheld(JournalEvent, frozen=True, kw_only=True):
    """Somebody asked for something that their role does not allow, or strangers did."""

    act: str
    path: str = ""
    """What was asked for the last time: which account, which table."""
    roles: tuple[str, ...] = ()
    why: str
    address: str = ""
    """Of the last of some strangers."""
    times: int = 1
    """How often, since it was last noted."""


class LockedOut(JournalEvent, frozen=True, kw_only=True):
    """Too many wrong passwords."""

    account: str
    address: str
    until: int


class RolesChanged(JournalEvent, frozen=True, kw_only=True):
    account: str
    before: tuple[str, ...]
    after: tuple[str, ...]


class OwnerReadmitted(JournalEvent, frozen=True, kw_only=True):
    """Who has the data of the house had a one-time password made for the owner."""


class Exported(JournalEvent, frozen=True, kw_only=True):
    """Somebody took a copy of a stream."""

    stream: str
    lines: int


class DisputeReported(JournalEvent, frozen=True, kw_only=True):
    """Somebody had a report made about a round."""

    table: str
    round: int
    seat: int | None = None


AnyJournalEvent = (
    ServerStarted | ServerStopped | ServerRestored | TableCreated | TableChanging | TableRemoved | Proposed | Approved
    | Declined | Withheld | LockedOut | RolesChanged | OwnerReadmitted | Exported | DisputeReported
)  # fmt: skip
