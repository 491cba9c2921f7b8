"""Time-outs for reading requests and sending responses, and limits on the size of a request's head."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from crossfelt.errors import Problem

REQUEST_SECONDS: Final = 20.0
"""The time to send a whole request, from its first byte; for the first request of a connection, from the connect."""
UNREAD_SECONDS: Final = 120.0
"""The time in which a client must take a part of its response. The kernel accepts more when a third of its send buffer
is free, at most 1.4 MB: a client that reads 20 kB a second is never too slow."""

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
    _reader_check: asyncio.TimerHandle | None = None
    _running_cycle: RequestResponseCycle | None = None
    _head_bytes = 0
    """Bytes of the URL and of the complete headers."""
    _bytes_before_body = 0
    """Bytes read since the read that began the request, or since its last part of a body."""
    _too_long = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # so that one byte left in the buffer calls `pause_writing`
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
        self._stop_reader_check()
        self.transport.set_write_buffer_limits()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # breaks a reference cycle

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running_cycle = cycle
        super()._start_asgi_task(cycle, app)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._check_reader(None)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_reader_check()

    def _check_reader(self, unsent_before: int | None) -> None:
        """Abort the connection if its buffer has not shrunk since the last check.

        `TCP_USER_TIMEOUT` would not do: a client that sends a byte every 0.2 seconds keeps the kernel's timer from
        starting.
        """
        unsent = self.transport.get_write_buffer_size()
        if unsent == unsent_before:
            self.transport.abort()
        else:
            self._reader_check = self.loop.call_later(UNREAD_SECONDS, self._check_reader, unsent)

    def _stop_reader_check(self) -> None:
        if self._reader_check is not None:
            self._reader_check.cancel()
            self._reader_check = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        self._stop_reader_check()
        if self._running_cycle is not None:
            self._running_cycle.disconnected = True
        super().connection_lost(exc)

    def _set_deadline(self) -> None:
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.close)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
