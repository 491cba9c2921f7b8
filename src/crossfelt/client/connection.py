"""The WebSocket of a viewer, as a client keeps it: what the house says is taken as soon as it has arrived, without a
task and a queue in between. Six seats hear of every action, so that this is most of what a load run does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.typing import Subprotocol

SUBPROTOCOL: Final = "crossfelt.1"
OPEN_SECONDS: Final = 60.0
"""How long to wait for a house that has much to do."""
_MESSAGE: Final = (Opcode.TEXT, Opcode.CONT)
_TEXT: Final = 0x81
"""The first byte of a whole message of text (RFC 6455, 5.2)."""
_MEDIUM: Final = 126
"""In place of a length: it follows, in two bytes."""


class LiveConnection(ClientConnection):
    """The connection of the `websockets` package, which hands every message on at once, and can be written to so."""

    def __init__(self, *args: Any, take: Callable[[bytes], None], lost: Callable[[], None], **settings: Any) -> None:
        """`take` is called with every message, and `lost` when there will be no more."""
        super().__init__(*args, **settings)
        self.take = take
        self._lost = lost
        self._begun: bytes | None = None
        """What has arrived of a message in several frames."""
        self.fault: Exception | None = None
        """Why a message could not be taken; it ends the connection."""

    def data_received(self, data: bytes) -> None:
        """Whole messages, which is nearly all there is, are cut out here; whatever else there is, by the package."""
        try:
            if self.protocol.state is OPEN and self._begun is None and not self.protocol.reader.buffer:
                data = self._whole_messages(data)
            if data:
                super().data_received(data)
        except Exception as fault:
            self.fault = fault
            self.transport.abort()

    def _whole_messages(self, data: bytes) -> bytes:
        """Takes the messages at the beginning, and returns what follows."""
        start, end = 0, len(data)
        while end - start >= 4 and data[start] == _TEXT:
            size, first = data[start + 1], start + 2
            if size == _MEDIUM:
                size, first = data[first] << 8 | data[first + 1], first + 2
            elif size > _MEDIUM:
                break
            if first + size > end:
                break
            start = first + size
            self.take(data[first:start])
        return data[start:]

    def process_event(self, event: Any) -> None:
        if type(event) is not Frame or event.opcode not in _MESSAGE:
            super().process_event(event)
            return
        data = (self._begun or b"") + event.data
        self._begun = None if event.fin else data
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
        ping_interval=None,
        open_timeout=OPEN_SECONDS,
        create_connection=partial(LiveConnection, take=take, lost=lost),  # type: ignore[arg-type]
    )
    assert isinstance(connection, LiveConnection)
    return connection
