"""Bad input over the wire: a clear refusal, nothing changed; and repeated commands have one effect."""

from __future__ import annotations

import asyncio
import json
import random
import string
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from crossfelt.client import TableClient
from crossfelt.house.live import socket
from crossfelt.house.tables.actor import Asked, TableActor
from crossfelt.house.tables.viewing import Viewpoint, options_of
from crossfelt.table.moves import KINDS
from house.serving import Served, decided, serving
from house.soaking import scaled

FRAMES: Final = 20_000
FRAMES_SOAK: Final = 10_000_000
COMMANDS: Final = 5_000
COMMANDS_SOAK: Final = 1_000_000
TABLE: Final = "nj-criss-cross-1"


class Fuzz:
    """Frames that are nearly right, or not at all. The same seed gives the same frames."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def frame(self) -> str:
        kind = self.chance.randrange(6)
        if kind == 0:
            return "".join(self.chance.choices(string.printable, k=self.chance.randrange(40)))
        if kind == 1:
            return json.dumps(self.value(3))
        text = json.dumps(self.message())
        if kind == 2:
            place = self.chance.randrange(len(text))
            return text[:place] + self.chance.choice('{}[]",:0x\\') + text[place + 1 :]
        if kind == 3:
            return text[: self.chance.randrange(len(text))]
        return text

    def message(self) -> dict[str, Any]:
        kinds = ["command", "command", "command", "ready", "ping", "hello"]
        message: dict[str, Any] = {"type": self.chance.choice(kinds)}
        if message["type"] != "ping":
            message["id"] = self.chance.choice([self.word(), "", "x" * 100, 7, None])
        if message["type"] == "command":
            names = self.chance.sample(["seat", "cents", "wagers", "low", "cards", "kind", "who", "role", "at"], k=3)
            kind = self.chance.choice([*KINDS, "nonsense"])
            message["command"] = {"command": kind, **{name: self.value(2) for name in names}}
            if self.chance.random() < 0.3:
                message["round"] = self.value(0)
        if self.chance.random() < 0.1:
            message[self.word()] = self.value(1)
        return message

    def value(self, deep: int) -> Any:
        plain = [0, 1, -1, 2**63, 2**200, 1.5, True, None, "", self.word(), "As", "??", "floor", "\ud800"]
        kind = self.chance.randrange(len(plain) + 2 * (deep > 0))
        if kind < len(plain):
            return plain[kind]
        if kind == len(plain):
            return [self.value(deep - 1) for _ in range(self.chance.randrange(3))]
        return {self.word(): self.value(deep - 1) for _ in range(self.chance.randrange(3))}

    def word(self) -> str:
        return "".join(self.chance.choices(string.ascii_lowercase, k=5))


def run(directory: Path, frames: int) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        actor = served.house.pit.find(TABLE)
        fuzz, answered = Fuzz(7), 0
        before = actor.table

        def hear(message: dict[str, Any]) -> None:
            nonlocal answered
            answered += message["type"] in ("refused", "pong", "accepted", "bye")
            assert message["type"] != "accepted", "nonsense was carried out"

        table = guest.table(TABLE)
        await table.connect()
        table.heard = hear
        for sent in range(frames):
            if table.goodbye:
                table = guest.table(TABLE)
                await table.connect()
                table.heard = hear
            await table.send_text(fuzz.frame())
            if sent % 50 == 49:
                await asyncio.sleep(0)
        while answered < frames // 2 and not table.goodbye:
            await asyncio.sleep(0.01)
        await table.close()
        assert actor.table == before
        assert served.house.metrics.faults == 0
        other = guest.table(TABLE)
        async with other:
            assert (await other.give("take_seat", seat=1, chips_cents=100_00)).accepted

    async def told() -> None:
        async with serving(directory) as served:
            await story(served)

    asyncio.run(told())


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections may say as much as they like: here everything is to be read."""
    monkeypatch.setattr(socket, "MESSAGES_A_SECOND", 1e9)
    monkeypatch.setattr(socket, "BURST", 1 << 40)
    monkeypatch.setattr(socket, "NONSENSE", 1 << 40)


@pytest.mark.usefixtures("unhurried")
def test_fuzzed_frames_are_refused_and_change_nothing(tmp_path: Path) -> None:
    run(tmp_path, FRAMES)


@pytest.mark.soak
@pytest.mark.usefixtures("unhurried")
def test_ten_million_fuzzed_frames(tmp_path: Path) -> None:
    run(tmp_path, scaled(FRAMES_SOAK))


def test_who_talks_nonsense_or_too_much_is_cut_off(tmp_path: Path) -> None:
    async def told() -> None:
        async with serving(tmp_path) as served:
            guest = await served.guest("Ann")
            table = guest.table(TABLE)
            await table.connect()
            for _ in range(200):
                await table.send_text("nonsense")
            await _gone(table)
            assert "cannot be read" in table.goodbye

    asyncio.run(told())


async def _gone(table: TableClient) -> None:
    async with asyncio.timeout(10):
        while not table.goodbye:
            await asyncio.sleep(0.01)
    await table.close()


# --- one command, one effect ------------------------------------------------------------------------------------------


def run_repeated(directory: Path, commands: int) -> None:
    """Every command is sent several times, late ones again after their time, in any order."""

    async def told() -> None:
        async with serving(directory) as served:
            guest = await served.guest("Ann")
            name = await guest.open_table("md-criss-cross", pace="instant")
            actor = served.house.pit.find(name)
            async with guest.table(name):
                await repeated(actor, commands)
            stored = await served.house.store.rows(actor.settings.stream)
            ids = [row.command_id for row in stored if row.command_id]
            assert len(ids) == len(set(ids)), "a command had two effects"

    async def repeated(actor: TableActor, commands: int) -> None:
        chance, given = random.Random(7), 0
        old: list[Asked] = []
        answers: dict[str, set[Any]] = {}
        sits = {"command": "take_seat", "seat": 1, "chips_cents": 90_000}
        seated = Asked(id="sit", who="Ann", role="player", fields=sits)
        for _ in range(3):
            answers.setdefault("sit", set()).add((await actor.ask(seated)).seq)
        while given < commands:
            asked = _wish(actor, given)
            batch = [asked] * chance.randrange(1, 4) if asked else []
            batch += chance.choices(old, k=3) if old else []
            chance.shuffle(batch)
            for one in batch:
                answer = await actor.ask(one)
                answers.setdefault(one.id, set()).add((answer.seq, answer.problem and answer.problem.code))
            given += len(batch) or 1
            old = (old + batch)[-200:]
            if actor.table.step == "open_bets" and actor.table.seat(1).wagers:
                actor.ready("Ann", None)
            await asyncio.sleep(0)
        assert all(len(told) == 1 for told in answers.values()), "one id had two answers"

    asyncio.run(told())


def _wish(actor: TableActor, number: int) -> Asked | None:
    options = msgspec.to_builtins(options_of(actor.table, Viewpoint("player", "Ann")))
    fields = decided(options, 1, open_bets=actor.table.step == "open_bets")
    return None if fields is None else Asked(id=f"c{number}", who="Ann", role="player", fields=fields)


def test_repeated_late_and_reordered_commands_have_one_effect(tmp_path: Path) -> None:
    run_repeated(tmp_path, COMMANDS)


@pytest.mark.soak
def test_a_million_repeated_commands(tmp_path: Path) -> None:
    run_repeated(tmp_path, scaled(COMMANDS_SOAK))
