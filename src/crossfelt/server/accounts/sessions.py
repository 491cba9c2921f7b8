"""Log-in sessions: random tokens of 256 bits, stored as hashes."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec

from crossfelt.server.accounts.account import Role
from crossfelt.server.store.interface import Record, StoreError

if TYPE_CHECKING:  # a worker process need not load the database
    from crossfelt.server.store.sql_store import Store
    from crossfelt.server.store.transaction import Transaction

KIND: Final = "session"
LASTS_MS: Final = 12 * 3600 * 1000
"""No session lasts longer."""
IDLE_MS: Final = 2 * 3600 * 1000
"""A session that is not used for this time ends."""
NOTED_MS: Final = 5 * 60 * 1000
"""The use of a session is stored at most this often."""


class Identity(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The account behind a request, with its roles."""

    account: str
    name: str
    roles: tuple[Role, ...]
    guest: bool = False
    invited_to: tuple[str, ...] = ()
    """The private tables of others at which the account may play."""
    must_set_password: bool = False
    """Logged in with a one-time password, which the account must replace before anything else."""


class SessionToken(msgspec.Struct, frozen=True, kw_only=True):
    """The token for the client. The server stores only its hash."""

    token: str
    until: int
    identity: Identity


class LoginSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session as it is stored."""

    account: str
    since: int
    address: str = ""
    one_time: bool = False
    passwords: int = 0
    """`Account.passwords` at the log-in: a new password ends the session."""

    def until(self, used_at: int) -> int:
        """Return the end of the session. An idle one ends earlier, except a guest's, who could not log in again."""
        idle_ms = IDLE_MS if self.passwords else LASTS_MS
        return min(used_at + idle_ms, self.since + LASTS_MS)


class OpenSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session in a list."""

    id: str
    since: int
    until: int
    address: str


def begin(transaction: Transaction, session: LoginSession) -> tuple[str, int]:
    """Begin a session; return its token and the time of its end."""
    token, until = secrets.token_urlsafe(32), session.until(session.since)
    transaction.put(Record(kind=KIND, key=key_of(token), body=msgspec.json.encode(session), until=until))
    return token, until


def end(transaction: Transaction, token: str) -> None:
    transaction.drop(KIND, key_of(token))


def end_all(transaction: Transaction, account: str) -> None:
    """End all sessions of an account."""
    for record in transaction.records_of(KIND):
        if record.read(LoginSession).account == account:
            transaction.drop(KIND, record.key)


async def find(store: Store, token: str, now: int) -> LoginSession | None:
    """Return the session of a token, if it has not expired. Its use defers the end of an idle session."""
    record = await store.record(KIND, key_of(token))
    if record is None or record.until is None or record.until <= now:
        return None
    session = record.read(LoginSession)
    until = session.until(now)
    if until - record.until > NOTED_MS:
        used = msgspec.structs.replace(record, until=until)

        def defer(transaction: Transaction) -> None:
            if transaction.record(KIND, used.key) is not None:  # it may have ended meanwhile
                transaction.put(used)

        with suppress(StoreError):  # the next use stores it
            await store.commit([], defer)
    return session


async def open_sessions(store: Store, account: str, passwords: int, now: int) -> list[OpenSession]:
    """Return the sessions of an account that have not ended, the newest first."""
    found = []
    for record in await store.records(KIND):
        session = record.read(LoginSession)
        if (session.account, session.passwords) == (account, passwords) and (record.until or 0) > now:
            opened = OpenSession(id=record.key, since=session.since, until=record.until or 0, address=session.address)
            found.append(opened)
    return sorted(found, key=lambda it: -it.since)


def key_of(token: str) -> str:
    """Return the key of the session with a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
