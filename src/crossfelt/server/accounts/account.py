"""An account: its events and its state.

Money moves by ledger entries; no event sets a balance. The other side of every entry is the cage, the source of
deposits and of the chips at the tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from crossfelt._util.tagging import BaseCommand
from crossfelt.money.ledger import CAGE, Posting, check, post
from crossfelt.server.journal.events import JournalEvent

Role = Literal["player", "dealer", "floor", "auditor", "owner"]
ROLES: Final[tuple[Role, ...]] = ("player", "dealer", "floor", "auditor", "owner")
BALANCE: Final = "balance"
MOST_CENTS: Final = 10**12
"""Ten thousand million dollars of play money: a larger amount is a typing error."""


class AccountCommand(BaseCommand, frozen=True, kw_only=True, tag="account"):
    """The command of every row of an account."""


class AccountEvent(JournalEvent, frozen=True, kw_only=True):
    """A fact about an account."""


class AccountOpened(AccountEvent, frozen=True, kw_only=True):
    name: str
    """The name as it is shown."""
    guest: bool = False
    roles: tuple[Role, ...] = ("player",)


class Deposited(AccountEvent, frozen=True, kw_only=True):
    """Play money was added, as a deposit or a correction."""

    cents: int
    reason: str = ""


class Withdrawn(AccountEvent, frozen=True, kw_only=True):
    """Play money was taken out by a correction."""

    cents: int
    reason: str = ""


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


class InvitationAccepted(AccountEvent, frozen=True, kw_only=True):
    """The holder of an invitation may play at a private table."""

    table: str
    """The table's first id: the tables that replace it keep their guests."""


AnyAccountEvent = (
    AccountOpened | Deposited | Withdrawn | TakenToTable | BroughtBack | RolesSet | PasswordSet | InvitationAccepted
)


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """The state of an account."""

    name: str = ""
    """Empty until it is opened."""
    guest: bool = False
    roles: tuple[Role, ...] = ()
    passwords: int = 0
    """The number of passwords that it has had. Sessions of an earlier password have ended."""
    balances: Mapping[str, int] = msgspec.field(default_factory=dict)
    deposited_cents: int = 0
    withdrawn_cents: int = 0
    at_tables: Mapping[str, int] = msgspec.field(default_factory=dict)
    """The cents taken to each seat that the account still holds, by ``table:seat``."""

    invited_to: tuple[str, ...] = ()
    """The private tables of others at which the account may play."""

    @property
    def balance_cents(self) -> int:
        return self.balances.get(BALANCE, 0)


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
            return Account(name=event.name, guest=event.guest, roles=event.roles)
        case Deposited():
            deposited = account.deposited_cents + event.cents
            return replace(_moved(account, CAGE, BALANCE, event.cents), deposited_cents=deposited)
        case Withdrawn():
            withdrawn = account.withdrawn_cents + event.cents
            return replace(_moved(account, BALANCE, CAGE, event.cents), withdrawn_cents=withdrawn)
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
            return replace(account, passwords=account.passwords + 1)
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
