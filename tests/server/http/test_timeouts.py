"""Clients that send no request, never finish it, or do not read the response are disconnected."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
import uvicorn
from uvicorn.server import ServerState

from benchmarks.load import quick_loop
from crossfelt.client import Client
from crossfelt.server.http import timeouts
from crossfelt.server.ws import protocol as connection
from crossfelt.server.ws import session
from limits import WAIT_SECONDS
from server.served import Served, serving

SHORT_SECONDS = 2.0
"""The server's patience in these tests: less than they wait, and more than a busy machine needs for an answer."""
UNFINISHED = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    "half a body": b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    "a second request": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /",
}


async def said_until_closed(served: Served, words: bytes, then: bytes = b"") -> bytes:
    """Return all that is answered until the connection is closed; `then` is sent after a first answer."""
    address, answer = urlsplit(served.address), b""
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(words)
    async with asyncio.timeout(WAIT_SECONDS):
        if then:
            answer = await reader.readuntil(b"}")
            writer.write(then)
        answer += await reader.read()
    writer.close()
    return answer


def test_an_unfinished_request_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeouts, "REQUEST_SECONDS", SHORT_SECONDS)

    async def story() -> None:
        async with serving(tmp_path) as served:
            answers = await asyncio.gather(*(said_until_closed(served, words) for words in UNFINISHED.values()))
            for why, answer in zip(UNFINISHED, answers, strict=True):
                assert (b" 200 " in answer) == (why == "a second request"), why
            asked = b"GET /api/nothing HTTP/1.1\r\nHost: localhost\r\n"
            for then, times in (b"\r\n", 1), (asked + b"Connection: close\r\n\r\n", 2):
                answer = await said_until_closed(served, asked + b"\r\n", then)
                assert answer.count(b"HTTP/1.1 404") == times
            async with Client(served.address).table("nj-criss-cross-1", "spectator") as table:
                await asyncio.sleep(1.2 * SHORT_SECONDS)
                assert not table.goodbye

    asyncio.run(story())


UPGRADE = (
    b"GET /api/tables/nj-criss-cross-1/live?as=spectator HTTP/1.1\r\nHost: localhost\r\n"
    b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
UPGRADES = {
    "as it should be": (101, UPGRADE + b"\r\n"),
    "an empty body": (101, UPGRADE + b"Content-Length: 0\r\n\r\n"),
    "a body": (400, UPGRADE + b"Content-Length: 5\r\n\r\nhello"),
    "a body in chunks": (400, UPGRADE + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"),
    "a header longer than the library reads": (400, UPGRADE + b"X: " + 9_000 * b"a" + b"\r\n\r\n"),
}


@pytest.mark.parametrize("upgrade", UPGRADES)
def test_every_upgrade_request_is_answered(upgrade: str, tmp_path: Path) -> None:
    """Uvicorn would keep a request that the library cannot parse for ever, unanswered and uncounted."""
    status, words = UPGRADES[upgrade]

    async def story() -> None:
        async with serving(tmp_path) as served, asyncio.timeout(WAIT_SECONDS):
            address = urlsplit(served.address)
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            with closing(writer):
                writer.write(words)
                assert (await reader.readuntil()).startswith(b"HTTP/1.1 %d " % status)
                if status != 101:
                    await reader.read()  # until the server closes the connection

    asyncio.run(story())


def test_an_upgrade_has_a_time_limit_until_it_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HANDSHAKE_SECONDS", SHORT_SECONDS)

    async def never_accept(socket: Any, _table: str) -> None:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass

    async def story() -> None:
        async with serving(tmp_path) as served:
            async with Client(served.address).table("nj-criss-cross-1", "spectator") as table:
                await asyncio.sleep(1.2 * SHORT_SECONDS)
                assert not table.goodbye
            monkeypatch.setattr(session, "_serve", never_accept)
            assert await said_until_closed(served, UPGRADE + b"\r\n") == b""

    asyncio.run(story())


ASKED = b"GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
IN_CHUNKS = b"POST /api/nothing HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
LONG = (timeouts.LONGEST_HEAD + 1) * b"a"
TOO_LONG = {
    "an address": [b"GET /" + LONG + b" HTTP/1.1\r\n\r\n"],
    "a header": [ASKED + b"X: " + LONG + b"\r\n\r\n"],
    "many headers": [ASKED + timeouts.MOST_HEADERS * b"X: x\r\n" + b"\r\n"],
    "an address without an end": [b"GET /", LONG],
    "a header without an end": [ASKED + b"X: ", LONG[:-100], LONG[:100]],
    "a header after the body": [IN_CHUNKS + b"X: " + LONG + b"\r\n\r\n"],
    "headers after the body without an end": [IN_CHUNKS + b"X: ", LONG],
    "nothing at all": [b"\r\n" * (len(LONG) // 2 + 1)],
}
NOT_TOO_LONG = {
    "a header": [ASKED + b"X: " + LONG[:-200] + b"\r\n\r\n"],
    "a header in pieces": [ASKED + b"X: ", LONG[:-200], b"\r\n\r\n"],
    "many headers": [ASKED + (timeouts.MOST_HEADERS - 2) * b"X: x\r\n" + b"\r\n"],
    "a body behind half a head": [ASKED.replace(b"GET", b"POST"), b"Content-Length: %d\r\n\r\n" % len(LONG) + LONG],
    "a body in pieces": [
        ASKED.replace(b"GET", b"POST") + b"Content-Length: 40000\r\n\r\n",
        LONG,
        LONG[: 40_000 - len(LONG)],
    ],
}


async def answered_to(parts: list[bytes]) -> bytes:
    """Return the first answer to these reads, followed by the end of the connection."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    config = uvicorn.Config(application, lifespan="off", log_config=None)
    config.load()
    with socket.socket() as nobody:
        protocol, transport = timeouts.TimeoutHttpProtocol(config, ServerState(), {}), Written(nobody)
        protocol.connection_made(transport)
        for part in parts:
            assert not transport.is_closing(), "refused too early"
            protocol.data_received(part)
        if not transport.is_closing():
            await asyncio.gather(*protocol.tasks)
        protocol.connection_lost(None)
    return b"".join(transport.written)


class Written(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self, underneath: socket.socket) -> None:
        super().__init__({"socket": underneath})
        self.written: list[bytes] = []
        self._closed = False

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.pauses_above = high

    def is_closing(self) -> bool:
        return self._closed

    def close(self) -> None:
        self._closed = True


@pytest.mark.parametrize("head", TOO_LONG)
def test_a_too_long_head_is_not_read_to_its_end(head: str) -> None:
    answer = asyncio.run(answered_to(TOO_LONG[head]))
    assert b"HTTP/1.1 431 " in answer
    assert answer.endswith(msgspec.json.encode({"problems": [timeouts.TOO_LONG]}))


@pytest.mark.parametrize("head", NOT_TOO_LONG)
def test_a_head_may_be_long_and_a_body_longer(head: str) -> None:
    assert asyncio.run(answered_to(NOT_TOO_LONG[head])).startswith(b"HTTP/1.1 200 ")


def test_a_server_refuses_a_too_long_head(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as served:
            for words, status in (ASKED + b"X: " + LONG, b"431"), (ASKED, b"404"):
                answer = await said_until_closed(served, words + b"\r\n\r\n")
                assert answer.startswith(b"HTTP/1.1 " + status)

    asyncio.run(story())


async def ask_for_much(client: socket.socket, served: Served) -> None:
    """Request more data at once than the system buffers for a client that does not read."""
    address, loop = urlsplit(served.address), asyncio.get_running_loop()
    client.setblocking(False)
    await loop.sock_connect(client, (address.hostname, address.port))
    await loop.sock_sendall(client, 200 * b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")


def test_an_unread_response_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the client goes on sending."""
    monkeypatch.setattr(timeouts, "UNREAD_SECONDS", 0.1)

    async def until_refused(client: socket.socket) -> None:
        """Send until the closed connection reports an error."""
        async with asyncio.timeout(WAIT_SECONDS):
            while True:
                await asyncio.get_running_loop().sock_sendall(client, b"\r\n")
                await asyncio.sleep(0.005)

    async def story() -> None:
        async with serving(tmp_path) as served:
            with socket.socket() as client:
                await ask_for_much(client, served)
                with pytest.raises(ConnectionError):
                    await until_refused(client)
            assert await Client(served.address).get("/api/me")

    asyncio.run(story())


def test_a_slow_reader_is_not_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeouts, "UNREAD_SECONDS", 0.001)
    unsent = iter((300, 200, 100, 100))
    aborted = asyncio.Event()

    class SlowlyRead(Written):
        def get_write_buffer_size(self) -> int:
            return next(unsent)

        def abort(self) -> None:
            aborted.set()

    async def story() -> None:
        config = uvicorn.Config(lambda: None, lifespan="off", log_config=None)
        config.load()
        with socket.socket() as nobody:
            protocol, transport = timeouts.TimeoutHttpProtocol(config, ServerState(), {}), SlowlyRead(nobody)
            protocol.connection_made(transport)
            assert transport.pauses_above == 0, "the last bytes of a response wait for the client too"
            protocol.pause_writing()
            async with asyncio.timeout(WAIT_SECONDS):
                await aborted.wait()
            protocol.connection_lost(None)

    asyncio.run(story())
    assert not list(unsent), "aborted while the client was still reading"


def test_a_disconnect_between_pipelined_responses_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    full = asyncio.Event()

    def pause_writing(protocol: timeouts.TimeoutHttpProtocol) -> None:
        protocol.flow.pause_writing()
        full.set()

    monkeypatch.setattr(timeouts.TimeoutHttpProtocol, "pause_writing", pause_writing)

    async def story() -> None:
        async with serving(tmp_path) as served:
            monkeypatch.setattr(logging.getLogger("uvicorn.error"), "handlers", [caplog.handler])
            with socket.socket() as client:
                await ask_for_much(client, served)
                await full.wait()
                await asyncio.sleep(0)  # until the next answer waits to be written
            assert await Client(served.address).get("/api/me")

    with asyncio.Runner(loop_factory=quick_loop()) as runner:
        runner.run(story())
    assert not caplog.records
