"""Checks of how a request is addressed: its Host header by an allow-list, and its Origin."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.status_codes import HTTP_400_BAD_REQUEST, HTTP_403_FORBIDDEN
from litestar.types import ASGIApp, Receive, Scope, Send

from crossfelt.errors import Problem
from crossfelt.server.http.middleware.responses import refuse

SINGLE_HEADERS: Final = (b"host", b"origin", b"authorization")
"""Headers that a request may carry once. Of two, this server might check one and a proxy use the other."""
SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
_HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.%]+\]|[^:@/?#\[\]\s]+)(?::\d{1,5})?")


class AddressCheck(ASGIMiddleware):
    """Refuse requests for another host (DNS rebinding), from another site (cross-site request forgery), and ambiguous
    ones."""

    def __init__(self, hosts: Iterable[str], *, any_address: bool) -> None:
        """`any_address` also allows any IP address as host. Names stay on the list: anyone can point a name here."""
        self._any_address = any_address
        self._hosts = frozenset(host.lower() for host in hosts)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        if (refused := self._why_not(scope)) is None:
            await next_app(scope, receive, send)
        else:
            status, code, what = refused
            await refuse(scope, receive, send, status, Problem(code=code, what=what))

    def _why_not(self, scope: Scope) -> tuple[int, str, str] | None:
        """Return the status, code and words of a refusal."""
        sent = [name for name, _ in scope["headers"] if name in SINGLE_HEADERS]
        if repeated := [name.decode() for name in SINGLE_HEADERS if sent.count(name) > 1]:
            what = f"the request has more than one {repeated[0]} header: send it once"
            return HTTP_400_BAD_REQUEST, "request.repeated_header", what
        if not (name := host_name(host_header(scope))):
            what = "the Host header is malformed: send the server's name and port"
            return HTTP_400_BAD_REQUEST, "request.host", what
        if not (name in self._hosts or (self._any_address and _is_address(name))):
            what = "this server does not serve that host: use the address it was started with, or add it to `hosts`"
            return HTTP_403_FORBIDDEN, "request.host", what
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:  # PostgreSQL stores no text with it
            return HTTP_403_FORBIDDEN, "request.nul", "the URL contains a NUL character: remove it"
        if _is_cross_site(scope):
            what = "the request comes from another site: send it from a page of this server"
            return HTTP_403_FORBIDDEN, "request.cross_site", what
        return None


def host_header(scope: Scope) -> str:
    return dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()


def host_name(host: str) -> str:
    """Return a host without its port; empty if it is malformed.

    >>> host_name("127.0.0.1:8000"), host_name("[::1]:8000"), host_name("127.0.0.1:80@evil")
    ('127.0.0.1', '[::1]', '')
    """
    found = _HOST.fullmatch(host.lower())
    return found["name"] if found else ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _is_cross_site(scope: Scope) -> bool:
    """Return whether the Origin of a WebSocket or unsafe method is another site. Programs send no Origin and pass."""
    origin = dict(scope["headers"]).get(b"origin", b"").decode("latin-1")
    unsafe = scope["type"] == ScopeType.WEBSOCKET or scope["method"] not in SAFE_METHODS
    return bool(origin) and unsafe and origin.lower() != _origin_of(scope)


def _origin_of(scope: Scope) -> str:
    """Return the origin of the pages of this server, as the request addresses it.

    >>> scope = {"type": "websocket", "scheme": "ws", "headers": [(b"host", b"127.0.0.1:8000")]}
    >>> _origin_of(scope), _origin_of({**scope, "scheme": "wss"})
    ('http://127.0.0.1:8000', 'https://127.0.0.1:8000')
    """
    scheme = scope["scheme"].replace("ws", "http", 1)
    return f"{scheme}://{host_header(scope)}"
