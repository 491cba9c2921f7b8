"""A command is carried out once, however often the client sends its id."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from crossfelt.cards.player_seeds import seed_hash
from crossfelt.money.ledger import chips_of
from crossfelt.server.accounts.usernames import account_stream
from crossfelt.server.core.requests import CommandAnswer, CommandRequest
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.pit.pit import Pit
from limits import WAIT_SECONDS
from server.served import pit_of
from server.submission_drafts import change_rules

WAGERS: Final = {"ante_across": 500, "ante_down": 500}
GIVEN: Final[Mapping[str, dict[str, Any]]] = {
    "sit": {"command": "take_seat", "seat": 1, "chips_cents": 100_00},
    "go": {"command": "leave_seat", "seat": 1},
    "sit-2": {"command": "take_seat", "seat": 1, "chips_cents": 100_00},
    "buy": {"command": "buy_chips", "seat": 1, "cents": 50_00},
    "bet": {"command": "place_wagers", "seat": 1, "wagers": WAGERS},
    "back": {"command": "place_wagers", "seat": 1, "wagers": {}},
}
"""Ann's commands, by id."""


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest) -> str | None:
    """The address of a database; None for SQLite."""
    return request.getfixturevalue("postgres").new_database() if request.param == "postgresql" else None


async def give(actor: TableActor, command_id: str, **fields: Any) -> CommandAnswer:
    fields = fields or GIVEN[command_id]
    async with asyncio.timeout(WAIT_SECONDS):
        while "wagers" in fields and actor.table.step != "open_bets":
            await asyncio.sleep(0.001)
    return await actor.ask(CommandRequest(id=command_id, who="Ann", role="player", fields=fields))


async def opened(pit: Pit) -> TableActor:
    """Open a table and send it Ann's commands."""
    actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross"), who="test")
    for command_id in GIVEN:
        answer = await give(actor, command_id)
        assert answer.problem is None
        assert await give(actor, command_id) == answer
    return actor


async def moved(pit: Pit) -> int:
    """Return the number of movements between Ann's account and a table."""
    return (await pit.store.head(account_stream("ann"))).seq


def test_a_repeated_command_has_no_effect_even_after_a_takeover(tmp_path: Path, address: str | None) -> None:
    rows: list[int] = []

    async def first() -> None:
        async with pit_of(tmp_path, "Ann", database=address, holder="one") as pit:
            await opened(pit)
            rows.append(await moved(pit))

    async def then() -> None:
        async with pit_of(tmp_path, database=address, holder="other") as pit:
            await pit.open()
            actor = pit.find("one")
            for command_id in ("buy", "go", "sit"):
                stored = await pit.store.find("table/one", f"Ann/{command_id}")
                assert stored is not None
                assert (await give(actor, command_id)).seq == stored.seq
            assert (actor.table.seat(1).player, actor.table.balances[chips_of(1)]) == ("Ann", 150_00)
            assert await moved(pit) == rows[0]

    asyncio.run(first())
    asyncio.run(then())


def test_the_successor_of_a_table_has_command_ids_of_its_own(tmp_path: Path, address: str | None) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann", database=address) as pit:
            actor = await opened(pit)
            assert await change_rules(pit, "one", {})
            assert (await give(actor, "buy")).problem is not None, "the table has closed"
            before = await moved(pit)
            assert (await give(pit.find("one-r2"), "sit")).problem is None
            assert await moved(pit) == before + 1

    asyncio.run(story())


def test_a_wager_of_a_lesson_with_the_hash_of_a_seed_is_repeated_after_a_restart(tmp_path: Path) -> None:
    """The stored command has no hash: the lesson's deck is the same for everybody."""
    bet = {**GIVEN["bet"], "seed_hash": seed_hash("a seed that nobody can guess")}
    answers: list[CommandAnswer] = []

    async def story() -> None:
        async with pit_of(tmp_path, *(() if answers else ["Ann"])) as pit:
            if answers:
                await pit.open()
            else:
                settings = TableSettings(id="one", rulebook="ma-criss-cross", owner="Ann", lesson_seed=7)
                await pit.create(settings, who="test")
                await give(pit.find("one"), "sit")
            answers.append(await give(pit.find("one"), "bet", **bet))

    asyncio.run(story())
    asyncio.run(story())
    assert answers[0].problem is None
    assert answers[1] == answers[0]


def test_an_id_with_another_command_is_refused_even_after_a_takeover(tmp_path: Path, address: str | None) -> None:
    others = {"buy": {**GIVEN["buy"], "cents": 60_00}, "go": GIVEN["buy"], "sit": {**GIVEN["sit"], "seat": 2}}

    async def story(holder: str) -> None:
        async with pit_of(tmp_path, *(["Ann"] if holder == "one" else []), database=address, holder=holder) as pit:
            if holder == "one":
                actor = await opened(pit)
            else:
                await pit.open()
                actor = pit.find("one")
            before = actor.seq
            for command_id, fields in others.items():
                problem = (await give(actor, command_id, **fields)).problem
                assert problem is not None, (holder, command_id)
                assert problem.code == "command.id", (holder, command_id)
            assert (actor.seq, actor.table.balances[chips_of(1)]) == (before, 150_00)

    asyncio.run(story("one"))
    asyncio.run(story("other"))
