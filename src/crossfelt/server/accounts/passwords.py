"""Passwords: hashed with argon2id in a thread, two at a time."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.errors import BadInput, Problem
from crossfelt.server.store.interface import Record

T = TypeVar("T")

KIND: Final = "password"
SHORTEST: Final = 10
LONGEST: Final = 200
TIMES: Final = 3
MEMORY_KIB: Final = 64 * 1024
"""With these costs one hash takes a core for a tenth of a second."""
AT_ONCE: Final = 2


class Secret(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The stored form of a password."""

    hash: str
    one_time: bool = False
    """The account must replace it at its first log-in."""
    asked_for: bool = False
    """Made by `crossfelt owner`, which can be run again. A start of the server does not replace it."""


class Passwords:
    """Hashes and verifies passwords."""

    def __init__(self) -> None:
        from argon2 import PasswordHasher

        self._hasher = PasswordHasher(time_cost=TIMES, memory_cost=MEMORY_KIB, parallelism=1)
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._decoy = ""

    async def secret(self, password: str, *, one_time: bool = False) -> Secret:
        """Return the stored form of a new password."""
        check_length(password)
        return Secret(hash=await self._in_thread(self._hasher.hash, password), one_time=one_time)

    async def verify(self, secret: Secret | None, password: str) -> bool:
        """Return whether a password is right; without a secret the answer is False, after the same time."""
        if secret is None:
            self._decoy = self._decoy or await self._in_thread(self._hasher.hash, secrets.token_hex(16))
        hashed = secret.hash if secret is not None else self._decoy
        return await self._in_thread(self._matches, hashed, password[: LONGEST + 1]) and secret is not None

    def _matches(self, hashed: str, password: str) -> bool:
        from argon2.exceptions import VerificationError

        try:
            return self._hasher.verify(hashed, password)
        except VerificationError:
            return False

    async def _in_thread(self, work: Callable[..., T], *arguments: str) -> T:
        async with self._turn:
            return await asyncio.to_thread(work, *arguments)


def check_length(password: str) -> None:
    """Refuse a password that is too short or too long; there are no rules about its characters."""
    if not SHORTEST <= len(password) <= LONGEST:
        allowed = f"{SHORTEST} to {LONGEST} characters"
        raise BadInput(
            Problem(code="account.password", where="password", what="is too short or too long", allowed=allowed)
        )


def record_of(key: str, secret: Secret) -> Record:
    return Record(kind=KIND, key=key, body=msgspec.json.encode(secret))


def secret_of(record: Record | None) -> Secret | None:
    return None if record is None else msgspec.json.decode(bounded(record.body), type=Secret)


def digest_of(secret: Secret) -> str:
    """Return the hash of a stored record, which the account's stream keeps: the record itself is in no chain.

    It does not help to guess the password: it is a hash of the salted and slow one.
    """
    return hashlib.sha256(record_of("", secret).body).hexdigest()


def one_time_password() -> str:
    """Return a random password that is easy to type: four groups of five letters and digits, about 100 bits."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(5)) for _ in range(4))
