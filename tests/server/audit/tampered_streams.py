"""Streams to sign and to tamper with."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from crossfelt.proof.signed_heads import SigningKey
from crossfelt.server.audit.signed_heads import Signer
from crossfelt.server.store.sql_store import Store
from server.databases import Said, Say, Title

KEY = SigningKey.new()


def signer(store: Store, outside: Path | None = None) -> Signer:
    return Signer(store, KEY, outside, holder="test")


async def talk(store: Store, stream: str, *texts: str) -> None:
    """Append to a stream, and open it first if needed."""
    if (await store.head(stream)).seq < 0:
        await store.commit([stream], lambda tx: tx.open(stream, Title(stream), 0))
    for text in texts:
        await add(store, stream, text)


async def add(store: Store, stream: str, text: str) -> None:
    await store.commit([stream], lambda tx: tx.append(stream, Say(id=text, text=text), [Said(text=text)]))


async def tamper(store: Store, statement: str, **values: object) -> None:
    """Change the database as an attacker with access to it could."""
    await store._write(lambda page: page.connection.execute(sa.text(statement), values))
    store._dialect.rolled_back()
