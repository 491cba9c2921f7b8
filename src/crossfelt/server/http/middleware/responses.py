"""Answers that middleware sends itself, before any route, and the security headers of every response."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import Message, Receive, Scope, Send

from crossfelt.errors import Problem
from crossfelt.wire import POLICY_VIOLATION, TRY_AGAIN, Goodbye, as_text

JSON_HEADER: Final = (b"content-type", b"application/json")
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


async def refuse(scope: Scope, receive: Receive, send: Send, status: int, problem: Problem) -> None:
    """Refuse a request or a WebSocket handshake with a problem."""
    if scope["type"] == ScopeType.WEBSOCKET:
        await receive()
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": problem.what})
    else:
        await respond(send, status, [JSON_HEADER], msgspec.json.encode({"problems": [problem]}))


async def respond(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    """Send a whole HTTP response."""
    length = (b"content-length", str(len(body)).encode())
    start: Any = {"type": "http.response.start", "status": status, "headers": [*headers, length]}
    await send(start)
    await send({"type": "http.response.body", "body": body, "more_body": False})


def accepted(subprotocol: str | None) -> Any:
    return {"type": "websocket.accept", "subprotocol": subprotocol, "headers": []}


async def accept_and_refuse(scope: Any, send: Send, why: str) -> None:
    """Accept a WebSocket only to send the reason why it is closed: a page cannot read why a handshake failed."""
    offered = scope.get("subprotocols") or [None]
    await send(accepted(offered[0]))
    goodbye: Any = {"type": "websocket.send", "text": as_text(Goodbye(why=why)), "bytes": None}
    await send(goodbye)
    await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": why})


async def add_security_headers(message: Message, scope: Scope) -> None:
    """Add the headers that a response does not set itself; errors and files have them too."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders(message)
        for name, value in SECURITY_HEADERS.items():
            headers.setdefault(name, value)
        if scope["scheme"] == "https":
            headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        if scope["path"].startswith("/api"):
            headers.setdefault("Cache-Control", "no-store")
