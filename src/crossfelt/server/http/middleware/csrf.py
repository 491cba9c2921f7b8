"""Protection against cross-site request forgery: the Origin header must name this server."""

from __future__ import annotations

from typing import Final

from litestar.enums import ScopeType
from litestar.status_codes import HTTP_403_FORBIDDEN
from litestar.types import ASGIApp, Receive, Scope, Send

from crossfelt.errors import Problem
from crossfelt.server.http.middleware.allowed_hosts import host_header
from crossfelt.server.http.middleware.responses import refuse

SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
CROSS_SITE: Final = Problem(
    code="request.cross_site", what="the request comes from another site: send it from a page of this server"
)


class SameOrigin:
    """Refuse WebSockets and unsafe methods whose Origin is another site. Programs send no Origin and pass."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        origin = dict(scope["headers"]).get(b"origin", b"").decode("latin-1")
        unsafe = scope["type"] == ScopeType.WEBSOCKET or scope["method"] not in SAFE_METHODS
        if origin and unsafe and origin.lower() != _origin_of(scope):
            await refuse(scope, receive, send, HTTP_403_FORBIDDEN, CROSS_SITE)
        else:
            await self._app(scope, receive, send)


def _origin_of(scope: Scope) -> str:
    """Return the origin of the pages of this server, as the request addresses it.

    >>> scope = {"type": "websocket", "scheme": "ws", "headers": [(b"host", b"127.0.0.1:8000")]}
    >>> _origin_of(scope), _origin_of({**scope, "scheme": "wss"})
    ('http://127.0.0.1:8000', 'https://127.0.0.1:8000')
    """
    scheme = scope["scheme"].replace("ws", "http", 1)
    return f"{scheme}://{host_header(scope)}"
