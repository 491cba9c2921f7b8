"""Interrupted play: who is cut off at a decision has it decided by the rules, and the round comes to its end."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crossfelt.house.tables.actor import Asked, TableActor
from crossfelt.house.tables.settings import TableSettings
from crossfelt.house.tables.viewing import Viewpoint, options_of
from crossfelt.house.tables.watching import Watcher
from crossfelt.rulebooks.loading import rulebook_ids
from crossfelt.rulebooks.script import Decide, SetHands
from crossfelt.table.state import step_of
from house.serving import decided, pit_of

PLAYERS = {"Ann": 1, "Bob": 2}


class Clock:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


async def play(actor: TableActor, clock: Clock, *, leaves_at: int, watchers: dict[str, Watcher]) -> None:
    """One round; Ann is cut off when it is her turn for the decision with this number."""
    commands, decisions, gone = 0, 0, False
    async with asyncio.timeout(60):
        while not actor.rounds:
            for name, seat in PLAYERS.items():
                if name == "Ann" and gone:
                    clock.now += 1_000
                    actor.poke()
                    continue
                asked = _wish(actor, name, seat)
                if asked is None:
                    continue
                if name == "Ann" and isinstance(step_of(actor.table), Decide | SetHands):
                    decisions += 1
                    if decisions == leaves_at:
                        actor.leave(watchers[name])
                        gone = True
                        continue
                commands += 1
                await actor.ask(Asked(id=f"{commands}", who=name, role="player", fields=asked))
                if asked["command"] == "place_wagers":
                    actor.ready(name, None)
            await asyncio.sleep(0)


def _wish(actor: TableActor, name: str, seat: int) -> dict[str, Any] | None:
    if actor.table.seat(seat).player != name:
        return {"command": "take_seat", "seat": seat, "chips_cents": 500_00}
    open_bets = actor.table.step == "open_bets"
    if open_bets and actor.table.seat(seat).wagers:
        return None
    options = msgspec.to_builtins(options_of(actor.table, Viewpoint("player", name)))
    return decided(options, seat, open_bets=open_bets)


@pytest.mark.parametrize("pace", ["instant", "regulated"])
@pytest.mark.parametrize("leaves_at", [1, 2, 3])
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_round_is_finished_by_the_rules_without_who_was_cut_off(
    rulebook: str, leaves_at: int, pace: Any, tmp_path: Path
) -> None:
    clock = Clock()

    async def story() -> None:
        async with pit_of(tmp_path, *PLAYERS, now=clock) as pit:
            settings = TableSettings(id="one", rulebook=rulebook, pace=pace)
            actor = await pit.create(settings, who="test")
            watchers = {name: Watcher(name, "player") for name in PLAYERS}
            for watcher in watchers.values():
                actor.join(watcher)
            playing = asyncio.create_task(_ticking(clock, actor))
            await play(actor, clock, leaves_at=leaves_at, watchers=watchers)
            playing.cancel()
            assert actor.rounds[-1].outcome == "settled"
            rows = await pit.store.rows(actor.settings.stream)
            kinds = [event["event"] for row in rows[1:] for event in msgspec.json.decode(row.body)["events"]]
            assert kinds.count("round_closed") == 1
            assert sum(actor.table.balances.values()) == 0
            asked_for = [s for s in actor.table.game.book.script if isinstance(s, Decide | SetHands)]
            if leaves_at == 1 and asked_for and pace == "instant":
                assert {"irregularity_reported", "hand_set"} & set(kinds), "nobody noticed that the player had left"

    asyncio.run(story())


async def _ticking(clock: Clock, actor: TableActor) -> None:
    """People look at cards for as long as the pace gives them."""
    while True:
        clock.now += 50
        actor.poke()
        await asyncio.sleep(0.001)
