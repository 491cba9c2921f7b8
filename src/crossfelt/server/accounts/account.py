"""An account: its events and its state.

Money moves by ledger entries; no event sets a balance. The other side of every entry is the cage, the source of
deposits and of the chips at the tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from crossfelt._util.base_messages import BaseCommand
from crossfelt.money.ledger import CAGE, Posting, check, post
from crossfelt.server.journal.events import JournalEvent

Role = Literal["player", "dealer", "floor", "auditor", "owner"]
ROLES: Final[tuple[Role, ...]] = ("player", "dealer", "floor", "auditor", "owner")
STAFF: Final[frozenset[Role]] = frozenset(("dealer", "floor", "auditor", "owner"))
"""The roles of people who run or audit public tables, and so do not play there."""
ALONE: Final[tuple[Role, ...]] = ("auditor", "owner")
"""Roles that go with no other: these people audit what the others do."""
DAY_MS: Final = 24 * 3600 * 1000
FOR_GOOD: Final = 253_402_300_799_000
"""The end of the year 9999."""
BALANCE: Final = "balance"
MOST_CENTS: Final = 10**12
"""Ten thousand million dollars of play money: a larger amount is a typing error."""


class AccountCommand(BaseCommand, frozen=True, kw_only=True, tag="account"):
    """The command of every row of an account."""


class AccountEvent(JournalEvent, frozen=True, kw_only=True):
    """A fact about an account."""


class AccountOpened(AccountEvent, frozen=True, kw_only=True):
    name: str
    guest: bool = False
    roles: tuple[Role, ...] = ("player",)
    staff: bool = False
    """True if the owner opened it for a named person."""


class Deposited(AccountEvent, frozen=True, kw_only=True):
    """Play money was added."""

    cents: int
    reason: str = ""
    counts: bool = False
    """True if it counts towards the most that an account takes in a day."""


class Withdrawn(AccountEvent, frozen=True, kw_only=True):
    """Play money was taken out, to another account of the same guest."""

    cents: int
    reason: str = ""


class Corrected(AccountEvent, frozen=True, kw_only=True):
    """Two people corrected the balance."""

    proposed_by: str
    approved_by: str
    cents: int
    """The change; below 0 if the balance was lowered."""
    before_cents: int
    after_cents: int
    reason: str
    table: str = ""
    """The table of the round that it belongs to, if it belongs to one."""
    round: int = 0


class Suspended(AccountEvent, frozen=True, kw_only=True):
    """The account cannot log in until a time. `by` is its own name if the player asked for it."""

    until: int
    reason: str


class Reinstated(AccountEvent, frozen=True, kw_only=True):
    """The suspension by staff was lifted."""

    reason: str


class TakenToTable(AccountEvent, frozen=True, kw_only=True):
    """Money became chips at a seat."""

    cents: int
    table: str
    seat: int


class BroughtBack(AccountEvent, frozen=True, kw_only=True):
    """Chips became money again."""

    cents: int
    table: str
    seat: int


class RolesSet(AccountEvent, frozen=True, kw_only=True):
    before: tuple[Role, ...]
    after: tuple[Role, ...]


class PasswordSet(AccountEvent, frozen=True, kw_only=True):
    """A password was set. Its hash is not in the stream, because streams are exported and never deleted."""

    one_time: bool = False
    digest: str = ""
    """The SHA-256 of the stored record, so that a record that was replaced in the store is found."""


class InvitationAccepted(AccountEvent, frozen=True, kw_only=True):
    """The holder of an invitation may play at a private table."""

    table: str
    """The table's first id: the tables that replace it keep their guests."""


AnyAccountEvent = (
    AccountOpened | Deposited | Withdrawn | Corrected | TakenToTable | BroughtBack | RolesSet | PasswordSet
    | InvitationAccepted | Suspended | Reinstated
)  # fmt: skip


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """The state of an account."""

    name: str = ""
    """Empty until it is opened."""
    guest: bool = False
    staff: bool = False
    """True if the owner opened it: no other account is given a role of staff."""
    roles: tuple[Role, ...] = ()
    passwords: int = 0
    """The number of passwords that it has had. Sessions of an earlier password have ended."""
    password_digest: str = ""
    """The SHA-256 of the record of the last password."""
    suspended: Suspended | None = None
    """The last suspension by staff, unless it was lifted. It ends with its time."""
    own_suspension: Suspended | None = None
    """The last suspension that the player asked for. Nobody lifts it."""
    day: int = 0
    """The day of the last deposit that counts, in days since 1970."""
    day_cents: int = 0
    balances: Mapping[str, int] = msgspec.field(default_factory=dict)
    at_tables: Mapping[str, int] = msgspec.field(default_factory=dict)
    """The cents taken to each seat that the account still holds, by ``table:seat``."""

    invited_to: tuple[str, ...] = ()
    """The private tables of others at which the account may play."""

    @property
    def balance_cents(self) -> int:
        return self.balances.get(BALANCE, 0)

    def day_total(self, now: int) -> int:
        """Return the deposits of today that count."""
        return self.day_cents if self.day == now // DAY_MS else 0

    def suspension(self, now: int) -> Suspended | None:
        """Return the suspension that is in force; of two, the one that ends later."""
        in_force = [it for it in (self.own_suspension, self.suspended) if it is not None and now < it.until]
        return max(in_force, key=lambda it: it.until, default=None)

    @property
    def closed(self) -> bool:
        """True if the player has closed it for good."""
        return self.own_suspension is not None and self.own_suspension.until == FOR_GOOD


def evolve(account: Account, event: AccountEvent) -> Account:
    """Return the account after an event; `Unbalanced` if the ledger refuses it.

    >>> opened = evolve(Account(), AccountOpened(by="Ann", at=0, name="Ann"))
    >>> evolve(opened, Deposited(by="Ann", at=0, cents=500)).balance_cents
    500
    >>> evolve(opened, TakenToTable(by="Ann", at=0, cents=500, table="t", seat=1))
    Traceback (most recent call last):
    crossfelt.money.ledger.Unbalanced: balance would fall to -500 cents
    """
    match event:
        case AccountOpened():
            return Account(name=event.name, guest=event.guest, staff=event.staff, roles=event.roles)
        case Deposited():
            account = _moved(account, CAGE, BALANCE, event.cents)
            if not event.counts:
                return account
            return replace(account, day=event.at // DAY_MS, day_cents=account.day_total(event.at) + event.cents)
        case Withdrawn():
            return _moved(account, BALANCE, CAGE, event.cents)
        case Corrected():
            source, target = (CAGE, BALANCE) if event.cents > 0 else (BALANCE, CAGE)
            return _moved(account, source, target, abs(event.cents))
        case TakenToTable():
            seat = _seat(event)
            there = {**account.at_tables, seat: account.at_tables.get(seat, 0) + event.cents}
            return replace(_moved(account, BALANCE, CAGE, event.cents), at_tables=there)
        case BroughtBack():
            left = {seat: cents for seat, cents in account.at_tables.items() if seat != _seat(event)}
            return replace(_moved(account, CAGE, BALANCE, event.cents), at_tables=left)
        case RolesSet():
            return replace(account, roles=event.after)
        case PasswordSet():
            return replace(account, passwords=account.passwords + 1, password_digest=event.digest)
        case Suspended() if event.by == account.name:
            return replace(account, own_suspension=event)
        case Suspended():
            return replace(account, suspended=event)
        case Reinstated():
            return replace(account, suspended=None)
        case InvitationAccepted():
            return replace(account, invited_to=(*account.invited_to, event.table))
        case _:
            raise TypeError(f"not an event of an account: {event!r}")


def _moved(account: Account, source: str, target: str, cents: int) -> Account:
    balances = post(account.balances, [Posting(source, target, cents)])
    check(balances)
    return replace(account, balances=balances)


def _seat(event: Any) -> str:
    return f"{event.table}:{event.seat}"
