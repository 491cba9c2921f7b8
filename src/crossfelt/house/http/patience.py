"""How long the server waits for a request: who connects and does not ask for anything is not kept."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

ASKING_SECONDS: Final = 20.0
"""From the first word of a request, or from the connection to its first, until it is there whole."""


class PatientProtocol(HttpToolsProtocol):
    """Uvicorn's connection, which waits for a request so long and no longer."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
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

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(ASKING_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
