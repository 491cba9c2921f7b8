"""Every option of a table can be sent as a command, with the least of every range and the first of every choice."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.broadcast.viewer_messages import Viewpoint, options_of
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.pit.actor import TableActor
from limits import WAIT_SECONDS
from server.dual_control.test_atomic_approval import act
from server.http.test_dealer import ORDER
from server.served import decided, pit_of

LONG_OVER = -1
"""A round that is over: a well-formed command for it is late, and changes nothing."""


def offered(actor: TableActor, viewpoint: Viewpoint) -> list[dict[str, Any]]:
    options: list[dict[str, Any]] = msgspec.to_builtins(options_of(actor.table, viewpoint))
    return options


def as_offered(actor: TableActor, option: dict[str, Any]) -> dict[str, Any]:
    """Return the command of an option, as the protocol describes it."""
    optional = option.get("optional", ())
    amounts = {name: limits["min"] for name, limits in option.get("ranges", {}).items() if name not in optional}
    fields = {"command": option["command"], **option.get("fields", {})}
    fields |= {"wagers": amounts} if option["command"] == "place_wagers" and amounts else amounts
    fields |= {name: words[0] for name, words in option.get("choices", {}).items()}
    fields |= dict.fromkeys(option.get("texts", ()), "a word")
    fields |= {"seat": option["seat"]} if "seat" in option else {}
    if isinstance(count := fields.get("low"), int):
        fields["low"] = [card.text for card in actor.table.seat(option["seat"]).cards[:count]]
    return fields


async def sends_all(actor: TableActor, seen: Counter[str]) -> None:
    """Send every option of every viewer, too late to change anything."""
    for viewpoint in (Viewpoint("dealer"), Viewpoint("floor"), Viewpoint("player", "Ann")):
        for option in offered(actor, viewpoint):
            seen[option["command"]] += 1
            asked = CommandRequest(
                id=f"all{seen.total()}",
                who=viewpoint.who,
                role=viewpoint.role,
                fields=as_offered(actor, option),
                round=LONG_OVER,
            )
            answer = await actor.ask(asked)
            assert answer.problem is not None
            assert answer.problem.code == "late", (option, answer.problem)


def next_of(actor: TableActor) -> Iterator[CommandRequest]:
    """Yield the requests that advance the round: the player's answer, or the dealer's next act."""
    options = offered(actor, Viewpoint("player", "Ann"))
    placed = bool(actor.table.seat(1).wagers)
    open_bets = actor.table.step == "open_bets"
    answer = None if open_bets and placed else decided(options, 1, open_bets=open_bets)
    if answer is not None:
        yield CommandRequest(id=f"p{actor.seq}", who="Ann", role="player", fields=answer)
    for command in ORDER:
        for option in offered(actor, Viewpoint("dealer")):
            if option["command"] == command:
                yield CommandRequest(id=f"d{actor.seq}", who="dealer", role="dealer", fields=act(actor, option))


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_option_of_a_round_can_be_sent_as_a_command(rulebook: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann") as pit, asyncio.timeout(WAIT_SECONDS):
            settings = TableSettings(id="one", rulebook=rulebook, pace="instant", dealt_by="dealer")
            actor = await pit.create(settings, who="test")
            actor.join(Subscriber("Ann", "player"))
            sits = {"command": "take_seat", "seat": 1, "chips_cents": 500_00}
            await actor.ask(CommandRequest(id="sit", who="Ann", role="player", fields=sits))
            seen: Counter[str] = Counter()
            at = 0
            while not actor.memory.rounds:
                if actor.seq != at:
                    at = actor.seq
                    await sends_all(actor, seen)
                for asked in next_of(actor):
                    if (await actor.ask(asked)).problem is None:
                        break
                await asyncio.sleep(0)
            assert actor.memory.rounds[-1].outcome == "settled"
            assert {"remove_deck", "order_recut", "place_wagers", "report_irregularity", "count_stub"} <= seen.keys()

    asyncio.run(story())
