"""What every request passes: the host it asks for, where it comes from, and the headers of what goes out."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.status_codes import HTTP_400_BAD_REQUEST, HTTP_403_FORBIDDEN
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from crossfelt.errors import Problem

SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
ONCE: Final = (b"host", b"origin", b"authorization")
"""Headers that say where a request goes and whose it is: of two, one would be looked at here, the other elsewhere."""
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; media-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


async def add_headers(message: Message, scope: Scope) -> None:
    """Before anything is sent: also what is not found, and every file, has the policy of the house."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders(message)
        for name, value in SECURITY_HEADERS.items():
            headers.setdefault(name, value)
        if scope["path"].startswith("/api"):
            headers.setdefault("Cache-Control", "no-store")


class AllowedHosts:
    """Turns away requests for other hosts, those that another site has sent, and those that say two things at once."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], any_address: bool = False) -> None:
        """`any_address` also lets in who asks for a number; names could be pointed here by anybody."""
        self._app = app
        self._any_address = any_address
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (name := _said_twice(scope)) is not None:
            await _refuse(scope, receive, send, f"{name} is said more than once", HTTP_400_BAD_REQUEST)
        elif (why := self._turned_away(scope, dict(scope["headers"]))) is not None:
            await _refuse(scope, receive, send, why, HTTP_403_FORBIDDEN)
        else:
            await self._app(scope, receive, send)

    def _turned_away(self, scope: Scope, headers: dict[bytes, bytes]) -> str | None:
        host = headers.get(b"host", b"").decode("latin-1")
        name = name_of(host)
        if name not in self._hosts and not (self._any_address and _is_address(name)):
            return "this host is not served here"
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            return "no address has a sign of nothing"  # nor has a name, and PostgreSQL takes none
        origin = headers.get(b"origin", b"").decode("latin-1")
        changes = scope["type"] == ScopeType.WEBSOCKET or scope["method"] not in SAFE_METHODS
        if origin and changes and _host_of(origin) != host.lower():
            return "requests of another site are not answered"
        return None


def _said_twice(scope: Scope) -> str | None:
    said = [name for name, _ in scope["headers"] if name in ONCE]
    return next((name.decode() for name in ONCE if said.count(name) > 1), None)


def name_of(host: str) -> str:
    """A host without its port.

    >>> name_of("127.0.0.1:8000"), name_of("[::1]:8000")
    ('127.0.0.1', '[::1]')
    """
    name = host.lower()
    if name.startswith("["):
        return name.partition("]")[0] + "]"
    return name.partition(":")[0]


def _host_of(origin: str) -> str:
    """The host with its port that a page came from; nothing where that cannot be read.

    >>> _host_of("http://127.0.0.1:8000"), _host_of("null"), _host_of("http://[")
    ('127.0.0.1:8000', '', '')
    """
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


async def _refuse(scope: Scope, receive: Receive, send: Send, why: str, status: int) -> None:
    if scope["type"] == ScopeType.WEBSOCKET:
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": why})
        return
    body = msgspec.json.encode({"problems": [Problem(code="door", what=why)]})
    start: Any = {
        "type": "http.response.start",
        "status": status,
        "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())],
    }
    await send(start)
    await send({"type": "http.response.body", "body": body, "more_body": False})
