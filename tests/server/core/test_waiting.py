"""The others see whom the table waits for and until when, and may go on without that player after a while."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.core.presence import SKIP_SECONDS
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings, TimingPresetName
from crossfelt.server.pit.actor import TableActor
from crossfelt.table import events as e
from limits import WAIT_SECONDS
from server.core.test_restart_clocks import AWAY, Later, give, until
from server.served import pit_of

WAGERS = {"ante_across": 500, "ante_down": 500}
SOON = 1000 * SKIP_SECONDS


class Two:
    """Ann in seat 1 and Ben in seat 2 at one table, with a clock that the test advances."""

    def __init__(self, actor: TableActor, now: Later) -> None:
        self.actor, self.now = actor, now
        self.ann, self.ben = Subscriber("Ann", "player"), Subscriber("Ben", "player")

    async def sit(self) -> None:
        for seat, subscriber in enumerate((self.ann, self.ben), start=1):
            self.actor.join(subscriber)
            await give(self.actor, subscriber.name, "take_seat", seat=seat, chips_cents=500_00)
        await until(self.actor, "open_bets")

    async def both_bet(self) -> None:
        for seat, name in enumerate(("Ann", "Ben"), start=1):
            await give(self.actor, name, "place_wagers", seat=seat, wagers=WAGERS, ready=True)
        await until(self.actor, "decide_across")

    @property
    def waits(self) -> dict[int, tuple[int | None, int | None, bool]]:
        """Whom the others see: seconds from the question until the table goes on, or may be told to, and if gone."""
        asked = self.actor.table.asked_at

        def seconds(at: int | None) -> int | None:
            return None if at is None else round((at - asked) / 1000)

        return {it.seat: (seconds(it.until), seconds(it.skip_at), it.gone) for it in self.actor._status["waiting"]}

    def go_on(self, seat: int, name: str) -> str:
        problem = self.actor.go_on_without(seat, name).problem
        return problem.code if problem else ""

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            while not condition():
                await asyncio.sleep(0.001)


@asynccontextmanager
async def two(directory: Path, pace: TimingPresetName = "instant") -> AsyncIterator[Two]:
    now = Later()
    async with pit_of(directory, "Ann", "Ben", now=now) as pit:
        actor = await pit.create(TableSettings(id="one", rulebook="nj-criss-cross", pace=pace), who="test")
        table = Two(actor, now)
        await table.sit()
        yield table


def test_the_others_go_on_without_a_player_who_has_closed_the_page(tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path, "practice") as table:
            actor = table.actor
            await table.both_bet()
            assert table.waits == {1: (120, 15, False)}
            sent = len(table.ben.messages)
            actor.leave(table.ann)
            assert len(table.ben.messages) == sent + 1, "the others are told at once"
            (wait,) = actor._status["waiting"]
            assert (wait.seat, wait.gone) == (1, True)
            assert wait.until is not None
            assert abs(wait.until - table.now() - AWAY) < 5_000
            assert table.go_on(1, "Ben") == "wait.early"
            assert table.go_on(2, "Ben") == "wait.nobody"
            assert table.go_on(1, "Eve") == "wait.nobody"
            table.now.passed += SOON
            assert table.go_on(1, "Ben") == ""
            await table.until(lambda: actor.table.turn[:1] == (2,))
            assert actor.table.seat(1).status == "folded"
            (folded,) = [it for row in actor.memory.round_rows for it in row.events if isinstance(it, e.HandFolded)]
            assert folded.timed_out
            assert actor.table.seat(1).player == "Ann", "the seat is kept"

    asyncio.run(story())


def test_a_silent_player_may_be_passed_over_at_one_question_only(tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path) as table:
            actor = table.actor
            await table.both_bet()
            table.now.passed += SOON
            assert table.go_on(1, "Ann") == "wait.nobody"
            assert table.go_on(1, "Ben") == ""
            await table.until(lambda: actor.table.turn[:1] == (2,))
            await give(actor, "Ben", "fold", seat=2)
            await until(actor, "open_bets")
            assert not actor.table.seat(1).away
            table.now.passed += 1
            for seat, name in enumerate(("Ann", "Ben"), start=1):
                answer = await actor.ask(_wagers(name, seat))
                assert answer.problem is None
            await until(actor, "decide_across")
            assert table.waits[1][1] == SKIP_SECONDS, "Ann has her time again"
            assert actor.table.turn[:1] == (1,)

    asyncio.run(story())


def _wagers(name: str, seat: int) -> CommandRequest:
    fields = {"command": "place_wagers", "seat": seat, "wagers": WAGERS}
    return CommandRequest(id=f"{name} again", who=name, role="player", fields=fields, ready=True)


def test_players_who_have_bet_go_on_without_one_who_has_not(tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path, "practice") as table:
            actor = table.actor
            assert table.waits == {}, "nobody is ready, so nobody waits"
            await give(actor, "Ben", "place_wagers", seat=2, wagers=WAGERS, ready=True)
            (wait,) = actor._status["waiting"]
            assert wait.seat == 1
            assert wait.skip_at is not None
            assert wait.until is not None
            assert wait.until - wait.skip_at == 5_000
            table.now.passed += SOON
            assert table.go_on(1, "Ben") == ""
            await until(actor, "decide_across")
            assert actor.table.turn == (2,)

    asyncio.run(story())


def test_a_player_who_has_bet_and_is_not_ready_has_a_clock_too(tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path, "practice") as table:
            await give(table.actor, "Ann", "place_wagers", seat=1, wagers=WAGERS)
            await give(table.actor, "Ben", "place_wagers", seat=2, wagers=WAGERS, ready=True)
            (wait,) = table.actor._status["waiting"]
            assert wait.until is not None
            assert abs(wait.until - table.now() - 120_000) < 5_000

    asyncio.run(story())


def test_at_a_regulated_table_only_the_clock_of_the_rules_counts(tmp_path: Path) -> None:
    async def story() -> None:
        async with two(tmp_path, "regulated") as table:
            await table.both_bet()
            assert table.waits == {1: (30, None, False)}
            table.now.passed += SOON
            assert table.go_on(1, "Ben") == "wait.clock"

    asyncio.run(story())
