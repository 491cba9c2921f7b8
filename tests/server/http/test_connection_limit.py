"""The connection limits: a refused client gets the reason, and can connect after another has left."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from litestar import WebSocket
from litestar.connection import ASGIConnection
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.typing import Subprotocol

from crossfelt.client import Client, Disconnected
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.config import Config
from crossfelt.server.http.request import client_address, peer_headers
from crossfelt.server.runtime.limits import FULL_TEXTS, RateLimiter
from crossfelt.server.ws.protocol import WsProtocol
from crossfelt.server.ws.session import ClientSession
from crossfelt.wire import SUBPROTOCOL
from limits import WAIT_SECONDS
from server.served import Served, serving

TABLE = "nj-criss-cross-1"
OF_A_CONNECTION = (WsProtocol, HttpToolsProtocol, WebSocket, Subscriber, ClientSession)


def silent(served: Served, address: str) -> connect:
    """Connect from another address, reported by a trusted process, and never send hello."""
    place = f"ws{served.address.removeprefix('http')}/api/tables/{TABLE}/live?as=spectator"
    return connect(
        place, additional_headers=peer_headers(served.server, address), subprotocols=[Subprotocol(SUBPROTOCOL)]
    )


async def goodbye(connection: ClientConnection) -> tuple[str, int]:
    """Return the last message before the close, and the close code."""
    said = str(await connection.recv())
    with pytest.raises(ConnectionClosedError) as closed:
        await connection.recv()
    assert closed.value.rcvd is not None
    return said, closed.value.rcvd.code


def test_an_ipv6_address_counts_for_its_network() -> None:
    """A client with an IPv6 network has as many addresses as it likes, and would escape every limit."""
    scope: Any = {"type": "websocket", "headers": [], "client": ("2001:db8:0:1::5", 50000)}
    assert client_address(ASGIConnection(scope)) == "2001:db8:0:1::/64"


def test_a_client_over_the_limit_gets_the_reason_and_connects_later(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        stranger, metrics, room = Client(served.address), served.server.metrics, served.server.connection_limiter
        async with AsyncExitStack() as stack:
            first = await stack.enter_async_context(stranger.table(TABLE, "spectator"))
            await stack.enter_async_context(silent(served, "127.0.0.1"))
            with pytest.raises(Disconnected, match=FULL_TEXTS["address"]):
                await stack.enter_async_context(stranger.table(TABLE, "spectator"))
            await stack.enter_async_context(silent(served, "10.0.0.1"))
            other = await stack.enter_async_context(silent(served, "10.0.0.2"))
            assert await goodbye(other) == (f'{{"type":"bye","why":"{FULL_TEXTS["server"]}"}}', 1013)
            assert b'crossfelt_turned_away_total{full="address"} 1.0' in metrics.text()
            assert b'crossfelt_turned_away_total{full="server"} 1.0' in metrics.text()
            assert b"crossfelt_sockets 3.0" in metrics.text()
            await first.close()
            async with asyncio.timeout(WAIT_SECONDS):
                while room.connected > 2:
                    await asyncio.sleep(0.005)
            await stack.enter_async_context(stranger.table(TABLE, "spectator"))
        async with asyncio.timeout(WAIT_SECONDS):
            while room.connected:
                await asyncio.sleep(0.005)

    async def run() -> None:
        async with serving(tmp_path, config=Config(connections=3, connections_per_address=2)) as served:
            await story(served)

    asyncio.run(run())


def test_a_client_that_retries_too_often_gets_no_reason(tmp_path: Path) -> None:
    """A goodbye takes memory until the client answers, so the rate limit of requests applies to them."""

    async def until_refused(served: Served) -> None:
        async with silent(served, "10.0.0.1"):
            for _ in range(1000):
                async with silent(served, "10.0.0.1") as refused:
                    await goodbye(refused)

    async def run() -> None:
        config = Config(connections=1, connections_per_address=1)
        async with serving(tmp_path, config=config) as served:
            served.server.address_limits = RateLimiter(10, now=lambda: 0.0)
            with pytest.raises(InvalidStatus):
                await until_refused(served)

    asyncio.run(run())


@pytest.mark.parametrize("how", ["answers nothing", "must go"])
def test_a_client_that_never_reads_is_disconnected(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossfelt.server.ws.protocol.LEAVING_SECONDS", 0.05)

    async def story() -> None:
        async with serving(tmp_path) as served:
            place = f"ws{served.address.removeprefix('http')}/api/tables/{TABLE}/live?as=spectator"
            viewer = await connect(place, max_queue=1, compression=None)
            await viewer.send('{"type":"hello"}')
            await viewer.recv()
            (session,) = served.server.connections._all
            assert isinstance(session, ClientSession)
            live, watcher = session._live, session._subscriber
            if how == "must go":
                while not live.transport.get_write_buffer_size():
                    watcher.send(1_000 * b".")
                watcher.close("time to go")
            else:
                while not watcher.lost:
                    watcher.send(50_000 * b".")
                    await asyncio.sleep(0)
                live.keepalive_timeout()
            try:
                async with asyncio.timeout(WAIT_SECONDS):
                    while served.server.connection_limiter.connected or not live.disconnected:
                        await asyncio.sleep(0.005)
            finally:
                viewer.transport.abort()

    asyncio.run(story())


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
def test_a_closed_connection_leaves_no_objects_even_without_the_garbage_collector(tmp_path: Path) -> None:
    def kept() -> Counter[type]:
        # by type: isinstance would follow a weak proxy to an object that may be gone
        return Counter(type(it) for it in gc.get_objects() if issubclass(type(it), OF_A_CONNECTION))

    async def story() -> None:
        before = kept()
        async with serving(tmp_path) as served:
            stranger = Client(served.address)
            async with stranger.table(TABLE, "spectator"), stranger.table(TABLE, "spectator") as cut_off:
                assert (kept() - before)[WsProtocol] == 2
                assert cut_off.connection is not None
                cut_off.connection.transport.abort()
            with pytest.raises(Disconnected):
                await stranger.table("none-such", "spectator").__aenter__()
            async with asyncio.timeout(WAIT_SECONDS):
                while kept() - before:
                    await asyncio.sleep(0.005)

    asyncio.run(story())
