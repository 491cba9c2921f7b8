"""Chaos for a server of several processes: processes and the database are killed, and connections cut, during play."""

from __future__ import annotations

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Final

import psycopg

from crossfelt.errors import BadInput
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.server.app import open_server
from crossfelt.server.config import Config
from limits import WAIT_SECONDS
from server.persistent_player import CUT_OFF, Player, check
from server.postgres import Postgres
from server.server_process import ServerProcess

LEASE_SECONDS: Final = "2"
TROUBLES: Final = ("kill a process", "cut connections", "kill the database")


@contextmanager
def processes(directory: Path, database: str, count: int, **settings: str) -> Iterator[list[ServerProcess]]:
    """Start a number of server processes with one database."""
    settings |= {"database": database, "heads": "none", "lease_seconds": LEASE_SECONDS}
    servers = [ServerProcess(directory, **settings) for _ in range(count)]
    try:
        for process in servers:
            process.start()
        for process in servers:
            process.wait()
        yield servers
    finally:
        for process in servers:
            process.end(signal.SIGTERM)


class Trouble:
    """Causes each kind of failure in turn."""

    def __init__(self, servers: list[ServerProcess], postgres: Postgres, database: str, kinds: Sequence[str]) -> None:
        self._servers = servers
        self._postgres = postgres
        self._database = database
        self._kinds = cycle(kinds)
        self._wanted = frozenset(kinds)
        self._chance = random.Random(7)
        self.made: Counter[str] = Counter()

    @property
    def complete(self) -> bool:
        """True if each kind has occurred: on a slow machine one may last for the whole play."""
        return self._wanted <= self.made.keys()

    def make(self) -> None:
        """Cause the next failure, and wait until every process runs again."""
        kind = next(self._kinds)
        if kind == "kill a process":
            process = self._chance.choice(self._servers)
            process.end()
            process.start()
            process.wait()
        elif kind == "cut connections":
            self._cut()
        else:
            self._postgres.kill()
            self._postgres.start()
        self.made[kind] += 1

    def _cut(self) -> None:
        others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
        with psycopg.connect(self._database, autocommit=True) as connection:
            pids = [pid for (pid,) in connection.execute(f"SELECT pid {others}")]
            for pid in self._chance.sample(pids, min(2, len(pids))):
                connection.execute("SELECT pg_terminate_backend(%s)", (pid,))


async def plays_on(player: Player, servers: list[ServerProcess], enough: Callable[[], bool], seed: int) -> None:
    """Play at one of the servers, and at another after each failure."""
    chance = random.Random(seed)
    while not enough():
        address = chance.choice(servers).address
        try:
            if address:
                await player.play(address, enough)
        except (*CUT_OFF, BadInput):
            pass
        await asyncio.sleep(0.05)


def run_trouble(
    postgres: Postgres,
    directory: Path,
    count: int,
    players: int,
    *,
    rounds: int,
    every: int,
    kinds: Sequence[str] = TROUBLES,
    told: Callable[[int], None] = lambda played: None,
) -> Counter[str]:
    """Play a number of rounds with a failure `every` few, and check all that was acknowledged."""
    database = postgres.new_database()
    books = rulebook_ids()
    # Tables with and without bots are taken over.
    people = [Player(f"Ann {place}", books[place % len(books)], bots=place % 2) for place in range(players)]
    with processes(directory, database, count) as servers:
        trouble = Trouble(servers, postgres, database, kinds)

        def played() -> int:
            return sum(player.rounds for player in people)

        def enough() -> bool:
            # The table of a killed process waits for its lease, while the others may play all the rounds.
            return played() >= rounds and trouble.complete and all(player.answers for player in people)

        async def troubled() -> None:
            while (mark := played() + every) < rounds or not trouble.complete:
                while played() < mark:
                    await asyncio.sleep(0.01)
                await asyncio.to_thread(trouble.make)
                told(played())

        async def story() -> None:
            async with asyncio.TaskGroup() as group:
                group.create_task(troubled())
                for seed, player in enumerate(people):
                    group.create_task(plays_on(player, servers, enough, seed))

        asyncio.run(story())
    said = [file.read_text("utf-8", errors="replace") for file in directory.glob("errors-*")]
    assert [errors for errors in said if "fault" in errors] == []
    asyncio.run(_look(directory, database, people))
    return trouble.made


async def _look(directory: Path, database: str, people: Sequence[Player]) -> None:
    server = open_server(Config(data=str(directory), database=database, heads="none", advice=False), 0)
    await server.open()
    try:
        assert (await server.check_everything()).sound
        async with asyncio.timeout(WAIT_SECONDS):  # the lease of a killed process must expire first
            while any(player.table not in server.pit.actors for player in people):
                await asyncio.sleep(0.05)
        for player in people:
            await check(server, directory, player)
    finally:
        await server.close()
