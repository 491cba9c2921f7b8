"""The connection of a client: whatever way the bytes of the house arrive in, the same messages are taken."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri
from websockets.utils import accept_key

from crossfelt.client.connection import LiveConnection


class Wire(asyncio.Transport):
    """What a connection writes, and whether it was cut."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.cut = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def abort(self) -> None:
        self.cut = True


class Taken:
    """A connection to nobody, and what it took."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.lost = 0
        protocol = ClientProtocol(parse_uri("ws://house/"))
        self.connection = LiveConnection(protocol, take=self.messages.append, lost=self._lose)
        self.wire = Wire()
        self.connection.connection_made(self.wire)
        request = protocol.connect()
        protocol.send_request(request)
        protocol.data_to_send()
        self.welcome = (
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accept_key(request.headers['Sec-WebSocket-Key'])}\r\n\r\n"
        ).encode()

    def _lose(self) -> None:
        self.lost += 1

    def hear(self, *pieces: bytes) -> Taken:
        for piece in pieces:
            self.connection.data_received(piece)
        return self

    def opened(self) -> Taken:
        return self.hear(self.welcome)

    def said(self) -> list[tuple[Opcode, bytes]]:
        """The frames that were written; they are masked, with what was chosen by chance."""
        reader, frames = bytearray(self.wire.written), []
        while reader:
            size, mask = reader[1] & 0x7F, reader[2:6]
            data = bytes(byte ^ mask[place % 4] for place, byte in enumerate(reader[6 : 6 + size]))
            frames.append((Opcode(reader[0] & 0x0F), data))
            del reader[: 6 + size]
        return frames


def framed(data: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """As a server sends it."""
    return Frame(opcode, data, fin).serialize(mask=False)


SHORT = [b"", b"{}", b"s" * 125, b"m" * 126, b"in three parts", b"m" * 300, b"last"]
MIXED = [
    *(framed(data) for data in SHORT[:3]),
    framed(b"are you there", Opcode.PING),
    framed(SHORT[3]),
    framed(b"in ", fin=False),
    framed(b"", Opcode.PING),
    framed(b"three ", Opcode.CONT, fin=False),
    framed(b"unasked", Opcode.PONG),
    framed(b"parts", Opcode.CONT),
    *(framed(data) for data in SHORT[5:]),
    framed(Close(1001, "the house is closing").serialize(), Opcode.CLOSE),
]
ANSWERS = [
    (Opcode.PONG, b"are you there"),
    (Opcode.PONG, b""),
    (Opcode.CLOSE, Close(1001, "the house is closing").serialize()),
]


def test_messages_are_the_same_wherever_the_stream_is_split() -> None:
    async def told() -> None:
        stream = b"".join(MIXED)
        for split in range(len(stream) + 1):
            taken = Taken().opened().hear(stream[:split], stream[split:])
            assert taken.messages == SHORT, split
            assert taken.said() == ANSWERS, split
        alone = Taken().opened().hear(*(stream[place : place + 1] for place in range(len(stream))))
        assert alone.messages == SHORT
        assert alone.said() == ANSWERS

    asyncio.run(told())


def test_a_message_may_come_together_with_the_handshake() -> None:
    async def told() -> None:
        for split in range(len(Taken().welcome) + 1):
            taken = Taken()
            stream = taken.welcome + b"".join(MIXED)
            assert taken.hear(stream[:split], stream[split:]).messages == SHORT, split

    asyncio.run(told())


def test_who_is_not_let_in_hears_why() -> None:
    async def told() -> None:
        refusal = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 12\r\n\r\nnot for you\n"
        for split in range(len(refusal) + 1):
            taken = Taken().hear(refusal[:split], refusal[split:])
            assert taken.messages == []
            assert taken.connection.response is not None
            assert (taken.connection.response.status_code, taken.connection.response.body) == (403, b"not for you\n")

    asyncio.run(told())


def test_large_messages_are_taken_whole() -> None:
    # Of some the first two bytes of the size look like a frame that is whole.
    sizes = (33_024, 33_279, 65_535, 65_536, 200_000)

    def splits(start: int, size: int) -> Iterable[int]:
        return (*range(start, start + 12), start + size // 2, start + size)

    async def told() -> None:
        messages = [bytes([97 + place]) * size for place, size in enumerate(sizes)]
        frames = [framed(message) for message in messages]
        stream, start = b"".join(frames) + framed(b"after"), 0
        for frame in frames:
            for split in splits(start, len(frame)):
                taken = Taken().opened().hear(stream[:split], stream[split:])
                assert taken.messages == [*messages, b"after"], split
            start += len(frame)

    asyncio.run(told())


@pytest.mark.parametrize(
    "wrong",
    [
        Frame(Opcode.TEXT, b"masked").serialize(mask=True),
        framed(b"part", fin=False) + framed(b"another message before the end of the last"),
        framed(b"no beginning", Opcode.CONT),
        framed(b"too much of a message", Opcode.TEXT)[:1] + b"\x7f" + (1 << 40).to_bytes(8, "big"),
    ],
    ids=["masked", "a message inside another", "no beginning", "too large"],
)
def test_what_breaks_the_protocol_is_not_taken(wrong: bytes) -> None:
    async def told() -> None:
        taken = Taken().opened().hear(framed(b"right"), wrong, framed(b"later"))
        assert taken.messages == [b"right"]
        assert taken.connection.protocol.state is State.CLOSING
        assert not taken.connection.write(b"{}")

    asyncio.run(told())


def test_a_message_that_cannot_be_read_ends_the_connection_and_says_why() -> None:
    async def told() -> None:
        taken, fault = Taken().opened(), ValueError("not a message")

        def take(message: bytes) -> None:
            raise fault

        taken.connection.take = take
        taken.hear(framed(b"nonsense"))
        assert taken.wire.cut
        assert taken.connection.fault is fault
        taken.connection.connection_lost(None)
        assert taken.lost == 1
        assert not taken.connection.write(b"{}")

    asyncio.run(told())


def test_what_is_written_is_one_masked_frame() -> None:
    async def told() -> None:
        taken = Taken().opened()
        assert taken.connection.write(b'{"type":"ping"}')
        assert taken.said() == [(Opcode.TEXT, b'{"type":"ping"}')]
        assert taken.wire.written[1] & 0x80

    asyncio.run(told())
