"""The WebSocket of a viewer, as the server keeps it: what a table has to say is written at once where the viewer keeps
up, without a task and a queue in between. Six viewers hear of every action, so that this is most of what is sent.

What comes in is cut into frames. A whole message of text, which is what viewers send, is taken as it is; every other
frame is for the library to judge. Both are counted: who sends too many frames, whatever is in them, is not heard out.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, ClassVar, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State
from websockets.utils import apply_mask

from crossfelt.frames import MASK_BYTES, MASKED, TEXT, content_of, frame
from crossfelt.house.arrivals import Arrivals
from crossfelt.house.live.herald import Herald
from crossfelt.house.rates import Bucket

OPEN: Final = State.OPEN
LIVE: Final = "crossfelt.live"
"""Under this name an application finds its `LiveProtocol` among the extensions of its scope."""
WAITING_MESSAGES: Final = 8
"""So many may wait to be read; then nothing more is taken from the viewer."""
FRAMES_A_SECOND: Final = 100
FRAMES_AT_ONCE: Final = 600
"""Of any kind. Messages have a limit of their own, which is lower; these may also be pings, answers to pings, and
pieces of messages, and to read so many at once takes some milliseconds."""
POLICY_VIOLATION: Final = 1008
LEAVING_SECONDS: Final = 20.0
"""How long a viewer who is to go, or has gone, may take to hear it: twice as long as uvicorn waits for an answer."""


class LiveProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's connection, which can also be written to at once, and keeps less of those who only listen.

    What has ended leaves nothing behind that refers to itself: the collector of a house comes by too rarely for that.
    """

    _leaving: asyncio.TimerHandle | None = None
    _framed: ClassVar[tuple[bytes, bytes]] = (b"", b"")
    """The message that was last sent at once, and its frame: most are for several viewers, one after another."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.arrivals: Arrivals[Any] = Arrivals()
        self.queue: Any = self.arrivals
        self._begun = b""
        """Of a frame that has not come in whole."""
        self._bucket = Bucket(FRAMES_A_SECOND, FRAMES_AT_ONCE)

    def connection_made(self, transport: Any) -> None:
        transport.get_protocol().parser = None  # of HTTP, which ends here
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport.abort()  # a herald may have a part in it
        super().connection_lost(exc)
        self.conn.parser.close()
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.scope["extensions"].clear()
        self._leave_soon()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._leave_soon()

    def _leave_soon(self) -> None:
        """Who does not read never hears that it is over: what waits to be written does not keep the connection."""
        if self._leaving is None and not self.disconnected:
            self._leaving = self.loop.call_later(LEAVING_SECONDS, self.transport.abort)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][LIVE] = self

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.accept":
            # The two of the handshake have said what they had to say, also in the parser that has read them.
            del self.request, self.response
            if self.conn.state is OPEN:
                self.conn.parser = self.conn.parse()
                next(self.conn.parser)
                self._cut(self._begun)
                self._resume_reading()

    async def hand_over(self, herald: Herald) -> None:
        """Once connected: from now on, where it can, a herald writes to this viewer."""
        if self.transport.get_write_buffer_size():
            await asyncio.sleep(0)  # uvloop writes at the end of a turn
        if self.conn.state is OPEN and not self.transport.is_closing():
            self.transport = herald.take(self, self.transport)

    def write(self, text: bytes) -> bool:
        """Sends a message; False where the viewer does not keep up, or is gone: then it is for `send` to wait."""
        if not self.writable.is_set() or self.conn.state is not OPEN or self.transport.is_closing():
            return False
        framed = LiveProtocol._framed
        if framed[0] is not text:
            framed = LiveProtocol._framed = text, frame(text)
        self.transport.write(framed[1])
        return True

    def follow(self, called: Callable[[], None] | None) -> None:
        """Whom to call from now on whenever something has come in, which is then for `take`; None for nobody."""
        self.arrivals.called = called

    @property
    def waits(self) -> bool:
        """Whether something has come in that was not taken yet."""
        return not self.arrivals.empty()

    def take(self) -> Any:
        """What came in first and was not taken yet; None where nothing waits."""
        if self.arrivals.empty():
            return None
        event = self.arrivals.get_nowait()
        self._resume_reading()
        return event

    def handle_ping(self) -> None:
        """Who does not read is not answered: the answers would pile up here."""
        answer = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self.transport.write(answer)

    def send_receive_event_to_app(self) -> None:
        """A message in pieces, or of bytes; who is called has taken it by the time that reading is paused for it."""
        super().send_receive_event_to_app()
        self._resume_reading()

    def handle_cont(self, event: Frame) -> None:
        """A piece of a message; of those with nothing in them there is no end, so that they are not kept."""
        if event.data or event.fin:
            super().handle_cont(event)

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
        elif not self.handshake_complete:
            self._begun += data  # for later: nothing is heard before the 101
            self._pause_reading()
        else:
            self._cut(self._begun + data)

    def _cut(self, data: bytes) -> None:
        """Takes every frame that has come in whole; beyond what is fair nothing more, also of what is there already."""
        start, now = 0, time.monotonic()
        while (content := content_of(data, start)) is not None and content.stop <= len(data):
            if self._bucket.take(now) > 0:
                self._turn_out()
                return
            if not self._hear(data, start, content):
                super().data_received(data[start : content.stop])
            start = content.stop
        self._begun = data[start:]
        if content is not None and content.stop - content.start > self.config.ws_max_size:
            super().data_received(self._begun)  # which refuses it: nobody waits for the rest
            self._begun = b""

    def _turn_out(self) -> None:
        """Ends the connection, and forgets what has come in."""
        self._begun = b""
        if self.close_sent or self.conn.state is not OPEN:
            self.transport.abort()  # it was told to go already
            return
        self.conn.fail(POLICY_VIOLATION, "too many frames")
        self.handle_parser_exception()
        self._leave_soon()

    def _hear(self, data: bytes, start: int, content: slice) -> bool:
        """Takes a frame that is a message of text; False where the library must look at it."""
        whole_text = data.startswith(TEXT, start) and not self.frames and data[start + 1] & MASKED
        if not whole_text or self.close_sent or self.conn.state is not OPEN:
            return False
        if content.stop - content.start > self.config.ws_max_size:
            return False
        try:
            text = apply_mask(data[content], data[content.start - MASK_BYTES : content.start]).decode()
        except UnicodeDecodeError:
            return False
        self.arrivals.put_nowait({"type": "websocket.receive", "text": text})
        if self.arrivals.qsize() >= WAITING_MESSAGES:
            self._pause_reading()
        return True

    def _pause_reading(self) -> None:
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _resume_reading(self) -> None:
        if self.read_paused and self.arrivals.empty():
            self.read_paused = False
            self.transport.resume_reading()
