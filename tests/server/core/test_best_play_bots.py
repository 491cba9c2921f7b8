"""Bots with best play from a worker process, for which they wait."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from crossfelt.analysis.best_play_bot import best_choice
from crossfelt.cards import parse_cards
from crossfelt.errors import BadInput, Problem
from crossfelt.play.player_view import ways_to_set
from crossfelt.proof.history import read_row
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.core import bots
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings
from crossfelt.table import events as e
from limits import WAIT_SECONDS
from server.served import Served, no_best_play, pit_of, run


def test_an_optimal_bot_makes_the_move_of_the_solver(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        name = await ann.open_table("nj-criss-cross", pace="instant", bots=1, strategy="optimal")
        actor = served.server.pit.find(name)
        (bot,) = [seat.number for seat in actor.table.seats if seat.player.startswith("optimal")]
        async with ann.table(name) as table:
            assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
            assert (await table.give("place_wagers", seat=1, wagers={"ante_across": 500, "ante_down": 500})).accepted
            await table.ready()
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            assert (await table.give("fold", seat=1)).accepted
            await table.until(lambda seen: seen.view["step"] != "decide_across", WAIT_SECONDS)
        # If the bot has folded too, the next round is open.
        rows = await served.server.store.rows(actor.settings.stream, 0)
        events = [event for row in rows for event in read_row(row.body).events]
        chosen = next(it for it in events if isinstance(it, e.BetPlaced | e.HandFolded) and it.seat == bot)
        dealt = next(it.cards for it in events if isinstance(it, e.CardsDealt))
        hole = " ".join(it.card.text for it in dealt if it.seat == bot)
        best = best_choice(actor.table.game, {"hole": hole, "bets": {}})
        assert best == ("fold" if isinstance(chosen, e.HandFolded) else f"{chosen.cents // 1000}x")

    run(tmp_path, story)


@pytest.mark.parametrize(
    "fault",
    [
        *(BadInput(Problem(code=f"advice.{why}", what="not now")) for why in ("busy", "slow", "lost")),
        ValueError("fault"),
    ],
    ids=["busy", "slow", "lost", "fault"],
)
def test_a_bot_without_an_answer_waits_and_asks_again(
    fault: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "AGAIN_SECONDS", 0.001)
    asked, answers = list[str](), set[str]()

    async def best(_: str, game: Game, position: Mapping[str, Any], surrenders: bool) -> Mapping[str, Any]:
        asked.append(position["cards"])
        if asked.count(position["cards"]) < 3:
            raise fault
        ways = ways_to_set(game, parse_cards(position["cards"], joker=True)).ways
        low = " ".join(next(way.low for way in ways if not way.foul))
        answers.add(low)
        return {"best": low}

    async def story() -> None:
        async with pit_of(tmp_path, "Ann", best=best) as pit:
            settings = TableSettings(id="one", rulebook="nj-pai-gow", pace="instant")
            actor = await pit.create(settings, who="test", bots={2: "optimal", 3: "optimal"})
            actor.join(Subscriber("Ann", "player"))
            sits = {"command": "take_seat", "seat": 1, "chips_cents": 500_00}
            acts = [sits, {"command": "decline_bank", "seat": 1}]
            acts += [{"command": "place_wagers", "seat": 1, "wagers": {"main": 1000}}]
            for number, fields in enumerate(acts):
                await actor.ask(CommandRequest(id=f"{number}", who="Ann", role="player", fields=fields))
            actor.ready("Ann", None)
            async with asyncio.timeout(WAIT_SECONDS):
                while not actor.memory.rounds:
                    await actor.ask(
                        CommandRequest(
                            id=f"s{actor.seq}", who="Ann", role="player", fields={"command": "set_house_way", "seat": 1}
                        )
                    )
                    await asyncio.sleep(0.001)
            assert actor.memory.rounds[-1].outcome == "settled"
            assert [asked.count(cards) for cards in sorted(set(asked))] == [3, 3]
            rows = await pit.store.rows(actor.settings.stream, 0)
            events = [event for row in rows for event in read_row(row.body).events]
            low = {" ".join(card.text for card in it.low) for it in events if isinstance(it, e.HandSet) and it.seat > 1}
            assert low == answers

    asyncio.run(story())


def test_a_question_that_is_being_computed_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever closes the table cancels it, however many questions came after it."""
    monkeypatch.setattr(bots, "ANSWERS_KEPT", 2)

    async def story() -> None:
        advice = bots.BotAdvice(compile_game("nj-criss-cross"), no_best_play, lambda: None)
        slow = asyncio.Event()
        with pytest.raises(bots.StillComputing):
            advice._answer("slow", slow.wait)
        for number in range(5):
            with pytest.raises(bots.StillComputing):
                advice._answer(number, lambda: asyncio.sleep(0, "answer"))
            await asyncio.sleep(0.01)
        (running,) = [task for task in asyncio.all_tasks() if task.get_name() == "decision of a bot"]
        advice.close()
        await asyncio.wait([running])
        assert running.cancelled()

    asyncio.run(story())
