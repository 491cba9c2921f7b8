"""A table over its WebSocket: the view kept up to date, commands answered, and connections resumed."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from crossfelt.wire.messages import SUBPROTOCOL

OPEN_SECONDS: Final = 60.0
"""How long to wait for a busy server."""
LARGEST: Final = 1 << 20
"""Bytes of a message; a larger one ends the connection."""
EVENTS_KEPT: Final = 2_000
WELCOME_SECONDS: Final = 30.0
HASTE: Final = "message.rate"
HASTY_SECONDS: Final = 1.0
"""Enough for twenty more."""
TRIES: Final = 10


class Answer(NamedTuple):
    """What became of a command."""

    seq: int | None
    problem: dict[str, Any] | None

    @property
    def accepted(self) -> bool:
        return self.problem is None


class Gone(Exception):
    """The connection ended, and what was asked has no answer yet: connect again and send it again with its id."""


class TableClient:
    """One viewer of one table. `view` is the table as it is seen, kept up to date by patches."""

    def __init__(self, address: str, token: str) -> None:
        self._address = address
        self._token = token
        self._waiting: dict[str, list[asyncio.Future[Answer]]] = {}
        """Who waits for the answer to an id: the same may be asked twice at once."""
        self._reader: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._welcomed = False
        self.connection: ClientConnection | None = None
        self.receive: Callable[[bytes], None] = self._take
        """Called with every message as it came in; a load run sets its own."""
        self.seq = -1
        self.you: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] = {}
        self.allowed: list[dict[str, Any]] = []
        self.meters: dict[str, Any] = {}
        self._slower_until = 0.0
        self.deadline: int | None = None
        self.held = False
        self.commitment: dict[str, Any] | None = None
        self.opened: deque[dict[str, Any]] = deque(maxlen=100)
        self.events: deque[dict[str, Any]] = deque(maxlen=EVENTS_KEPT)
        self.goodbye = ""
        self.successor = ""
        """The table to join, where a change of rules has closed this one."""
        self.heard: Callable[[dict[str, Any]], None] | None = None
        """Called with every message, for those who measure."""

    # --- the connection ---------------------------------------------------------------------------------------------

    async def connect(self) -> Self:
        """Connects, or connects again and goes on after the last row that was seen."""
        await self._hang_up()
        self.goodbye, self._welcomed = "", False
        self.connection = await connect(
            self._address,
            additional_headers={"Authorization": f"Bearer {self._token}"} if self._token else {},
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            max_size=LARGEST,
            max_queue=None,
            ping_interval=None,
            open_timeout=OPEN_SECONDS,
        )
        self._reader = asyncio.create_task(self._read(self.connection))
        await self._send(self.connection, {"type": "hello", **self._had()})
        await self.until(lambda _: self._welcomed, WELCOME_SECONDS)
        return self

    async def close(self) -> None:
        """Leaves; a seat is kept for some time. Raises what made a message unreadable."""
        if self.connection is not None and self._reader is not None:
            await self.connection.close()
            await self._reader

    async def _hang_up(self) -> None:
        """Ends the connection before the next: after a goodbye it is still there until both sides have closed it."""
        before, self.connection = self.connection, None
        if before is not None and self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
            await before.close()

    async def __aenter__(self) -> Self:
        return await self.connect()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _had(self) -> dict[str, int]:
        """The last row that was seen."""
        return {"after": self.seq} if self.table else {}

    # --- asking -----------------------------------------------------------------------------------------------------

    async def give(self, command: str, /, *, command_id: str | None = None, **fields: Any) -> Answer:
        """Gives a command, and waits for its answer. The same id again has the same answer and no second effect."""
        return await self.ask({"command": command, **fields}, command_id=command_id)

    async def ask(
        self,
        command: dict[str, Any],
        *,
        command_id: str | None = None,
        round_number: int | None = None,
        step: str | None = None,
        ready: bool = False,
    ) -> Answer:
        """The same, for a command as data, perhaps with the round and the step that it answers, and with the word that
        these wagers are all."""
        message: dict[str, Any] = {"type": "command", "id": command_id or secrets.token_hex(8), "command": command}
        if round_number is not None:
            message["round"] = round_number
        if step is not None:
            message["step"] = step
        if ready:
            message["ready"] = True
        return await self._ask(message)

    async def ready(self) -> Answer:
        """Has bet enough."""
        return await self._ask({"type": "ready", "id": secrets.token_hex(8), "round": self.view["round"]})

    def option(self, command: str) -> dict[str, Any] | None:
        """The first way in which a command may be given now."""
        return next((option for option in self.allowed if option["command"] == command), None)

    async def until(self, condition: Callable[[Self], Any], timeout: float = 30.0) -> None:
        """Waits until something holds of what is seen."""
        async with asyncio.timeout(timeout):
            while not condition(self):
                if self.goodbye:
                    raise Gone(self.goodbye)
                self._changed.clear()
                await self._changed.wait()

    async def send_text(self, text: str) -> None:
        """Sends anything at all, for tests."""
        assert self.connection is not None
        await self.connection.send(text)

    async def _ask(self, message: dict[str, Any]) -> Answer:
        """Who is told to ask more slowly waits, and asks again; who else asks waits too."""
        for _ in range(TRIES):
            if (wait := self._slower_until - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            if self.connection is None or self._reader is None or self._reader.done():
                raise Gone(self.goodbye or "not connected")
            future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(message["id"], []).append(future)
            await self._send(self.connection, message)
            answer = await future
            if answer.problem is None or answer.problem["code"] != HASTE:
                break
            self._slower_until = time.monotonic() + HASTY_SECONDS
        return answer

    async def _send(self, connection: ClientConnection, message: dict[str, Any]) -> None:
        with suppress(ConnectionClosed):  # the reader fails the futures of everybody who waits
            await connection.send(msgspec.json.encode(message), text=True)

    # --- hearing ----------------------------------------------------------------------------------------------------

    async def _read(self, connection: ClientConnection) -> None:
        """Takes messages until the connection ends; one that cannot be taken ends it."""
        try:
            while True:
                self.receive(await connection.recv(decode=False))
        except ConnectionClosed:
            pass
        except Exception:
            connection.transport.abort()
            raise
        finally:
            self._lost()

    def _lost(self) -> None:
        self.goodbye = self.goodbye or "the connection was closed"
        for future in self._asking(*self._waiting):
            future.set_exception(Gone(self.goodbye))
        self._changed.set()

    def _asking(self, *ids: str) -> list[asyncio.Future[Answer]]:
        """Everybody who still waits for an answer to these ids, and no longer."""
        return [future for it in ids for future in self._waiting.pop(it, ()) if not future.done()]

    def _take(self, data: bytes) -> None:
        message = msgspec.json.decode(data)
        match message["type"]:
            case "welcome":
                self._welcome(message)
                self._welcomed = True
            case "resumed":
                self._welcomed = True
            case "happened":
                self._happened(message)
            case "opened":
                self.opened.append(message)
            case "accepted" | "refused":
                for future in self._asking(message["id"]):
                    future.set_result(Answer(message.get("seq"), message.get("problem")))
            case "bye":
                self.goodbye, self.successor = message["why"], message.get("successor", "")
        if self.heard is not None:
            self.heard(message)
        self._changed.set()

    def _welcome(self, message: dict[str, Any]) -> None:
        self.seq, self.you, self.table, self.view = message["seq"], message["you"], message["table"], message["view"]
        self.allowed, self.meters, self.deadline = message["allowed"], message["meters"], message["deadline"]
        self.held, self.commitment = message["held"], message["commitment"]

    def _happened(self, message: dict[str, Any]) -> None:
        self.seq = max(self.seq, message["seq"])
        self.events.extend(message["events"])
        changed = dict(message["patch"])
        for number, seat in changed.pop("seats", {}).items():
            self.view["seats"][int(number) - 1] = seat
        self.view |= changed
        self.allowed = message.get("allowed", self.allowed)
        self.meters = message.get("meters", self.meters)
        self.deadline = message.get("deadline", self.deadline)
        self.held = message.get("held", self.held)
        self.commitment = message.get("commitment", self.commitment)
