"""Log-in sessions: random tokens of 256 bits, stored as hashes."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.server.accounts.account import Role
from crossfelt.server.store.interface import Record, Store, Transaction

KIND: Final = "session"
LASTS_MS: Final = 12 * 3600 * 1000


class Identity(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The account behind a request, with its roles."""

    account: str
    """The key of the account."""
    name: str
    """The name as it is shown."""
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


def begin(transaction: Transaction, session: LoginSession) -> tuple[str, int]:
    """Begin a session; return its token and the time of its end."""
    token, until = secrets.token_urlsafe(32), session.since + LASTS_MS
    transaction.put(Record(kind=KIND, key=key_of(token), body=msgspec.json.encode(session), until=until))
    return token, until


def end(transaction: Transaction, token: str) -> None:
    transaction.drop(KIND, key_of(token))


async def find(store: Store, token: str, now: int) -> LoginSession | None:
    """Return the session of a token, if it has not expired."""
    record = await store.record(KIND, key_of(token))
    if record is None or record.until is None or record.until <= now:
        return None
    return msgspec.json.decode(bounded(record.body), type=LoginSession)


def key_of(token: str) -> str:
    """Return the key of the session with a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
