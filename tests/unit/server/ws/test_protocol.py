"""Frames of a client arrive as the library decodes them, however the bytes are split."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import State

from crossfelt.server.ws.protocol import FRAMES_AT_ONCE, WsProtocol
from crossfelt.wire import POLICY_VIOLATION

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: house\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
LARGEST = 1_000


class Transport(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closed = self.aborted = False
        self.reading = True

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def get_protocol(self) -> Any:
        return SimpleNamespace()

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True


def text(words: bytes, *, fin: bool = True, opcode: Opcode = Opcode.TEXT) -> bytes:
    return Frame(opcode, words, fin=fin).serialize(mask=True)


TALKS: dict[str, Sequence[bytes]] = {
    "texts of every size": [text(size * b"x") for size in (0, 1, 125, 126, 127, 999, LARGEST)],
    "one after the other": [text(b"%d" % number) for number in range(50)],
    "pings between": [text(b"a"), text(b"still there", opcode=Opcode.PING), text(b"b")],
    "in pieces": [text(b"be", fin=False), text(b"gun", opcode=Opcode.CONT), text(b"whole")],
    "pieces with a ping": [
        text(b"be", fin=False),
        text(b"", opcode=Opcode.PING),
        text(b"gun", opcode=Opcode.CONT),
    ],
    "pieces with nothing in them": [
        text(b"", fin=False),
        *[text(b"", fin=False, opcode=Opcode.CONT)] * 3,
        text(b"at last", opcode=Opcode.CONT),
    ],
    "bytes": [text(b"\x00\xff", opcode=Opcode.BINARY), text(b"a")],
    "goodbye": [text(b"a"), text(Close(1000, "bye").serialize(), opcode=Opcode.CLOSE), text(b"late")],
    "letters of two bytes": [text("é ♠".encode())],
}
ENDS: dict[str, tuple[bytes, int]] = {
    "a piece, then another text": (text(b"be", fin=False) + text(b"whole"), 1002),
    "no text": (text(b"\xff\xfe"), 1007),
    "too large": (text((LARGEST + 1) * b"x"), 1009),
    "not masked": (Frame(Opcode.TEXT, b"b").serialize(mask=False), 1002),
    "a bit that means nothing": (b"\xc1" + text(b"b")[1:], 1002),
    "a short length in two bytes": (b"\x81\xfe\x00\x7d" + bytes(4) + 125 * b"b", 1002),
    "a length of two bytes in eight": (b"\x81\xff" + (200).to_bytes(8) + bytes(4) + 200 * b"b", 1002),
}


async def received(kind: type[WebSocketsSansIOProtocol], parts: Sequence[bytes]) -> tuple[list[Any], bytes, bool]:
    """Return what the application receives, what is answered, and whether the connection is closed."""
    events: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (event := await receive())["type"] != "websocket.disconnect":
            events.append(event)
        events.append(event)

    config = uvicorn.Config(application, ws_max_size=LARGEST, ws_per_message_deflate=False, lifespan="off")
    config.load()
    protocol, transport = kind(config, ServerState(), {}), Transport()
    protocol.connection_made(transport)
    protocol.data_received(HANDSHAKE)
    while not transport.written:
        await asyncio.sleep(0)
    del transport.written[0]
    for part in parts:
        protocol.data_received(part)
    for _ in range(200):
        await asyncio.sleep(0)
    answered, closed = b"".join(transport.written), transport.closed
    protocol.stop_keepalive()
    protocol.connection_lost(None)
    await asyncio.gather(*protocol.tasks)
    return events, answered, closed


def ways_to_cut(data: bytes) -> Iterator[list[bytes]]:
    """Yield splits in two near the beginning, byte by byte, and at random."""
    yield [data]
    yield from ([data[:place], data[place:]] for place in range(1, min(len(data), 40)))
    yield [data[place : place + 1] for place in range(len(data))]
    chance = random.Random(11)
    for _ in range(10):
        places = [0, *sorted(chance.sample(range(1, len(data)), min(5, len(data) - 1))), len(data)]
        yield [data[first:last] for first, last in pairwise(places)]


@pytest.mark.parametrize("talk", TALKS)
def test_frames_are_received_as_the_library_decodes_them(talk: str) -> None:
    frames = TALKS[talk]
    usual = asyncio.run(received(WebSocketsSansIOProtocol, frames))
    for parts in ways_to_cut(b"".join(frames)):
        assert asyncio.run(received(WsProtocol, parts)) == usual


@pytest.mark.parametrize("talk", ENDS)
def test_a_frame_against_the_protocol_ends_the_connection(talk: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the peer's fault: nothing is logged as a fault of the server."""
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "error", pytest.fail)
    data, code = ENDS[talk]
    for parts in ways_to_cut(data + text(b"late")):
        events, _, closed = asyncio.run(received(WsProtocol, parts))
        assert ([event["type"] for event in events], events[0]["code"], closed) == (
            ["websocket.disconnect"],
            code,
            True,
        )


def test_a_client_that_sends_before_the_101_is_disconnected() -> None:
    async def story() -> None:
        config = uvicorn.Config(lambda: None, factory=True, lifespan="off")
        config.load()
        protocol, transport = WsProtocol(config, ServerState(), {}), Transport()
        protocol.connection_made(transport)
        protocol.data_received(HANDSHAKE)
        protocol.data_received(text(b"too early"))
        assert transport.aborted
        protocol.connection_lost(None)

    asyncio.run(story())


def opened() -> tuple[WsProtocol, Transport]:
    """Return an open connection without an application."""
    config = uvicorn.Config(lambda: None, factory=True, ws_per_message_deflate=False, lifespan="off")
    config.load()
    protocol, transport = WsProtocol(config, ServerState(), {}), Transport()
    protocol.connection_made(transport)
    protocol.conn.state, protocol.handshake_initiated, protocol.handshake_complete = State.OPEN, True, True
    protocol.conn.parser = protocol.conn.parse()
    next(protocol.conn.parser)
    return protocol, transport


def test_answers_do_not_pile_up_for_a_client_that_does_not_read() -> None:
    async def story() -> None:
        protocol, transport = opened()
        protocol.pause_writing()
        protocol.data_received(100 * text(b"still there?", opcode=Opcode.PING))
        protocol.data_received(text(b"x", fin=False) + 100 * text(b"", fin=False, opcode=Opcode.CONT))
        assert (transport.written, protocol.frames) == ([], [b"x"])
        protocol.resume_writing()
        protocol.data_received(text(b"and now?", opcode=Opcode.PING))
        assert transport.written == [Frame(Opcode.PONG, b"and now?").serialize(mask=False)]

    asyncio.run(story())


FLOODS: dict[str, tuple[bytes, bytes]] = {
    "pings": (b"", text(b"", opcode=Opcode.PING)),
    "pongs": (b"", text(b"", opcode=Opcode.PONG)),
    "pieces with nothing in them": (text(b"x", fin=False), text(b"", fin=False, opcode=Opcode.CONT)),
    "texts": (b"", text(b"")),
    "bytes": (b"", text(b"", opcode=Opcode.BINARY)),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_too_many_frames_end_the_connection(flood: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One read of the socket may hold some ten thousand frames."""
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    first, again = FLOODS[flood]

    async def story() -> None:
        protocol, transport = opened()
        protocol.data_received(first + (FRAMES_AT_ONCE - bool(first)) * again)
        assert not transport.closed
        answers, before = len(transport.written), protocol.queue.qsize()
        protocol.data_received(10_000 * again)
        goodbye = Frame(Opcode.CLOSE, Close(POLICY_VIOLATION, "too many frames").serialize()).serialize(mask=False)
        assert (b"".join(transport.written[answers:])[-len(goodbye) :], transport.closed) == (goodbye, True)
        assert protocol.queue.qsize() == before + 1
        protocol.connection_lost(None)

    asyncio.run(story())


def test_a_client_that_keeps_sending_after_the_close_is_aborted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other clients have some seconds to answer the close frame."""
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)

    async def story() -> None:
        protocol, transport = opened()
        await protocol.send({"type": "websocket.close"})
        protocol.data_received(FRAMES_AT_ONCE * text(b""))
        assert not transport.aborted
        protocol.data_received(10_000 * text(b""))
        assert transport.aborted
        protocol.connection_lost(None)

    asyncio.run(story())
