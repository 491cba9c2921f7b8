"""A client's WebSocket session at a table."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from functools import partial
from typing import Any, Final, cast

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from litestar.types import Empty
from litestar.utils.scope.state import ScopeState

from crossfelt import wire as m
from crossfelt.errors import BadInput, Problem
from crossfelt.server.accounts.policy import COMMANDS, NOBODY, Policy
from crossfelt.server.accounts.sessions import key_of
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.core.errors import TableClosed, TableMoving
from crossfelt.server.core.requests import CommandAnswer, CommandRequest
from crossfelt.server.dual_control.rule import SECOND_PERSON
from crossfelt.server.http.middleware.auth import authenticate, why_not_role
from crossfelt.server.http.request import ON_BEHALF_OF_HEADER, PEER_HEADER, record_denial, server_of, token_of
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.runtime.limits import Bucket
from crossfelt.server.ws.protocol import LIVE, WsProtocol
from crossfelt.table.commands import Role
from crossfelt.wire import LONGEST_FRAME, LONGEST_ID, POLICY_VIOLATION, TRY_AGAIN, as_text, encode

log = logging.getLogger(__name__)
Answered = m.CommandMessage | m.ReadyMessage | m.SeedMessage | m.GoOnMessage | m.PausesMessage
PRIVILEGED: Final = ("dealer", "floor", "auditor")
KEPT_HEADERS: Final = (b"authorization", b"cookie", PEER_HEADER.encode(), ON_BEHALF_OF_HEADER.encode())
MESSAGES_A_SECOND: Final = 20
BURST: Final = 60
MAX_REJECTED: Final = 20
"""The number of rejected messages at once after which a connection is closed; each second allows one more."""
TOO_MANY_UNREADABLE: Final = "too many messages that cannot be read"
TOO_MANY: Final = "too many messages"
TOO_MANY_DENIED: Final = "too many commands that this role may not give"
PER_ACCOUNT: Final = 32
TOO_MANY_CONNECTIONS: Final = "too many connections of your account: close some, then try again"
LOGGED_OUT: Final = "the session has ended: log in again"


@websocket("/api/tables/{table:str}/live")
async def live(socket: WebSocket[Any, Any, Any], table: FromPath[str]) -> None:
    """Receive commands and send updates."""
    try:
        await _serve(socket, table)
    finally:
        del socket.receive, socket.send  # they refer to the socket, and would keep it alive


async def _serve(socket: WebSocket[Any, Any, Any], table: str) -> None:
    offered = socket.scope.get("subprotocols") or []
    await socket.accept(subprotocols=m.SUBPROTOCOL if m.SUBPROTOCOL in offered else None)
    identity = socket.scope["user"]
    role = socket.query_params.get("as", "player")
    try:
        actor = server_of(socket).pit.find(table)
    except BadInput as refusal:
        short = isinstance(refusal, TableClosed | TableMoving)
        said = refusal.problems[0].what if short else str(refusal)
        code = TRY_AGAIN if isinstance(refusal, TableMoving) else POLICY_VIOLATION
        await _refuse(socket, said, code, successor=getattr(refusal, "successor", ""))
        return
    why = why_not_role(role, identity, actor.settings)
    if why is not None:
        if role in PRIVILEGED:
            await record_denial(socket, f"{role} at {table}", "policy.role" if identity else "policy.log_in")
        await _refuse(socket, why)
        return
    connections = server_of(socket).connections
    if identity and connections.by_account[identity.account] >= PER_ACCOUNT:
        server_of(socket).metrics.turned_away.labels("account").inc()
        await _refuse(socket, TOO_MANY_CONNECTIONS, TRY_AGAIN)
        return
    own = identity is not None and bool(actor.settings.owner)
    examined = own and await server_of(socket).exams.of(identity.account, table) is not None
    subscriber = Subscriber(identity.name if identity else "", cast("Role", role), examined=examined)
    session = ClientSession(socket, actor, subscriber)
    _drop_headers(socket)
    connections.add(session)
    try:
        await session.run()
    finally:
        connections.remove(session)


def _drop_headers(socket: WebSocket[Any, Any, Any]) -> None:
    """Keep only the headers that a later check of the session reads: all of them take a tenth of a connection."""
    socket.scope["headers"] = [it for it in socket.scope["headers"] if it[0] in KEPT_HEADERS]
    ScopeState.from_scope(socket.scope).headers = Empty


async def _refuse(
    socket: WebSocket[Any, Any, Any], why: str, code: int = POLICY_VIOLATION, successor: str = ""
) -> None:
    await socket.send_text(as_text(m.Goodbye(why=why, successor=successor)))
    await socket.close(code=code, reason=why[:100])


class ClientSession:
    """One connection. It handles the client's messages one after another, and sends the table's updates."""

    __slots__ = (
        *("_actor", "_answered", "_asking", "_bucket", "_joined", "_live", "_rejected", "_sending", "_socket"),
        *("_subscriber", "account", "session"),
    )

    def __init__(self, socket: WebSocket[Any, Any, Any], actor: TableActor, subscriber: Subscriber) -> None:
        self._socket = socket
        self._actor = actor
        self._subscriber = subscriber
        identity = socket.scope["user"]
        self.account = identity.account if identity else ""
        self.session = key_of(token_of(socket)) if identity else ""
        self._joined = False
        self._bucket = Bucket(MESSAGES_A_SECOND, BURST)
        self._rejected = Bucket(1, MAX_REJECTED - 1)
        self._sending: asyncio.Task[None] | None = None
        self._asking = False
        """True while the table has a command of this client, or a message waits for its answer: the next one waits."""
        self._answered: asyncio.Future[None] | None = None
        """Resolved with the answer, if the next message waits for it."""
        extensions: Any = socket.scope["extensions"]
        self._live: WsProtocol = extensions[LIVE]

    async def run(self) -> None:
        """Handle messages until the client disconnects or the connection is closed."""
        self._subscriber.attach(self._live.write, self._start_sending)
        try:
            while (event := await self._socket.receive())["type"] == "websocket.receive":
                if self._asking:
                    self._answered = asyncio.get_running_loop().create_future()
                    await self._answered
                    self._answered, self._asking = None, False
                if not self._subscriber.lost:
                    await self._receive(event.get("text"))
        finally:
            if self._joined:
                self._actor.leave(self._subscriber)
            if self._sending is not None:
                self._sending.cancel()
                await asyncio.gather(self._sending, return_exceptions=True)
            self._subscriber.detach()
            self._live.take = None

    def _start_sending(self) -> None:
        self._sending = asyncio.create_task(self._send_queue())

    async def _send_queue(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while self._subscriber.messages:
                text = self._subscriber.messages.pop(0)
                if text is None:
                    await self._socket.close(code=m.GOING_AWAY)
                    return
                await self._socket.send({"type": "websocket.send", "text": text.decode(), "bytes": None})
            self._subscriber.behind = False

    async def _receive(self, text: str | None) -> None:
        """Handle one frame. Unreadable messages, and messages over the rate limit, are rejected.

        A rejection carries the message's id: the client would wait for its answer for ever.
        """
        over_limit = self._bucket.take(time.monotonic()) > 0
        if text is None or len(text) > LONGEST_FRAME:
            allowed = f"a text frame of at most {LONGEST_FRAME:,} characters"
            self._reject("", "message.frame", "the frame cannot be read", allowed=allowed)
            self._count_rejection(TOO_MANY_UNREADABLE)
            return
        try:
            message = m.read_message(text.encode())
        except (msgspec.MsgspecError, ValueError) as error:
            self._reject("", "message.malformed", f"the message cannot be read: {error}")
            self._count_rejection(TOO_MANY_UNREADABLE)
            return
        if over_limit:
            message_id = getattr(message, "id", "")[:LONGEST_ID]
            allowed = f"{MESSAGES_A_SECOND} a second; send it again in a second"
            self._reject(message_id, "message.rate", TOO_MANY, allowed=allowed)
            self._count_rejection(TOO_MANY)
            return
        await self._handle(message)

    async def _handle(self, message: m.Incoming) -> None:
        if isinstance(message, m.Ping):
            self._subscriber.send(encode(m.Pong(n=message.n, now=self._actor.now())))
        elif isinstance(message, m.Hello):
            if self._joined:
                self._reject("", "message.hello", "hello may be sent only once on a connection")
                return
            self._joined = True
            self._actor.join(self._subscriber, message.after)
            self._live.take = self._take if self._subscriber.role == "player" else None
        elif not self._joined:
            self._reject(message.id, "message.hello", "send hello first", allowed='{"type":"hello"}')
        elif not _is_usable(message.id):
            allowed = f"1 to {LONGEST_ID} printable characters"
            self._reject(message.id[:LONGEST_ID], "message.id", "the id cannot be used", allowed=allowed)
        else:
            await self._ask_table(message)

    async def _ask_table(self, message: Answered) -> None:
        """Pass a message to the table. Dealers and supervisors must still have their session and role."""
        privileged = self._subscriber.role in PRIVILEGED
        if privileged:
            await self.recheck_session()
            if self._subscriber.lost:
                return
        if not isinstance(message, m.CommandMessage) or not (privileged or _policy_of(message).privileged):
            self._pass(message)
            return
        if self._subscriber.examined and await server_of(self._socket).exams.waits(self.account, self._actor):
            self._reject(message.id, "exam.asked", "type the payments that the exam asks, then go on")
            return
        self._asking = True
        answer = await self._actor.ask(self._request(message))
        if answer.problem is not None and self._exceeds_role(message, answer.problem):
            act = f"{message.command['command']} at {self._actor.settings.id}"
            await record_denial(self._socket, act, answer.problem.code)
            self._count_rejection(TOO_MANY_DENIED)
        self._answer(message.id, answer)
        self._asking = False

    def _take(self, data: bytes) -> bool:
        """Handle a player's message as it arrives; return False for others, which the task handles in turn."""
        if self._asking or self._subscriber.lost or len(data) > LONGEST_FRAME:
            return False
        try:
            message = m.read_message(data)
        except (msgspec.MsgspecError, ValueError):
            return False
        if isinstance(message, m.Hello | m.Ping) or not _is_usable(message.id):
            return False
        if isinstance(message, m.CommandMessage) and _policy_of(message).privileged:
            return False
        if self._bucket.take(time.monotonic()) > 0:
            return False
        self._pass(message)
        return True

    def _pass(self, message: Answered) -> None:
        """Pass a player's message to the table. It calls `_finish` with the answer to a command: no task waits."""
        actor, name = self._actor, self._subscriber.name
        match message:
            case m.CommandMessage():
                self._asking = True
                actor.submit(self._request(message), partial(self._finish, message.id))
            case m.SeedMessage():
                self._answer(message.id, actor.take_seed(name, message.round, message.seat, message.seed))
            case m.ReadyMessage():
                self._answer(message.id, actor.ready(name, message.round))
            case m.GoOnMessage():
                self._answer(message.id, actor.go_on_without(message.seat, name))
            case m.PausesMessage():
                self._answer(message.id, actor.set_pauses(name, on=message.on))

    def _finish(self, message_id: str, answer: CommandAnswer) -> None:
        """Send the table's answer, and let the next message be read. A fault ends this connection, not the table."""
        try:
            self._answer(message_id, answer)
        except Exception as error:
            log.error("fault in a connection", exc_info=error, extra={"table": self._actor.settings.id})
            self._subscriber.close("an internal error")
        if self._answered is None:
            self._asking = False
        elif not self._answered.done():
            self._answered.set_result(None)

    async def recheck_session(self) -> None:
        """Close the connection if its log-in session has ended or the person has lost the role."""
        identity = await authenticate(self._socket)
        ended = bool(self.account) and identity is None
        why = LOGGED_OUT if ended else why_not_role(self._subscriber.role, identity, self._actor.settings)
        if why is not None and not self._subscriber.lost:
            self._subscriber.close(why)

    def _exceeds_role(self, message: m.CommandMessage, problem: Problem) -> bool:
        """Return whether a dealer's or supervisor's act was refused for the role, or for lack of a second person."""
        policy = _policy_of(message)
        outside = self._subscriber.role not in policy.roles
        known = str(message.command.get("command")) in COMMANDS
        return known and policy.privileged and (outside or problem.code == SECOND_PERSON)

    def _request(self, message: m.CommandMessage) -> CommandRequest:
        return CommandRequest(
            id=message.id,
            who=self._subscriber.name,
            role=self._subscriber.role,
            fields=message.command,
            round=message.round,
            step=message.step,
            ready=message.ready,
        )

    def _answer(self, message_id: str, answer: CommandAnswer) -> None:
        if answer.problem is None:
            self._subscriber.send(encode(m.AcceptedMessage(id=message_id, seq=answer.seq, receipt=answer.receipt)))
        else:
            self._subscriber.send(encode(m.RefusedMessage(id=message_id, problem=answer.problem)))

    def _reject(self, message_id: str, code: str, what: str, allowed: str = "") -> None:
        problem = Problem(code=code, what=what, allowed=allowed)
        self._subscriber.send(encode(m.RefusedMessage(id=message_id, problem=problem)))

    def _count_rejection(self, why: str) -> None:
        if self._rejected.take(time.monotonic()) > 0:
            self._subscriber.close(why)


def _is_usable(message_id: str) -> bool:
    return 1 <= len(message_id) <= LONGEST_ID and message_id.isprintable()


def _policy_of(message: m.CommandMessage) -> Policy:
    return COMMANDS.get(str(message.command.get("command")), NOBODY)
