"""A table takes one command at a time, whichever connections come and go, and a dropped plan leaves nothing behind."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from crossfelt.errors import BadInput
from crossfelt.progressive.meter import MICROS
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.core.recovery import read_seal
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.pit.actor import INBOX, TableActor
from crossfelt.server.pit.pit import Pit
from crossfelt.table.events import FirstHandChosen
from limits import WAIT_SECONDS
from server.served import pit_of

WAGERS: Final = {"ante_across": 500, "ante_down": 500}


def asked(key: str, who: str = "Ann", **fields: object) -> CommandRequest:
    return CommandRequest(id=key, who=who, role="player", fields=fields)


async def sit(actor: TableActor, name: str, seat: int) -> None:
    actor.join(Subscriber(name, "player"))
    answer = await actor.ask(asked("sit", name, command="take_seat", seat=seat, chips_cents=500_00))
    assert answer.problem is None


def test_connections_that_come_and_go_keep_nobody_from_acting(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross", pace="instant"), who="test")
            for _ in range(2 * INBOX):
                stranger = Subscriber("", "spectator")
                actor.join(stranger)
                actor.leave(stranger)
            await sit(actor, "Ann", 1)

    asyncio.run(story())


def test_wagers_with_the_word_that_they_are_all_are_dealt_at_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann", "Bob") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross", pace="instant"), who="test")
            await sit(actor, "Ann", 1)
            await sit(actor, "Bob", 2)
            low = replace(asked("low", command="place_wagers", seat=1, wagers={"ante_across": 1}), ready=True)
            assert (await actor.ask(low)).problem is not None
            assert not actor.run.schedule.ready
            await actor.ask(replace(asked("a", command="place_wagers", seat=1, wagers=WAGERS), ready=True))
            assert actor.table.step == "open_bets"
            assert actor.run.schedule.ready == {1}
            last = replace(asked("b", "Bob", command="place_wagers", seat=2, wagers=WAGERS), ready=True)
            assert (await actor.ask(last)).problem is None
            assert actor.table.step != "open_bets"

    asyncio.run(story())


def test_what_falls_due_while_the_table_looks_is_not_missed(tmp_path: Path) -> None:
    """A deadline that passes between the look at what is due and the question when to wake is one to wake for."""
    now = 1_000_000

    async def story() -> None:
        nonlocal now
        async with pit_of(tmp_path, "Ann", "Bob", now=lambda: now) as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross", pace="instant"), who="test")
            await sit(actor, "Ann", 1)
            await sit(actor, "Bob", 2)
            await actor.ask(asked("bet", command="place_wagers", seat=1, wagers=WAGERS))
            actor.ready("Ann", None)
            deadline = actor.scheduler.deadline(actor.table, actor.run.schedule)
            assert deadline == now + 1000 * actor.settings.times.late_seconds
            looked_at, now = deadline - 1, deadline + 1
            assert actor.scheduler.wake_at(actor.table, actor.run.schedule, looked_at) == deadline

    asyncio.run(story())


def test_a_fault_in_looking_after_tables_does_not_end_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    async def fails() -> None:
        looks.append(1)
        raise LookupError

    async def story() -> None:
        async with pit_of(tmp_path, lease_seconds=0.001) as pit:
            monkeypatch.setattr(pit, "clear_away", fails)
            await pit.open()
            async with asyncio.timeout(WAIT_SECONDS):
                while len(looks) < 3:
                    await asyncio.sleep(0.001)

    asyncio.run(story())


def test_a_table_that_is_opened_twice_at_once_goes_on(tmp_path: Path) -> None:
    """The second opening takes nothing from the first, such as the lease that it writes under."""

    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            settings = TableSettings(id="twice", rulebook="md-criss-cross", pace="instant")
            first, second = (asyncio.create_task(pit.create(settings, who="test")) for _ in range(2))
            with pytest.raises(BadInput, match="there is such a table"):
                await second
            await pit.seat_bot(await first, 1, "simple")
            assert pit.find("twice").table.seat(1).player

    asyncio.run(story())


def test_tables_that_are_opened_while_the_house_looks_after_its_tables_run_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)

    async def story() -> None:
        async with pit_of(tmp_path, lease_seconds=0.001) as pit:
            await pit.open()
            for number in range(20):
                settings = TableSettings(id=f"t{number}", rulebook="md-criss-cross", pace="instant")
                actor = await pit.create(settings, who="test", bots={1: "simple"})
                await asyncio.sleep(0.003)
                assert pit.find(settings.id) is actor

    asyncio.run(story())
    assert "table stopped" not in caplog.text


def test_a_refused_command_draws_nothing(tmp_path: Path) -> None:
    """Who asks for what only the dealer may do does not use up what the house has fixed."""

    async def story() -> None:
        async with pit_of(tmp_path, "Ann") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="nj-pai-gow", pace="instant"), who="test")
            await sit(actor, "Ann", 1)
            async with asyncio.timeout(WAIT_SECONDS):
                while actor.table.step != "open_bets":
                    await actor.ask(asked(f"no bank {actor.seq}", command="decline_bank", seat=1))
                for number in range(3):
                    refused = await actor.ask(asked(f"dice {number}", command="choose_first_hand"))
                    assert refused.problem is not None
                await actor.ask(asked("bet", command="place_wagers", seat=1, wagers={"main": 1000}))
                actor.ready("Ann", None)
                while actor.table.step == "open_bets":
                    await asyncio.sleep(0)
            seal = read_seal((await pit.store.rows(actor.settings.seals))[-1])
            (chosen,) = [
                event for row in actor.memory.round_rows for event in row.events if isinstance(event, FirstHandChosen)
            ]
            fixed = seal.draws["dice"] if chosen.dice else seal.draws["number"]
            assert " ".join(map(str, chosen.dice or (chosen.number,))) == fixed

    asyncio.run(story())


class HeldCommits:
    """A store whose commits wait until they are released."""

    def __init__(self, pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.released = asyncio.Event(), asyncio.Event()
        self._commit = pit.store.commit
        monkeypatch.setattr(pit.store, "commit", self._held)

    async def _held(self, *args: Any) -> Any:
        self.begun.set()
        await self.released.wait()
        return await self._commit(*args)


def test_a_command_that_is_stored_already_leaves_no_plan_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a start answers are not remembered: a command that is sent again is planned with, and found to be there.
    A player who says "ready" meanwhile stays ready."""
    bet = replace(asked("bet", command="place_wagers", seat=1, wagers=WAGERS), ready=True)

    async def first() -> int:
        async with pit_of(tmp_path, "Ann", "Bob") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross"), who="test")
            await sit(actor, "Ann", 1)
            await sit(actor, "Bob", 2)
            return (await actor.ask(bet)).seq

    async def second(seq: int) -> None:
        async with pit_of(tmp_path) as pit:
            await pit.open()
            actor = pit.find("one")
            for name in ("Ann", "Bob"):
                actor.join(Subscriber(name, "player"))
            before = actor.run
            assert (await actor.ask(bet)).seq == seq
            assert actor.run is before
            actor._answers.clear()
            commits = HeldCommits(pit, monkeypatch)
            again = asyncio.create_task(actor.ask(bet))
            await commits.begun.wait()
            assert actor.run is before
            actor.ready("Bob", None)
            actor._paused_until = 1 << 60  # so that bets stay open with both of them ready
            commits.released.set()
            assert (await again).seq == seq
            assert actor.run.schedule.ready == {2}
            assert actor.run == before.with_ready([2], actor.run.schedule.ready_since or 0)

    asyncio.run(second(asyncio.run(first())))


@pytest.mark.parametrize("said_before", [False, True])
def test_a_player_who_says_ready_during_a_commit_is_ready_after_it(
    said_before: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the player whose new wagers, which the commit stores, end an earlier "ready"."""

    async def story() -> None:
        async with pit_of(tmp_path, "Ann", "Bob") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross"), who="test")
            await sit(actor, "Ann", 1)
            await sit(actor, "Bob", 2)
            await until_open(actor)
            if said_before:
                actor.ready("Ann", None)
            commits = HeldCommits(pit, monkeypatch)
            bet = asyncio.create_task(actor.ask(asked("bet", command="place_wagers", seat=1, wagers=WAGERS)))
            await commits.begun.wait()
            actor.ready("Ann", None)
            commits.released.set()
            assert (await bet).problem is None
            assert actor.run.schedule.ready == {1}

    asyncio.run(story())


def test_a_plan_that_an_account_refuses_leaves_nothing_behind(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann", "Bob") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross"), who="test")
            await sit(actor, "Ann", 1)
            await until_open(actor)
            actor.ready("Ann", None)
            before = actor.run
            too_much = asked("sit", "Bob", command="take_seat", seat=2, chips_cents=10**9)
            assert (await actor.ask(too_much)).problem is not None
            assert actor.run is before

    asyncio.run(story())


def test_viewers_are_sent_meters_only_when_an_amount_has_changed(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="nj-criss-cross"), who="test")
            await sit(actor, "Ann", 1)
            await until_open(actor)
            viewer = Subscriber("", "spectator")
            actor.join(viewer)
            viewer.messages.pop(0)
            pit.board.publish()
            assert not viewer.messages
            (stream,) = actor.meters.streams
            meter = pit.meters.seen[stream]
            pit.meters.seen[stream] = replace(meter, pool_micros=meter.pool_micros + 10 * MICROS)
            pit.board.publish()
            sent = msgspec.json.decode(viewer.messages.pop(0) or b"")
            assert [it["amount_cents"] for it in sent["meters"].values()] == [meter.amount_cents + 10]
            pit.board.publish()
            assert not viewer.messages

    asyncio.run(story())


async def until_open(actor: TableActor) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while actor.table.step != "open_bets":
            await asyncio.sleep(0)
