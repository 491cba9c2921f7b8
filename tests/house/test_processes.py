"""Two processes, one house on PostgreSQL: each answers for every table, and one takes over when the other is killed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from websockets.exceptions import InvalidHandshake

from crossfelt.client import HouseClient
from crossfelt.client.table import Gone, TableClient
from crossfelt.house.audit.export import export_stream
from crossfelt.house.store.opening import open_store
from crossfelt.proof.verify import verify
from house.postgres import Postgres
from house.serving import play_round


class Process:
    """A server on a database that it shares."""

    def __init__(self, directory: Path, database: str) -> None:
        command = [sys.executable, "-m", "crossfelt.cli.main", "serve", "--port", "0", "--data", str(directory)]
        environment = {
            **os.environ,
            "CROSSFELT_DATABASE": database,
            "CROSSFELT_HEADS": "none",
            "CROSSFELT_ADVICE": "false",
        }
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        assert self._process.stderr is not None
        self.address = ""
        while not self.address:
            line = self._process.stderr.readline()
            assert line, "the server ended"
            if found := re.search(r"at (http://[0-9.]+:\d+)", line):
                self.address = found[1]

    def end(self, how: signal.Signals) -> None:
        """Ends the process, unless it has ended."""
        if self._process.returncode is not None:
            return
        self._process.send_signal(how)
        self._process.wait(30)
        assert self._process.stderr is not None
        self._process.stderr.close()


async def connected(client: TableClient) -> None:
    """Connects, once somebody has the table."""
    async with asyncio.timeout(60):
        while True:
            try:
                await client.connect()
            except (Gone, OSError, InvalidHandshake, EOFError):
                await asyncio.sleep(0.2)
            else:
                return


def test_a_table_outlives_the_process_that_has_it(postgres: Postgres, tmp_path: Path) -> None:
    address = postgres.new_database()
    first = Process(tmp_path, address)
    second = Process(tmp_path, address)
    try:
        asyncio.run(story(first, second))
    finally:
        second.end(signal.SIGINT)
        first.end(signal.SIGKILL)

    async def look() -> None:
        store = open_store(tmp_path, address)
        try:
            for head in await store.streams("table/"):
                file = tmp_path / f"{head.stream.replace('/', '-')}.jsonl"
                with file.open("wb") as history:
                    await export_stream(store, head.stream, history)
                assert verify(file).fault is None, head.stream
        finally:
            await store.close()

    asyncio.run(look())


async def story(first: Process, second: Process) -> None:
    """A guest of the second process plays at a table of the first, which is then killed."""
    guest = await HouseClient(second.address).come_in("Ann")
    tables = await guest.lobby()
    assert len(tables) == 5, "the lobby has the tables of both processes"
    opener = HouseClient(first.address, guest.token)
    name = await opener.open_table("md-criss-cross", pace="instant", bots=1)
    table = guest.table(name)
    await connected(table)
    assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
    numbers = [await play_round(table, 1)]
    assert (await guest.post("/api/type", {"table": name, "text": "pays"})) == {"ask": "pays"}
    assert [line["round"] for line in await guest.get(f"/api/tables/{name}/rounds")] == numbers
    first.end(signal.SIGKILL)
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
    assert numbers[1] > numbers[0]
