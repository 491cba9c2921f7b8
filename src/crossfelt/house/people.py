"""Guests of the house, in memory."""

from __future__ import annotations

import secrets

import msgspec

GUEST_CENTS = 1_000_00


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """Who somebody is to the house."""

    name: str
    roles: frozenset[str]
    guest: bool
    balance_cents: int = GUEST_CENTS


class Guests:
    """Everybody who came in without an account."""

    def __init__(self) -> None:
        self._by_token: dict[str, Identity] = {}

    def guest(self, name: str | None) -> tuple[str, Identity]:
        taken = {identity.name for identity in self._by_token.values()}
        wanted = name or f"Guest-{secrets.randbelow(9000) + 1000}"
        while wanted in taken:
            wanted = f"{name or 'Guest'}-{secrets.randbelow(9000) + 1000}"
        token, identity = secrets.token_urlsafe(32), Identity(name=wanted, roles=frozenset({"player"}), guest=True)
        self._by_token[token] = identity
        return token, identity

    def who(self, token: str) -> Identity | None:
        return self._by_token.get(token)

    def log_out(self, token: str) -> None:
        self._by_token.pop(token, None)
