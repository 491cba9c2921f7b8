"""Who connects and asks for nothing, never ends the question, or does not take the answer, is not kept."""

from __future__ import annotations

import asyncio
import logging
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from crossfelt.client import HouseClient
from crossfelt.client.load import quick_loop
from crossfelt.house.http import patience
from house.serving import Served, serving

UNFINISHED = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    "half a body": b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    "a second request": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /",
}


async def said_until_closed(served: Served, words: bytes, then: bytes = b"") -> bytes:
    """What is answered until the connection is closed; `then` is said after a first answer."""
    address, answer = urlsplit(served.address), b""
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(words)
    async with asyncio.timeout(10):
        if then:
            answer = await reader.readuntil(b"}")
            writer.write(then)
        answer += await reader.read()
    writer.close()
    return answer


def test_who_does_not_finish_asking_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "ASKING_SECONDS", 0.1)

    async def story() -> None:
        async with serving(tmp_path) as served:
            for why, words in UNFINISHED.items():
                answer = await said_until_closed(served, words)
                assert (b" 200 " in answer) == (why == "a second request"), why
            asked = b"GET /api/nothing HTTP/1.1\r\nHost: localhost\r\n"
            for then, answers in (b"\r\n", 1), (asked + b"Connection: close\r\n\r\n", 2):
                answer = await said_until_closed(served, asked + b"\r\n", then)
                assert answer.count(b"HTTP/1.1 404") == answers
            async with HouseClient(served.address).table("nj-criss-cross-1", "spectator") as table:
                await asyncio.sleep(0.3)
                assert not table.goodbye

    asyncio.run(story())


async def ask_for_much(client: socket.socket, served: Served) -> None:
    """For more at once than the system keeps by itself of what is not read."""
    address, loop = urlsplit(served.address), asyncio.get_running_loop()
    client.setblocking(False)
    await loop.sock_connect(client, (address.hostname, address.port))
    await loop.sock_sendall(client, 200 * b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")


@pytest.mark.skipif(patience.TAKES_NOTHING is None, reason="not on this system")
def test_who_does_not_take_the_answer_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "TAKING_SECONDS", 0.1)

    async def until_refused(client: socket.socket) -> None:
        """Who has been let go of hears it when they next say something."""
        async with asyncio.timeout(10):
            while True:
                await asyncio.get_running_loop().sock_sendall(client, b"\r\n")
                await asyncio.sleep(0.005)

    async def story() -> None:
        async with serving(tmp_path) as served:
            with socket.socket() as client:
                await ask_for_much(client, served)
                with pytest.raises(ConnectionError):
                    await until_refused(client)
            assert await HouseClient(served.address).get("/api/me")

    asyncio.run(story())


def test_who_goes_between_several_answers_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    full = asyncio.Event()

    def pause_writing(protocol: patience.PatientProtocol) -> None:
        protocol.flow.pause_writing()
        full.set()

    monkeypatch.setattr(patience.PatientProtocol, "pause_writing", pause_writing)

    async def story() -> None:
        async with serving(tmp_path) as served:
            monkeypatch.setattr(logging.getLogger("uvicorn.error"), "handlers", [caplog.handler])
            with socket.socket() as client:
                await ask_for_much(client, served)
                await full.wait()
                await asyncio.sleep(0)  # until the next answer waits to be written
            assert await HouseClient(served.address).get("/api/me")

    with asyncio.Runner(loop_factory=quick_loop()) as runner:
        runner.run(story())
    assert not caplog.records
