"""How long the server waits: who connects and asks for nothing, or does not take the answer, is not kept."""

from __future__ import annotations

import asyncio
import socket
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

ASKING_SECONDS: Final = 20.0
"""From the first word of a request, or from the connection to its first, until it is there whole."""
TAKING_SECONDS: Final = 60.0
"""How long who is answered may take nothing. Slow is who takes a little: a reader's system tells of room only when a
sixteenth of it is free, which is some hundred kB."""
TAKES_NOTHING: Final[int | None] = getattr(socket, "TCP_USER_TIMEOUT", None)
"""The system sees what is taken, and no server does: what it has written may wait in the buffers of both sides. Linux
can be told to end such a connection."""


class PatientProtocol(HttpToolsProtocol):
    """Uvicorn's connection, which waits for a request, and for the answer to be taken, so long and no longer."""

    _waiting: asyncio.TimerHandle | None = None
    _answering: RequestResponseCycle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if TAKES_NOTHING is not None:
            milliseconds = int(1000 * TAKING_SECONDS)
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, TAKES_NOTHING, milliseconds)
        self._wait()

    def data_received(self, data: bytes) -> None:
        if self.timeout_keep_alive_task is not None and self._waiting is None:
            self._wait()  # the end of a line, before a request, begins none, and ends uvicorn's own patience
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._waiting is None:
            self._wait()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._wait_no_more()

    def handle_websocket_upgrade(self) -> None:
        self._wait_no_more()
        super().handle_websocket_upgrade()

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
