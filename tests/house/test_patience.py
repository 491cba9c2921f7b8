"""Who connects and asks for nothing, or never ends the question, is not kept."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from crossfelt.client import HouseClient
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
