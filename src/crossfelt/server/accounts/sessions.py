"""Who is logged in: random tokens of 256 bits, kept as hashes."""

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
    """Who somebody is, and what they may do."""

    account: str
    """What the account is filed under."""
    name: str
    """As it is shown."""
    roles: tuple[Role, ...]
    guest: bool = False
    must_set_password: bool = False
    """Logged in with a one-time password: nothing else is allowed before it is replaced."""


class SessionToken(msgspec.Struct, frozen=True, kw_only=True):
    """What a client keeps; shown once, and not kept here."""

    token: str
    until: int
    identity: Identity


class LoginSession(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a session."""

    account: str
    since: int
    address: str = ""
    one_time: bool = False
    passwords: int = 0
    """How many the account had had when it began."""


def begin(transaction: Transaction, session: LoginSession) -> tuple[str, int]:
    """A new session; returns its token and when it ends."""
    token, until = secrets.token_urlsafe(32), session.since + LASTS_MS
    transaction.put(Record(kind=KIND, key=key_of(token), body=msgspec.json.encode(session), until=until))
    return token, until


def end(transaction: Transaction, token: str) -> None:
    transaction.drop(KIND, key_of(token))


async def find(store: Store, token: str, now: int) -> LoginSession | None:
    """The session of a token, while it lasts."""
    record = await store.record(KIND, key_of(token))
    if record is None or record.until is None or record.until <= now:
        return None
    return msgspec.json.decode(bounded(record.body), type=LoginSession)


def key_of(token: str) -> str:
    """What the session of a token is filed under."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
