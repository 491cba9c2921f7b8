"""A command is carried out once, also where it is sent again after the table has opened with other rules."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from crossfelt.house.accounts.naming import account_stream
from crossfelt.house.audit.events import TableChanging
from crossfelt.house.tables import earlier
from crossfelt.house.tables.actor import TableActor
from crossfelt.house.tables.asked import Answer, Asked
from crossfelt.house.tables.pit import Pit
from crossfelt.house.tables.rows import is_personal
from crossfelt.house.tables.settings import TableSettings
from crossfelt.money.ledger import chips_of
from house.serving import pit_of

WAGERS: Final = {"ante_across": 500, "ante_down": 500}
GIVEN: Final[Mapping[str, dict[str, Any]]] = {
    "sit": {"command": "take_seat", "seat": 1, "chips_cents": 100_00},
    "go": {"command": "leave_seat", "seat": 1},
    "sit-2": {"command": "take_seat", "seat": 1, "chips_cents": 100_00},
    "buy": {"command": "buy_chips", "seat": 1, "cents": 50_00},
    "bet": {"command": "place_wagers", "seat": 1, "wagers": WAGERS},
    "back": {"command": "place_wagers", "seat": 1, "wagers": {}},
}
"""What Ann asks for, by its id."""


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest) -> str | None:
    """The address of a database; none for SQLite."""
    return request.getfixturevalue("postgres").new_database() if request.param == "postgresql" else None


async def give(actor: TableActor, command_id: str, **fields: Any) -> Answer:
    fields = fields or GIVEN[command_id]
    async with asyncio.timeout(30):
        while "wagers" in fields and actor.table.step != "open_bets":
            await asyncio.sleep(0.001)
    return await actor.ask(Asked(id=command_id, who="Ann", role="player", fields=fields))


async def opened(pit: Pit) -> TableActor:
    """A table at which Ann has asked for all that."""
    actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross"), who="test")
    for command_id in GIVEN:
        answer = await give(actor, command_id)
        assert answer.problem is None
        assert await give(actor, command_id) == answer
    return actor


async def opened_again(pit: Pit) -> TableActor:
    """The same table, once two people have agreed to other rules and Ann sits there again."""
    before = pit.settings["one"]
    settings = msgspec.to_builtins(replace(before, opening=before.opening + 1))
    changing = TableChanging(by="Fay and Flo", at=0, table="one", settings=settings)
    await pit._journal.note(changing)
    assert await pit.reopening.change(changing)
    async with asyncio.timeout(30):
        while not pit.find("one").table.seat(1).player:
            await asyncio.sleep(0.001)
    return pit.find("one")


async def moved(pit: Pit) -> int:
    """How often money went from Ann to a table, or back."""
    return (await pit.store.head(account_stream("ann"))).seq


async def carried_out(pit: Pit) -> list[str]:
    """What people asked for in this opening of the table."""
    return [row.command_id for row in await pit.store.rows(pit.settings["one"].stream) if is_personal(row.command_id)]


async def send_again(pit: Pit, chips_cents: int, *others: str) -> None:
    """All of it again: it is as if nobody had asked."""
    actor = pit.find("one")
    written, rows = await carried_out(pit), await moved(pit)
    for command_id in (*GIVEN, *others):
        assert await give(actor, command_id, **GIVEN.get(command_id, GIVEN["buy"])) == Answer(), command_id
    assert (await carried_out(pit), await moved(pit)) == (written, rows)
    assert actor.table.balances[chips_of(1)] == chips_cents
    assert not actor.table.seat(1).wagers


def test_a_command_has_no_second_effect_when_the_table_has_opened_again(tmp_path: Path, address: str | None) -> None:
    async def first() -> None:
        async with pit_of(tmp_path, "Ann", database=address, holder="one") as pit:
            await opened(pit)
            actor = await opened_again(pit)
            await send_again(pit, 150_00)
            assert (await give(actor, "buy-2", **GIVEN["buy"])).seq == actor.seq
            await opened_again(pit)
            await send_again(pit, 200_00, "buy-2")

    async def then() -> None:
        """Another process takes the table over."""
        async with pit_of(tmp_path, database=address, holder="other") as pit:
            await pit.open()
            await send_again(pit, 200_00, "buy-2")

    asyncio.run(first())
    asyncio.run(then())


def test_what_moved_money_is_never_done_again_however_long_ago_it_was(
    tmp_path: Path, address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(earlier, "ROWS_KNOWN", 1)

    async def story() -> None:
        async with pit_of(tmp_path, "Ann", database=address) as pit:
            await opened(pit)
            actor = await opened_again(pit)
            rows = await moved(pit)
            for command_id in ("buy", "go"):
                assert await give(actor, command_id) == Answer(), command_id
            assert (actor.table.seat(1).player, actor.table.balances[chips_of(1)]) == ("Ann", 150_00)
            assert (await give(actor, "go-2", **GIVEN["go"])).problem is None
            assert await give(actor, "sit") == Answer()
            assert await moved(pit) == rows + 1
            assert not actor.table.seat(1).player

    asyncio.run(story())


def test_earlier_openings_are_read_once_and_a_table_without_them_reads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: Counter[str] = Counter()

    async def story() -> None:
        async with pit_of(tmp_path, "Ann") as pit:
            for name in ("find", "last_commands", "rows"):
                whole = getattr(pit.store, name)

                def counted(*args: Any, name: str = name, whole: Any = whole, **also: Any) -> Any:
                    asked[name] += 1
                    return whole(*args, **also)

                monkeypatch.setattr(pit.store, name, counted)
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross"), who="test")
            asked.clear()
            for command_id in GIVEN:
                assert (await give(actor, command_id)).problem is None
            assert not asked
            actor = await opened_again(pit)
            assert asked["last_commands"] == 1, "when Ann sat down again"
            asked.clear()
            for number in range(10):
                assert (await give(actor, f"new-{number}", **GIVEN["back" if number % 2 else "bet"])).problem is None
            assert not asked

    asyncio.run(story())
