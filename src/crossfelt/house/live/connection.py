"""The WebSocket of a viewer, as the server keeps it: what a table has to say is written at once where the viewer keeps
up, without a task and a queue in between. Six viewers hear of every action, so that this is most of what is sent."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

WRITE: Final = "crossfelt.write"
"""Under this name an application finds `LiveProtocol.write` among the extensions of its scope."""
_TEXT: Final = b"\x81"
"""The first byte of a whole message of text; the server masks nothing (RFC 6455, 5.2)."""
_SHORT, _MEDIUM = 126, 1 << 16


class LiveProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's connection, which can also be written to at once, and keeps less of those who only listen."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        lean: Any = Arrivals()
        self.queue = lean

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][WRITE] = self.write

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.accept":
            # The two of the handshake have said what they had to say.
            del self.request, self.response

    def write(self, text: str) -> bool:
        """Sends a message; False where the viewer does not keep up, or is gone: then it is for `send` to wait."""
        if not self.writable.is_set() or self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        self.transport.write(frame(text.encode()))
        return True


class Arrivals:
    """What has come in and is not read yet: a queue with one reader, an eighth the size of asyncio's.

    >>> arrivals = Arrivals()
    >>> arrivals.put_nowait("hello"); asyncio.run(arrivals.get()), arrivals.empty()
    ('hello', True)
    """

    __slots__ = ("_events", "_reader")

    def __init__(self) -> None:
        self._events: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        return not self._events

    def put_nowait(self, event: Any) -> None:
        self._events.append(event)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        while not self._events:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._events.pop(0)


def frame(data: bytes) -> bytes:
    """A message of text as it goes over the wire.

    >>> frame(b"Hello")
    b'\\x81\\x05Hello'
    >>> frame(300 * b".")[:4]
    b'\\x81~\\x01,'
    """
    size = len(data)
    if size < _SHORT:
        return b"%b%c%b" % (_TEXT, size, data)
    if size < _MEDIUM:
        return b"%b\x7e%b%b" % (_TEXT, size.to_bytes(2, "big"), data)
    return b"%b\x7f%b%b" % (_TEXT, size.to_bytes(8, "big"), data)
