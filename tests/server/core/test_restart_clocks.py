"""Downtime costs no player a hand: clocks start again, and every player has the time to reconnect."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings, TimingPresetName
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.runtime.clock import SteadyClock
from crossfelt.server.server import Server
from crossfelt.server.store.factory import open_store
from crossfelt.table import commands as c
from crossfelt.table.commands import Command
from limits import WAIT_SECONDS
from server.served import pit_of

DOWN = 40_000
AWAY = 60_000
"""The time that a disconnected player has to reconnect."""


class Later:
    """A clock that a test can advance."""

    def __init__(self) -> None:
        self._clock = SteadyClock()
        self.passed = 0

    def __call__(self) -> int:
        return self._clock() + self.passed


async def give(actor: TableActor, name: str, command: str, *, ready: bool = False, **fields: object) -> None:
    asked = CommandRequest(
        id=f"{name} {command}", who=name, role="player", fields={"command": command, **fields}, ready=ready
    )
    assert (await actor.ask(asked)).problem is None


def due(actor: TableActor) -> Command | None:
    command, _ = actor.scheduler.due(actor.table, actor.state.schedule, actor.state.rng, actor.now())
    return command


async def until(actor: TableActor, step: str) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while actor.table.step != step:
            await asyncio.sleep(0.001)


async def down_at(tmp_path: Path, now: Later, step: str, pace: TimingPresetName, *players: str) -> None:
    """Stop the server at a step of the first round of a table."""
    async with pit_of(tmp_path, *players, now=now) as pit:
        settings = TableSettings(id="one", rulebook="nj-criss-cross", pace=pace)
        actor = await pit.create(settings, who="test")
        for seat, name in enumerate(players, start=1):
            actor.join(Subscriber(name, "player"))
            await give(actor, name, "take_seat", seat=seat, chips_cents=500_00)
        await until(actor, "open_bets")
        wagers = {"ante_across": 500, "ante_down": 500}
        for seat, name in enumerate(players, start=1):
            await give(actor, name, "place_wagers", seat=seat, wagers=wagers, ready=step != "open_bets")
        await until(actor, step)
    now.passed += DOWN


def test_a_hand_is_not_folded_because_the_server_was_down(tmp_path: Path) -> None:
    async def story() -> None:
        now = Later()
        await down_at(tmp_path, now, "decide_across", "regulated", "Ann")
        async with pit_of(tmp_path, now=now) as pit:
            begun = now()
            await pit.open()
            actor = pit.find("one")
            actor.join(Subscriber("Ann", "player"))
            deadline = actor.scheduler.deadline(actor.table, actor.state.schedule, actor.now())
            assert deadline is not None
            assert deadline >= begun + AWAY, "what a player is told who comes back"
            assert due(actor) is None
            now.passed += AWAY + 1000
            assert isinstance(due(actor), c.TimeOut), "and then the clock runs out as ever"

    asyncio.run(story())


def test_downtime_does_not_count_as_a_player_keeping_others_waiting(tmp_path: Path) -> None:
    async def story() -> None:
        now = Later()
        await down_at(tmp_path, now, "decide_across", "practice", "Ann", "Bob")
        now.passed += 10 * AWAY
        async with pit_of(tmp_path, now=now) as pit:
            await pit.open()
            actor = pit.find("one")
            for name in ("Ann", "Bob"):
                actor.join(Subscriber(name, "player"))
            assert due(actor) is None

    asyncio.run(story())


@pytest.mark.parametrize("passes", [31_000, 59_000])
def test_bets_are_not_locked_before_their_players_could_reconnect(passes: int, tmp_path: Path) -> None:
    async def story() -> None:
        now = Later()
        await down_at(tmp_path, now, "open_bets", "regulated", "Ann", "Bob")
        async with pit_of(tmp_path, now=now) as pit:
            await pit.open()
            actor = pit.find("one")
            actor.join(Subscriber("Ann", "player"))
            now.passed += passes
            assert due(actor) is None
            now.passed += AWAY
            assert due(actor) is not None

    asyncio.run(story())


def test_a_clock_set_back_during_downtime_keeps_no_player_waiting(tmp_path: Path) -> None:
    """The rows of a round lie two hours in the future: its players wait no longer than others do."""

    async def story() -> None:
        now = Later()
        now.passed = 2 * 3600 * 1000
        await down_at(tmp_path, now, "decide_across", "regulated", "Ann")
        server = Server(open_store(tmp_path), tmp_path)
        try:
            await server.open()
            actor = server.pit.find("one")
            deadline = actor.scheduler.deadline(actor.table, actor.state.schedule, actor.now())
            assert deadline is not None
            assert 0 < deadline - server.now() <= AWAY
        finally:
            await server.close()

    asyncio.run(story())
