"""Events of the journal: what happened to the server, its accounts and its tables, with actor and time."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from crossfelt._util.base_messages import BaseCommand, BaseEvent

ProposalKind = Literal[
    "void", "card_correction", "reversal", "award", "fill", "opening", "submission", "meter_change",
    "meter_retirement", "correction", "deposit", "roles",
]  # fmt: skip


class Note(BaseCommand, frozen=True, kw_only=True, tag="note"):
    """The command of every row of the journal."""


class JournalEvent(BaseEvent, frozen=True, kw_only=True):
    """A fact about the server, its accounts or its tables."""


class ServerStarted(JournalEvent, frozen=True, kw_only=True):
    """A process began to serve."""

    process: str
    version: str
    software: str
    key: str = ""
    """The public key that heads are signed with."""


class ServerStopped(JournalEvent, frozen=True, kw_only=True):
    process: str


class ServerRestored(JournalEvent, frozen=True, kw_only=True):
    """Everything before this event came from a backup. Later events of the old server are not in it."""

    server_id: str
    """The id of the server that was backed up."""
    backed_up_at: int


class TableCreated(JournalEvent, frozen=True, kw_only=True):
    table: str
    rulebook: str
    game_hash: str
    settings: dict[str, Any] = msgspec.field(default_factory=dict)


class TableChanging(JournalEvent, frozen=True, kw_only=True):
    """Two people approved another submission: after the round the table closes, and its successor opens."""

    proposed_by: str
    approved_by: str
    table: str
    settings: dict[str, Any]
    """The settings of the successor."""


class TableRemoved(JournalEvent, frozen=True, kw_only=True):
    table: str
    successor: str = ""
    """The table with the new rules, if a change of rules closed this one."""


class TableClosing(JournalEvent, frozen=True, kw_only=True):
    """The floor closes a table for good after the round; the chips then return to the accounts."""

    table: str


class PlayerRemoved(JournalEvent, frozen=True, kw_only=True):
    """The floor removed a player, who leaves after the round and may not come back to the table."""

    table: str
    seat: int
    player: str
    reason: str


class Proposed(JournalEvent, frozen=True, kw_only=True):
    """One person proposed an act that takes two."""

    proposal: int
    kind: ProposalKind
    subject: str
    """A table, a meter or an account."""
    details: dict[str, str | int]
    reason: str
    address: str = ""


class Approved(JournalEvent, frozen=True, kw_only=True):
    """A second person approved a proposal, and it took effect."""

    proposal: int
    proposed_by: str
    address: str = ""


class Declined(JournalEvent, frozen=True, kw_only=True):
    """A second person declined a proposal, or the first withdrew it."""

    proposal: int
    address: str = ""


class Expired(JournalEvent, frozen=True, kw_only=True):
    """A proposal can no longer be carried out: its round or its table has closed."""

    proposal: int


class Withheld(JournalEvent, frozen=True, kw_only=True):
    """An account asked for something that its roles do not allow, or clients did that were not logged in."""

    act: str
    path: str = ""
    """The path of the last request, which names the account or the table."""
    roles: tuple[str, ...] = ()
    why: str
    address: str = ""
    """The address of the last client that was not logged in."""
    times: int = 1
    """The number of denials since the last entry."""


class LoggedIn(JournalEvent, frozen=True, kw_only=True):
    address: str


class LoginFailed(JournalEvent, frozen=True, kw_only=True):
    """A wrong password, or a suspended account. `by` is `stranger` for a name without an account."""

    address: str
    why: str


class LoggedOut(JournalEvent, frozen=True, kw_only=True):
    """A person logged out, or an account's sessions were ended."""

    account: str


class PasswordReset(JournalEvent, frozen=True, kw_only=True):
    """A one-time password was made for an account, and its sessions ended."""

    account: str


class AccountSuspended(JournalEvent, frozen=True, kw_only=True):
    account: str
    until: int
    reason: str


class AccountReinstated(JournalEvent, frozen=True, kw_only=True):
    account: str
    reason: str


class LockedOut(JournalEvent, frozen=True, kw_only=True):
    """An account must wait after too many wrong passwords."""

    account: str
    address: str
    until: int


class RolesChanged(JournalEvent, frozen=True, kw_only=True):
    account: str
    before: tuple[str, ...]
    after: tuple[str, ...]


class OwnerReadmitted(JournalEvent, frozen=True, kw_only=True):
    """A one-time password was made for the owner, by `crossfelt owner`."""


class Exported(JournalEvent, frozen=True, kw_only=True):
    """An auditor exported a stream."""

    stream: str
    lines: int


class DisputeReported(JournalEvent, frozen=True, kw_only=True):
    """An auditor made a report about a round."""

    table: str
    round: int
    seat: int | None = None


class LargePayment(JournalEvent, frozen=True, kw_only=True):
    """A wager or an award paid more than the house pays without a look at it."""

    table: str
    round: int
    seat: int
    wager: str
    cents: int


class AlarmsAcknowledged(JournalEvent, frozen=True, kw_only=True):
    """A person of the floor has seen the alarms up to a time."""

    until: int


AnyJournalEvent = (
    ServerStarted | ServerStopped | ServerRestored | TableCreated | TableChanging | TableRemoved | Proposed | Approved
    | Declined | Expired | Withheld | LoggedIn | LoginFailed | LoggedOut | PasswordReset | AccountSuspended
    | AccountReinstated | LockedOut | RolesChanged | OwnerReadmitted | Exported | DisputeReported | LargePayment
    | AlarmsAcknowledged | TableClosing | PlayerRemoved
)  # fmt: skip
