"""What a viewer sends arrives as the library would have it, however the bytes are cut on their way."""

from __future__ import annotations

import asyncio
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

from crossfelt.house.live.connection import FRAMES_AT_ONCE, POLICY_VIOLATION, LiveProtocol

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: house\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
LARGEST = 1_000


class Transport(asyncio.Transport):
    """Keeps what is written."""

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
    "a piece, then another text": [text(b"be", fin=False), text(b"whole"), text(b"late")],
    "bytes": [text(b"\x00\xff", opcode=Opcode.BINARY), text(b"a")],
    "no text": [text(b"a"), text(b"\xff\xfe"), text(b"late")],
    "too large": [text(b"a"), text((LARGEST + 1) * b"x"), text(b"late")],
    "not masked": [text(b"a"), Frame(Opcode.TEXT, b"b").serialize(mask=False), text(b"late")],
    "a bit that means nothing": [text(b"a"), b"\xc1" + text(b"b")[1:], text(b"late")],
    "goodbye": [text(b"a"), text(Close(1000, "bye").serialize(), opcode=Opcode.CLOSE), text(b"late")],
    "letters of two bytes": [text("é ♠".encode())],
}


async def heard(
    kind: type[WebSocketsSansIOProtocol], parts: Sequence[bytes], *, early: bool = False
) -> tuple[list[Any], bytes, bool]:
    """What the application gets of it, what is answered, and whether the connection is closed; `early` where the first
    part comes in before the connection is accepted."""
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
    if early:
        protocol.data_received(parts[0])
    while not transport.written:
        await asyncio.sleep(0)
    del transport.written[0]
    for part in parts[early:]:
        protocol.data_received(part)
    for _ in range(200):
        await asyncio.sleep(0)
    answered, closed = b"".join(transport.written), transport.closed
    protocol.stop_keepalive()
    protocol.connection_lost(None)
    await asyncio.gather(*protocol.tasks)
    return events, answered, closed


def ways_to_cut(data: bytes) -> Iterator[list[bytes]]:
    """In two at every place near the beginning, byte by byte, and at random."""
    yield [data]
    yield from ([data[:place], data[place:]] for place in range(1, min(len(data), 40)))
    yield [data[place : place + 1] for place in range(len(data))]
    chance = random.Random(11)
    for _ in range(10):
        places = [0, *sorted(chance.sample(range(1, len(data)), min(5, len(data) - 1))), len(data)]
        yield [data[first:last] for first, last in pairwise(places)]


@pytest.mark.parametrize("talk", TALKS)
def test_what_is_sent_is_heard_as_the_library_hears_it(talk: str) -> None:
    frames = TALKS[talk]
    usual = asyncio.run(heard(WebSocketsSansIOProtocol, frames))
    for parts in ways_to_cut(b"".join(frames)):
        assert asyncio.run(heard(LiveProtocol, parts)) == usual
        assert asyncio.run(heard(LiveProtocol, parts, early=True)) == usual


def opened() -> tuple[LiveProtocol, Transport]:
    """A connection that is open, without an application."""
    config = uvicorn.Config(lambda: None, factory=True, ws_per_message_deflate=False, lifespan="off")
    config.load()
    protocol, transport = LiveProtocol(config, ServerState(), {}), Transport()
    protocol.connection_made(transport)
    protocol.conn.state, protocol.handshake_initiated, protocol.handshake_complete = State.OPEN, True, True
    protocol.conn.parser = protocol.conn.parse()
    next(protocol.conn.parser)
    return protocol, transport


@pytest.mark.parametrize("talk", ["texts of every size", "in pieces", "bytes"])
def test_who_follows_hears_what_comes_next(talk: str) -> None:
    """Also after a message that the library has read, which pauses reading until it is taken."""

    taken: list[Any] = []

    async def story() -> None:
        protocol, transport = opened()
        protocol.follow(lambda: taken.append(protocol.take()))
        for frame in TALKS[talk]:
            assert transport.reading
            protocol.data_received(frame)
        assert transport.reading

    asyncio.run(story())
    assert taken
    assert None not in taken


def test_who_does_not_read_makes_nothing_pile_up() -> None:
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
def test_who_sends_too_many_frames_is_not_heard_out(flood: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read of the socket may hold some ten thousand."""
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    first, again = FLOODS[flood]
    taken: list[Any] = []

    async def story() -> None:
        protocol, transport = opened()
        protocol.follow(lambda: taken.append(protocol.take()))
        protocol.data_received(first + (FRAMES_AT_ONCE - bool(first)) * again)
        assert not transport.closed
        answers, before = len(transport.written), len(taken)
        protocol.data_received(10_000 * again)
        goodbye = Frame(Opcode.CLOSE, Close(POLICY_VIOLATION, "too many frames").serialize()).serialize(mask=False)
        assert (transport.written[answers:], transport.closed) == ([goodbye], True)
        assert [event["type"] for event in taken[before:]] == ["websocket.disconnect"]
        protocol.connection_lost(None)

    asyncio.run(story())


def test_who_was_told_to_go_and_sends_on_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others have some seconds to answer the goodbye."""
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
