"""Leases and takeovers continue after an outage of the database, and despite altered rows."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

import crossfelt.server.server
from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.config import Config
from crossfelt.server.core.errors import TableMoving
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.rulebooks import Rulebooks
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.journal.stream import Journal
from crossfelt.server.pit.pit import Pit
from crossfelt.server.runtime.clock import SteadyClock
from crossfelt.server.runtime.logs import JsonLines, PlainLines
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.server import Server
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.interface import Conflict, Lease, Unavailable
from crossfelt.server.store.outage import Outage
from crossfelt.server.store.sql_store import Store
from limits import WAIT_SECONDS
from server.persistent_player import CUT_OFF
from server.served import no_best_play, pit_of, serving


def test_leases_are_renewed_again_after_an_outage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, lease_seconds=0.04) as pit:
            renew, asked, again = pit.store.renew, 0, asyncio.Event()

            async def unavailable_at_first(leases: Collection[Lease], seconds: float) -> set[Lease]:
                nonlocal asked
                asked += 1
                if asked <= 2:
                    raise Unavailable("the database is away")
                again.set()
                return await renew(leases, seconds)

            monkeypatch.setattr(pit.store, "renew", unavailable_at_first)
            await pit.open()
            async with asyncio.timeout(WAIT_SECONDS):
                await again.wait()

    asyncio.run(story())


def test_a_dead_process_with_this_url_is_not_asked(tmp_path: Path) -> None:
    """The process would ask itself, about a table that waits for the dead process's lease to expire."""

    async def story() -> None:
        async with pit_of(tmp_path, holder="new http://127.0.0.1:8001") as pit:
            pit.settings["one"] = TableSettings(id="one", rulebook="nj-pai-gow")
            assert await pit.store.lease("table/one", "old http://127.0.0.1:8001", 60.0)
            assert await pit.owner_elsewhere("one") is None
            assert await pit.leases.other_urls() == set()
            with pytest.raises(TableMoving):
                pit.find("one")

    asyncio.run(story())


def test_no_lease_is_requested_for_a_table_of_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One query finds the owners of all tables."""

    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            pit.settings["one"] = TableSettings(id="one", rulebook="nj-pai-gow")
            assert await pit.store.lease("table/one", "other", 60.0)
            monkeypatch.delattr(type(pit.store), "lease")
            await pit._take_over()
            assert not pit.unreadable

    asyncio.run(story())


class Unreachable:
    """A database that is unreachable for a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self.asked, self.back = engine, 0, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def connect(self) -> Connection:
        if self.back:
            return self._engine.connect()
        self.asked += 1
        raise OperationalError("select 1", {}, Exception("connection refused\nIs the server running?"))


def test_of_two_processes_one_opens_a_table_and_owns_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one looks for tables without an owner between any two steps of the first."""

    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            commit = pit.store.commit

            async def and_other_maintains(*what: Any) -> Any:
                done = await commit(*what)
                assert await pit.store.lease("table/one", "other", 60.0) is None
                return done

            monkeypatch.setattr(pit.store, "commit", and_other_maintains)
            await pit.create(TableSettings(id="one", rulebook="nj-pai-gow"), who="server")
            assert "one" in pit.actors
            assert await pit.store.lease("table/two", "other", 60.0)
            with pytest.raises(Conflict):
                await pit.create(TableSettings(id="two", rulebook="nj-pai-gow"), who="server")
            assert "two" not in pit.settings

    asyncio.run(story())


@asynccontextmanager
async def two_processes(directory: Path) -> AsyncIterator[tuple[Pit, Pit, Accounts]]:
    """Yield two pits with one store: the first has opened Ann's table and stands still, the second takes it over."""
    now, store = SteadyClock(), open_store(directory)
    accounts = Accounts(store, Journal(store), clock=now)
    await accounts.guest("Ann")

    def pit(holder: str) -> Pit:
        return Pit(
            *(store, Journal(store), accounts),
            rulebooks=Rulebooks(),
            now=now,
            holder=holder,
            metrics=Metrics(),
            best=no_best_play,
            shared=True,
            lease_seconds=0.2,
        )

    still, quick = pit("still http://still"), pit("quick http://quick")
    await still.create(TableSettings(id="one", rulebook="nj-criss-cross", owner="Ann"), who="Ann")
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            while "one" not in quick.actors:
                await quick._maintain_tables()
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
            await quick._maintain_tables()
            assert quick.find("one").table.seat(1).player == "Ann"
            assert (await accounts.account("ann")).at_tables

    asyncio.run(story())


def test_a_table_that_another_process_has_closed_is_closed_here(tmp_path: Path) -> None:
    async def story() -> None:
        async with two_processes(tmp_path) as (still, quick, _):
            await quick.retire("one", who="server")
            await still._maintain_tables()
            assert "one" not in still.actors

    asyncio.run(story())


def test_an_outage_is_logged_once_and_again_when_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(crossfelt.server.server, "REVOKED_SECONDS", 0.001)

    async def story() -> None:
        store = open_store(tmp_path)
        server = Server(store, tmp_path, Config(lease_seconds=0.04), shared=True)
        await server.open()
        away = Unreachable(store._readers)
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
    away, back = "the store fails to read: connection refused", "the store can read again"
    assert caplog.messages == [away, back]
    assert vars(caplog.records[1])["away_seconds"] > 0


def test_a_long_outage_is_logged_less_and_less_often(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    absence = Outage("read", now=lambda: now)

    def logged(until: int, does: Callable[[], None]) -> list[float]:
        """Return the times of log lines, checked every second."""
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
        absence.succeeded()

    assert logged(2000, lambda: absence.failed("gone")) == [0, 5, 15, 35, 75, 155, 315, 635, 1235, 1835]
    assert logged(2010, absence.succeeded) == [2000]
    assert logged(2060, comes_and_goes) == []
    assert logged(2130, absence.succeeded) == []
    assert logged(2140, lambda: absence.failed("gone")) == [2130, 2135], "it was well for a while"


def test_a_server_stops_during_an_outage_of_its_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_table_with_altered_rows_stays_closed_and_the_others_open(altered: str, tmp_path: Path) -> None:
    async def opened() -> tuple[set[str], set[str]]:
        async with pit_of(tmp_path) as pit:
            await pit.open()
            return set(pit.actors), set(pit.unreadable)

    everything, shut = asyncio.run(opened())
    assert not shut
    (file,) = tmp_path.glob("*.sqlite*")
    with sqlite3.connect(file) as database:
        (stream,) = database.execute("SELECT id FROM streams WHERE name = ?", (altered,)).fetchone()
        database.execute("DELETE FROM snapshots WHERE stream = ?", (stream,))
        database.execute("UPDATE lines SET body = ? WHERE stream = ? AND seq = 1", (b'{"command":{}}', stream))
    assert asyncio.run(opened()) == (everything - {"nj-pai-gow-1"}, {"nj-pai-gow-1"})


@pytest.mark.parametrize("lines", [JsonLines(), PlainLines()], ids=["json", "text"])
def test_an_exception_is_logged_without_its_message(lines: logging.Formatter) -> None:
    try:
        raise ValueError("seat 2 holds As Kd")
    except ValueError:
        record = logging.LogRecord("house", logging.ERROR, "", 0, "a fault", (), sys.exc_info())
    told = lines.format(record)
    assert "As Kd" not in told
    assert "ValueError" in told
    assert "a fault" in told


def test_a_table_continues_when_a_full_disk_has_room_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A command that was not stored is not acknowledged, and is carried out once when it is sent again."""
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
    """Return whether the request was carried out; if not, the table was stopping or had stopped."""
    try:
        answer = await pit.find("one").ask(asked)
    except TableMoving:
        return False
    assert answer.problem is None or answer.problem.code in ("table.moving", "table.stopping")
    return answer.problem is None


async def pages_at_most(pit: Pit, pages: int) -> None:
    """Limit the database to a number of pages, but not fewer than it has, in the thread of its connection."""
    assert isinstance(pit.store, Store)
    told = f"pragma max_page_count = {pages}"
    with suppress(Unavailable):  # a table that writes in the same commit may find the disk full already
        await pit.store._writer.run((), lambda unit: unit.connection.exec_driver_sql(told).close())


@pytest.mark.parametrize("address", ["http://::1:8000", "http://[::1", "http://[::zz]:8000"])
def test_a_process_with_a_malformed_url_is_treated_as_unreachable(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The URL is in the lease, as that process has written it."""

    async def story() -> None:
        async with serving(tmp_path, shared=True) as served:
            guest = await served.guest()
            name = (await guest.lobby())[0]["id"]
            actor = served.server.pit.actors.pop(name)
            monkeypatch.setattr(served.server.pit.leases, "_url", lambda _: address)
            assert {told["id"]: told["phase"] for told in await guest.lobby()}[name] == "moving"
            with pytest.raises(BadInput, match="the table is moving"):
                await guest.get(f"/api/tables/{name}/rounds")
            with pytest.raises(CUT_OFF, match="the table is moving"):
                await guest.table(name).connect()
            served.server.pit.actors[name] = actor
            assert served.faults == 0

    asyncio.run(story())


def test_a_server_on_a_full_disk_is_not_ready_until_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A load balancer sends no clients there, even if nothing is written in between."""
    full = False

    def no_room(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if full and statement.startswith(("INSERT", "UPDATE")):
            raise OperationalError(statement, {}, Exception("database or disk is full"))

    async def story() -> None:
        nonlocal full
        async with serving(tmp_path) as served:
            event.listen(served.server.store._dialect.engine, "before_cursor_execute", no_room)
            client = Client(served.address)
            assert await readiness(client) == "ready"
            full = True
            with pytest.raises(BadInput, match="the store does not answer"):
                await client.join_as_guest()
            for _ in range(2):
                assert await readiness(client) == "the store cannot be written"
                with suppress(Unavailable):  # where it shares a transaction with a write
                    await served.server.store.forget_records(0)  # there are none, so nothing is written
            full = False
            async with asyncio.timeout(WAIT_SECONDS):
                while await readiness(client) != "ready":
                    await asyncio.sleep(0.01)
            await client.join_as_guest()

    monkeypatch.setattr("crossfelt.server.server.EVERY_SECONDS", 0.2)
    asyncio.run(story())


async def readiness(client: Client) -> str:
    """Return the server's answer to a load balancer."""

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
