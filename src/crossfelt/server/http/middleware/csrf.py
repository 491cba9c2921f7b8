"""Protection against cross-site request forgery: the Origin header must name this server."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

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
        if origin and unsafe and _host_of(origin) != host_header(scope):
            await refuse(scope, receive, send, HTTP_403_FORBIDDEN, CROSS_SITE)
        else:
            await self._app(scope, receive, send)


def _host_of(origin: str) -> str:
    """Return the host and port of an origin; empty if it has none.

    >>> _host_of("http://127.0.0.1:8000"), _host_of("null"), _host_of("http://[")
    ('127.0.0.1:8000', '', '')
    """
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""
