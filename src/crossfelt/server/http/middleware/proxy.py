"""Several processes, one house: what is asked about a table is handed to the process that has its lease.

Whoever asks need not know: requests and WebSockets are passed on as they are, with the token of whoever asks.
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
from litestar.types import ASGIApp, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from crossfelt._util.bounded_input import bounded
from crossfelt.errors import Problem
from crossfelt.server.core.errors import MOVING
from crossfelt.server.http.middleware.auth import Asking, address_of, as_neighbour, sendable, server_of, token_of
from crossfelt.server.http.middleware.connection_limit import TRY_AGAIN, accepted, say_goodbye
from crossfelt.server.wiring import Server

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

OF_A_TABLE: Final = re.compile(r"/api/tables/(?P<table>[a-z0-9-]+)(?:/.*)?")
TABLE_IN_BODY: Final = {"/api/type": "table", "/api/advice": "table", "/api/proposals": "subject"}
"""Where what is asked names its table, by the path it is asked at."""
OF_A_PROPOSAL: Final = re.compile(r"/api/proposals/(?P<number>\d{1,15})/approval")
WHO_ASKS: Final = (b"authorization", b"cookie")
PASSED_ON: Final = (*WHO_ASKS, b"content-type", b"accept")
NOT_ANSWERED_WITH: Final = ("content-length", "transfer-encoding", "connection", "content-encoding", "date", "server")
SECONDS: Final = 90.0
TELLING_SECONDS: Final = 2.0
"""How long another process may take to tell of its tables."""
CUT_OFF: Final = (None, 1005, 1006)
"""How a connection ended that nobody closed with a code; these cannot be sent (RFC 6455, 7.4.1)."""
LARGEST_BODY: Final = 1 << 18


class Proxy:
    """Answers what is asked of tables of this process, and passes the rest on to their owners."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        server = scope["app"].state.get("server")
        body: bytes | None = None
        table = ""
        if isinstance(server, Server) and server.shared:
            if (named := OF_A_TABLE.fullmatch(scope["path"])) is not None:
                table = named["table"]
            elif (agreed := OF_A_PROPOSAL.fullmatch(scope["path"])) is not None:
                table = await server.dual_control.subject(int(agreed["number"]))
            elif scope["path"] in TABLE_IN_BODY and scope["type"] == ScopeType.HTTP and scope["method"] == "POST":
                body = await _body(receive)
                table, receive = _table_in(body, TABLE_IN_BODY[scope["path"]]), _replay(body)
        owner = await server.pit.owner_elsewhere(table) if table and isinstance(server, Server) else None
        if owner is None:
            await self._app(scope, receive, send)
        elif scope["type"] == ScopeType.WEBSOCKET:
            await _bridge(owner, scope, _handed_on(scope, WHO_ASKS), receive, send)
        else:
            headers = _handed_on(scope, PASSED_ON)
            await _hand_on(owner, scope, headers, await _body(receive) if body is None else body, send)


def _handed_on(scope: Any, names: Collection[bytes]) -> dict[str, str]:
    """Some headers of what is asked, and for whom."""
    headers = {name.decode(): sendable(value.decode("latin-1")) for name, value in scope["headers"] if name in names}
    return headers | as_neighbour(scope["app"].state.server, address_of(ASGIConnection(scope)))


def ask_neighbour(address: str, seconds: float) -> httpx.AsyncClient:
    """Asks another process of the house, at the address it has written beside its lease; what it is asked holds the
    token of whoever asks, so where the address is one of TLS its certificate is checked."""
    import httpx  # takes its time, and a house of one process never needs it

    return httpx.AsyncClient(timeout=seconds, trust_env=False, verify=_certificates(address) or False)


async def told_elsewhere(request: Asking, path: str, kind: type[T]) -> list[T]:
    """What the other processes of the house answer to who asks, each of its own tables (`here`); nothing of those that
    do not answer."""
    server = server_of(request)
    if not server.shared:
        return []
    headers = as_neighbour(server, address_of(request))
    if token := token_of(request):
        headers["Authorization"] = sendable(f"Bearer {token}")
    asked = (_told_at(f"{address}{path}?here=true", headers, kind) for address in await server.pit.neighbours())
    return [told for told in await asyncio.gather(*asked) if told is not None]


async def _told_at(address: str, headers: dict[str, str], kind: type[T]) -> T | None:
    import httpx

    try:
        async with ask_neighbour(address, TELLING_SECONDS) as client:
            return msgspec.json.decode((await client.get(address, headers=headers)).content, type=kind)
    except (httpx.HTTPError, httpx.InvalidURL, msgspec.MsgspecError):
        return None


def _certificates(address: str) -> ssl.SSLContext | None:
    """Whom to believe at an address; None where nothing is encrypted, and there is no certificate to look at."""
    return _known_certificates() if address.startswith("https:") else None


@cache
def _known_certificates() -> ssl.SSLContext:
    """Read once, and only by who needs them: it takes longer than a request."""
    return ssl.create_default_context()


async def _hand_on(owner: str, scope: Any, headers: dict[str, str], body: bytes, send: Send) -> None:
    import httpx

    query = f"?{scope['query_string'].decode()}" if scope["query_string"] else ""
    address = f"{owner}{scope['path']}{query}"
    try:
        async with ask_neighbour(owner, SECONDS) as client:
            answer = await client.request(scope["method"], address, headers=headers, content=body)
        status, told, content = answer.status_code, answer.headers, answer.content
    except (httpx.HTTPError, httpx.InvalidURL):
        content = msgspec.json.encode({"problems": [Problem(code="table.moving", what=MOVING)]})
        status, told = 503, httpx.Headers({"content-type": "application/json"})
    passed = [(name.encode(), value.encode()) for name, value in told.multi_items() if name not in NOT_ANSWERED_WITH]
    passed.append((b"content-length", str(len(content)).encode()))
    start: Any = {"type": "http.response.start", "status": status, "headers": passed}
    await send(start)
    await send({"type": "http.response.body", "body": content, "more_body": False})


async def _bridge(owner: str, scope: Any, headers: dict[str, str], receive: Receive, send: Send) -> None:
    """One connection here, one to the owner; whatever comes on one goes out on the other."""
    await receive()
    offered = scope.get("subprotocols") or []
    certificates = _certificates(owner)
    scheme = "ws" if certificates is None else "wss"
    try:
        address = f"{scheme}://{urlsplit(owner).netloc}{scope['path']}?{scope['query_string'].decode()}"
        there = await connect(
            address,
            additional_headers=headers,
            subprotocols=offered or None,
            compression=None,
            proxy=None,
            ssl=certificates,
        )
    except (OSError, TimeoutError, InvalidHandshake, InvalidURI, ValueError):
        await say_goodbye(scope, send, MOVING)
        return
    await send(accepted(there.subprotocol))
    tasks = [asyncio.create_task(_out(there, send)), asyncio.create_task(_in(there, receive))]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await there.close()


async def _out(there: ClientConnection, send: Send) -> None:
    with suppress(ConnectionClosed):
        async for text in there:
            told: Any = {"type": "websocket.send", "text": text if isinstance(text, str) else None, "bytes": None}
            await send(told)
    code = TRY_AGAIN if there.close_code in CUT_OFF else there.close_code
    with suppress(RuntimeError):
        await send({"type": "websocket.close", "code": code, "reason": ""})


async def _in(there: ClientConnection, receive: Receive) -> None:
    with suppress(ConnectionClosed):
        while True:
            event: Any = await receive()
            if event["type"] == "websocket.disconnect":
                return
            await there.send(event.get("text") or event.get("bytes") or "")


async def _body(receive: Receive) -> bytes:
    """What is sent; of what is larger than anything that is read here, no more than shows that it is."""
    body, more = b"", True
    while more and len(body) <= LARGEST_BODY:
        event: Any = await receive()
        body += event.get("body", b"")
        more = event.get("more_body", False)
    return body


def _replay(body: bytes) -> Receive:
    """The body once more, for whoever reads it next."""
    events: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        return events.pop() if events else {"type": "http.disconnect"}

    return receive


def _table_in(body: bytes, field: str) -> str:
    try:
        return str(json.loads(bounded(body)).get(field, ""))
    except (ValueError, AttributeError):
        return ""
