"""A table carries out one request at a time, and a dropped plan leaves nothing behind."""

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
from crossfelt.server.core.rng import TableRng
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.pit.actor import MOST_WAITING, TableActor
from crossfelt.server.pit.pit import Pit
from crossfelt.table.events import FirstHandChosen
from limits import WAIT_SECONDS
from server.served import pit_of

WAGERS: Final = {"ante_across": 500, "ante_down": 500}


def request(key: str, who: str = "Ann", **fields: object) -> CommandRequest:
    return CommandRequest(id=key, who=who, role="player", fields=fields)


async def sit(actor: TableActor, name: str, seat: int) -> None:
    actor.join(Subscriber(name, "player"))
    answer = await actor.ask(request("sit", name, command="take_seat", seat=seat, chips_cents=500_00))
    assert answer.problem is None


def test_connecting_and_disconnecting_spectators_do_not_keep_a_player_from_acting(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross", pace="instant"), who="test")
            for _ in range(2 * MOST_WAITING):
                stranger = Subscriber("", "spectator")
                actor.join(stranger)
                actor.leave(stranger)
            await sit(actor, "Ann", 1)

    asyncio.run(story())


def test_wagers_with_the_ready_flag_are_dealt_at_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann", "Bob") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross", pace="instant"), who="test")
            await sit(actor, "Ann", 1)
            await sit(actor, "Bob", 2)
            low = replace(request("low", command="place_wagers", seat=1, wagers={"ante_across": 1}), ready=True)
            assert (await actor.ask(low)).problem is not None
            assert not actor.state.schedule.ready
            await actor.ask(replace(request("a", command="place_wagers", seat=1, wagers=WAGERS), ready=True))
            assert actor.table.step == "open_bets"
            assert actor.state.schedule.ready == {1}
            last = replace(request("b", "Bob", command="place_wagers", seat=2, wagers=WAGERS), ready=True)
            assert (await actor.ask(last)).problem is None
            assert actor.table.step != "open_bets"

    asyncio.run(story())


def test_a_command_that_falls_due_during_the_check_is_not_missed(tmp_path: Path) -> None:
    """A deadline that passes between the check and the computation of the wake-up time still wakes the table."""
    now = 1_000_000

    async def story() -> None:
        nonlocal now
        async with pit_of(tmp_path, "Ann", "Bob", now=lambda: now) as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross", pace="instant"), who="test")
            await sit(actor, "Ann", 1)
            await sit(actor, "Bob", 2)
            await actor.ask(request("bet", command="place_wagers", seat=1, wagers=WAGERS))
            actor.ready("Ann", None)
            deadline = actor.scheduler.deadline(actor.table, actor.state.schedule, actor.now())
            assert deadline == now + 1000 * actor.settings.times.late_seconds
            checked_at, now = deadline - 1, deadline + 1
            assert actor.scheduler.wake_at(actor.table, actor.state.schedule, checked_at) == deadline

    asyncio.run(story())


def test_an_exception_does_not_end_the_maintenance_of_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    async def fails() -> None:
        looks.append(1)
        raise LookupError

    async def story() -> None:
        async with pit_of(tmp_path, lease_seconds=0.001) as pit:
            monkeypatch.setattr(pit, "close_idle_tables", fails)
            await pit.open()
            async with asyncio.timeout(WAIT_SECONDS):
                while len(looks) < 3:
                    await asyncio.sleep(0.001)

    asyncio.run(story())


def test_a_table_that_is_opened_twice_at_once_plays_on(tmp_path: Path) -> None:
    """The second request leaves the lease of the first alone."""

    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            settings = TableSettings(id="twice", rulebook="md-criss-cross", pace="instant")
            first, second = (asyncio.create_task(pit.create(settings, who="test")) for _ in range(2))
            with pytest.raises(BadInput, match="a table with this id exists"):
                await second
            await pit.seat_bot(await first, 1, "careful")
            assert pit.find("twice").table.seat(1).player

    asyncio.run(story())


def test_tables_that_are_opened_during_maintenance_run_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)

    async def story() -> None:
        async with pit_of(tmp_path, lease_seconds=0.001) as pit:
            await pit.open()
            for number in range(20):
                settings = TableSettings(id=f"t{number}", rulebook="md-criss-cross", pace="instant")
                actor = await pit.create(settings, who="test", bots={1: "careful"})
                await asyncio.sleep(0.003)
                assert pit.find(settings.id) is actor

    asyncio.run(story())
    assert "table stopped" not in caplog.text


def test_a_refused_command_draws_nothing(tmp_path: Path) -> None:
    """A player who sends a dealer's command does not use up the sealed outcomes."""

    async def story() -> None:
        async with pit_of(tmp_path, "Ann") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="nj-pai-gow", pace="instant"), who="test")
            await sit(actor, "Ann", 1)
            async with asyncio.timeout(WAIT_SECONDS):
                while actor.table.step != "open_bets":
                    await actor.ask(request(f"no bank {actor.seq}", command="decline_bank", seat=1))
                for number in range(3):
                    refused = await actor.ask(request(f"dice {number}", command="choose_first_hand"))
                    assert refused.problem is not None
                await actor.ask(request("bet", command="place_wagers", seat=1, wagers={"main": 1000}))
                actor.ready("Ann", None)
                while actor.table.step == "open_bets":
                    await asyncio.sleep(0)
            seal = read_seal((await pit.store.rows(actor.settings.seals))[-1])
            (chosen,) = [
                event for row in actor.memory.round_rows for event in row.events if isinstance(event, FirstHandChosen)
            ]
            rng = TableRng(devices=bytes.fromhex(seal.devices))
            assert chosen.dice == rng.dice(actor.table) if chosen.dice else chosen.number == rng.position(actor.table)

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
    """After a restart the table does not know its answers: it plans a repeated command, and the store has it already.

    A player who becomes ready meanwhile stays ready.
    """
    bet = replace(request("bet", command="place_wagers", seat=1, wagers=WAGERS), ready=True)

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
            before = actor.state
            assert (await actor.ask(bet)).seq == seq
            assert actor.state is before
            actor._accepted.clear()
            commits = HeldCommits(pit, monkeypatch)
            again = asyncio.create_task(actor.ask(bet))
            await commits.begun.wait()
            assert actor.state is before
            actor.ready("Bob", None)
            actor._paused_until = 1 << 60  # so that bets stay open with both of them ready
            commits.released.set()
            assert (await again).seq == seq
            assert actor.state.schedule.ready == {2}
            assert actor.state == before.with_ready([2], actor.state.schedule.ready_since or 0)

    asyncio.run(second(asyncio.run(first())))


@pytest.mark.parametrize("said_before", [False, True])
def test_a_player_who_becomes_ready_during_a_commit_is_ready_after_it(
    said_before: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds even for the player whose new wagers the commit stores, which end an earlier "ready"."""

    async def story() -> None:
        async with pit_of(tmp_path, "Ann", "Bob") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross"), who="test")
            await sit(actor, "Ann", 1)
            await sit(actor, "Bob", 2)
            await until_open(actor)
            if said_before:
                actor.ready("Ann", None)
            commits = HeldCommits(pit, monkeypatch)
            bet = asyncio.create_task(actor.ask(request("bet", command="place_wagers", seat=1, wagers=WAGERS)))
            await commits.begun.wait()
            actor.ready("Ann", None)
            commits.released.set()
            assert (await bet).problem is None
            assert actor.state.schedule.ready == {1}

    asyncio.run(story())


def test_a_plan_that_an_account_refuses_leaves_nothing_behind(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann", "Bob") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross"), who="test")
            await sit(actor, "Ann", 1)
            await until_open(actor)
            actor.ready("Ann", None)
            before = actor.state
            too_much = request("sit", "Bob", command="take_seat", seat=2, chips_cents=10**9)
            assert (await actor.ask(too_much)).problem is not None
            assert actor.state is before

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
            pit.meter_registry.publish()
            assert not viewer.messages
            (stream,) = actor.meters.streams
            meter = pit.meters.seen[stream]
            pit.meters.seen[stream] = replace(meter, pool_micros=meter.pool_micros + 10 * MICROS)
            pit.meter_registry.publish()
            sent = msgspec.json.decode(viewer.messages.pop(0) or b"")
            assert [it["amount_cents"] for it in sent["meters"].values()] == [meter.amount_cents + 10]
            pit.meter_registry.publish()
            assert not viewer.messages

    asyncio.run(story())


async def until_open(actor: TableActor) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while actor.table.step != "open_bets":
            await asyncio.sleep(0)
