"""The WebSocket connection of a viewer: one encoded frame for many viewers, and time-outs for slow or silent peers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator
from http import HTTPStatus
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.streams import StreamReader

from crossfelt.server.runtime.inbox import Inbox
from crossfelt.server.runtime.limits import Bucket
from crossfelt.wire import POLICY_VIOLATION

OPEN: Final = State.OPEN
LIVE: Final = "crossfelt.live"
"""The name under which the scope's extensions hold the `WsProtocol` of a connection."""
HANDSHAKE_SECONDS: Final = 20.0
"""The time from the upgrade request to the 101."""
LEAVING_SECONDS: Final = 20.0
"""The time a peer has to read the close frame: twice as long as uvicorn waits for an answer to it."""
FRAMES_A_SECOND: Final = 100
FRAMES_AT_ONCE: Final = 600
"""Limits on frames of any kind. Messages have a lower limit; frames may also be pings, pongs and fragments."""
LONGEST_MESSAGE: Final = 64 * 1024
"""A message of a client in bytes, over all its frames."""
PIECE_BYTES: Final = 4096
"""The library parses at most this many bytes at once, some 700 frames, before they are counted."""
TOO_MANY_FRAMES: Final = "too many frames"
MOST_UNSENT: Final = 64 * 1024
"""The frames that wait for the end of a turn of the loop, in bytes."""
INVALID_TEXT: Final = 1007


class FrameReader(StreamReader):
    """Reads frames, and refuses a length that takes more bytes than it must (RFC 6455, 5.2); the library does not."""

    _reads = 0
    """Reads of this frame so far: its first two bytes, 2 or 8 of a longer length, 4 of the mask, the payload."""

    def at_eof(self) -> Generator[None, None, bool]:
        self._reads = 0
        return super().at_eof()

    def read_exact(self, n: int) -> Generator[None, None, bytearray]:
        data = yield from super().read_exact(n)
        self._reads += 1
        if self._reads == 2 and n != 4 and int.from_bytes(data) < (126 if n == 2 else 1 << 16):
            raise ProtocolError("the length of the frame takes more bytes than it must")
        return data


class WsProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket connection with `write`, `take`, time-outs, and a limit on frames.

    `write` exists because an update goes to every viewer of a table: the ASGI path would frame and copy each message
    for each viewer, in a task for each. `take` exists because the ASGI path stops reading and wakes a task for each
    message. The time-outs exist because uvicorn sets no limit to a handshake, or to a peer that does not read. The
    limit exists because one read can hold some ten thousand frames.

    The class overrides internals of uvicorn (0.52.1 to 0.54) and websockets (16 and 17): the bounds in
    `pyproject.toml`. Run `tests/unit/server/ws` and `tests/server/http` before widening them.

    A connection that has ended leaves no reference cycle, because the server rarely runs the garbage collector.
    """

    _deadline: asyncio.TimerHandle | None = None
    _framed: ClassVar[tuple[bytes, bytes]] = (b"", b"")
    """The message that was written last, and its frame: most messages go to several viewers, one after another."""
    _unsent: bytes = b""
    """The frames of this turn of the loop."""
    take: Callable[[bytes], bool] | None = None
    """Handles a message as it arrives; returns False if the message has to wait in the queue."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.queue: Any = Inbox()  # an eighth the size of asyncio's queue
        self._bucket = Bucket(FRAMES_A_SECOND, FRAMES_AT_ONCE)

    # --- one frame for many viewers ---------------------------------------------------------------------------------

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][LIVE] = self

    def write(self, text: bytes) -> bool:
        """Send a message with all others of this turn of the loop, in one system call.

        Return False if the peer does not keep up or is gone: then `send` has to wait.
        """
        if not self.writable.is_set() or self.conn.state is not OPEN or self.transport.is_closing():
            return False
        framed = WsProtocol._framed
        if framed[0] is not text:
            framed = WsProtocol._framed = text, Frame(Opcode.TEXT, text).serialize(mask=False)
        if not self._unsent:
            self.loop.call_soon(self._flush)
        self._unsent += framed[1]
        if len(self._unsent) > MOST_UNSENT:
            self._flush()
        return True

    def _flush(self) -> None:
        unsent, self._unsent = self._unsent, b""
        if unsent and not self.transport.is_closing():
            self.transport.write(unsent)

    def handle_text(self, event: Frame) -> None:
        take = self.take if event.fin and self.queue.empty() and not self.close_sent else None
        if take is None or not take(bytes(event.data)):
            super().handle_text(event)

    # --- time-outs --------------------------------------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._abort_in(HANDSHAKE_SECONDS)

    async def send(self, message: Any) -> None:
        self._flush()
        await super().send(message)
        if message["type"] == "websocket.accept":
            self._cancel_deadline()
            # The parser and these two keep the request, which is 4 kB of headers.
            del self.request, self.response
            if self.conn.state is OPEN:
                self.conn.reader = FrameReader()
                self.conn.parser = self.conn.parse()
                next(self.conn.parser)

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.scope["extensions"].clear()
        self._abort_in(LEAVING_SECONDS)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_in(LEAVING_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._cancel_deadline()
        self.conn.parser.close()

    def _abort_in(self, seconds: float) -> None:
        """Abort the connection unless it ends earlier: unsent data would keep it open for ever."""
        if self._deadline is None and not self.disconnected:
            self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    # --- bad requests and too many frames ---------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            if not self.handshake_initiated:  # the library cannot read the request, and uvicorn would wait for ever
                self.transport.write(STATUS_LINE[HTTPStatus.BAD_REQUEST] + b"connection: close\r\n\r\n")
                self.transport.close()
        elif not self.handshake_complete:
            self.transport.abort()  # a client must not send anything before the 101
        else:
            for start in range(0, len(data), PIECE_BYTES):
                if not self.transport.is_closing():
                    super().data_received(data[start : start + PIECE_BYTES])

    def handle_events(self) -> None:
        """Handle the frames of a read, unless there are too many: then end the connection."""
        if self._bucket.take(time.monotonic(), len(self.conn.events)) <= 0:
            super().handle_events()
        elif self.close_sent or self.conn.state is not OPEN:
            self.transport.abort()
        else:
            self.conn.events_received()
            self.conn.fail(POLICY_VIOLATION, TOO_MANY_FRAMES)
            self.handle_parser_exception()
            self._abort_in(LEAVING_SECONDS)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; end the connection if it is no text. Uvicorn would log a fault of the server."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.conn.send_close(INVALID_TEXT)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        """Answer a ping, unless the peer does not read: the answers would pile up."""
        answer = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self.transport.write(answer)

    def handle_cont(self, event: Frame) -> None:
        """Keep a fragment, unless it is empty: a peer could send empty fragments without end."""
        if event.data or event.fin:
            super().handle_cont(event)
