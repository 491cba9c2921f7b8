"""Forwarding to the server process that owns a table, for processes that share a database.

Clients may ask any process. Requests and WebSockets are forwarded unchanged, with the client's token.
"""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import Collection
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from crossfelt._util.bounded_input import bounded
from crossfelt.errors import Problem
from crossfelt.server.core.errors import MOVING
from crossfelt.server.http.middleware.responses import accept_and_refuse, accepted, refuse, respond
from crossfelt.server.http.request import ApiRequest, client_address, header_safe, peer_headers
from crossfelt.server.server import Server
from crossfelt.wire import TRY_AGAIN

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

TABLE_PATH: Final = re.compile(r"/api/tables/(?P<table>[a-z0-9-]+)(?:/.*)?")
TABLE_FIELDS: Final = {"/api/type": "table", "/api/advice": "table", "/api/proposals": "subject"}
"""Paths whose body names the table, and the field that does."""
APPROVAL_PATH: Final = re.compile(r"/api/proposals/(?P<number>\d{1,15})(?:/approval)?")
AUTHENTICATION: Final = (b"authorization", b"cookie")
FORWARDED_HEADERS: Final = (*AUTHENTICATION, b"content-type", b"accept", b"idempotency-key")
DROPPED_HEADERS: Final = ("content-length", "transfer-encoding", "connection", "content-encoding", "date", "server")
REQUEST_SECONDS: Final = 90.0
PEER_SECONDS: Final = 2.0
"""The time that another process has to report on its tables."""
NO_CLOSE_CODE: Final = (None, 1005, 1006)
"""Close codes of a connection that ended without one; they cannot be sent (RFC 6455, 7.4.1)."""
LARGEST_BODY: Final = 1 << 18
_trusted: Final = cache(ssl.create_default_context)
"""Reads the trusted certificates once: it takes longer than a request."""


class Proxy(ASGIMiddleware):
    """Forward requests about a table to the process that owns it; serve all other requests here."""

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        server: Server = scope["app"].state.server
        if not server.shared:
            await next_app(scope, receive, send)
            return
        table, body = "", None
        if (named := TABLE_PATH.fullmatch(scope["path"])) is not None:
            table = named["table"]
        elif (approved := APPROVAL_PATH.fullmatch(scope["path"])) is not None:
            table = await server.dual_control.subject(int(approved["number"]))
        elif scope["path"] in TABLE_FIELDS and scope["type"] == ScopeType.HTTP and scope["method"] == "POST":
            body = await _read_body(receive)
            table, receive = _table_in(body, TABLE_FIELDS[scope["path"]]), _replay(body)
        owner = await server.pit.owner_elsewhere(table) if table else None
        if owner is None:
            await next_app(scope, receive, send)
        elif scope["type"] == ScopeType.WEBSOCKET:
            await _bridge(owner, scope, receive, send)
        else:
            await _forward(owner, scope, receive, send, await _read_body(receive) if body is None else body)


def _forwarded(scope: Any, names: Collection[bytes]) -> dict[str, str]:
    """Return some headers of a request, and the address of its client."""
    headers = {name.decode(): header_safe(value.decode("latin-1")) for name, value in scope["headers"] if name in names}
    return headers | peer_headers(scope["app"].state.server, client_address(ASGIConnection(scope)))


def peer_client(address: str, seconds: float) -> httpx.AsyncClient:
    """Return an HTTP client for another process, at the address it has stored beside its lease.

    The request carries the user's token, so the certificate is checked if the address uses TLS.
    """
    import httpx  # slow to import, and a single process never needs it

    return httpx.AsyncClient(timeout=seconds, trust_env=False, verify=_tls_context(address) or False)


async def ask_peers(request: ApiRequest, path: str, kind: type[T]) -> list[T]:
    """Ask every other process on behalf of the user about its own tables (`here`); skip those that do not answer."""
    server = request.server
    if not server.shared:
        return []
    headers = peer_headers(server, request.address)
    if token := request.token:
        headers["Authorization"] = header_safe(f"Bearer {token}")
    requests = (
        _ask_peer(f"{address}{path}?here=true", headers, kind) for address in await server.pit.leases.other_urls()
    )
    return [answer for answer in await asyncio.gather(*requests) if answer is not None]


async def _ask_peer(address: str, headers: dict[str, str], kind: type[T]) -> T | None:
    import httpx

    try:
        async with peer_client(address, PEER_SECONDS) as client:
            return msgspec.json.decode((await client.get(address, headers=headers)).content, type=kind)
    except (httpx.HTTPError, httpx.InvalidURL, msgspec.MsgspecError):
        return None


def _tls_context(address: str) -> ssl.SSLContext | None:
    return _trusted() if address.startswith("https:") else None


async def _forward(owner: str, scope: Any, receive: Receive, send: Send, body: bytes) -> None:
    import httpx

    query = f"?{scope['query_string'].decode()}" if scope["query_string"] else ""
    address = f"{owner}{scope['path']}{query}"
    try:
        async with peer_client(owner, REQUEST_SECONDS) as client:
            headers = _forwarded(scope, FORWARDED_HEADERS)
            answer = await client.request(scope["method"], address, headers=headers, content=body)
    except (httpx.HTTPError, httpx.InvalidURL):
        await refuse(scope, receive, send, 503, Problem(code="table.moving", what=MOVING))
        return
    kept = [(name, value) for name, value in answer.headers.multi_items() if name not in DROPPED_HEADERS]
    returned = [(name.encode(), value.encode()) for name, value in kept]
    await respond(send, answer.status_code, returned, answer.content)


async def _bridge(owner: str, scope: Any, receive: Receive, send: Send) -> None:
    await receive()
    offered = scope.get("subprotocols") or []
    tls = _tls_context(owner)
    scheme = "ws" if tls is None else "wss"
    try:
        address = f"{scheme}://{urlsplit(owner).netloc}{scope['path']}?{scope['query_string'].decode()}"
        peer = await connect(
            address,
            additional_headers=_forwarded(scope, AUTHENTICATION),
            subprotocols=offered or None,
            compression=None,
            proxy=None,
            ssl=tls,
        )
    except (OSError, TimeoutError, InvalidHandshake, InvalidURI, ValueError):
        await accept_and_refuse(scope, send, MOVING)
        return
    await send(accepted(peer.subprotocol))
    tasks = [asyncio.create_task(_to_client(peer, send)), asyncio.create_task(_to_owner(peer, receive))]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await peer.close()


async def _to_client(peer: ClientConnection, send: Send) -> None:
    with suppress(ConnectionClosed):
        async for text in peer:
            message: Any = {"type": "websocket.send", "text": text if isinstance(text, str) else None, "bytes": None}
            await send(message)
    code = TRY_AGAIN if peer.close_code in NO_CLOSE_CODE else peer.close_code
    with suppress(RuntimeError):
        await send({"type": "websocket.close", "code": code, "reason": ""})


async def _to_owner(peer: ClientConnection, receive: Receive) -> None:
    with suppress(ConnectionClosed):
        while True:
            event: Any = await receive()
            if event["type"] == "websocket.disconnect":
                return
            await peer.send(event.get("text") or event.get("bytes") or "")


async def _read_body(receive: Receive) -> bytes:
    """Read a body, but stop once it is larger than the server accepts."""
    body, more = b"", True
    while more and len(body) <= LARGEST_BODY:
        event: Any = await receive()
        body += event.get("body", b"")
        more = event.get("more_body", False)
    return body


def _replay(body: bytes) -> Receive:
    """Return a `receive` that delivers a body which was read already."""
    events: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        return events.pop() if events else {"type": "http.disconnect"}

    return receive


def _table_in(body: bytes, field: str) -> str:
    try:
        return str(json.loads(bounded(body)).get(field, ""))
    except (ValueError, AttributeError):
        return ""
