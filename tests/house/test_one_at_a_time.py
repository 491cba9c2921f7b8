"""A table takes one thing at a time, however many come and go, and what nothing comes of leaves nothing behind."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
from msgspec.structs import replace

from crossfelt.house.tables.actor import INBOX, TableActor
from crossfelt.house.tables.asked import Asked
from crossfelt.house.tables.recovery import read_seal
from crossfelt.house.tables.settings import TableSettings
from crossfelt.house.tables.watching import Watcher
from crossfelt.problems import BadInput
from crossfelt.table.events import FirstHandChosen
from house.serving import pit_of


def asked(key: str, who: str = "Ann", **fields: object) -> Asked:
    return Asked(id=key, who=who, role="player", fields=fields)


async def sit(actor: TableActor, name: str, seat: int) -> None:
    actor.join(Watcher(name, "player"))
    answer = await actor.ask(asked("sit", name, command="take_seat", seat=seat, chips_cents=500_00))
    assert answer.problem is None


def test_connections_that_come_and_go_keep_nobody_from_acting(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann") as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="ma-criss-cross", pace="instant"), who="test")
            for _ in range(2 * INBOX):
                stranger = Watcher("", "spectator")
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
            wagers = {"ante_across": 500, "ante_down": 500}
            low = replace(asked("low", command="place_wagers", seat=1, wagers={"ante_across": 1}), ready=True)
            assert (await actor.ask(low)).problem is not None
            assert not actor.playing.who_is_ready
            await actor.ask(replace(asked("a", command="place_wagers", seat=1, wagers=wagers), ready=True))
            assert actor.table.step == "open_bets"
            assert set(actor.playing.who_is_ready) == {1}
            last = replace(asked("b", "Bob", command="place_wagers", seat=2, wagers=wagers), ready=True)
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
            wagers = {"ante_across": 500, "ante_down": 500}
            await actor.ask(asked("bet", command="place_wagers", seat=1, wagers=wagers))
            actor.ready("Ann", None)
            deadline = actor.playing.deadline(actor.table)
            assert deadline == now + 1000 * actor.settings.times.late_seconds
            looked_at, now = deadline - 1, deadline + 1
            assert actor.playing.wake_at(actor.table, looked_at) == deadline

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
            async with asyncio.timeout(10):
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
            async with asyncio.timeout(20):
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


def test_what_was_planned_upon_a_command_that_is_stored_already_is_taken_back(tmp_path: Path) -> None:
    """After a start answers are not remembered: a command that is sent again is planned with, and found to be there.
    What others say meanwhile stands."""
    wagers = {"ante_across": 500, "ante_down": 500}
    bet = replace(asked("bet", command="place_wagers", seat=1, wagers=wagers), ready=True)

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
                actor.join(Watcher(name, "player"))
            before = actor.playing.mark()
            assert (await actor.ask(bet)).seq == seq
            assert actor.playing.mark() == before
            actor._answers.clear()
            again = asyncio.create_task(actor.ask(bet))
            while actor.playing.who_is_ready != (1,):
                await asyncio.sleep(0)
            actor.ready("Bob", None)
            actor._paused_until = 1 << 60  # so that bets stay open with both of them ready
            assert (await again).seq == seq
            assert actor.playing.who_is_ready == (2,)
            actor.ready("Ann", None)
            before = actor.playing.mark()
            actor._answers.clear()
            assert (await actor.ask(bet)).seq == seq
            assert actor.playing.mark() == before

    asyncio.run(second(asyncio.run(first())))
