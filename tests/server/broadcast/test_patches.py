"""Applying every patch gives the view of a new subscriber; resuming misses nothing and repeats nothing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.broadcast.viewer_messages import options_of, viewpoint_of
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.pit.actor import TableActor
from crossfelt.table.commands import Role
from crossfelt.table.views import view
from crossfelt.wire import encode
from server.served import decided, pit_of
from soak_length import one_of_each_game

PLAYERS = {"Ann": 1, "Bob": 3}
VIEWERS: tuple[tuple[str, Role], ...] = (
    ("Ann", "player"),
    ("Bob", "player"),
    ("Cleo", "player"),
    ("Dora", "spectator"),
    ("Eve", "dealer"),
    ("Fay", "floor"),
    ("Gus", "auditor"),
)


class Reduced:
    """A page: a welcome, and patches applied to it."""

    def __init__(self, name: str, role: Role) -> None:
        self.watcher = Subscriber(name, role)
        self.state: dict[str, Any] = {}
        self.seqs: list[int] = []

    def read(self) -> None:
        while self.watcher.messages:
            text = self.watcher.messages.pop(0)
            assert text is not None
            message = json.loads(text)
            if message["type"] == "welcome":
                self.state = {
                    name: message[name] for name in ("view", "allowed", "meters", "deadline", "ready", "held")
                }
            elif message["type"] == "happened":
                self.seqs += sorted({event["seq"] for event in message["events"]})
                changed = message["patch"]
                for number, seat in changed.pop("seats", {}).items():
                    self.state["view"]["seats"][int(number) - 1] = seat
                self.state["view"] |= changed
                self.state |= {name: message[name] for name in self.state if name in message and name != "view"}


def fresh(actor: TableActor, name: str, role: Role) -> dict[str, Any]:
    page = Reduced(name, role)
    actor.join(page.watcher)
    actor.leave(page.watcher)
    page.read()
    here = viewpoint_of(actor.table, role, name)
    whole = view(actor.table, here.viewer)
    assert page.state["view"] == json.loads(encode(whole)), "put together otherwise than in one piece"
    assert page.state["allowed"] == json.loads(encode(options_of(actor.table, here))), "options of another moment"
    return page.state


async def play(actor: TableActor, pages: list[Reduced], rounds: int) -> None:
    commands = 0
    while len(actor.memory.rounds) < rounds:
        for page in pages:
            page.read()
        for name, seat in PLAYERS.items():
            page = next(page for page in pages if page.watcher.name == name)
            sits = actor.table.seat(seat).player == name
            wagered = bool(actor.table.seat(seat).wagers) and actor.table.step == "open_bets"
            asked = decided(page.state["allowed"], seat, open_bets=actor.table.step == "open_bets")
            if not sits:
                asked = {"command": "take_seat", "seat": seat, "chips_cents": 1_000_00}
            if asked is not None and not wagered:
                commands += 1
                at_once = commands % 2 == 0
                await actor.ask(CommandRequest(id=f"{commands}", who=name, role="player", fields=asked, ready=at_once))
                if asked["command"] == "place_wagers" and not at_once:
                    actor.ready(name, None)
            await asyncio.sleep(0)
            seq = actor.seq
            for page in pages:
                page.read()
                if actor.seq == seq:
                    anew = fresh(actor, page.watcher.name, page.watcher.role)
                    assert page.state == anew, f"{page.watcher.name} after {actor.seq}"


@pytest.mark.parametrize("rulebook", one_of_each_game())
def test_patches_add_up_to_the_current_view(rulebook: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, *PLAYERS) as pit:
            settings = TableSettings(id="one", rulebook=rulebook, pace="instant")
            actor = await pit.create(settings, who="test", bots={2: "random", 4: "careful"})
            pages = [Reduced(name, role) for name, role in VIEWERS]
            for page in pages:
                actor.join(page.watcher)
            await play(actor, pages, 6)
            for page in pages:
                assert page.seqs == sorted(set(page.seqs)), "a row was told twice"

    asyncio.run(story())


@pytest.mark.parametrize("rulebook", ["nj-criss-cross", "nj-pai-gow"])
def test_a_resumed_subscriber_gets_each_missed_update_once(rulebook: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, *PLAYERS) as pit:
            settings = TableSettings(id="one", rulebook=rulebook, pace="instant")
            actor = await pit.create(settings, who="test", bots={2: "careful"})
            pages = [Reduced(name, role) for name, role in VIEWERS[:4]]
            for page in pages:
                actor.join(page.watcher)
            away = Reduced("Bob", "player")
            actor.join(away.watcher)
            await play(actor, pages, 1)
            away.read()
            actor.leave(away.watcher)
            seen = actor.seq
            await play(actor, pages, 2)
            back = Reduced("Bob", "player")
            back.state, back.seqs = away.state, list(away.seqs)
            actor.join(back.watcher, after=seen)
            back.read()
            stayed = next(page for page in pages if page.watcher.name == "Bob")
            stayed.read()
            assert back.seqs == stayed.seqs
            assert back.state == stayed.state

    asyncio.run(story())


def test_an_abandoned_private_table_is_closed(tmp_path: Path) -> None:
    clock = 1_000_000

    async def story() -> None:
        nonlocal clock
        async with pit_of(tmp_path, *PLAYERS, now=lambda: clock) as pit:
            private = await pit.create(TableSettings(id="hers", rulebook="nj-criss-cross", owner="Ann"), who="Ann")
            await pit.create(TableSettings(id="open", rulebook="nj-criss-cross"), who="server")
            watcher = Subscriber("Ann", "player")
            private.join(watcher)
            for minutes, left in ((0, {"hers", "open"}), (40, {"hers", "open"})):
                clock += minutes * 60_000
                await pit.close_idle_tables()
                assert set(pit.actors) == left
            private.leave(watcher)
            for minutes, left in ((0, {"hers", "open"}), (29, {"hers", "open"}), (2, {"open"})):
                clock += minutes * 60_000
                await pit.close_idle_tables()
                assert set(pit.actors) == left
            assert set(pit.meters.seen) == {"meter/open/bonus_spin"}, "its own is not remembered"

    asyncio.run(story())
