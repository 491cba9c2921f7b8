"""A player whose account is unreadable stays at the table, and the other players play on."""

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
from crossfelt.server.core.commit import CommitWriter, TableEntry
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.scheduler import RETRY_MS, leaving
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.pit.pit import Pit
from crossfelt.server.store.sqlite import FILE
from crossfelt.server.store.transaction import Transaction
from crossfelt.table import commands as c
from limits import WAIT_SECONDS
from server.core.test_jackpot_commit import limit_contribution
from server.core.test_restart_clocks import Later
from server.served import Served, decided, owner_of, pit_of, run
from server.submission_drafts import change_rules

AWAY = 10_000
"""The time that a disconnected player has to reconnect, with the instant timing preset."""
REFUSED = "the rows of account/ann were changed: row 1 cannot be read: 'ann'"
IDS = map(str, count())


class AnnsAccount:
    """Ann's account, of which one row is altered and restored."""

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


def waiting(actor: TableActor) -> list[str]:
    """Return the refused commands of a table, in words for the floor."""
    return list(actor.scheduler.retries.messages)


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not holds():
            await asyncio.sleep(0.001)


async def in_time(now: Later, actor: TableActor, holds: Callable[[], object]) -> None:
    """Let time pass until a condition holds."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not holds():
            now.passed += RETRY_MS
            actor.wake()
            await asyncio.sleep(0.01)


async def sitting(directory: Path, now: Later) -> AnnsAccount:
    """Have Ann and Bob sit down, stop the server, and alter a row of Ann's account."""
    async with pit_of(directory, "Ann", "Bob", now=now) as pit:
        actor = await pit.create(
            TableSettings(id="one", rulebook="nj-criss-cross", pace="instant", link="nj-criss-cross"), who="test"
        )
        for seat, name in enumerate(("Ann", "Bob"), start=1):
            actor.join(Subscriber(name, "player"))
            await give(actor, name, command="take_seat", seat=seat, chips_cents=500_00)
    account = AnnsAccount(directory)
    account.alter()
    return account


@asynccontextmanager
async def restarted(directory: Path, now: Later) -> AsyncIterator[tuple[Pit, TableActor]]:
    """Start the pit again, and find the table at which they sat."""
    async with pit_of(directory, now=now) as pit:
        await pit.open()
        yield pit, pit.find("one")


async def plays(actor: TableActor, name: str, seat: int) -> None:
    """Play a round with the smallest wagers and the first choice of each decision; no other player bets."""
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
    """Record the commands that move money of Ann's account."""
    asked: list[c.Command] = []
    move = CommitWriter.move_money

    def noted(self: CommitWriter, tx: Transaction, accounts: Accounts, row: TableEntry) -> None:
        asked.extend([row.command] if row.command.who == "Ann" else [])
        move(self, tx, accounts, row)

    monkeypatch.setattr(CommitWriter, "move_money", noted)
    return asked


def test_a_gone_player_with_an_unreadable_account_sits_out_and_the_others_play_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, tries: list[c.Command]
) -> None:
    async def story() -> None:
        now = Later()
        account = await sitting(tmp_path, now)
        tries.clear()
        async with restarted(tmp_path, now) as (pit, actor):
            actor.join(Subscriber("Bob", "player"))
            await until(lambda: actor.table.step == "open_bets")
            now.passed += AWAY
            actor.wake()
            await until(lambda: waiting(actor) or actor.held)
            assert waiting(actor) == [f"Ann cannot leave the table: {REFUSED}"]
            for _ in range(2):
                await plays(actor, "Bob", 2)
            assert (actor.table.seat(1).player, actor.held) == ("Ann", "")
            assert len(tries) == 1, "it is not tried again at every row"
            await in_time(now, actor, lambda: len(tries) > 1)
            account.restore()
            await in_time(now, actor, lambda: not actor.table.seat(1).player)
            assert waiting(actor) == []
            accounts = Accounts(pit.store, pit._journal, clock=now)
            assert (await accounts.account("ann")).balance_cents == 1_000_00

    with caplog.at_level(logging.WARNING):
        asyncio.run(story())
    assert [it.getMessage() for it in caplog.records] == [f"Ann cannot leave the table: {REFUSED}"], "once"


def test_wagers_of_a_player_who_cannot_leave_are_taken_back_and_the_table_is_not_held(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        now = Later()
        await sitting(tmp_path, now)
        async with restarted(tmp_path, now) as (_, actor):
            actor.join(ann := Subscriber("Ann", "player"))
            await until(lambda: actor.table.step == "open_bets")
            await give(actor, "Ann", **decide(actor, "Ann", 1))
            actor.leave(ann)
            now.passed += AWAY
            actor.wake()
            await until(lambda: waiting(actor) or actor.held)
            assert not actor.table.seat(1).wagers

    with caplog.at_level(logging.WARNING):
        asyncio.run(story())
    assert [it.getMessage() for it in caplog.records] == [f"Ann cannot leave the table: {REFUSED}"]


def test_a_meter_that_refuses_keeps_no_player_at_the_table(tmp_path: Path) -> None:
    async def story() -> None:
        now = Later()
        (await sitting(tmp_path, now)).restore()
        async with restarted(tmp_path, now) as (pit, actor):
            await limit_contribution(pit, 1)
            actor.join(Subscriber("Bob", "player"))
            await until(lambda: actor.table.step == "open_bets")
            wagers = {"ante_across": 500, "ante_down": 500, "bonus_spin": 500}
            await give(actor, "Bob", command="place_wagers", seat=2, wagers=wagers)
            actor.ready("Bob", None)
            now.passed += AWAY
            actor.wake()
            await until(lambda: actor.held or waiting(actor))
            assert (actor.table.seat(1).player, waiting(actor)) == ("", [])

    asyncio.run(story())


def test_a_refused_departure_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossfelt.server.core.scheduler.RETRY_MS", 20)

    async def story() -> None:
        now = Later()
        account = await sitting(tmp_path, now)
        async with restarted(tmp_path, now) as (_, actor):
            actor.join(Subscriber("Bob", "player"))
            await until(lambda: actor._timer._timer)
            actor._timer.cancel()  # the timer for Ann's departure
            now.passed += AWAY
            actor.wake()
            await until(lambda: waiting(actor))
            account.restore()
            await until(lambda: not actor.table.seat(1).player)

    asyncio.run(story())


def test_a_player_who_reconnects_is_not_listed_as_unable_to_leave(tmp_path: Path) -> None:
    async def story() -> None:
        now = Later()
        await sitting(tmp_path, now)
        async with restarted(tmp_path, now) as (_, actor):
            now.passed += AWAY
            actor.wake()
            await until(lambda: waiting(actor))
            actor.join(Subscriber("Ann", "player"))
            assert waiting(actor) == []
            await until(lambda: actor.table.step == "open_bets")
            await plays(actor, "Ann", 1)

    asyncio.run(story())


def test_a_table_closes_once_the_account_of_its_player_is_readable_and_plays_on_until_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("crossfelt.server.pit.pit.CHANGE_SECONDS", 0.1)

    async def story() -> None:
        now = Later()
        account = await sitting(tmp_path, now)
        async with restarted(tmp_path, now) as (pit, actor):
            for name in ("Ann", "Bob"):
                actor.join(Subscriber(name, "player"))
            await until(lambda: actor.table.step == "open_bets")
            assert not await change_rules(pit, "one", {})
            assert waiting(actor) == [f"the table cannot close: {REFUSED}"]
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


def test_closing_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossfelt.server.pit.pit.CHANGE_SECONDS", 0.1)
    monkeypatch.setattr("crossfelt.server.core.scheduler.RETRY_MS", 20)

    async def story() -> None:
        account = await sitting(tmp_path, now := Later())
        async with restarted(tmp_path, now) as (pit, actor):
            for name in ("Ann", "Bob"):
                actor.join(Subscriber(name, "player"))
            assert not await change_rules(pit, "one", {})
            assert waiting(pit.find("one"))
            account.restore()
            await until(lambda: "one-r2" in pit.actors)

    asyncio.run(story())


def test_the_floor_sees_the_refused_commands_of_a_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        actor = next(iter(served.server.pit))
        actor.scheduler.retries.add(leaving("Ann"), REFUSED, actor.now())
        listed = {table["id"]: table["postponed"] for table in (await owner.get("/api/floor"))["tables"]}
        assert listed.pop(actor.settings.id) == [f"Ann cannot leave the table: {REFUSED}"]
        assert set(map(tuple, listed.values())) == {()}

    run(tmp_path, story)
