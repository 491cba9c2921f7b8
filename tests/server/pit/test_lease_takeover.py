"""What a house does beside serving goes on when the database has been away, or when some rows were altered."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

import crossfelt.server.wiring
from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.core.cashier import AccountCashier
from crossfelt.server.core.errors import TableMoving
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.journal.stream import Journal
from crossfelt.server.pit.pit import Pit
from crossfelt.server.runtime.clock import SteadyClock
from crossfelt.server.runtime.logs import JsonLines, PlainLines
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.interface import Conflict, Lease, Unavailable
from crossfelt.server.store.outage import Outage
from crossfelt.server.store.sql_store import SqlStore
from crossfelt.server.wiring import Server
from limits import WAIT_SECONDS
from server.persistent_player import CUT_OFF
from server.served import pit_of, serving


def test_leases_are_renewed_again_after_the_database_was_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, lease_seconds=0.04) as pit:
            renew, asked, again = pit.store.renew, 0, asyncio.Event()

            async def away_at_first(leases: Sequence[Lease], seconds: float) -> list[Lease | None]:
                nonlocal asked
                asked += 1
                if asked <= 2:
                    raise Unavailable("the database is away")
                again.set()
                return await renew(leases, seconds)

            monkeypatch.setattr(pit.store, "renew", away_at_first)
            await pit.open()
            async with asyncio.timeout(WAIT_SECONDS):
                await again.wait()

    asyncio.run(story())


def test_a_process_that_died_where_this_one_is_now_is_not_asked(tmp_path: Path) -> None:
    """It would be asked for ever: by itself, about a table that waits for the lease of the dead to run out."""

    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            pit._holder = "new http://127.0.0.1:8001"
            pit.settings["one"] = TableSettings(id="one", rulebook="nj-pai-gow")
            assert await pit.store.lease("table/one", "old http://127.0.0.1:8001", 60.0)
            assert await pit.owner_elsewhere("one") is None
            assert await pit.neighbours() == set()
            with pytest.raises(TableMoving):
                pit.find("one")

    asyncio.run(story())


def test_a_table_that_another_process_has_is_not_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One question tells who has which table, however many there are."""

    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            pit.settings["one"] = TableSettings(id="one", rulebook="nj-pai-gow")
            assert await pit.store.lease("table/one", "other", 60.0)
            monkeypatch.delattr(type(pit.store), "lease")
            await pit._take_over()
            assert not pit.shut

    asyncio.run(story())


class Away:
    """A database that nobody reaches for a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self.asked, self.back = engine, 0, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def connect(self) -> Connection:
        if self.back:
            return self._engine.connect()
        self.asked += 1
        raise OperationalError("select 1", {}, Exception("connection refused\nIs the server running?"))


def test_of_two_processes_one_opens_a_table_and_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the other one looks for tables that nobody has between any two steps of the first."""

    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            commit = pit.store.commit

            async def and_the_other_looks(*what: Any) -> Any:
                done = await commit(*what)
                assert await pit.store.lease("table/one", "other", 60.0) is None
                return done

            monkeypatch.setattr(pit.store, "commit", and_the_other_looks)
            await pit.create(TableSettings(id="one", rulebook="nj-pai-gow"), who="server")
            assert "one" in pit.actors
            assert await pit.store.lease("table/two", "other", 60.0)
            with pytest.raises(Conflict):
                await pit.create(TableSettings(id="two", rulebook="nj-pai-gow"), who="server")
            assert "two" not in pit.settings

    asyncio.run(story())


@asynccontextmanager
async def two_processes(directory: Path) -> AsyncIterator[tuple[Pit, Pit, Accounts]]:
    """Two pits of one house: the first has opened Ann's own table and stands still, the second takes it over."""
    now, store = SteadyClock(), open_store(directory)
    accounts = Accounts(store, Journal(store), clock=now)
    await accounts.guest("Ann")

    def pit(holder: str) -> Pit:
        journal, cashier = Journal(store), AccountCashier(accounts)
        return Pit(store, journal, cashier, now=now, holder=holder, metrics=Metrics(), shared=True, lease_seconds=0.2)

    still, quick = pit("still http://still"), pit("quick http://quick")
    await still.create(TableSettings(id="one", rulebook="nj-criss-cross", owner="Ann"), who="Ann")
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            while "one" not in quick.actors:
                await quick._look_after()
        yield still, quick, accounts
    finally:
        await quick.close()
        await still.close()
        await store.close()


def test_a_process_that_has_lost_a_table_does_not_close_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with two_processes(tmp_path) as (still, quick, accounts):
            sits = {"command": "take_seat", "seat": 1, "chips_cents": 100_00}
            answer = await quick.find("one").ask(CommandRequest(id="1", who="Ann", role="player", fields=sits))
            assert answer.problem is None
            with pytest.raises(TableMoving):
                await still.retire("one", who="server")
            assert "one" not in still.actors
            assert "one" in (await Journal(still.store).now()).tables
            await quick._look_after()
            assert quick.find("one").table.seat(1).player == "Ann"
            assert (await accounts.account("ann")).at_tables

    asyncio.run(story())


def test_a_table_that_another_process_has_closed_is_closed_here(tmp_path: Path) -> None:
    async def story() -> None:
        async with two_processes(tmp_path) as (still, quick, _):
            await quick.retire("one", who="server")
            await still._look_after()
            assert "one" not in still.actors

    asyncio.run(story())


def test_a_database_that_is_away_is_told_of_once_and_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(crossfelt.server.wiring, "REVOKED_SECONDS", 0.001)

    async def story() -> None:
        store = open_store(tmp_path)
        server = Server(store, tmp_path, shared=True, lease_seconds=0.04)
        await server.open()
        away = Away(store._readers)
        monkeypatch.setattr(store, "_readers", away)
        caplog.clear()
        async with asyncio.timeout(WAIT_SECONDS):
            while away.asked < 50:
                await asyncio.sleep(0.01)
            away.back = True
            while len(caplog.messages) < 2:
                await asyncio.sleep(0.01)
        await server.close()

    asyncio.run(story())
    away, back = "the store does not answer who reads: connection refused", "the store answers again who reads"
    assert caplog.messages == [away, back]
    assert vars(caplog.records[1])["away_seconds"] > 0


def test_an_absence_is_told_of_less_and_less_often(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    absence = Outage("reads", now=lambda: now)

    def told(until: int, does: Callable[[], None]) -> list[float]:
        """When something was logged, asked every second."""
        nonlocal now
        at = []
        while now < until:
            caplog.clear()
            does()
            at += [now] * len(caplog.records)
            now += 1
        return at

    def comes_and_goes() -> None:
        absence.failed("gone")
        absence.answered()

    assert told(2000, lambda: absence.failed("gone")) == [0, 5, 15, 35, 75, 155, 315, 635, 1235, 1835]
    assert told(2010, absence.answered) == [2000]
    assert told(2060, comes_and_goes) == []
    assert told(2130, absence.answered) == []
    assert told(2140, lambda: absence.failed("gone")) == [2130, 2135], "it was well for a while"


def test_a_house_stops_also_while_its_store_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(_: object) -> None:
        raise Unavailable("the database is away")

    async def story() -> None:
        server = Server(open_store(tmp_path), tmp_path)
        await server.open()
        monkeypatch.setattr(server.journal, "note", away)
        await server.close()
        await open_store(tmp_path).close()

    asyncio.run(story())


@pytest.mark.parametrize("altered", ["table/nj-pai-gow-1", "meter/nj-pai-gow/pai_gow"])
def test_a_table_whose_rows_were_altered_stays_shut_and_the_others_open(altered: str, tmp_path: Path) -> None:
    async def opened() -> tuple[set[str], set[str]]:
        async with pit_of(tmp_path) as pit:
            await pit.open()
            return set(pit.actors), set(pit.shut)

    everything, shut = asyncio.run(opened())
    assert not shut
    (file,) = tmp_path.glob("*.sqlite*")
    with sqlite3.connect(file) as database:
        (stream,) = database.execute("SELECT id FROM streams WHERE name = ?", (altered,)).fetchone()
        database.execute("DELETE FROM snapshots WHERE stream = ?", (stream,))
        database.execute("UPDATE lines SET body = ? WHERE stream = ? AND seq = 1", (b'{"command":{}}', stream))
    assert asyncio.run(opened()) == (everything - {"nj-pai-gow-1"}, {"nj-pai-gow-1"})


@pytest.mark.parametrize("lines", [JsonLines(), PlainLines()], ids=["json", "text"])
def test_a_fault_is_logged_without_what_it_says(lines: logging.Formatter) -> None:
    try:
        raise ValueError("seat 2 holds As Kd")
    except ValueError:
        record = logging.LogRecord("house", logging.ERROR, "", 0, "a fault", (), sys.exc_info())
    told = lines.format(record)
    assert "As Kd" not in told
    assert "ValueError" in told
    assert "a fault" in told


def test_a_table_goes_on_when_a_full_disk_has_room_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What could not be stored was not acknowledged, and is carried out once when it is sent again."""
    most = 1_000_000_000

    async def story() -> None:
        async with pit_of(tmp_path, "Ann", lease_seconds=0.04) as pit:
            await pit.open()
            settings = TableSettings(id="one", rulebook="ma-criss-cross", pace="instant")
            await pit.create(settings, who="test")
            await pages_at_most(pit, 1)
            sits = {"command": "take_seat", "seat": 1, "chips_cents": 100_00}
            asked = [
                CommandRequest(id=f"{n}", who="Ann", role="player", fields=sits if n == 0 else buys) for n in range(500)
            ]
            refused = None
            for one in asked:
                if not await carried_out(pit, one):
                    refused = one
                    break
            assert refused is not None, "the disk was never full"
            await pages_at_most(pit, most)
            async with asyncio.timeout(WAIT_SECONDS):
                while "one" not in pit.actors:
                    await asyncio.sleep(0.01)
            assert (await pit.find("one").ask(refused)).problem is None
            ids = [row.command_id for row in await pit.store.rows(settings.stream)]
            assert ids.count(f"Ann/{refused.id}") == 1

    buys = {"command": "buy_chips", "seat": 1, "cents": 1}
    asyncio.run(story())
    assert "disk is full" in caplog.text


async def carried_out(pit: Pit, asked: CommandRequest) -> bool:
    """Whether it was; where not, the table was stopping, or had stopped."""
    try:
        answer = await pit.find("one").ask(asked)
    except TableMoving:
        return False
    assert answer.problem is None or answer.problem.code in ("table.moving", "table.stopping")
    return answer.problem is None


async def pages_at_most(pit: Pit, pages: int) -> None:
    """As if the disk had room for so many; never fewer than there are. Told by the thread whose connection it is."""
    assert isinstance(pit.store, SqlStore)
    told = f"pragma max_page_count = {pages}"
    with suppress(Unavailable):  # a table that writes in the same commit may find it full already
        await pit.store._writer.do((), lambda page: page.connection.exec_driver_sql(told).close())


@pytest.mark.parametrize("address", ["http://::1:8000", "http://[::1", "http://[::zz]:8000"])
def test_a_process_whose_address_nobody_can_read_is_as_one_that_does_not_answer(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands beside its lease, as that process has put it down."""

    async def story() -> None:
        async with serving(tmp_path, shared=True) as served:
            guest = await served.guest()
            name = (await guest.lobby())[0]["id"]
            actor = served.server.pit.actors.pop(name)
            monkeypatch.setattr(served.server.pit, "_where", lambda _: address)
            assert {told["id"]: told["phase"] for told in await guest.lobby()}[name] == "moving"
            with pytest.raises(BadInput, match="the table is moving"):
                await guest.get(f"/api/tables/{name}/rounds")
            with pytest.raises(CUT_OFF, match="the table is moving"):
                await guest.table(name).connect()
            served.server.pit.actors[name] = actor
            assert served.faults == 0

    asyncio.run(story())


def test_a_house_on_a_full_disk_is_not_ready_until_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nobody writes in between: who asks whether it is ready sends nobody."""
    full = False

    def no_room(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if full and statement.startswith(("INSERT", "UPDATE")):
            raise OperationalError(statement, {}, Exception("database or disk is full"))

    async def story() -> None:
        nonlocal full
        async with serving(tmp_path) as served:
            event.listen(served.server.store._desk.engine, "before_cursor_execute", no_room)
            client = Client(served.address)
            assert await readiness(client) == "ready"
            full = True
            with pytest.raises(BadInput, match="the store does not answer"):
                await client.join_as_guest()
            for _ in range(2):
                assert await readiness(client) == "the store cannot be written"
                await served.server.store.forget_records(0)  # of which there are none: nothing is written
            full = False
            async with asyncio.timeout(WAIT_SECONDS):
                while await readiness(client) != "ready":
                    await asyncio.sleep(0.01)
            await client.join_as_guest()

    monkeypatch.setattr("crossfelt.server.wiring.EVERY_SECONDS", 0.2)
    asyncio.run(story())


async def readiness(client: Client) -> str:
    """What a house says to who sends people there."""

    def ask() -> str:
        try:
            with urllib.request.urlopen(f"{client.address}/readyz") as answer:
                status, told = answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                status, told = refused.code, json.load(refused)
        assert (status == 200) == (told["status"] == "ready")
        return str(told["status"])

    return await asyncio.to_thread(ask)
