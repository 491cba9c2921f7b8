"""Imported once by the process that others are forked from: what every house works out first is there already."""

from __future__ import annotations

import importlib
from typing import Final

from crossfelt.hands.strength import strength
from crossfelt.house.app import create_app
from crossfelt.house.house import House
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loading import rulebook_ids

LATER: Final = (
    "alembic.config",
    "alembic.runtime.environment",
    "alembic.script",
    "anyio._backends._asyncio",
    "argon2",
    "crossfelt.cli.serve",
    "crossfelt.house.logs",
    "crossfelt.house.opening",
    "crossfelt.house.store.migrating",
    "crossfelt.house.store.sqlite",
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "cryptography.hazmat.primitives.serialization",
    "psycopg",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvloop",
)
"""What is imported where it is first needed."""


def _nobodys() -> House:
    raise AssertionError("this app is never served")


for needed in LATER:
    importlib.import_module(needed)
create_app(_nobodys)
strength(*range(5))
for rulebook in rulebook_ids():
    compile_game(rulebook)
