"""Attacks by WebSocket frames and messages."""

from __future__ import annotations

import asyncio
import json
import random
import string
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from websockets.exceptions import ConnectionClosed

from benchmarks.attacks.target import TABLE, UPGRADE, Target, Try
from crossfelt.client import Client
from crossfelt.table.act import COMMANDS_BY_NAME

FUZZERS: Final = 16


def frame(payload: bytes, first: int = 0x81, *, form: int = 0, masked: bool = True) -> bytes:
    """Return a client's frame; `form` 2 or 8 writes its length in that many bytes."""
    size, mask = len(payload), 0x80 * masked
    form = form or (0 if size < 126 else 2 if size < 1 << 16 else 8)
    length = {0: struct.pack("!B", mask | size % 128), 2: struct.pack("!BH", mask | 126, size % (1 << 16))}
    head = length.get(form) or struct.pack("!BQ", mask | 127, size)
    return bytes([first]) + head + bytes(4 * masked) + payload


BROKEN_FRAMES: Final = {
    **{
        f"length of {size} in {form} bytes": frame(size * b" ", form=form)
        for form in (2, 8)
        for size in (0, 1, 2, 100, 125)
    },
    **{f"length of {size} in 8 bytes": frame(size * b" ", form=8) for size in (126, 1_000, 65_535)},
    **{f"reserved bit {bit}": frame(b"{}", 0x81 | bit) for bit in (0x40, 0x20, 0x10)},
    **{f"opcode {code}": frame(b"{}", 0x80 | code) for code in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)},
    **{f"control {code} in fragments": frame(b"", code) for code in (8, 9, 10)},
    **{f"control {code} too long": frame(126 * b" ", 0x80 | code) for code in (8, 9, 10)},
    **{f"close {code}": frame(struct.pack("!H", code), 0x88) for code in (0, 999, 1004, 1005, 1006, 1015, 2999)},
    "close of one byte": frame(b"\x03", 0x88),
    "close with bad text": frame(b"\x03\xe8\xff\xff", 0x88),
    "no mask": frame(b"{}", masked=False),
    "not UTF-8": frame(b"\xff\xfe"),
    "continuation of nothing": frame(b"{}", 0x80),
    "text within a text": frame(b"{", 0x01) + frame(b"{}"),
    "too large": frame((64 * 1024 + 1) * b" "),
    "too large in fragments": frame(60_000 * b" ", 0x01) + frame(60_000 * b" ", 0x80),
    "longer than any memory": b"\x81\xff" + struct.pack("!Q", 1 << 62) + bytes(4),
    "a negative length": b"\x81\xff" + struct.pack("!Q", 1 << 63) + bytes(4),
    "not a frame": b"GET / HTTP/1.1\r\n\r\n",
}


def frames(target: Target) -> Iterator[Try]:
    """WebSocket frames against RFC 6455, alone and after a good one: the connection ends."""
    yield "a good frame is answered", _answered_after(target, frame(b'{"type":"ping","n":1}'))
    for _ in range(3 if target.share >= 1 else 1):
        for name, wrong in target.some(BROKEN_FRAMES.items()):
            yield name, not _answered_after(target, wrong)


def _answered_after(target: Target, sent: bytes) -> bool:
    """Return whether a spectator's ping is answered after these bytes."""
    lines = [f"GET /api/tables/{TABLE}/live?as=spectator HTTP/1.1", f"Host: {target.host}"]
    lines += [f"{name}: {value}" for name, value in UPGRADE]
    with target.connection() as peer:
        peer.sendall("\r\n".join([*lines, "", ""]).encode())
        received = peer.recv(4096)
        assert received.startswith(b"HTTP/1.1 101"), received
        received = b""
        with suppress(ConnectionError):
            peer.sendall(frame(b'{"type":"hello"}') + sent + frame(b'{"type":"ping","n":77}'))
            while part := peer.recv(1 << 16):
                received += part
                if b'"n":77' in received:
                    return True
    return False


class Fuzz:
    """Malformed and almost correct messages. The same seed gives the same messages."""

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
            kind = self.chance.choice([*COMMANDS_BY_NAME, "nonsense"])
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


def messages(target: Target) -> Iterator[Try]:
    """Malformed and almost correct messages at a table: none is carried out."""
    fuzz = Fuzz(7)
    sent = [fuzz.frame() for _ in target.some(range(2_000))]

    async def all_sent() -> list[list[Try]]:
        clients = [Client(target.server.address, target.guest()) for _ in range(FUZZERS)]
        return await asyncio.gather(*(_fuzzed(it, sent[at::FUZZERS]) for at, it in enumerate(clients)))

    for tries in asyncio.run(all_sent()):
        yield from tries


async def _fuzzed(client: Client, fuzz: list[str]) -> list[Try]:
    tries, carried_out = list[Try](), list[str]()
    while fuzz:
        async with client.table(TABLE) as table:
            table.on_message = lambda it: carried_out.append(it["id"]) if it["type"] == "accepted" else None
            while fuzz and not table.goodbye:
                text = fuzz.pop()
                with suppress(ConnectionClosed):
                    await table.send_text(text)
                tries.append((text, not carried_out))
                if len(tries) % 15 == 0:  # under the limit of messages a second
                    await asyncio.sleep(0.8)
    return tries
