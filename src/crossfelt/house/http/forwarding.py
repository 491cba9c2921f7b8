"""Several processes, one house: what is asked about a table is handed to the process that has its lease.

Whoever asks need not know: requests and WebSockets are passed on as they are, with the token of whoever asks.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from crossfelt.house.house import House

OF_A_TABLE: Final = re.compile(r"/api/tables/(?P<table>[a-z0-9-]+)(?:/.*)?")
TABLE_IN_BODY: Final = ("/api/type", "/api/advice")
WHO_ASKS: Final = (b"authorization", b"cookie")
PASSED_ON: Final = (*WHO_ASKS, b"content-type", b"accept")
NOT_ANSWERED_WITH: Final = ("content-length", "transfer-encoding", "connection", "content-encoding", "date", "server")
SECONDS: Final = 90.0
TRY_AGAIN: Final = 1013


class Forwarding:
    """Answers what is asked of tables of this process, and passes the rest on to their owners."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        house = scope["app"].state.get("house")
        body: bytes | None = None
        table = ""
        if isinstance(house, House) and house.shared:
            if (named := OF_A_TABLE.fullmatch(scope["path"])) is not None:
                table = named["table"]
            elif scope["path"] in TABLE_IN_BODY and scope["type"] == ScopeType.HTTP:
                body = await _body(receive)
                table, receive = _table_in(body), _replay(body)
        owner = await house.pit.owner_elsewhere(table) if table and isinstance(house, House) else None
        if owner is None:
            await self._app(scope, receive, send)
        elif scope["type"] == ScopeType.WEBSOCKET:
            await _bridge(owner, scope, receive, send)
        else:
            await _hand_on(owner, scope, await _body(receive) if body is None else body, send)


def neighbour(seconds: float) -> httpx.AsyncClient:
    """Asks another process of the house, which is on this machine or in its network: no certificates are looked at."""
    return httpx.AsyncClient(timeout=seconds, trust_env=False, verify=False)


async def _hand_on(owner: str, scope: Any, body: bytes, send: Send) -> None:
    headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"] if name in PASSED_ON}
    query = f"?{scope['query_string'].decode()}" if scope["query_string"] else ""
    address = f"{owner}{scope['path']}{query}"
    try:
        async with neighbour(SECONDS) as client:
            answer = await client.request(scope["method"], address, headers=headers, content=body)
        status, told, content = answer.status_code, answer.headers, answer.content
    except httpx.HTTPError:
        status, told, content = 503, httpx.Headers({"content-type": "application/json"}), MOVING
    passed = [(name.encode(), value.encode()) for name, value in told.multi_items() if name not in NOT_ANSWERED_WITH]
    passed.append((b"content-length", str(len(content)).encode()))
    start: Any = {"type": "http.response.start", "status": status, "headers": passed}
    await send(start)
    await send({"type": "http.response.body", "body": content, "more_body": False})


MOVING: Final = json.dumps(
    {"problems": [{"code": "table.moving", "what": "the table is moving to another server: try again in a moment"}]}
).encode()


async def _bridge(owner: str, scope: Any, receive: Receive, send: Send) -> None:
    """One connection here, one to the owner; whatever comes on one goes out on the other."""
    await receive()
    headers = {
        name.decode(): value.decode("latin-1")
        for name, value in scope["headers"]
        if name in (b"authorization", b"cookie")
    }
    offered = scope.get("subprotocols") or []
    address = f"ws://{urlsplit(owner).netloc}{scope['path']}?{scope['query_string'].decode()}"
    try:
        there = await connect(
            address, additional_headers=headers, subprotocols=offered or None, compression=None, proxy=None
        )
    except (OSError, TimeoutError, InvalidStatus):
        await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": "the table is moving"})
        return
    accept: Any = {"type": "websocket.accept", "subprotocol": there.subprotocol, "headers": []}
    await send(accept)
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
    with suppress(RuntimeError):
        await send({"type": "websocket.close", "code": there.close_code or TRY_AGAIN, "reason": ""})


async def _in(there: ClientConnection, receive: Receive) -> None:
    with suppress(ConnectionClosed):
        while True:
            event: Any = await receive()
            if event["type"] == "websocket.disconnect":
                return
            await there.send(event.get("text") or event.get("bytes") or "")


async def _body(receive: Receive) -> bytes:
    parts, more = [], True
    while more:
        event: Any = await receive()
        parts.append(event.get("body", b""))
        more = event.get("more_body", False)
    return b"".join(parts)


def _replay(body: bytes) -> Receive:
    """The body once more, for whoever reads it next."""
    events: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        return events.pop() if events else {"type": "http.disconnect"}

    return receive


def _table_in(body: bytes) -> str:
    try:
        return str(json.loads(body).get("table", ""))
    except (ValueError, AttributeError):
        return ""
