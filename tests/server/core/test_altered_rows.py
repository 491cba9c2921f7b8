"""An altered or missing row affects only its own table, account or meter."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from crossfelt.cli.main import app
from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.money.ledger import chips_of
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.core.errors import TableUnreadable, Unreadable
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.store.interface import Stored
from crossfelt.server.store.projection import BrokenChain
from crossfelt.server.store.sqlite import FILE
from limits import WAIT_SECONDS
from server.served import Served, owner_of, pit_of, play_round, serving, staff_of

PASSWORD = "correct horse battery"
OWNERS = "a long enough password"
TABLE = "nj-pai-gow-1"


def altered(directory: Path, statement: str, stream: str) -> None:
    with sqlite3.connect(directory / FILE) as database:
        (number,) = database.execute("select id from streams where name = ?", (stream,)).fetchone()
        database.execute("delete from snapshots where stream = ?", (number,))
        assert database.execute(f"{statement} and stream = ?", (number,)).rowcount > 0


def with_altered(directory: Path, statement: str, stream: str, story: Callable[[Served], Awaitable[None]]) -> None:
    """Run a server with an owner and a player, alter its store, and start it again for the story."""

    async def before() -> None:
        async with serving(directory) as served:
            await staff_of(served, await owner_of(served), "Paul", "player")

    async def after() -> None:
        async with serving(directory) as served:
            await story(served)

    asyncio.run(before())
    altered(directory, statement, stream)
    asyncio.run(after())


async def refused(asking: Awaitable[object]) -> str:
    with pytest.raises(BadInput) as bad:
        await asking
    return bad.value.problems[0].code


@pytest.mark.parametrize(
    "statement", ["update lines set body = '{}' where seq = 1", "delete from lines where seq > 0"], ids=["row", "end"]
)
def test_an_unreadable_account_is_listed_as_such_beside_the_others(tmp_path: Path, statement: str) -> None:
    async def story(served: Served) -> None:
        owner = await Client(served.address).log_in("owner", OWNERS)
        told = {account["account"]: account for account in await owner.get("/api/accounts")}
        assert {name: account["unreadable"] for name, account in told.items()} == {"owner": False, "paul": True}
        assert told["owner"]["roles"] == ["owner"]
        unreadable = "account.unreadable"
        assert await refused(Client(served.address).log_in("Paul", PASSWORD)) == unreadable
        assert await refused(owner.post("/api/accounts/Paul/deposits", {"cents": 100})) == unreadable
        assert await refused(owner.put("/api/accounts/Paul/roles", {"roles": ["floor"]})) == unreadable

    with_altered(tmp_path, statement, "account/paul", story)


def test_a_malformed_time_is_found_and_does_not_keep_the_server_from_starting(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await Client(served.address).log_in("owner", OWNERS)
        assert not (await owner.post("/api/audit/verify", {}))["sound"]

    with_altered(tmp_path, "update lines set at = 'noon' where seq = 1", "account/paul", story)


def test_an_unreadable_journal_ends_the_start_with_one_line(tmp_path: Path) -> None:
    async def before() -> None:
        async with serving(tmp_path):
            pass

    asyncio.run(before())
    altered(tmp_path, "update lines set body = '{}' where seq = 2", "journal")
    environment = {"CROSSFELT_HEADS": "none", "CROSSFELT_ADVICE": "false"}
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--data", str(tmp_path)], env=environment)
    assert isinstance(result.exception, BadInput), result.exception
    assert "row 2 cannot be read" in str(result.exception)


def test_a_table_with_an_unreadable_header_is_refused_by_every_route(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await Client(served.address).log_in("owner", OWNERS)
        for path in ("cases", "history", "rounds/1/replay", "figures"):
            assert await refused(owner.get(f"/api/tables/{TABLE}/{path}")) == "table.unreadable", path
        assert await refused(owner.get(f"/api/audit/entries?stream=table/{TABLE}")) == "table.unreadable"

    with_altered(tmp_path, "update lines set body = '{}' where seq = 0", f"table/{TABLE}", story)


def test_an_unreadable_header_is_not_read_again_at_every_maintenance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def story(served: Served) -> None:
        pit = served.server.pit
        rows = pit.store.rows

        async def counted(stream: str, *which: Any, **how: Any) -> Sequence[Stored]:
            asked.append(stream)
            return await rows(stream, *which, **how)

        monkeypatch.setattr(pit.store, "rows", counted)
        await pit.meter_registry.refresh()
        assert "meter/nj-pai-gow/pai_gow" in asked
        assert f"table/{TABLE}" not in asked

    with_altered(tmp_path, "update lines set body = '{}' where seq = 0", f"table/{TABLE}", story)


def test_an_unreadable_meter_does_not_keep_other_meters_and_tables_back(tmp_path: Path) -> None:
    """With several processes, tables are still taken over."""
    meter = "meter/nj-pai-gow/pai_gow"

    async def story(served: Served) -> None:
        pit = served.server.pit
        assert pit.unreadable == {TABLE}
        pit.meters.seen.clear()
        await pit.meter_registry.refresh()
        assert "meter/nj-criss-cross/bonus_spin" in pit.meters.seen
        assert meter not in pit.meters.seen

    with_altered(tmp_path, "update lines set body = '{}' where seq = 1", meter, story)


def test_a_table_without_its_last_rows_stays_closed_and_is_listed_as_unreadable(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(served: Served) -> None:
        owner = await Client(served.address).log_in("owner", OWNERS)
        assert served.server.pit.unreadable == {TABLE}
        assert (await owner.get("/api/floor"))["shut"] == [TABLE]
        assert await refused(owner.get(f"/api/tables/{TABLE}/figures")) == "table.unreadable"
        assert "the stream should end at" in (await owner.get(f"/api/tables/{TABLE}/cases"))["broken"]
        with pytest.raises(Unreadable):
            await served.server.revenue.of(f"table/{TABLE}")
        served.server.pit.unreadable.clear()
        await served.server.pit._maintain_tables()
        assert served.server.pit.unreadable == {TABLE}

    with caplog.at_level(logging.WARNING):
        with_altered(tmp_path, "delete from lines where seq > 0", f"table/{TABLE}", story)
    assert "table stopped" not in caplog.text


# --- altered rows that can be decoded ---------------------------------------------------------------------------------


Bodies = list[tuple[bytes, int]]


def reworded(directory: Path, stream: str, old: bytes, new: bytes) -> Bodies:
    """Replace `old` in the first row of a stream that has it, and keep the hash; return the bodies to put back."""
    with sqlite3.connect(directory / FILE) as database:
        chosen = (
            "select l.body, l.position from lines l join streams s on s.id = l.stream where s.name = ? order by l.seq"
        )
        rows = database.execute(chosen, (stream,)).fetchall()
        was = next((body, position) for body, position in rows if re.search(old, body))
        told = re.sub(old, new, was[0], count=1)
        assert told != was[0]
        database.execute("update lines set body = ? where position = ?", (told, was[1]))
    return [was]


def without_snapshots(directory: Path) -> None:
    with sqlite3.connect(directory / FILE) as database:
        database.execute("delete from snapshots")


def put_back(directory: Path, bodies: Bodies) -> None:
    with sqlite3.connect(directory / FILE) as database:
        database.executemany("update lines set body = ? where position = ?", bodies)


def test_an_altered_account_is_refused_until_it_is_restored(tmp_path: Path) -> None:
    paul, stream = "account/paul", "/api/audit/entries?stream=account/paul"

    async def kinds(client: Client) -> list[str]:
        return [entry["kind"] for entry in (await client.get(stream))["entries"]]

    async def before() -> None:
        async with serving(tmp_path) as served:
            paul = await staff_of(served, await owner_of(served), "Paul", "player")
            await paul.post("/api/me/deposits", {"cents": 100_000})

    async def refused_now() -> None:
        async with serving(tmp_path) as served:
            owner = await Client(served.address).log_in("owner", OWNERS)
            told = {account["account"]: account for account in await owner.get("/api/accounts")}
            assert (told["paul"]["unreadable"], told["paul"]["roles"]) == (True, [])
            assert await refused(Client(served.address).log_in("Paul", PASSWORD)) == "account.unreadable"
            assert "unreadable" in await kinds(owner)
            put_back(tmp_path, was)
            await as_it_was(served)

    async def as_it_was(served: Served) -> None:
        """A restored account needs no restart."""
        me = await (await Client(served.address).log_in("Paul", PASSWORD)).get("/api/me")
        assert (me["roles"], me["balance_cents"]) == (["player"], 100_000)
        assert "unreadable" not in await kinds(await Client(served.address).log_in("owner", OWNERS))

    asyncio.run(before())
    for old, new in ((rb'"after":\["player"\]', b'"after":["owner"]'), (b'"cents":100000', b'"cents":99999999')):
        was = reworded(tmp_path, paul, old, new)
        asyncio.run(refused_now())


def test_an_account_without_its_last_row_is_refused(tmp_path: Path) -> None:
    """Its owner would otherwise have the state before that row."""

    async def story(served: Served) -> None:
        owner = await Client(served.address).log_in("owner", OWNERS)
        told = {account["account"]: account["unreadable"] for account in await owner.get("/api/accounts")}
        assert told == {"owner": False, "paul": True}

    with_altered(tmp_path, "delete from lines where seq = 2", "account/paul", story)


def test_a_server_with_an_altered_journal_does_not_start(tmp_path: Path) -> None:
    async def opened() -> None:
        async with pit_of(tmp_path) as pit:
            await pit.open()

    asyncio.run(opened())
    was = reworded(tmp_path, "journal", b'"by":"server"', b'"by":"sarver"')
    with pytest.raises(BrokenChain, match="the hash of row 1 differs"):
        asyncio.run(opened())
    put_back(tmp_path, was)
    asyncio.run(opened())


async def seated(directory: Path) -> tuple[set[str], set[str], int]:
    """Return the tables that open, those that stay closed, and Zoe's chips; she has sat down once."""
    async with pit_of(directory) as pit:
        await pit.open()
        if TABLE in pit.unreadable:
            with pytest.raises(TableUnreadable):
                pit.find(TABLE)
            await pit.meter_registry.refresh()  # an unreadable meter does not keep the others from being read
            return set(pit.actors), set(pit.unreadable), 0
        actor, sits = pit.find(TABLE), {"command": "take_seat", "seat": 1, "chips_cents": 200_00}
        if not actor.table.seat(1).player:
            await Accounts(pit.store, pit._journal, clock=pit.now).guest("Zoe")
            assert (await actor.ask(CommandRequest(id="1", who="Zoe", role="player", fields=sits))).problem is None
            async with asyncio.timeout(WAIT_SECONDS):
                while actor.table.step != "open_bets":
                    await asyncio.sleep(0.001)
        return set(pit.actors), set(pit.unreadable), actor.table.balances[chips_of(1)]


@pytest.mark.parametrize(
    ("stream", "old", "new"),
    [
        (f"table/{TABLE}", b'"chips_cents":20000', b'"chips_cents":90000'),
        (f"table/{TABLE}", b'"crossfelt":"[^"]+"', b'"crossfelt":"9.9.9"'),
        (f"seal/{TABLE}", rb'"at":\d', b'"at":7'),
        ("meter/nj-pai-gow/pai_gow", rb'"initial_cents":\d', b'"initial_cents":7'),
    ],
    ids=["row", "header", "seal", "meter"],
)
def test_an_altered_table_stays_closed_until_it_is_restored(
    stream: str, old: bytes, new: bytes, tmp_path: Path
) -> None:
    everything, shut, chips = asyncio.run(seated(tmp_path))
    assert (shut, chips) == (set(), 200_00)
    was = reworded(tmp_path, stream, old, new)
    if b"chips" in old:
        without_snapshots(tmp_path)  # otherwise the row is not read
    assert asyncio.run(seated(tmp_path)) == (everything - {TABLE}, {TABLE}, 0)
    put_back(tmp_path, was)
    assert asyncio.run(seated(tmp_path)) == (everything, set(), 200_00)


def test_altered_rounds_are_not_shown(tmp_path: Path) -> None:
    """Not even those before the snapshot, which the table itself does not read again. Auditors see what is wrong."""

    async def before() -> None:
        async with serving(tmp_path) as served:
            zoe = await served.guest("Zoe")
            table = {"rulebook": "md-criss-cross", "public": True, "id": "one", "pace": "instant"}
            await (await owner_of(served)).post("/api/tables", table)
            async with zoe.table("one") as at:
                await at.give("take_seat", seat=1, chips_cents=200_00)
                for _ in range(2):
                    await play_round(at, 1)
                await at.give("leave_seat", seat=1)

    async def after() -> None:
        async with serving(tmp_path) as served:
            owner = await Client(served.address).log_in("owner", OWNERS)
            await served.server.check_everything()
            for path in ("rounds/1", "figures"):
                assert await refused(owner.get(f"/api/tables/one/{path}")) == "table.unreadable", path
            replayed = await owner.get("/api/tables/one/rounds/1/replay?as=spectator")
            assert "was changed: its hash differs" in replayed["rows"]["finding"]

    asyncio.run(before())
    reworded(tmp_path, "table/one", b'("event":.*)no more bets', rb"\1one more bet")
    asyncio.run(after())
