"""A row that was altered, or is gone, takes nothing down but what it belongs to."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crossfelt.cli.main import app
from crossfelt.client import HouseClient
from crossfelt.house.store.sqlite import FILE
from crossfelt.house.tables.recovery import Unreadable
from crossfelt.problems import BadInput
from house.serving import Served, owner_of, serving, staff_of

PASSWORD = "correct horse battery"
OWNERS = "a long enough password"
TABLE = "nj-pai-gow-1"


def altered(directory: Path, statement: str, stream: str) -> None:
    with sqlite3.connect(directory / FILE) as database:
        (number,) = database.execute("select id from streams where name = ?", (stream,)).fetchone()
        database.execute("delete from snapshots where stream = ?", (number,))
        assert database.execute(f"{statement} and stream = ?", (number,)).rowcount > 0


def with_altered(directory: Path, statement: str, stream: str, story: Callable[[Served], Awaitable[None]]) -> None:
    """A house with an owner and a player, that finds its store altered when it starts again."""

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
def test_an_account_that_cannot_be_read_is_listed_as_such_beside_the_others(tmp_path: Path, statement: str) -> None:
    async def story(served: Served) -> None:
        owner = await HouseClient(served.address).log_in("owner", OWNERS)
        told = {account["account"]: account for account in await owner.get("/api/accounts")}
        assert {name: account["unreadable"] for name, account in told.items()} == {"owner": False, "paul": True}
        assert told["owner"]["balance_cents"] > 0
        unreadable = "account.unreadable"
        assert await refused(HouseClient(served.address).log_in("Paul", PASSWORD)) == unreadable
        assert await refused(owner.post("/api/accounts/Paul/deposits", {"cents": 100})) == unreadable
        assert await refused(owner.put("/api/accounts/Paul/roles", {"roles": ["floor"]})) == unreadable

    with_altered(tmp_path, statement, "account/paul", story)


def test_a_journal_that_cannot_be_read_ends_a_start_with_one_line(tmp_path: Path) -> None:
    async def before() -> None:
        async with serving(tmp_path):
            pass

    asyncio.run(before())
    altered(tmp_path, "update lines set body = '{}' where seq = 2", "house")
    environment = {"CROSSFELT_HEADS": "none", "CROSSFELT_ADVICE": "false"}
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--data", str(tmp_path)], env=environment)
    assert isinstance(result.exception, BadInput), result.exception
    assert "the rows of house are not what was written: row 2 cannot be read" in str(result.exception)


def test_a_table_whose_header_cannot_be_read_is_refused_wherever_it_is_asked_for(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await HouseClient(served.address).log_in("owner", OWNERS)
        for path in ("cases", "history", "rounds/1/replay", "figures"):
            assert await refused(owner.get(f"/api/tables/{TABLE}/{path}")) == "table.unreadable", path
        assert await refused(owner.get(f"/api/audit/entries?stream=table/{TABLE}/1")) == "table.unreadable"

    with_altered(tmp_path, "update lines set body = '{}' where seq = 0", f"table/{TABLE}/1", story)


def test_a_table_without_its_last_rows_stays_shut_and_is_told_as_such(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(served: Served) -> None:
        owner = await HouseClient(served.address).log_in("owner", OWNERS)
        assert served.house.pit.shut == {TABLE}
        assert (await owner.get("/api/floor"))["shut"] == [TABLE]
        assert await refused(owner.get(f"/api/tables/{TABLE}/figures")) == "table.unreadable"
        assert "the stream should end at" in (await owner.get(f"/api/tables/{TABLE}/cases"))["broken"]
        with pytest.raises(Unreadable):
            await served.house.takings.of(f"table/{TABLE}/1")
        served.house.pit.shut.clear()
        await served.house.pit._look_after()
        assert served.house.pit.shut == {TABLE}

    with caplog.at_level(logging.WARNING):
        with_altered(tmp_path, "delete from lines where seq > 0", f"table/{TABLE}/1", story)
    assert "table stopped" not in caplog.text
