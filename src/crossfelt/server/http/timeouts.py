"""Time-outs for reading requests and sending responses, and limits on the size of a request's head."""

from __future__ import annotations

import asyncio
import socket
from http import HTTPStatus
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from crossfelt.errors import Problem

REQUEST_SECONDS: Final = 20.0
"""The time to send a whole request, from its first byte; for the first request of a connection, from the connect."""
UNREAD_SECONDS: Final = 60.0
"""The time that a client may acknowledge no data of a response. A slow reader is no error: its system reports free
space only when a sixteenth of the buffer is free, which is some hundred kB."""
USER_TIMEOUT: Final[int | None] = getattr(socket, "TCP_USER_TIMEOUT", None)
"""A socket option of Linux that ends a connection whose peer acknowledges nothing. Only the kernel can see that: data
the server has written may wait in the buffers of both sides."""

LONGEST_HEAD: Final = 32 * 1024
MOST_HEADERS: Final = 100
"""Headers and trailers of a request. The parser keeps them all, and joins a fragmented one anew with each fragment."""
TOO_LONG: Final = Problem(
    code="http.431",
    what="the head of the request is too long",
    allowed=f"{LONGEST_HEAD:,} bytes and {MOST_HEADERS} headers",
)


class HeadTooLongError(Exception):
    """Stops the parser of a request."""


class TimeoutHttpProtocol(HttpToolsProtocol):
    """Uvicorn's HTTP connection with time-outs, and limits on the head of a request.

    Uvicorn waits without end for a request that was begun and for a client that does not read the response, and it
    accepts any number of headers: a few slow clients could hold all connections and memory. It also reports a lost
    connection only to the last of several pipelined requests.

    The class overrides internals of uvicorn (0.52.1 to 0.54, the bounds in `pyproject.toml`). Run
    `tests/server/http/test_timeouts.py` before widening them.
    """

    _deadline: asyncio.TimerHandle | None = None
    _running_cycle: RequestResponseCycle | None = None
    _head_bytes = 0
    """Bytes of the URL and of the complete headers."""
    _bytes_before_body = 0
    """Bytes read since the read that began the request, or since its last part of a body."""
    _too_long = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if USER_TIMEOUT is not None:
            milliseconds = int(1000 * UNREAD_SECONDS)
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, USER_TIMEOUT, milliseconds)
        self._set_deadline()

    def data_received(self, data: bytes) -> None:
        if self.timeout_keep_alive_task is not None and self._deadline is None:
            self._set_deadline()  # empty lines before a request cancel uvicorn's own time-out, and begin no request
        self._bytes_before_body += len(data)
        super().data_received(data)
        if self._bytes_before_body > LONGEST_HEAD and not self.transport.is_closing():
            self._refuse_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = self._bytes_before_body = 0
        if self._deadline is None:
            self._set_deadline()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._count(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._count(len(name) + len(value))

    def _count(self, size: int) -> None:
        self._head_bytes += size
        if self._head_bytes > LONGEST_HEAD or len(self.headers) > MOST_HEADERS:
            self._too_long = True
            raise HeadTooLongError

    def on_headers_complete(self) -> None:
        self._bytes_before_body = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._bytes_before_body = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._cancel_deadline()

    def send_400_response(self, msg: str) -> None:
        """Answer after the parser has stopped, for an error of its own or for `HeadTooLongError`."""
        if self._too_long:
            self._refuse_head()
        else:
            super().send_400_response(msg)

    def _refuse_head(self) -> None:
        body = msgspec.json.encode({"problems": [TOO_LONG]})
        head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
        self.transport.write(STATUS_LINE[HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE] + head + body)
        self.transport.close()

    def handle_websocket_upgrade(self) -> None:
        self._cancel_deadline()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # breaks a reference cycle

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running_cycle = cycle
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        if self._running_cycle is not None:
            self._running_cycle.disconnected = True
        super().connection_lost(exc)

    def _set_deadline(self) -> None:
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.close)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
