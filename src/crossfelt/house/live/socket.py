"""A connection to a table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Final, cast

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from crossfelt.house.accounts.policy import COMMANDS, NOBODY
from crossfelt.house.accounts.sessions import key_of
from crossfelt.house.http.guarding import house_of, note_withheld, token_of, who, why_not_as
from crossfelt.house.http.turnstile import TRY_AGAIN
from crossfelt.house.live.connection import LIVE, POLICY_VIOLATION, LiveProtocol
from crossfelt.house.live.messages import (
    LONGEST_FRAME,
    LONGEST_ID,
    SUBPROTOCOL,
    AcceptedMessage,
    Bye,
    Give,
    Hello,
    Incoming,
    Ping,
    Pong,
    Ready,
    RefusedMessage,
    as_text,
    encode,
    read_message,
)
from crossfelt.house.rates import Bucket
from crossfelt.house.tables.absent import MOVING, NoSuchTable, TableMoving, TableShut
from crossfelt.house.tables.actor import TableActor
from crossfelt.house.tables.asked import Answer, Asked
from crossfelt.house.tables.watching import Watcher
from crossfelt.problems import Problem
from crossfelt.table.commands import Role

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
TAKES_TWO: Final = "floor.two_people"


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
        actor = house_of(socket).pit.find(table)
    except (NoSuchTable, TableShut) as none_here:
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
    watcher = Watcher(identity.name if identity else "", cast("Role", role))
    talk, connections = Talk(socket, actor, watcher), house_of(socket).connections
    connections.add(talk)
    try:
        await talk.run()
    finally:
        connections.remove(talk)


async def _turn_away(socket: WebSocket[Any, Any, Any], why: str, code: int = POLICY_VIOLATION) -> None:
    await socket.send_text(as_text(Bye(why=why)))
    await socket.close(code=code, reason=why[:100])


class Talk:
    """One connection: takes what comes in, one message after the other, and sends what the table has to say.

    Nothing waits here for a message or for the table: both call, so that nobody has to be woken in between.
    """

    __slots__ = (
        *("_actor", "_asking", "_at_work", "_bucket", "_joined", "_live", "_nonsense", "_over", "_sending", "_socket"),
        *("_watcher", "account", "session"),
    )

    def __init__(self, socket: WebSocket[Any, Any, Any], actor: TableActor, watcher: Watcher) -> None:
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
        self._live: LiveProtocol = extensions[LIVE]
        self._asking = False
        """Whether a message is with the table, or with who must be asked first: the next one waits."""
        self._at_work: asyncio.Task[None] | None = None
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def run(self) -> None:
        """Until one of the two goes."""
        herald = house_of(self._socket).herald
        if herald is not None:
            await self._live.hand_over(herald)
        self._watcher.attach(self._live.write, self._begin_to_send)
        self._live.follow(self._hear)
        try:
            self._hear()
            await self._over
        finally:
            self._live.follow(None)
            if self._joined:
                self._actor.leave(self._watcher)
            for task in (self._at_work, self._sending):
                if task is not None:
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
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

    def _hear(self) -> None:
        """Takes what has come in, as far as no message waits for its answer."""
        try:
            while not self._asking and not self._over.done() and (event := self._live.take()) is not None:
                if event["type"] == "websocket.disconnect":
                    self._over.set_result(None)
                elif event["type"] == "websocket.receive" and not self._watcher.lost:
                    self._read(event.get("text"))
        except Exception as fault:
            self._fail(fault)

    def _fail(self, fault: BaseException) -> None:
        """A fault of the program ends this connection; who called, the server or the table, goes on."""
        if not self._over.done():
            self._over.set_exception(fault)

    def _read(self, text: str | None) -> None:
        """One frame; what cannot be read is refused, and after some of it the connection ends. So is what comes too
        quickly, by its id: who waits for the answer would wait for ever."""
        hasty = self._bucket.take(time.monotonic()) > 0
        if text is None or len(text) > LONGEST_FRAME:
            self._refuse("", "message.frame", "not a text frame that is read here", allowed=f"{LONGEST_FRAME:,} signs")
            self._count_nonsense(UNREADABLE)
            return
        try:
            message = read_message(text)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            self._refuse("", "message.malformed", f"not a message: {error}")
            self._count_nonsense(UNREADABLE)
            return
        if hasty:
            asked = message.id[:LONGEST_ID] if isinstance(message, Give | Ready) else ""
            self._refuse(asked, "message.rate", TOO_MANY, allowed=f"{MESSAGES_A_SECOND} a second")
            self._count_nonsense(TOO_MANY)
            return
        self._obey(message)

    def _obey(self, message: Incoming) -> None:
        if isinstance(message, Ping):
            self._watcher.send(encode(Pong(n=message.n, now=self._actor.now())))
        elif isinstance(message, Hello):
            if self._joined:
                self._refuse("", "message.hello", "hello was said already")
                return
            self._joined = True
            here = message.opening == self._actor.settings.opening
            self._actor.join(self._watcher, message.after if here else None)
        elif not self._joined:
            self._refuse(message.id, "message.hello", "say hello first", allowed='{"type":"hello"}')
        elif not 1 <= len(message.id) <= LONGEST_ID or not message.id.isprintable():
            self._refuse(message.id[:LONGEST_ID], "message.id", "not an id", allowed=f"1 to {LONGEST_ID} signs")
        elif self._watcher.role in PRIVILEGED:
            self._meanwhile(self._look_and_ask(message))
        elif isinstance(message, Ready):
            self._answer(message.id, self._actor.ready(self._watcher.name, message.round))
        else:
            self._asking = True
            self._actor.hear(self._asked(message), partial(self._answered, message))

    def _answered(self, message: Give, answer: Answer) -> None:
        """The table's answer to a player."""
        try:
            if self._oversteps(message, answer):
                self._meanwhile(self._note_and_answer(message, answer))
                return
            self._answer(message.id, answer)
        except Exception as fault:
            self._fail(fault)
        self._asking = False
        if self._live.waits:
            asyncio.get_running_loop().call_soon(self._hear)

    def _meanwhile(self, work: Coroutine[Any, Any, None]) -> None:
        """Does what takes time; the next message waits for it."""
        self._asking = True
        self._at_work = asyncio.create_task(work)
        self._at_work.add_done_callback(self._worked)

    def _worked(self, task: asyncio.Task[None]) -> None:
        self._asking = False
        if task.cancelled():
            return
        if (fault := task.exception()) is not None:
            self._fail(fault)
        else:
            self._hear()

    async def _look_and_ask(self, message: Give | Ready) -> None:
        """Who deals or rules must still have the role, and the session, that they connected with."""
        await self.look_again()
        if self._watcher.lost:
            return
        if isinstance(message, Ready):
            self._answer(message.id, self._actor.ready(self._watcher.name, message.round))
        else:
            await self._note_and_answer(message, await self._actor.ask(self._asked(message)))

    async def look_again(self) -> None:
        """Closes the connection of who has lost the session it was made in, or the role."""
        identity = await who(self._socket)
        gone = bool(self.account) and identity is None
        why = LOGGED_OUT if gone else why_not_as(self._watcher.role, identity, self._actor.settings)
        if why is not None and not self._watcher.lost:
            self._watcher.close(why)

    async def _note_and_answer(self, message: Give, answer: Answer) -> None:
        if answer.problem is not None and self._oversteps(message, answer):
            act = f"{message.command['command']} at {self._actor.settings.id}"
            await note_withheld(self._socket, act, answer.problem.code)
            self._count_nonsense(TOO_BOLD)
        self._answer(message.id, answer)

    def _oversteps(self, message: Give, answer: Answer) -> bool:
        """Whether an act of dealer or floor was asked for in another role, or alone where it takes two: it is noted."""
        if answer.problem is None:
            return False
        command = str(message.command.get("command"))
        policy = COMMANDS.get(command, NOBODY)
        outside = self._watcher.role not in policy.roles
        return command in COMMANDS and policy.privileged and (outside or answer.problem.code == TAKES_TWO)

    def _asked(self, message: Give) -> Asked:
        return Asked(
            id=message.id,
            who=self._watcher.name,
            role=self._watcher.role,
            fields=message.command,
            round=message.round,
            step=message.step,
            ready=message.ready,
        )

    def _answer(self, message_id: str, answer: Answer) -> None:
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
