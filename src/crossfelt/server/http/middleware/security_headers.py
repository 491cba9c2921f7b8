"""Security headers of every response."""

from __future__ import annotations

from typing import Final

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

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
