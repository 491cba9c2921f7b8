"""An account that cannot be read keeps its player at the table, and nobody else from playing on."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from itertools import count
from pathlib import Path

import msgspec
import pytest

from crossfelt.money.ledger import chips_of
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.broadcast.viewer_messages import Viewpoint, options_of
from crossfelt.server.core.cashier import AccountCashier
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.scheduler import RETRY_MS, leaving
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.pit.pit import Pit
from crossfelt.server.store.interface import Transaction
from crossfelt.server.store.sqlite import FILE
from crossfelt.table import commands as c
from limits import WAIT_SECONDS
from server.core.test_jackpot_commit import believe
from server.core.test_restart_clocks import Later
from server.served import Served, decided, owner_of, pit_of, serving
from server.submission_drafts import change_rules

AWAY = 10_000
"""How long a player who is cut off is waited for where programs play."""
REFUSED = "the rows of account/ann are not what was written: row 1 cannot be read: 'ann'"
IDS = map(str, count())


class AnnsAccount:
    """One row of it is altered, and restored."""

    def __init__(self, directory: Path) -> None:
        self._file = directory / FILE
        self._body = b""

    def alter(self) -> None:
        with closing(sqlite3.connect(self._file)) as database, database:
            [(self._body,)] = database.execute(f"select body from lines where {self._row(database)}").fetchall()
            self._write(database, b"{}")

    def restore(self) -> None:
        with closing(sqlite3.connect(self._file)) as database, database:
            self._write(database, self._body)

    def _write(self, database: sqlite3.Connection, body: bytes) -> None:
        assert database.execute(f"update lines set body = ? where {self._row(database)}", (body,)).rowcount == 1

    def _row(self, database: sqlite3.Connection) -> str:
        (number,) = database.execute("select id from streams where name = 'account/ann'").fetchone()
        return f"stream = {number} and seq = 1"


async def give(actor: TableActor, who: str, **fields: object) -> None:
    answer = await actor.ask(CommandRequest(id=next(IDS), who=who, role="player", fields=fields))
    assert answer.problem is None, answer.problem


def told(actor: TableActor) -> list[str]:
    """What the floor is told that has to wait."""
    return list(actor.scheduler.retries.messages)


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not holds():
            await asyncio.sleep(0.001)


async def in_time(now: Later, actor: TableActor, holds: Callable[[], object]) -> None:
    """Lets time pass until something is so."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not holds():
            now.passed += RETRY_MS
            actor.wake()
            await asyncio.sleep(0.01)


async def sitting(directory: Path, now: Later) -> AnnsAccount:
    """Ann and Bob sit down, the house is stopped, and a row of her account is altered."""
    async with pit_of(directory, "Ann", "Bob", now=now) as pit:
        actor = await pit.create(TableSettings(id="one", rulebook="nj-criss-cross", pace="instant"), who="test")
        for seat, name in enumerate(("Ann", "Bob"), start=1):
            actor.join(Subscriber(name, "player"))
            await give(actor, name, command="take_seat", seat=seat, chips_cents=500_00)
    account = AnnsAccount(directory)
    account.alter()
    return account


@asynccontextmanager
async def begun_again(directory: Path, now: Later) -> AsyncIterator[tuple[Pit, TableActor]]:
    """The house, and the table at which they sat."""
    async with pit_of(directory, now=now) as pit:
        await pit.open()
        yield pit, pit.find("one")


async def plays(actor: TableActor, name: str, seat: int) -> None:
    """A round with the smallest wagers and the first choice there is; nobody else bets."""
    number = actor.table.round
    await give(actor, name, **decide(actor, name, seat))
    for player in {it.player for it in actor.table.seats if it.player}:
        actor.ready(player, None)
    async with asyncio.timeout(WAIT_SECONDS):
        while actor.table.round == number:
            if actor.table.step != "open_bets" and (asked := decide(actor, name, seat)):
                await give(actor, name, **asked)
            await asyncio.sleep(0.001)


def decide(actor: TableActor, name: str, seat: int) -> dict[str, object]:
    options = msgspec.to_builtins(options_of(actor.table, Viewpoint("player", name)))
    return decided(options, seat, open_bets=actor.table.step == "open_bets") or {}


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[c.Command]:
    """What was asked of Ann's account."""
    asked: list[c.Command] = []
    move = AccountCashier.move

    def noted(self: AccountCashier, tx: Transaction, settings: TableSettings, row: TableEntry) -> None:
        asked.extend([row.command] if row.moves_chips and row.command.who == "Ann" else [])
        move(self, tx, settings, row)

    monkeypatch.setattr(AccountCashier, "move", noted)
    return asked


def test_who_is_gone_and_whose_account_cannot_be_read_sits_out_and_the_others_play_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, tries: list[c.Command]
) -> None:
    async def story() -> None:
        now = Later()
        account = await sitting(tmp_path, now)
        tries.clear()
        async with begun_again(tmp_path, now) as (pit, actor):
            actor.join(Subscriber("Bob", "player"))
            await until(lambda: actor.table.step == "open_bets")
            now.passed += AWAY
            actor.wake()
            await until(lambda: told(actor) or actor.held)
            assert told(actor) == [f"Ann cannot leave the table: {REFUSED}"]
            for _ in range(2):
                await plays(actor, "Bob", 2)
            assert (actor.table.seat(1).player, actor.held) == ("Ann", "")
            assert len(tries) == 1, "it is not tried again at every row"
            await in_time(now, actor, lambda: len(tries) > 1)
            account.restore()
            await in_time(now, actor, lambda: not actor.table.seat(1).player)
            assert told(actor) == []
            accounts = Accounts(pit.store, pit._journal, clock=now)
            assert (await accounts.account("ann")).balance_cents == 1_000_00

    with caplog.at_level(logging.WARNING):
        asyncio.run(story())
    assert [it.getMessage() for it in caplog.records] == [f"Ann cannot leave the table: {REFUSED}"], "once"


def test_wagers_of_who_cannot_leave_are_taken_back_and_nothing_is_held(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        now = Later()
        await sitting(tmp_path, now)
        async with begun_again(tmp_path, now) as (_, actor):
            actor.join(ann := Subscriber("Ann", "player"))
            await until(lambda: actor.table.step == "open_bets")
            await give(actor, "Ann", **decide(actor, "Ann", 1))
            actor.leave(ann)
            now.passed += AWAY
            actor.wake()
            await until(lambda: told(actor) or actor.held)
            assert not actor.table.seat(1).wagers

    with caplog.at_level(logging.WARNING):
        asyncio.run(story())
    assert [it.getMessage() for it in caplog.records] == [f"Ann cannot leave the table: {REFUSED}"]


def test_what_a_meter_refuses_keeps_nobody_at_the_table(tmp_path: Path) -> None:
    async def story() -> None:
        now = Later()
        (await sitting(tmp_path, now)).restore()
        async with begun_again(tmp_path, now) as (pit, actor):
            await believe(pit, 1)
            actor.join(Subscriber("Bob", "player"))
            await until(lambda: actor.table.step == "open_bets")
            wagers = {"ante_across": 500, "ante_down": 500, "bonus_spin": 500}
            await give(actor, "Bob", command="place_wagers", seat=2, wagers=wagers)
            actor.ready("Bob", None)
            now.passed += AWAY
            actor.wake()
            await until(lambda: actor.held or told(actor))
            assert (actor.table.seat(1).player, told(actor)) == ("", [])

    asyncio.run(story())


def test_it_is_tried_again_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossfelt.server.core.scheduler.RETRY_MS", 20)

    async def story() -> None:
        now = Later()
        account = await sitting(tmp_path, now)
        async with begun_again(tmp_path, now) as (_, actor):
            actor.join(Subscriber("Bob", "player"))
            await until(lambda: actor._timer._timer)
            actor._timer.cancel()  # the one for when Ann is gone for long
            now.passed += AWAY
            actor.wake()
            await until(lambda: told(actor))
            account.restore()
            await until(lambda: not actor.table.seat(1).player)

    asyncio.run(story())


def test_who_comes_back_is_no_longer_told_to_the_floor_as_one_who_cannot_leave(tmp_path: Path) -> None:
    async def story() -> None:
        now = Later()
        await sitting(tmp_path, now)
        async with begun_again(tmp_path, now) as (_, actor):
            now.passed += AWAY
            actor.wake()
            await until(lambda: told(actor))
            actor.join(Subscriber("Ann", "player"))
            assert told(actor) == []
            await until(lambda: actor.table.step == "open_bets")
            await plays(actor, "Ann", 1)

    asyncio.run(story())


def test_a_table_closes_once_the_account_that_its_chips_go_back_to_can_be_read_and_goes_on_until_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("crossfelt.server.pit.pit.CHANGE_SECONDS", 0.1)

    async def story() -> None:
        now = Later()
        account = await sitting(tmp_path, now)
        async with begun_again(tmp_path, now) as (pit, actor):
            for name in ("Ann", "Bob"):
                actor.join(Subscriber(name, "player"))
            await until(lambda: actor.table.step == "open_bets")
            assert not await change_rules(pit, "one", {})
            assert told(actor) == [f"the table cannot close: {REFUSED}"]
            await plays(actor, "Ann", 1)
            await plays(actor, "Bob", 2)
            await give(actor, "Bob", command="leave_seat", seat=2)
            await in_time(now, actor, lambda: now.passed > 3 * RETRY_MS)
            assert (pit.find("one"), actor.held, actor.table.seat(1).player) == (actor, "", "Ann")
            chips = actor.table.balances[chips_of(1)]
            account.restore()
            await in_time(now, actor, lambda: "one-r2" in pit.actors and "one" not in pit.actors)
            accounts = Accounts(pit.store, pit._journal, clock=now)
            assert (await accounts.account("ann")).balance_cents == 500_00 + chips
            assert pit.approved_changes == {}

    with caplog.at_level(logging.WARNING):
        asyncio.run(story())
    assert [it.getMessage() for it in caplog.records] == [f"the table cannot close: {REFUSED}"], "it never stopped"


def test_closing_is_tried_again_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossfelt.server.pit.pit.CHANGE_SECONDS", 0.1)
    monkeypatch.setattr("crossfelt.server.core.scheduler.RETRY_MS", 20)

    async def story() -> None:
        account = await sitting(tmp_path, now := Later())
        async with begun_again(tmp_path, now) as (pit, actor):
            for name in ("Ann", "Bob"):
                actor.join(Subscriber(name, "player"))
            assert not await change_rules(pit, "one", {})
            assert told(pit.find("one"))
            account.restore()
            await until(lambda: "one-r2" in pit.actors)

    asyncio.run(story())


def test_the_floor_is_told_what_has_to_wait_at_a_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        actor = next(iter(served.server.pit))
        actor.scheduler.retries.add(leaving("Ann"), REFUSED, actor.now())
        listed = {table["id"]: table["postponed"] for table in (await owner.get("/api/floor"))["tables"]}
        assert listed.pop(actor.settings.id) == [f"Ann cannot leave the table: {REFUSED}"]
        assert set(map(tuple, listed.values())) == {()}

    async def run() -> None:
        async with serving(tmp_path) as served:
            await story(served)

    asyncio.run(run())
