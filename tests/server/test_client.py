"""The table client over connections that end, and ids that are sent twice at once."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import msgspec
import pytest

from crossfelt import client
from crossfelt.client import Client, Disconnected, TableClient
from limits import WAIT_SECONDS
from server.served import serving

TABLE = "nj-criss-cross-1"


class Line:
    """A connection to a server that only sends a welcome."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[bytes] = asyncio.Queue()
        self.closed = False

    async def send(self, data: bytes, *, text: bool) -> None:
        if msgspec.json.decode(data)["type"] == "hello":
            self.say("resumed", seq=0)

    def say(self, kind: str, **fields: object) -> None:
        self.messages.put_nowait(msgspec.json.encode({"type": kind, **fields}))

    async def recv(self, *, decode: bool) -> bytes:
        return await self.messages.get()

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[Line]:
    """The connections that a client makes, in order."""
    made = list[Line]()

    async def connect(*_: object, **__: object) -> Line:
        made.append(Line())
        return made[-1]

    monkeypatch.setattr(client, "connect", connect)
    return made


def test_a_client_reconnects_after_a_goodbye(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as served, asyncio.timeout(WAIT_SECONDS):
            ann = await (await served.guest("Ann")).table(TABLE).connect()
            for seat in range(1, 6):
                served.server.pit.find(TABLE).broadcaster.close("the table is moving: connect again")
                with pytest.raises(Disconnected, match="moving"):
                    await ann.until(lambda _: False)
                await ann.connect()
                assert (await ann.give("take_seat", seat=seat, chips_cents=100_00)).seq == ann.seq
                assert not ann.goodbye
            await ann.close()

    asyncio.run(story())


def test_a_message_of_an_earlier_connection_is_ignored(lines: list[Line]) -> None:
    async def story() -> None:
        ann = await TableClient("ws://house/", "").connect()
        asked = asyncio.create_task(ann.give("sit_out"))
        await asyncio.sleep(0)
        await ann.connect()
        with pytest.raises(Disconnected):
            await asyncio.wait_for(asked, WAIT_SECONDS)
        old, new = lines
        assert old.closed
        old.say("bye", why="too late")
        await asyncio.sleep(0)
        assert not ann.goodbye
        new.say("bye", why="in time")
        with pytest.raises(Disconnected, match="in time"):
            await ann.until(lambda _: False)

    asyncio.run(story())


def test_the_same_id_sent_twice_at_once_is_answered_twice(lines: list[Line]) -> None:
    async def story() -> None:
        ann = await TableClient("ws://house/", "").connect()
        asked = [asyncio.create_task(ann.give("sit_out", command_id="once")) for _ in range(3)]
        await asyncio.sleep(0)
        asked[0].cancel()
        await asyncio.sleep(0)
        lines[0].say("accepted", id="once", seq=7)
        async with asyncio.timeout(WAIT_SECONDS):
            assert [answer.seq for answer in await asyncio.gather(*asked[1:])] == [7, 7]

    asyncio.run(story())


def test_a_seed_that_the_house_knows_is_not_used_again(lines: list[Line]) -> None:
    """A house that shows the hash of an earlier round, or signs a receipt for it, gets nothing for it."""

    async def story() -> None:
        ann = TableClient("", "")
        ann.you, ann.table = {"role": "player"}, {"dealt_by": "automatic"}
        ann.commitment = {"root": "of this round"}
        ann.view = {"round": 1, "seats": [{"number": 1, "seed_hash": ""}], "seeds_due": [], "deal_order": [[1, "hole"]]}
        async with asyncio.timeout(WAIT_SECONDS):
            await ann.connect()
            wagers = {"command": "place_wagers", "seat": 1, "wagers": {"ante": 500}}
            first = ann._with_seed(wagers, "first")["seed_hash"]
            lines[0].say("happened", seq=1, events=[], patch={"seats": {"1": {"number": 1, "seed_hash": first}}})
            await ann.until(lambda seen: seen.seq == 1)
            assert "seed_hash" not in ann._with_seed(wagers, "raised")
            lines[0].say("happened", seq=2, events=[], patch={"seeds_due": [1]})
            await ann.until(lambda seen: seen.seq == 2)
            assert ann.noted == {first: {"root": "of this round", "hashes": {1: first}, "deal_order": [[1, "hole"]]}}
            lines[0].say("happened", seq=3, events=[], patch={"seeds_due": [], "round": 2})
            await ann.until(lambda seen: seen.seq == 3)
            second = ann._with_seed(wagers, "second")["seed_hash"]
            assert second != first
            lines[0].say("accepted", id="second", seq=4, receipt={"round": 2, "seed_hash": first})
            lines[0].say("accepted", id="second", seq=4, receipt={"round": 2, "seed_hash": second})
            await ann.until(lambda seen: seen.receipts)
            assert [it["seed_hash"] for it in ann.receipts] == [second]

    asyncio.run(story())


def test_a_message_that_cannot_be_read_ends_the_connection(tmp_path: Path) -> None:
    def fail(_: bytes) -> None:
        raise ValueError("not a message")

    async def story() -> None:
        async with serving(tmp_path) as served, asyncio.timeout(WAIT_SECONDS):
            ann = await (await served.guest("Ann")).table(TABLE).connect()
            ann.receive = fail
            with pytest.raises(Disconnected):
                await ann.give("take_seat", seat=1, chips_cents=100_00)
            with pytest.raises(ValueError, match="not a message"):
                await ann.close()

    asyncio.run(story())


def test_a_server_that_never_answers_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "ANSWER_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent_server = Client(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(OSError, match="timed out"):
            asyncio.run(silent_server.get("/api/lobby"))
