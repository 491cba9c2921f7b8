"""How long the server waits, and for how much: who connects and asks for nothing, never comes to the point, or does not
take the answer, is not kept."""

from __future__ import annotations

import asyncio
import socket
from http import HTTPStatus
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from crossfelt.errors import Problem

ASKING_SECONDS: Final = 20.0
"""From the first word of a request, or from the connection to its first, until it is there whole."""
TAKING_SECONDS: Final = 60.0
"""How long who is answered may take nothing. Slow is who takes a little: a reader's system tells of room only when a
sixteenth of it is free, which is some hundred kB."""
TAKES_NOTHING: Final[int | None] = getattr(socket, "TCP_USER_TIMEOUT", None)
"""The system sees what is taken, and no server does: what it has written may wait in the buffers of both sides. Linux
can be told to end such a connection."""

LONGEST_HEAD: Final = 32 * 1024
MOST_HEADERS: Final = 100
"""Of a request, with those that may follow its body: the parser keeps them, and joins what comes in pieces anew with
each of them."""
TOO_LONG: Final = Problem(
    code="http.431",
    what="the head of the request is too long",
    allowed=f"{LONGEST_HEAD:,} bytes and {MOST_HEADERS} headers",
)


class HeadTooLongError(Exception):
    """Ends the parser's work on a request."""


class TimeoutHttpProtocol(HttpToolsProtocol):
    """Uvicorn's connection, which waits for a request, and for the answer to be taken, so long and no longer. Nor does
    it read on where a request does not come to its body, or to its end."""

    _waiting: asyncio.TimerHandle | None = None
    _answering: RequestResponseCycle | None = None
    _head_bytes = 0
    """Of the request's address and its headers, as far as they have come in whole."""
    _no_body_bytes = 0
    """What has come in since the read that began the request, or brought some of its body."""
    _too_long = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if TAKES_NOTHING is not None:
            milliseconds = int(1000 * TAKING_SECONDS)
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, TAKES_NOTHING, milliseconds)
        self._wait()

    def data_received(self, data: bytes) -> None:
        if self.timeout_keep_alive_task is not None and self._waiting is None:
            self._wait()  # the end of a line, before a request, begins none, and ends uvicorn's own patience
        self._no_body_bytes += len(data)
        super().data_received(data)
        if self._no_body_bytes > LONGEST_HEAD and not self.transport.is_closing():
            self._refuse_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = self._no_body_bytes = 0
        if self._waiting is None:
            self._wait()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._count(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._count(len(name) + len(value))

    def _count(self, much: int) -> None:
        self._head_bytes += much
        if self._head_bytes > LONGEST_HEAD or len(self.headers) > MOST_HEADERS:
            self._too_long = True
            raise HeadTooLongError

    def on_headers_complete(self) -> None:
        self._no_body_bytes = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._no_body_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._wait_no_more()

    def send_400_response(self, msg: str) -> None:
        """Where the parser has given up, of itself or because it was told to."""
        if self._too_long:
            self._refuse_head()
        else:
            super().send_400_response(msg)

    def _refuse_head(self) -> None:
        told = msgspec.json.encode({"problems": [TOO_LONG]})
        head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(told)
        self.transport.write(STATUS_LINE[HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE] + head + told)
        self.transport.close()

    def handle_websocket_upgrade(self) -> None:
        self._wait_no_more()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # or the two would refer to each other

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        if self._answering is not None:
            self._answering.disconnected = True  # uvicorn tells only the last of several sent at once
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(ASKING_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
