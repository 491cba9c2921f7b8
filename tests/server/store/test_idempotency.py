"""One command, one effect: repeated, late and reordered commands, compared with a model."""

from __future__ import annotations

import asyncio
import random

import pytest

from crossfelt.server.store.interface import Conflict, Repeated, Stored
from crossfelt.server.store.sql_store import Store
from server.databases import Database, Said, Say, SqliteDatabase, Title, run
from soak_length import Recorded, scaled

STREAMS = [f"table/{number}" for number in range(5)]


async def answer(store: Store, stream: str, command_id: str, seq: int | None) -> Stored | None:
    """Return the row of a command, written now or before; None if the command is late."""
    row = Say(id=command_id), [Said(text=command_id)]
    try:
        return await store.commit([stream], lambda tx: tx.append(stream, *row, seq=seq))
    except Repeated:
        return await store.find(stream, command_id)
    except Conflict:
        return await store.find(stream, command_id)


async def storm(store: Store, commands: int, seed: int) -> None:
    """Send commands several times, in any order and in parallel, some of them for a seq that is taken by then."""
    chance = random.Random(seed)
    for stream in STREAMS:
        await store.commit([stream], lambda tx, stream=stream: tx.open(stream, Title(stream), 0))  # type: ignore[misc]
    answers: dict[tuple[str, str], set[bytes]] = {}
    asked = 0
    while asked < commands:
        size = chance.choice((1, 2, 40))
        batch = [(chance.choice(STREAMS), f"c{chance.randrange(asked // 3 + 5)}") for _ in range(size)]
        seqs = [chance.choice((None, None, None, chance.randrange(asked // 5 + 2))) for _ in batch]
        found = await asyncio.gather(*(answer(store, *each, seq) for each, seq in zip(batch, seqs, strict=True)))
        for each, row in zip(batch, found, strict=True):
            if row is not None:
                answers.setdefault(each, set()).add(row.body)
        asked += size
    for (stream, command_id), bodies in answers.items():
        assert len(bodies) == 1, (stream, command_id)
    for stream in STREAMS:
        rows = [*await store.rows(stream, 0)]
        assert len({row.command_id for row in rows}) == len(rows)
        assert {(stream, row.command_id): {row.body} for row in rows} == {
            key: bodies for key, bodies in answers.items() if key[0] == stream
        }


def test_a_storm_of_repeated_late_and_reordered_commands(database: Database) -> None:
    commands = 5_000 if isinstance(database, SqliteDatabase) else 1_000
    run(database, lambda store: storm(store, commands, seed=3))


@pytest.mark.soak
def test_a_long_storm(database: Database, record_property: Recorded) -> None:
    run(database, lambda store: storm(store, scaled(200_000), seed=4))
    record_property("figure", f"{scaled(200_000):,} repeated, late and reordered commands: one effect each")
