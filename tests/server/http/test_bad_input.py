"""Bad input over the wire: a clear refusal, nothing changed; and repeated commands have one effect."""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from benchmarks.attacks.frames import Fuzz
from crossfelt.client import Client, TableClient
from crossfelt.server.accounts import accounts
from crossfelt.server.ws import protocol, session
from limits import WAIT_SECONDS
from server.served import Decided, Served, decided, serving
from soak_length import Recorded, scaled

FRAMES: Final = 20_000
FRAMES_SOAK: Final = 10_000_000
COMMANDS: Final = 5_000
COMMANDS_SOAK: Final = 1_000_000
TOGETHER: Final = 500
"""Frames sent before the test waits for the server."""
PINGS: Final = 10**9
"""Our own pings are numbered from here on."""
TABLE: Final = "nj-criss-cross-1"


class Answers:
    """Answers to bad input. The server carries out none of it, and keeps answering."""

    def __init__(self) -> None:
        self.refused = 0
        self._heard_of = 0

    def hear(self, message: dict[str, Any]) -> None:
        assert message["type"] != "accepted", "nonsense was carried out"
        self.refused += message["type"] in ("refused", "bye")
        if message["type"] == "pong":
            self._heard_of = max(self._heard_of, message["n"] - PINGS)

    async def caught_up(self, table: TableClient, sent: int) -> None:
        """Wait until the server has read all frames: it answers a ping after them."""
        await table.send_text(json.dumps({"type": "ping", "n": PINGS + sent}))
        async with asyncio.timeout(WAIT_SECONDS):
            while self._heard_of < sent and not table.goodbye:
                await asyncio.sleep(0.001)


def run(directory: Path, frames: int) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        actor = served.server.pit.find(TABLE)
        fuzz, answers, before = Fuzz(7), Answers(), actor.table
        table = guest.table(TABLE)
        await table.connect()
        for sent in range(1, frames + 1):
            if table.goodbye:
                table = guest.table(TABLE)
                await table.connect()
            table.on_message = answers.hear
            await table.send_text(fuzz.frame())
            if sent % TOGETHER == 0 or sent == frames:
                await answers.caught_up(table, sent)
        await table.close()
        assert answers.refused > frames // 2
        assert actor.table == before
        assert served.faults == 0
        other = guest.table(TABLE)
        async with other:
            assert (await other.give("take_seat", seat=1, chips_cents=100_00)).accepted

    async def run_test() -> None:
        async with serving(directory) as served:
            await story(served)

    asyncio.run(run_test())


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the rate limits of connections, so that every frame is read."""
    monkeypatch.setattr(session, "MESSAGES_A_SECOND", 1e9)
    monkeypatch.setattr(session, "BURST", 1 << 40)
    monkeypatch.setattr(session, "MAX_REJECTED", 1 << 40)
    monkeypatch.setattr(protocol, "FRAMES_AT_ONCE", 1 << 40)


@pytest.mark.usefixtures("unhurried")
def test_fuzzed_frames_are_refused_and_change_nothing(tmp_path: Path) -> None:
    run(tmp_path, FRAMES)


@pytest.mark.soak
@pytest.mark.usefixtures("unhurried")
def test_ten_million_fuzzed_frames(tmp_path: Path, record_property: Recorded) -> None:
    run(tmp_path, scaled(FRAMES_SOAK))
    record_property("figure", f"{scaled(FRAMES_SOAK):,} fuzzed frames: refused, nothing changed")


def test_a_message_over_the_rate_limit_is_refused_by_its_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[dict[str, Any]] = []
    # A second passes with each refusal, and none on the way to it: a busy machine would keep to the limit.
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: float(len(refused))))

    def receive(message: dict[str, Any]) -> None:
        if message.get("problem", {}).get("code") == "message.rate":
            refused.append(message)

    async def run_test() -> None:
        async with serving(tmp_path) as served, (await served.guest("Ann")).table(TABLE) as table:
            table.on_message = receive
            asked = [table.give("fold", seat=1) for _ in range(session.BURST + session.MAX_REJECTED // 2)]
            async with asyncio.timeout(WAIT_SECONDS):
                answers = await asyncio.gather(*asked)
            assert refused
            assert all(message["id"] for message in refused)
            codes = {(answer.problem or {})["code"] for answer in answers}
            assert "message.rate" not in codes, "the client asks again, more slowly"

    asyncio.run(run_test())


@pytest.mark.parametrize(
    ("text", "why"), [("nonsense", session.TOO_MANY_UNREADABLE), ('{"type": "ping", "n": 1}', session.TOO_MANY)]
)
def test_a_client_with_too_many_rejected_messages_is_disconnected(
    text: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: 0.0))

    async def run_test() -> None:
        async with serving(tmp_path) as served:
            table = (await served.guest("Ann")).table(TABLE)
            await table.connect()
            for _ in range(200):
                await table.send_text(text)
            await _gone(table)
            assert table.goodbye == why

    asyncio.run(run_test())


async def _gone(table: TableClient) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not table.goodbye:
            await asyncio.sleep(0.01)
    await table.close()


# --- one command, one effect ------------------------------------------------------------------------------------------


def run_repeated(directory: Path, commands: int) -> None:
    """Have a player send every command several times over two connections, some of them late."""

    async def run_test() -> None:
        async with serving(directory) as served:
            guest = await served.guest("Ann")
            name = await guest.open_table("md-criss-cross", pace="instant")
            async with guest.table(name) as first, guest.table(name) as second:
                second.seeds, second.sent_hashes = first.seeds, first.sent_hashes
                await repeated(guest, (first, second), commands)
            stored = await served.server.store.rows(served.server.pit.find(name).settings.stream)
            ids = [row.command_id for row in stored if row.command_id]
            assert len(ids) == len(set(ids)), "a command had two effects"

    async def repeated(guest: Client, tables: tuple[TableClient, TableClient], commands: int) -> None:
        chance, sent = random.Random(7), 0
        old: deque[tuple[str, Decided]] = deque(maxlen=200)
        answers: dict[str, Any] = {}
        fresh = count()

        async def give(table: TableClient, batch: list[tuple[str, Decided]]) -> None:
            for key, fields in batch:
                answer = await table.ask(fields, command_id=key)
                outcome = answer.seq, answer.problem and answer.problem["code"]
                assert answers.setdefault(key, outcome) == outcome, "one id had two answers"

        while sent < commands:
            fields = _wish(tables[0])
            batch = [(f"c{next(fresh)}", fields)] * chance.randrange(1, 4) if fields else []
            if fields and fields["command"] == "buy_chips":
                await guest.post("/api/me/deposits", {"cents": fields["cents"]})
            old.extend(batch[:1])
            batch += chance.choices(old, k=12)
            chance.shuffle(batch)
            half = chance.randrange(len(batch) + 1)
            await asyncio.gather(give(tables[0], batch[:half]), give(tables[1], batch[half:]))
            sent += len(batch)
            if tables[0].view["step"] == "open_bets" and tables[0].view["seats"][0]["wagers"]:
                await tables[0].ready()

    asyncio.run(run_test())


def _wish(table: TableClient) -> Decided | None:
    open_bets, seat = table.view["step"] == "open_bets", table.view["seats"][0]
    if not seat["player"]:
        return {"command": "take_seat", "seat": 1, "chips_cents": 900_00}
    fields = decided(table.allowed, 1, open_bets=open_bets)
    if fields is None and open_bets and not seat["wagers"]:
        return {"command": "buy_chips", "seat": 1, "cents": 900_00}
    return fields


@pytest.mark.usefixtures("unhurried")
def test_repeated_late_and_reordered_commands_have_one_effect(tmp_path: Path) -> None:
    run_repeated(tmp_path, COMMANDS)


@pytest.mark.soak
@pytest.mark.usefixtures("unhurried")
def test_a_million_repeated_commands(
    tmp_path: Path, record_property: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "DAY_CENTS", 10**12)  # the player goes on for longer than a day's deposits
    run_repeated(tmp_path, scaled(COMMANDS_SOAK))
    record_property("figure", f"{scaled(COMMANDS_SOAK):,} repeated, late and reordered commands: one effect each")
