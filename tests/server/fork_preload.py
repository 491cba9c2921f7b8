"""Modules and caches that the fork server loads once, for all processes that are forked from it."""

from __future__ import annotations

import importlib
from typing import Final

from crossfelt.hands.strength import strength
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.server.app import create_app
from crossfelt.server.server import Server

LATER: Final = (
    "alembic.config",
    "alembic.runtime.environment",
    "alembic.script",
    "anyio._backends._asyncio",
    "argon2",
    "crossfelt.cli.commands.serve",
    "crossfelt.server.runtime.logs",
    "crossfelt.server.app",
    "crossfelt.server.store.migrate",
    "crossfelt.server.store.sqlite",
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "cryptography.hazmat.primitives.serialization",
    "psycopg",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvloop",
)
"""Modules that the server imports when they are first needed."""


def _never_served() -> Server:
    raise AssertionError("this app is never served")


for needed in LATER:
    importlib.import_module(needed)
create_app(_never_served)
strength(*range(5))
for rulebook in rulebook_ids():
    compile_game(rulebook)
