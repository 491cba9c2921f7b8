"""Every WebSocket passes here, whichever process has its table: no more are let in than there is room for."""

from __future__ import annotations

from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from crossfelt.server.http.middleware.auth import address_of
from crossfelt.server.runtime.limits import FULL, TooManyRequests
from crossfelt.server.wiring import Server
from crossfelt.wire.messages import Goodbye, as_text

TRY_AGAIN: Final = 1013


class ConnectionLimit:
    """Counts who is connected, from the handshake on: also who says nothing takes memory."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        server = scope["app"].state.get("server")
        if scope["type"] != ScopeType.WEBSOCKET or not isinstance(server, Server):
            await self._app(scope, receive, send)
            return
        address = address_of(ASGIConnection(scope))
        full = server.room.full(address)
        if full is None:
            with server.room.taken(address):
                await self._app(scope, receive, send)
            return
        server.metrics.turned_away[full] += 1
        await receive()
        try:
            server.addresses.take(address)
        except TooManyRequests:
            # A goodbye waits until it is answered: who asks on and on is not given one.
            await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": ""})
            return
        await say_goodbye(scope, send, FULL[full])


async def say_goodbye(scope: Any, send: Send, why: str) -> None:
    """Lets somebody in only to say why it cannot be now: a page is not told why a handshake was refused."""
    offered = scope.get("subprotocols") or [None]
    await send(accepted(offered[0]))
    goodbye: Any = {"type": "websocket.send", "text": as_text(Goodbye(why=why)), "bytes": None}
    await send(goodbye)
    await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": why})


def accepted(subprotocol: str | None) -> Any:
    return {"type": "websocket.accept", "subprotocol": subprotocol, "headers": []}
