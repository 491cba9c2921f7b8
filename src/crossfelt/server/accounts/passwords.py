"""Passwords: argon2id, hashed in a thread, two at a time."""

from __future__ import annotations

import asyncio
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
"""With both, each takes a core for a tenth of a second."""
AT_ONCE: Final = 2


class Secret(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is kept of a password."""

    hash: str
    one_time: bool = False
    """To be replaced at the first log-in."""
    asked_for: bool = False
    """By who can ask again, should it be lost: no start puts another one in its place."""


class Passwords:
    """Hashes and compares; holds no password longer than that takes."""

    def __init__(self) -> None:
        from argon2 import PasswordHasher

        self._hasher = PasswordHasher(time_cost=TIMES, memory_cost=MEMORY_KIB, parallelism=1)
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._nobody = ""

    async def secret(self, password: str, *, one_time: bool = False) -> Secret:
        """What to keep of a password."""
        check_strength(password)
        return Secret(hash=await self._in_thread(self._hasher.hash, password), one_time=one_time)

    async def fits(self, secret: Secret | None, password: str) -> bool:
        """Whether it is the password. Where there is none, the answer takes as long."""
        if secret is None:
            self._nobody = self._nobody or await self._in_thread(self._hasher.hash, secrets.token_hex(16))
        known = secret.hash if secret is not None else self._nobody
        return await self._in_thread(self._matches, known, password[: LONGEST + 1]) and secret is not None

    def _matches(self, known: str, password: str) -> bool:
        from argon2.exceptions import InvalidHashError, VerificationError

        try:
            return self._hasher.verify(known, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _in_thread(self, work: Callable[..., T], *arguments: str) -> T:
        async with self._turn:
            return await asyncio.to_thread(work, *arguments)


def check_strength(password: str) -> None:
    """Length is what counts; what is in it is the owner's affair."""
    if not SHORTEST <= len(password) <= LONGEST:
        allowed = f"{SHORTEST} to {LONGEST} characters"
        raise BadInput(Problem(code="account.password", where="password", what="has another length", allowed=allowed))


def record_of(key: str, secret: Secret) -> Record:
    return Record(kind=KIND, key=key, body=msgspec.json.encode(secret))


def secret_of(record: Record | None) -> Secret | None:
    return None if record is None else msgspec.json.decode(bounded(record.body), type=Secret)


def one_time_password() -> str:
    """Easy to type from a terminal: four groups of five letters and digits, some 100 bits."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(5)) for _ in range(4))
