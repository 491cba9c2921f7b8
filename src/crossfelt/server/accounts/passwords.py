"""Passwords: hashed with argon2id in a thread, two at a time."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from crossfelt.errors import BadInput
from crossfelt.server.store.interface import Record

T = TypeVar("T")

KIND: Final = "password"
SHORTEST: Final = 12
EASY_TO_TYPE: Final = "abcdefghjkmnpqrstuvwxyz23456789"
ONE_TIME_MS: Final = 24 * 3_600_000
"""A one-time password expires after a day."""
COMMON: Final = frozenset(
    {
        *("123456789012", "1234567890123", "123456789123", "123456123456", "1234567891011", "111111111111"),
        *("000000000000", "1q2w3e4r5t6y", "1qaz2wsx3edc", "qwertyuiop12", "qwertyuiop123", "qwerty123456"),
        *("qwertyqwerty", "password1234", "password12345", "password123456", "passwordpassword", "mypassword123"),
        *("administrator", "changeme1234", "iloveyou1234", "letmein12345", "welcome12345", "abcdefghijkl"),
        *("abcdefghijklm", "abc123abc123", "abcd12345678", "correcthorsebatterystaple", "unbelievable"),
    }
)
"""The commonest passwords that are long enough."""
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
    until: int = 0
    asked_for: bool = False
    """Made by `crossfelt owner`, which can be run again. A start of the server does not replace it."""


class Passwords:
    """Hashes and verifies passwords."""

    def __init__(self) -> None:
        from argon2 import PasswordHasher

        self._hasher = PasswordHasher(time_cost=TIMES, memory_cost=MEMORY_KIB, parallelism=1)
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._decoy = ""

    async def secret(self, password: str) -> Secret:
        """Return the stored form of a new password."""
        check_password(password)
        return Secret(hash=await self._in_thread(self._hasher.hash, password))

    async def one_time(self, now: int, *, asked_for: bool = False) -> tuple[str, Secret]:
        """Return a new one-time password, and its stored form.

        It is easy to type: four groups of five letters and digits, about 100 bits.
        """
        password = "-".join("".join(secrets.choice(EASY_TO_TYPE) for _ in range(5)) for _ in range(4))
        secret = await self.secret(password)
        return password, replace(secret, one_time=True, until=now + ONE_TIME_MS, asked_for=asked_for)

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


def check_password(password: str) -> None:
    """Refuse a password that is too short, too long or common; there are no rules about its characters."""
    if password.lower() in COMMON:
        raise BadInput.at("password", "account.password", "is one of the commonest passwords: choose another")
    if not SHORTEST <= len(password) <= LONGEST:
        allowed = f"{SHORTEST} to {LONGEST} characters"
        raise BadInput.at("password", "account.password", "is too short or too long", allowed=allowed)


def record_of(key: str, secret: Secret) -> Record:
    return Record(kind=KIND, key=key, body=msgspec.json.encode(secret))


def secret_of(record: Record | None) -> Secret | None:
    return None if record is None else record.read(Secret)


def digest_of(secret: Secret) -> str:
    """Return the hash of a stored record, which the account's stream keeps: the record itself is in no chain.

    It does not help to guess the password: it is a hash of the salted and slow one.
    """
    return hashlib.sha256(record_of("", secret).body).hexdigest()
