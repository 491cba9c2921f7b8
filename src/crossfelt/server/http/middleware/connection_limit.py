"""The limit on WebSocket connections, of this process and of each address."""

from __future__ import annotations

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from crossfelt.server.http.middleware.responses import accept_and_refuse
from crossfelt.server.http.request import client_address
from crossfelt.server.runtime.limits import FULL_TEXTS, TooManyRequests
from crossfelt.server.server import Server
from crossfelt.wire import TRY_AGAIN


class ConnectionLimit(ASGIMiddleware):
    """Count connections from the handshake on: a silent connection takes memory too."""

    scopes = (ScopeType.WEBSOCKET,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        server: Server = scope["app"].state.server
        address = client_address(ASGIConnection(scope))
        full = server.connection_limiter.full(address)
        if full is None:
            with server.connection_limiter.connection(address):
                await next_app(scope, receive, send)
            return
        server.metrics.turned_away.labels(full).inc()
        await receive()
        try:
            server.address_limits.take(address)
        except TooManyRequests:
            # A goodbye waits for the client's answer, so a client that retries too often gets none.
            await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": ""})
        else:
            await accept_and_refuse(scope, send, FULL_TEXTS[full])
