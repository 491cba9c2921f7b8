"""An offer of the bank has a time of its own, shorter than that of a decision."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from crossfelt.rulebooks.script import OfferBank
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.broadcast.viewer_messages import Viewpoint, options_of
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.pit.actor import TableActor
from crossfelt.table.state import step_of
from limits import WAIT_SECONDS
from server.core.test_restart_clocks import Later
from server.served import decided, pit_of


def offered(actor: TableActor) -> bool:
    return isinstance(step_of(actor.table), OfferBank)


async def answer(actor: TableActor) -> None:
    """Have Ann bet, and answer every decision."""
    options = msgspec.to_builtins(options_of(actor.table, Viewpoint("player", "Ann")))
    asked = decided(options, 1, open_bets=actor.table.step == "open_bets")
    if asked is not None:
        told = await actor.ask(CommandRequest(id=f"c{actor.seq}", who="Ann", role="player", fields=asked, ready=True))
        assert told.problem is None, told.problem


def test_an_offer_of_the_bank_ends_at_the_announced_deadline(tmp_path: Path) -> None:
    now, rules = Later(), {"bank": {"offered": True}, "play": {"decision_seconds": 30}}
    settings = TableSettings(id="one", rulebook="nj-pai-gow", pace="regulated", submission=rules)

    async def story() -> None:
        async with pit_of(tmp_path, "Ann", now=now) as pit, asyncio.timeout(WAIT_SECONDS):
            actor = await pit.create(settings, who="test")
            actor.join(Subscriber("Ann", "player"))
            sits = {"command": "take_seat", "seat": 1, "chips_cents": 900_00}
            assert (await actor.ask(CommandRequest(id="sit", who="Ann", role="player", fields=sits))).problem is None
            while not offered(actor):
                await answer(actor)
                now.passed += 1_000
                actor.wake()
                await asyncio.sleep(0.002)
            deadline = actor.scheduler.deadline(actor.table, actor.state.schedule, actor.now())
            assert deadline is not None
            assert deadline == actor.table.asked_at + 1_000 * actor.settings.times.offer_seconds
            now.passed += deadline - now()
            actor.wake()
            while offered(actor):
                assert pit.find("one") is actor, "the table has met a fault"
                await asyncio.sleep(0.002)

    asyncio.run(story())
