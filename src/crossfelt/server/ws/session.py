"""A connection to a table."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any, Final, cast

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from crossfelt.errors import Problem
from crossfelt.server.accounts.policy import COMMANDS, NOBODY
from crossfelt.server.accounts.sessions import key_of
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.core.errors import (
    MOVING,
    NEW_RULES,
    NoSuchTable,
    TableClosed,
    TableMoving,
    TableOutdated,
    TableUnreadable,
)
from crossfelt.server.core.requests import CommandAnswer, CommandRequest
from crossfelt.server.dual_control.rule import SECOND_PERSON
from crossfelt.server.http.middleware.auth import identity_of, note_withheld, server_of, token_of, why_not_as
from crossfelt.server.http.middleware.connection_limit import TRY_AGAIN
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.runtime.limits import Bucket
from crossfelt.server.ws.protocol import LIVE, POLICY_VIOLATION, WsProtocol
from crossfelt.table.commands import Role
from crossfelt.wire.messages import (
    LONGEST_FRAME,
    LONGEST_ID,
    SUBPROTOCOL,
    AcceptedMessage,
    CommandMessage,
    Goodbye,
    Hello,
    Incoming,
    Ping,
    Pong,
    ReadyMessage,
    RefusedMessage,
    as_text,
    encode,
    read_message,
)

PRIVILEGED: Final = ("dealer", "floor", "auditor")
MESSAGES_A_SECOND: Final = 20
BURST: Final = 60
NONSENSE: Final = 20
"""What is refused outright before a connection is closed, at once; one more each second."""
UNREADABLE: Final = "too much that cannot be read"
TOO_MANY: Final = "too many messages"
TOO_BOLD: Final = "too much that is not for this role"
GOING_AWAY: Final = 1001
LOGGED_OUT: Final = "the session has ended: log in again"


@websocket("/api/tables/{table:str}/live")
async def live(socket: WebSocket[Any, Any, Any], table: FromPath[str]) -> None:
    """Commands in, what happened out."""
    try:
        await _attend(socket, table)
    finally:
        del socket.receive, socket.send  # which refer to the socket, and so to all that it has


async def _attend(socket: WebSocket[Any, Any, Any], table: str) -> None:
    offered = socket.scope.get("subprotocols") or []
    await socket.accept(subprotocols=SUBPROTOCOL if SUBPROTOCOL in offered else None)
    identity = socket.scope["user"]
    role = socket.query_params.get("as", "player")
    try:
        actor = server_of(socket).pit.find(table)
    except TableClosed as closed:
        await _turn_away(socket, NEW_RULES, successor=closed.successor)
        return
    except (NoSuchTable, TableOutdated, TableUnreadable) as none_here:
        await _turn_away(socket, str(none_here))
        return
    except TableMoving:
        await _turn_away(socket, MOVING, TRY_AGAIN)
        return
    why = why_not_as(role, identity, actor.settings)
    if why is not None:
        if role in PRIVILEGED:
            await note_withheld(socket, f"{role} at {table}", "policy.role" if identity else "policy.log_in")
        await _turn_away(socket, why)
        return
    watcher = Subscriber(identity.name if identity else "", cast("Role", role))
    talk, connections = ClientSession(socket, actor, watcher), server_of(socket).connections
    connections.add(talk)
    try:
        await talk.run()
    finally:
        connections.remove(talk)


async def _turn_away(
    socket: WebSocket[Any, Any, Any], why: str, code: int = POLICY_VIOLATION, successor: str = ""
) -> None:
    await socket.send_text(as_text(Goodbye(why=why, successor=successor)))
    await socket.close(code=code, reason=why[:100])


class ClientSession:
    """One connection: carries out what comes in, one message after the other, and sends what the table has to say."""

    __slots__ = (
        *("_actor", "_bucket", "_joined", "_live", "_nonsense", "_sending", "_socket", "_watcher"),
        *("account", "session"),
    )

    def __init__(self, socket: WebSocket[Any, Any, Any], actor: TableActor, watcher: Subscriber) -> None:
        self._socket = socket
        self._actor = actor
        self._watcher = watcher
        identity = socket.scope["user"]
        self.account = identity.account if identity else ""
        self.session = key_of(token_of(socket)) if identity else ""
        self._joined = False
        self._bucket = Bucket(MESSAGES_A_SECOND, BURST)
        self._nonsense: Bucket | None = None
        """What may still be refused; made when something is: there are thousands of these."""
        self._sending: asyncio.Task[None] | None = None
        extensions: Any = socket.scope["extensions"]
        self._live: WsProtocol = extensions[LIVE]

    async def run(self) -> None:
        """Carry out messages until the peer disconnects or the connection is closed."""
        self._watcher.attach(self._live.write, self._begin_to_send)
        try:
            while (event := await self._socket.receive())["type"] == "websocket.receive":
                if not self._watcher.lost:
                    await self._read(event.get("text"))
        finally:
            if self._joined:
                self._actor.leave(self._watcher)
            if self._sending is not None:
                self._sending.cancel()
                await asyncio.gather(self._sending, return_exceptions=True)
            self._watcher.detach()

    def _begin_to_send(self) -> None:
        self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        """Sends what waits, until nothing does."""
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while not self._watcher.messages.empty():
                text = self._watcher.messages.get_nowait()
                if text is None:
                    await self._socket.close(code=GOING_AWAY)
                    return
                await self._socket.send({"type": "websocket.send", "text": text.decode(), "bytes": None})
            self._watcher.behind = False

    async def _read(self, text: str | None) -> None:
        """One frame; what cannot be read is refused, and after some of it the connection ends. So is what comes too
        quickly, by its id: who waits for the answer would wait for ever."""
        hasty = self._bucket.take(time.monotonic()) > 0
        if text is None or len(text) > LONGEST_FRAME:
            self._refuse("", "message.frame", "not a text frame that is read here", allowed=f"{LONGEST_FRAME:,} signs")
            self._count_nonsense(UNREADABLE)
            return
        try:
            message = read_message(text)
        except (msgspec.MsgspecError, ValueError) as error:
            self._refuse("", "message.malformed", f"not a message: {error}")
            self._count_nonsense(UNREADABLE)
            return
        if hasty:
            asked = message.id[:LONGEST_ID] if isinstance(message, CommandMessage | ReadyMessage) else ""
            self._refuse(asked, "message.rate", TOO_MANY, allowed=f"{MESSAGES_A_SECOND} a second")
            self._count_nonsense(TOO_MANY)
            return
        await self._obey(message)

    async def _obey(self, message: Incoming) -> None:
        if isinstance(message, Ping):
            self._watcher.send(encode(Pong(n=message.n, now=self._actor.now())))
        elif isinstance(message, Hello):
            if self._joined:
                self._refuse("", "message.hello", "hello was said already")
                return
            self._joined = True
            self._actor.join(self._watcher, message.after)
        elif not self._joined:
            self._refuse(message.id, "message.hello", "say hello first", allowed='{"type":"hello"}')
        elif not 1 <= len(message.id) <= LONGEST_ID or not message.id.isprintable():
            self._refuse(message.id[:LONGEST_ID], "message.id", "not an id", allowed=f"1 to {LONGEST_ID} signs")
        else:
            await self._ask(message)

    async def _ask(self, message: CommandMessage | ReadyMessage) -> None:
        """Ask the table. A dealer or supervisor must still have the role, and the session, of the connection."""
        if self._watcher.role in PRIVILEGED:
            await self.recheck_session()
            if self._watcher.lost:
                return
        if isinstance(message, ReadyMessage):
            self._answer(message.id, self._actor.ready(self._watcher.name, message.round))
            return
        answer = await self._actor.ask(self._asked(message))
        if answer.problem is not None and self._oversteps(message, answer.problem):
            act = f"{message.command['command']} at {self._actor.settings.id}"
            await note_withheld(self._socket, act, answer.problem.code)
            self._count_nonsense(TOO_BOLD)
        self._answer(message.id, answer)

    async def recheck_session(self) -> None:
        """Closes the connection of who has lost the session it was made in, or the role."""
        identity = await identity_of(self._socket)
        gone = bool(self.account) and identity is None
        why = LOGGED_OUT if gone else why_not_as(self._watcher.role, identity, self._actor.settings)
        if why is not None and not self._watcher.lost:
            self._watcher.close(why)

    def _oversteps(self, message: CommandMessage, problem: Problem) -> bool:
        """Whether an act of dealer or floor was asked for in another role, or alone where it takes two: it is noted."""
        command = str(message.command.get("command"))
        policy = COMMANDS.get(command, NOBODY)
        outside = self._watcher.role not in policy.roles
        return command in COMMANDS and policy.privileged and (outside or problem.code == SECOND_PERSON)

    def _asked(self, message: CommandMessage) -> CommandRequest:
        return CommandRequest(
            id=message.id,
            who=self._watcher.name,
            role=self._watcher.role,
            fields=message.command,
            round=message.round,
            step=message.step,
            ready=message.ready,
        )

    def _answer(self, message_id: str, answer: CommandAnswer) -> None:
        if answer.problem is None:
            self._watcher.send(encode(AcceptedMessage(id=message_id, seq=answer.seq)))
        else:
            self._watcher.send(encode(RefusedMessage(id=message_id, problem=answer.problem)))

    def _refuse(self, message_id: str, code: str, what: str, allowed: str = "") -> None:
        problem = Problem(code=code, what=what, allowed=allowed)
        self._watcher.send(encode(RefusedMessage(id=message_id, problem=problem)))

    def _count_nonsense(self, why: str) -> None:
        self._nonsense = self._nonsense or Bucket(1, NONSENSE - 1)
        if self._nonsense.take(time.monotonic()) > 0:
            self._watcher.close(why)
