"""A player who is alone with bots turns the dealer's pauses off; other people get them back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest

from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.pit.actor import TableActor
from crossfelt.table.events import CardsDealt
from limits import WAIT_SECONDS
from server.served import Served, pit_of, run

WAGERS: Final = {"ante_across": 500, "ante_down": 500}


async def sit(actor: TableActor, name: str, seat: int) -> None:
    actor.join(Subscriber(name, "player"))
    await give(actor, name, command="take_seat", seat=seat, chips_cents=500_00)


async def give(actor: TableActor, name: str, **fields: object) -> None:
    request = CommandRequest(id=f"{fields['command']} {actor.seq}", who=name, role="player", fields=fields)
    answer = await actor.ask(request)
    assert answer.problem is None, answer.problem


def refusal(actor: TableActor, name: str) -> str:
    """Return why a player may not turn the pauses off; empty if the player may."""
    problem = actor.set_pauses(name, on=False).problem
    return "" if problem is None else str(problem)


def test_a_round_without_pauses_needs_no_time_beside_the_decisions(tmp_path: Path) -> None:
    """The clock stands still: a table that paused would wait for ever."""

    async def story() -> None:
        async with pit_of(tmp_path, "Ann", now=lambda: 1_000_000) as pit:
            settings = TableSettings(id="one", rulebook="ma-criss-cross")
            actor = await pit.create(settings, who="test", bots={1: "careful", 2: "careful"})
            await sit(actor, "Ann", 3)
            assert refusal(actor, "Ann") == ""
            await give(actor, "Ann", command="place_wagers", seat=3, wagers=WAGERS)
            actor.ready("Ann", None)
            async with asyncio.timeout(WAIT_SECONDS):
                while actor.table.round < 2:
                    if actor.table.turn[:1] == (3,):
                        await give(actor, "Ann", command="bet", seat=3, cents=500)
                    await asyncio.sleep(0.001)

    asyncio.run(story())


def test_turning_the_pauses_off_ends_the_current_one(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann", now=lambda: 1_000_000) as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross"), who="test")
            await sit(actor, "Ann", 3)
            await give(actor, "Ann", command="place_wagers", seat=3, wagers=WAGERS)
            actor.ready("Ann", None)
            async with asyncio.timeout(WAIT_SECONDS):
                while not actor.table.seat(3).cards:
                    await asyncio.sleep(0.001)
                assert not actor.table.turn  # the dealer waits until the cards have been seen
                assert refusal(actor, "Ann") == ""
                while 3 not in actor.table.turn:
                    await asyncio.sleep(0.001)

    asyncio.run(story())


def test_the_pauses_are_on_while_another_person_sits_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann", "Bob") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross"), who="test")
            await sit(actor, "Ann", 1)
            assert refusal(actor, "Ann") == ""

            def pause_ms() -> int:
                return actor.scheduler.pause_ms([CardsDealt], actor.table)

            assert pause_ms() == 0
            await sit(actor, "Bob", 2)
            assert pause_ms() > 0
            assert "other people play" in refusal(actor, "Ann")
            await give(actor, "Bob", command="leave_seat", seat=2)
            assert pause_ms() == 0
            assert actor.set_pauses("Ann", on=True).problem is None
            assert pause_ms() > 0

    asyncio.run(story())


@pytest.mark.parametrize(
    ("settings", "seated", "why"),
    [
        ({"pace": "regulated"}, True, "practice table"),
        ({"dealt_by": "dealer"}, True, "practice table"),
        ({}, False, "take a seat first"),
    ],
)
def test_the_pauses_of_other_tables_are_not_the_players(
    tmp_path: Path, settings: dict[str, str], seated: bool, why: str
) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann") as pit:
            given = TableSettings(id="one", rulebook="ma-criss-cross", **settings)  # type: ignore[arg-type]
            actor = await pit.create(given, who="test")
            if seated:
                await sit(actor, "Ann", 1)
            assert why in refusal(actor, "Ann")
            assert "\n" not in refusal(actor, "Ann")

    asyncio.run(story())


def test_a_client_turns_the_pauses_off_by_a_message(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        name = await ann.open_table("nj-criss-cross")
        async with ann.table(name) as table:
            early = await table.set_pauses(on=False)
            assert early.problem is not None
            assert early.problem["code"] == "pauses"
            assert (await table.give("take_seat", seat=1, chips_cents=100_00)).accepted
            assert (await table.set_pauses(on=False)).accepted

    run(tmp_path, story)
