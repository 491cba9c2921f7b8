"""Several processes with one PostgreSQL database: each answers for every table, and takes over after a kill."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import httpx
import pytest
from websockets.asyncio.client import connect

from crossfelt.client import Client, TableClient
from crossfelt.errors import BadInput
from crossfelt.rulebooks.loader import rulebook_ids
from limits import WAIT_SECONDS
from server.chaos import TROUBLES, processes, run_trouble
from server.persistent_player import CUT_OFF
from server.postgres import Postgres
from server.served import play_round
from server.server_process import ServerProcess
from soak_length import Progress, Recorded, scaled

ROUNDS_SOAK: Final = 100_000
HOUSE_ROUNDS: Final = 10_000
"""The rounds with one database, which is checked afterwards and whenever a process starts."""
TROUBLE_EVERY: Final = 250
"""The rounds; a few more follow until every process runs again."""


async def connected(client: TableClient) -> None:
    """Connect, once a process owns the table."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            try:
                await client.connect()
            except CUT_OFF:
                await asyncio.sleep(0.05)
            else:
                return


async def the_owner(*servers: ServerProcess) -> tuple[Client, str]:
    """Return the owner, with the last password: each of two processes that start at once writes one."""
    files = {file for server in servers for file in re.findall(r"password in (\S+owner-password)", server.errors)}
    for password in [Path(file).read_text().strip() for file in files]:
        with suppress(BadInput):
            return await Client(servers[0].address).log_in("owner", password), password
    raise AssertionError(files)


async def tell_the_same(first: ServerProcess, second: ServerProcess) -> None:
    """Check that every process gives the same answer about the floor and the meters."""
    owner, password = await the_owner(first, second)
    told = await owner.put("/api/me/password", {"old": password, "new": "a long enough password"})
    asked = [Client(server.address, told["token"]) for server in (first, second)]
    for path in ("/api/floor/meters", "/api/meters"):
        here, there = [{line["meter"] for line in await client.get(path)} for client in asked]
        assert here == there == {"md-criss-cross/bonus_spin", "nj-criss-cross/bonus_spin", "nj-pai-gow/pai_gow"}
    here, there = [{table["id"] for table in (await client.get("/api/floor"))["tables"]} for client in asked]
    assert here == there == {f"{rulebook}-1" for rulebook in rulebook_ids()}
    for client in asked:
        change = {"kind": "meter_change", "subject": "nj-pai-gow/pai_gow", "reason": "another base"}
        assert (await client.post("/api/proposals", {**change, "details": {"reset_cents": 30_000_00}}))["number"]
        with pytest.raises(BadInput, match="the meter must reset at"):
            await client.post("/api/proposals", {**change, "details": {"reset_cents": -1}})


def test_a_table_outlives_the_process_that_owns_it(postgres: Postgres, tmp_path: Path) -> None:
    """A guest of the second process plays at a table of the first, which is then killed."""

    async def story(first: ServerProcess, second: ServerProcess) -> None:
        await tell_the_same(first, second)
        guest = await Client(second.address).join_as_guest("Ann")
        tables = await guest.lobby()
        assert len(tables) == 5, "the lobby has the tables of both processes"
        opener = Client(first.address, guest.token)
        name = await opener.open_table("md-criss-cross", pace="instant", bots=1)
        table = guest.table(name)
        await connected(table)
        assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
        numbers = [await play_round(table, 1)]
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
        assert numbers[-1] > numbers[0]

    with processes(tmp_path, postgres.new_database(), 2) as (first, second):
        asyncio.run(story(first, second))


def test_foreign_cookies_do_not_keep_a_request_from_being_forwarded(postgres: Postgres, tmp_path: Path) -> None:
    """Another site on the machine may have set any cookie. Every process still finds the session."""

    async def story(first: ServerProcess, second: ServerProcess) -> None:
        guest = await Client(first.address).join_as_guest("Ann")
        foreign = "theme=\N{LATIN SMALL LETTER E WITH ACUTE}".encode()
        known = {b"Cookie": foreign + f"; crossfelt_session={guest.token}".encode()}
        nobody = {b"Cookie": b"crossfelt_session=" + foreign}
        odd = {b"X-Forwarded-For": foreign, b"Accept": foreign}
        for server in (first, second):
            async with httpx.AsyncClient(base_url=server.address, timeout=WAIT_SECONDS) as client:
                for headers, status in ((known, 200), (nobody, 401), (odd, 401)):
                    told = [await client.get(f"/api/tables/{it}-1/rounds", headers=headers) for it in rulebook_ids()]
                    assert {answer.status_code for answer in told} == {status}
                    assert (await client.get("/api/lobby", headers=headers)).status_code == 200
            for rulebook in rulebook_ids():
                place = f"{server.address.replace('http', 'ws', 1)}/api/tables/{rulebook}-1/live?as=player"
                async with connect(place, additional_headers={"Cookie": known[b"Cookie"].decode()}) as live:
                    await live.send('{"type":"hello"}')
                    assert json.loads(await live.recv())["you"]["name"] == "Ann"

    with processes(tmp_path, postgres.new_database(), 2, proxied="true") as (first, second):
        asyncio.run(story(first, second))


def test_processes_reach_each_other_at_an_ipv6_address(postgres: Postgres, tmp_path: Path) -> None:
    """A process prints the address at which it listens and at which others find it."""

    async def story(first: ServerProcess, second: ServerProcess) -> None:
        guests = [await Client(server.address).join_as_guest() for server in (first, second)]
        for guest in guests:
            tables = {told["id"]: told["phase"] for told in await guest.lobby()}
            assert tables.keys() == {f"{rulebook}-1" for rulebook in rulebook_ids()}
            assert "moving" not in tables.values()
            for name in tables:  # whichever process owns it
                assert await guest.get(f"/api/tables/{name}/rounds") == []
                table = guest.table(name, "spectator")
                await connected(table)
                await table.close()

    with processes(tmp_path, postgres.new_database(), 2, host="::1") as (first, second):
        assert first.address.startswith("http://[::1]:")
        asyncio.run(story(first, second))


def test_killed_processes_and_cut_connections_lose_nothing(postgres: Postgres, tmp_path: Path) -> None:
    run_trouble(postgres, tmp_path, 2, 3, rounds=32, every=6, kinds=TROUBLES[:2])


@pytest.mark.soak
def test_many_rounds_in_four_processes_under_chaos(
    tmp_path: Path, record_property: Recorded, progress: Progress
) -> None:
    rounds, made = scaled(ROUNDS_SOAK), Counter[str]()

    def tell(before: int, played: int) -> None:
        progress(before + played, rounds)

    for before in range(0, rounds, HOUSE_ROUNDS):
        directory, postgres = tmp_path / f"{before}", Postgres()
        try:
            made += run_trouble(
                *(postgres, directory, 4, 40),
                rounds=min(HOUSE_ROUNDS, rounds - before),
                every=TROUBLE_EVERY,
                told=partial(tell, before),
            )
        finally:
            postgres.stop()
        shutil.rmtree(directory)
    record_property("figure", f"{rounds:,} rounds in 4 processes through {dict(made)}: nothing lost, no stale owner")
