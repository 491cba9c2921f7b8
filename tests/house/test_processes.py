"""Several processes, one house on PostgreSQL: each answers for every table, and takes over from one that is killed."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
import pytest

from crossfelt.client import HouseClient
from crossfelt.client.table import TableClient
from crossfelt.house.config import Config
from crossfelt.house.opening import open_house
from crossfelt.problems import BadInput
from crossfelt.rulebooks.loading import rulebook_ids
from house.players import CUT_OFF, Player, check
from house.postgres import Postgres
from house.servers import Server
from house.serving import play_round
from house.soaking import Recorded, scaled

LEASE_SECONDS: Final = "2"
ROUNDS_SOAK: Final = 100_000
TROUBLES: Final = ("kill a process", "cut connections", "kill the database")


@contextmanager
def processes(directory: Path, database: str, count: int, **settings: str) -> Iterator[list[Server]]:
    """So many servers of one house."""
    settings |= {"database": database, "heads": "none", "lease_seconds": LEASE_SECONDS}
    servers = [Server(directory, **settings) for _ in range(count)]
    try:
        for server in servers:
            server.start()
        for server in servers:
            server.wait()
        yield servers
    finally:
        for server in servers:
            server.end(signal.SIGTERM)


async def connected(client: TableClient) -> None:
    """Connects, once somebody has the table."""
    async with asyncio.timeout(60):
        while True:
            try:
                await client.connect()
            except CUT_OFF:
                await asyncio.sleep(0.05)
            else:
                return


async def tell_the_same(first: Server, second: Server) -> None:
    """Floor and meters are the house's: whichever process is asked, and whichever has the tables."""
    password = next(word for server in (first, second) for word in re.findall(r"your own: (\S+)", server.errors))
    owner = await HouseClient(first.address).log_in("owner", password)
    told = await owner.put("/api/me/password", {"old": password, "new": "a long enough password"})
    asked = [HouseClient(server.address, told["token"]) for server in (first, second)]
    for path in ("/api/floor/meters", "/api/meters"):
        here, there = [{line["meter"] for line in await client.get(path)} for client in asked]
        assert here == there == {"md-criss-cross/bonus_spin", "nj-criss-cross/bonus_spin", "nj-pai-gow/pai_gow"}
    here, there = [{table["id"] for table in (await client.get("/api/floor"))["tables"]} for client in asked]
    assert here == there == {f"{rulebook}-1" for rulebook in rulebook_ids()}
    for client in asked:
        change = {"kind": "meter_change", "subject": "nj-pai-gow/pai_gow", "reason": "another base"}
        assert (await client.post("/api/proposals", {**change, "details": {"reset_cents": 30_000_00}}))["number"]
        with pytest.raises(BadInput, match="not an amount"):
            await client.post("/api/proposals", {**change, "details": {"reset_cents": -1}})


def test_a_table_outlives_the_process_that_has_it(postgres: Postgres, tmp_path: Path) -> None:
    """A guest of the second process plays at a table of the first, whose herald is killed, and which is then killed."""

    async def story(first: Server, second: Server) -> None:
        await tell_the_same(first, second)
        guest = await HouseClient(second.address).come_in("Ann")
        tables = await guest.lobby()
        assert len(tables) == 5, "the lobby has the tables of both processes"
        opener = HouseClient(first.address, guest.token)
        name = await opener.open_table("md-criss-cross", pace="instant", bots=1)
        table = guest.table(name)
        await connected(table)
        assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
        numbers = [await play_round(table, 1)]
        (herald,) = first.heralds
        os.kill(int(herald.name), signal.SIGKILL)
        with pytest.raises(CUT_OFF):
            await table.until(lambda _: False)
        await connected(table)
        numbers.insert(0, await play_round(table, 1))
        assert (await guest.post("/api/type", {"table": name, "text": "pays"})) == {"ask": "pays"}
        assert [line["round"] for line in await guest.get(f"/api/tables/{name}/rounds")] == numbers
        first.end()
        listed = {told["id"]: told["phase"] for told in await guest.lobby()}
        assert {*(told["id"] for told in tables), name} == listed.keys(), "tables of the dead process are hidden"
        assert listed[name] == "moving"
        await table.close()
        back = guest.table(name)
        await connected(back)
        seat = back.view["seats"][0]
        assert seat["player"] == "Ann", "the seat was lost with the process"
        numbers.append(await play_round(back, 1))
        await back.close()
        assert numbers[-1] > numbers[0] > numbers[1]

    with processes(tmp_path, postgres.new_database(), 2, herald="true") as (first, second):
        asyncio.run(story(first, second))


class Trouble:
    """Kills processes and the database, and cuts connections, again and again while people play."""

    def __init__(self, servers: list[Server], postgres: Postgres, database: str, seed: int) -> None:
        self._servers = servers
        self._postgres = postgres
        self._database = database
        self._chance = random.Random(seed)
        self._over = threading.Event()
        self.made: dict[str, int] = dict.fromkeys(TROUBLES, 0)

    def run(self, troubles: tuple[str, ...]) -> None:
        while not self._over.wait(self._chance.uniform(0.5, 3)):
            trouble = self._chance.choice(troubles)
            self.made[trouble] += 1
            if trouble == "kill a process":
                server = self._chance.choice(self._servers)
                server.end()
                server.start()
                server.wait()
            elif trouble == "cut connections":
                self._cut()
            else:
                self._postgres.kill()
                self._postgres.start()

    def _cut(self) -> None:
        others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
        with psycopg.connect(self._database, autocommit=True) as connection:
            pids = [pid for (pid,) in connection.execute(f"SELECT pid {others}")]
            for pid in self._chance.sample(pids, min(2, len(pids))):
                connection.execute("SELECT pg_terminate_backend(%s)", (pid,))

    def stop(self) -> None:
        self._over.set()


async def plays_on(player: Player, servers: list[Server], rounds: int, seed: int) -> None:
    """At any of the servers, and at another one after each trouble."""
    chance = random.Random(seed)
    while player.rounds < rounds:
        address = chance.choice(servers).address
        try:
            if address:
                await player.play(address, rounds)
        except (*CUT_OFF, BadInput):
            await asyncio.sleep(0.05)


def run_trouble(
    postgres: Postgres, directory: Path, count: int, players: int, rounds: int, troubles: tuple[str, ...]
) -> dict[str, int]:
    """Plays so many rounds through trouble, and looks at everything that was acknowledged."""
    database = postgres.new_database()
    books = rulebook_ids()
    people = [Player(f"Player {number}", books[number % len(books)]) for number in range(players)]
    with processes(directory, database, count) as servers:
        trouble = Trouble(servers, postgres, database, 7)

        async def story() -> None:
            making = asyncio.create_task(asyncio.to_thread(trouble.run, troubles))
            each = -(-rounds // players)
            playing = [plays_on(player, servers, each, seed) for seed, player in enumerate(people)]
            try:
                await asyncio.gather(*playing)
            finally:
                trouble.stop()
                await making

        asyncio.run(story())
        assert all("fault" not in server.errors for server in servers), [server.errors for server in servers]

    async def look() -> None:
        house = open_house(Config(data=str(directory), database=database, heads="none", advice=False), 0)
        await house.open()
        try:
            assert (await house.check_everything()).sound
            async with asyncio.timeout(60):  # a table of a process that was killed is leased to it for some time
                while any(player.table not in house.pit.actors for player in people):
                    await asyncio.sleep(0.05)
            for player in people:
                await check(house, directory, player)
        finally:
            await house.close()

    asyncio.run(look())
    return trouble.made


def test_nothing_is_lost_where_processes_are_killed_and_connections_cut(postgres: Postgres, tmp_path: Path) -> None:
    run_trouble(postgres, tmp_path, 2, 3, 24, TROUBLES[:2])


@pytest.mark.soak
def test_many_rounds_in_four_processes_through_trouble(tmp_path: Path, record_property: Recorded) -> None:
    rounds, postgres = scaled(ROUNDS_SOAK), Postgres()
    try:
        made = run_trouble(postgres, tmp_path, 4, 20, rounds, TROUBLES)
    finally:
        postgres.stop()
    record_property("figure", f"{rounds:,} rounds in 4 processes through {made}: nothing lost, no stale owner")
