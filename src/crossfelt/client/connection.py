"""The WebSocket of a viewer, as a client keeps it: what the house says is taken as soon as it has arrived, without a
task and a queue in between. Six seats hear of every action, so that this is most of what a load run does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode
from websockets.protocol import CONNECTING, OPEN
from websockets.typing import Subprotocol

from crossfelt.frames import MASKED, TEXT, content_of

SUBPROTOCOL: Final = "crossfelt.1"
OPEN_SECONDS: Final = 60.0
"""How long to wait for a house that has much to do."""
_MESSAGE: Final = (Opcode.TEXT, Opcode.CONT)
LARGEST: Final = 1 << 20
"""Bytes of a message; one that is larger ends the connection."""
_HEAD_ENDS: Final = b"\r\n\r\n"
_LONGEST_HEAD: Final = 1 << 16


class LiveConnection(ClientConnection):
    """The connection of the `websockets` package, which hands every message on at once, and can be written to so."""

    def __init__(self, *args: Any, take: Callable[[bytes], None], lost: Callable[[], None], **settings: Any) -> None:
        """`take` is called with every message, and `lost` when there will be no more."""
        super().__init__(*args, **settings)
        self.take = take
        self._lost = lost
        self._begun = b""
        """What has come in, and is not whole: of the answer to the handshake, then of a frame."""
        self._answered = False
        """Whether the answer to the handshake has come in: where it opens the connection, frames follow."""
        self._pieces: bytes | None = None
        """What has arrived of a message in several frames."""
        self.fault: Exception | None = None
        """Why a message could not be taken; it ends the connection."""

    def data_received(self, data: bytes) -> None:
        """Whole messages, which is nearly all there is, are taken here; whatever else there is, by the package."""
        try:
            if not self._answered:
                self._shake_hands(self._begun + data)
            elif self.protocol.state is CONNECTING:
                super().data_received(data)  # why it was not opened
            else:
                self._cut(self._begun + data)
        except Exception as fault:
            self.fault = fault
            self.transport.abort()

    def _shake_hands(self, data: bytes) -> None:
        """Gives the package the answer, and no frame with it."""
        end = data.find(_HEAD_ENDS)
        if end < 0 and len(data) <= _LONGEST_HEAD:
            self._begun = data
            return
        frames = end + len(_HEAD_ENDS) if end >= 0 else len(data)
        self._begun, self._answered = b"", True
        super().data_received(data[:frames])
        if len(data) > frames:
            self.data_received(data[frames:])

    def _cut(self, data: bytes) -> None:
        """Takes the messages that have come in whole; every other frame is for the package to judge."""
        start, end = 0, len(data)
        while (content := content_of(data, start)) is not None and content.stop <= end:
            whole_text = data.startswith(TEXT, start) and self._pieces is None and not data[start + 1] & MASKED
            if whole_text and self.protocol.state is OPEN:
                self.take(data[content])
            else:
                super().data_received(data[start : content.stop])
            start = content.stop
        self._begun = data[start:]
        if content is not None and content.stop - content.start > LARGEST:
            super().data_received(self._begun)  # which refuses it: nobody waits for the rest
            self._begun = b""

    def process_event(self, event: Any) -> None:
        if type(event) is not Frame or event.opcode not in _MESSAGE:
            super().process_event(event)
            return
        data = (self._pieces or b"") + event.data
        self._pieces = None if event.fin else data
        if event.fin:
            self.take(data)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._lost()

    def write(self, data: bytes) -> bool:
        """Sends a message of text; False where the connection has ended."""
        if self.protocol.state is not OPEN:
            return False
        self.protocol.send_text(data)
        self.send_data()
        return True


async def connected(
    address: str, token: str, *, take: Callable[[bytes], None], lost: Callable[[], None]
) -> LiveConnection:
    """Connects to a table."""
    connection: Any = await connect(
        address,
        additional_headers={"Authorization": f"Bearer {token}"} if token else {},
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        max_size=LARGEST,
        ping_interval=None,
        open_timeout=OPEN_SECONDS,
        create_connection=partial(LiveConnection, take=take, lost=lost),  # type: ignore[arg-type]
    )
    assert isinstance(connection, LiveConnection)
    return connection
