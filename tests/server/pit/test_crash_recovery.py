"""After any crash each acknowledged command is stored once, and an open round continues."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from crossfelt.proof.verify import verify
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.server.audit.export import export_stream
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.broadcast.viewer_messages import Viewpoint, options_of
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.server import Server
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.sql_store import Store
from limits import WAIT_SECONDS
from server.crashing_store import Crashing, Moment
from server.persistent_player import CUT_OFF, Player
from server.persistent_player import check as check_player
from server.served import decided
from server.server_process import ServerProcess
from soak_length import Progress, Recorded, one_of_each_game, scaled

TABLE = "kept"
KILLS = 12
KILLS_SOAK = 10_000


# --- at every write of a round ----------------------------------------------------------------------------------------


@asynccontextmanager
async def server_of(directory: Path, crash: tuple[int, Moment] | None) -> AsyncIterator[tuple[Server, Crashing | None]]:
    store = open_store(directory)
    crashing = Crashing(store, f"table/{TABLE}", *crash) if crash else None
    server = Server(cast("Store", crashing or store), directory)
    try:
        await server.open()
        yield server, crashing
    finally:
        if crashing is None or not crashing.crashed:
            await server.close()
        else:
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.sleep(0)
            await store.close()


Answers = dict[str, tuple[dict[str, Any], int]]
"""The acknowledged commands by id, with the seq of their answers."""


async def play_one(server: Server, answers: Answers) -> bool:
    """Play the first round of the table, and repeat every acknowledged command; return whether the round is over."""
    actor = server.pit.actors[TABLE]
    actor.join(Subscriber("Ann", "player"))
    numbers = count(len(answers))
    for key, (fields, seq) in answers.items():
        again = await actor.ask(CommandRequest(id=key, who="Ann", role="player", fields=fields))
        assert again.seq == seq, "an acknowledged command has another answer after the crash"
    while not actor.memory.rounds:
        if server.pit.actors.get(TABLE) is not actor:
            return False
        asked = _next(actor)
        if asked is None:
            await asyncio.sleep(0.001)
            continue
        key = f"command-{next(numbers)}"
        answer = await actor.ask(CommandRequest(id=key, who="Ann", role="player", fields=asked))
        if answer.problem is None:
            answers[key] = asked, answer.seq
        elif answer.problem.code in ("table.moving", "table.stopping"):
            return False
        if asked["command"] == "place_wagers":
            actor.ready("Ann", None)
    return True


def _next(actor: TableActor) -> dict[str, Any] | None:
    """Return Ann's next act: she sits down, bets the least and takes the first choice."""
    if all(seat.player != "Ann" for seat in actor.table.seats):
        return {"command": "take_seat", "seat": 1, "chips_cents": 500_00}
    if actor.table.seat(1).wagers and actor.table.step == "open_bets":
        actor.ready("Ann", None)
        return None
    options = msgspec.to_builtins(options_of(actor.table, Viewpoint("player", "Ann")))
    return decided(options, 1, open_bets=actor.table.step == "open_bets")


def crash_at(directory: Path, rulebook: str, moment: Moment, writes: range) -> None:
    """Play the same round with a crash at each of these writes, until the round is over before the crash."""

    async def prepare() -> None:
        async with server_of(directory / "before", None) as (server, _):
            await server.accounts.guest("Ann")
            await server.pit.create(TableSettings(id=TABLE, rulebook=rulebook, pace="instant"), who="test")
            for table in set(server.pit.actors) - {TABLE}:
                await server.pit.retire(table, who="test")

    async def one(at: int) -> bool:
        """Return whether the round was over before the crash."""
        answers: Answers = {}
        copy = directory / f"{at}"
        shutil.copytree(directory / "before", copy)
        async with server_of(copy, (at, moment)) as (server, crashing):
            async with asyncio.timeout(WAIT_SECONDS):
                await play_one(server, answers)
            assert crashing is not None
        if not crashing.crashed:
            return True
        async with server_of(copy, None) as (server, _):
            async with asyncio.timeout(WAIT_SECONDS):
                assert await play_one(server, answers)
            await check(server, copy)
        return False

    async def all_writes() -> bool:
        await prepare()
        for at in writes:
            if await one(at):
                return True
        return False

    assert asyncio.run(all_writes()), "the round has more writes than there were crashes"


@pytest.mark.parametrize("rulebook", one_of_each_game())
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_crash_at_any_write_loses_nothing_and_repeats_nothing(rulebook: str, moment: Moment, tmp_path: Path) -> None:
    """At every third write, before it and after it in turn."""
    crash_at(tmp_path, rulebook, moment, range(1 if moment == "before" else 2, 200, 3))


@pytest.mark.soak
@pytest.mark.parametrize("rulebook", rulebook_ids())
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_crash_at_every_write(rulebook: str, moment: Moment, tmp_path: Path) -> None:
    crash_at(tmp_path, rulebook, moment, range(1, 200))


async def check(server: Server, directory: Path) -> None:
    """Check that every chain holds, the table's history is verified, and no cent was made or lost."""
    assert (await server.check_everything()).sound
    actor = server.pit.actors[TABLE]
    account = await server.accounts.account("ann")
    chips = sum(actor.table.balances.get(f"chips:{seat.number}", 0) for seat in actor.table.seats)
    assert account.balance_cents <= 1_000_00
    assert sum(actor.table.balances.values()) == 0
    assert chips >= 0
    file = directory / "history.jsonl"
    with file.open("wb") as history:
        await export_stream(server.store, actor.settings.stream, history)
    assert verify(file).fault is None


# --- kill -9 of the real server ---------------------------------------------------------------------------------------


async def kill_during_play(directory: Path, kills: int, progress: Progress) -> Player:
    player, chance, process = Player(), random.Random(7), ServerProcess(directory)
    async with server_of(directory, None) as (server, _):
        # With one table, and an owner with a password, the server starts faster.
        assert server.owner_password is not None
        owner = await server.accounts.log_in("owner", server.owner_password)
        await server.accounts.set_password(owner.identity, server.owner_password, "nine of clubs, turned")
        player.token = (await server.accounts.guest(player.name)).token
        player.table = TABLE
        settings = TableSettings(id=TABLE, rulebook="nj-criss-cross", pace="instant")
        await server.pit.create(settings, who="test", bots={2: "careful", 3: "random"})
        for table in set(server.pit.actors) - {TABLE}:
            await server.pit.retire(table, who="test")
    for killed in range(kills):
        progress(killed, kills)
        process.start()
        playing = asyncio.create_task(player.play(await asyncio.to_thread(process.wait)))
        await player.reaches(len(player.answers) + chance.randrange(1, 15), playing)
        await asyncio.sleep(chance.uniform(0, 0.005))
        process.end()
        with suppress(*CUT_OFF):
            await playing
        assert "fault" not in process.errors, process.errors
    return player


def run_kills(directory: Path, kills: int, progress: Progress) -> int:
    """Return the number of acknowledged commands."""
    player = asyncio.run(kill_during_play(directory, kills, progress))

    async def look() -> None:
        async with server_of(directory, None) as (server, _):
            assert (await server.check_everything()).sound
            await check_player(server, directory, player)

    asyncio.run(look())
    return len(player.answers)


def test_kills_during_play_lose_no_acknowledged_command(tmp_path: Path, progress: Progress) -> None:
    run_kills(tmp_path, KILLS, progress)


@pytest.mark.soak
def test_many_kills_during_play(tmp_path: Path, record_property: Recorded, progress: Progress) -> None:
    kills = scaled(KILLS_SOAK)
    answers = run_kills(tmp_path, kills, progress)
    record_property("figure", f"{kills:,} kills, {answers:,} commands acknowledged: none lost, none twice")
