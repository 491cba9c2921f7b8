"""A herald writes to viewers what the house would have written, to each their own, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import random
import resource
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from crossfelt.client import HouseClient
from crossfelt.client.load import quick_loop
from crossfelt.client.table import Gone
from crossfelt.house.config import Config
from crossfelt.house.live import herald as heralds
from crossfelt.house.live import heralding
from crossfelt.house.live.herald import Herald, HeraldedTransport
from crossfelt.house.live.heralding import LARGEST
from crossfelt.house.live.messages import SUBPROTOCOL
from crossfelt.house.opening import open_house
from crossfelt.problems import BadInput
from house.servers import Server
from house.serving import Served, play_round, serving

TABLE = "nj-criss-cross-1"
pytestmark = pytest.mark.skipif(not heralds.POSSIBLE, reason="no socket is handed to another process here")


class Connection(asyncio.Protocol):
    """What the house has of a viewer."""

    def __init__(self) -> None:
        self.transport: Any = None
        self.pauses: list[bool] = []
        self.lost = asyncio.Event()

    def pause_writing(self) -> None:
        self.pauses.append(True)

    def resume_writing(self) -> None:
        self.pauses.append(False)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport.abort()
        self.lost.set()


class Heralded:
    """A herald, and viewers that it writes to."""

    def __init__(self, herald: Herald) -> None:
        self.herald = herald

    async def viewer(self) -> tuple[Connection, socket.socket]:
        """A new one, and the other end of the connection."""
        loop = asyncio.get_running_loop()
        with socket.create_server(("127.0.0.1", 0)) as listening:
            theirs = socket.create_connection(listening.getsockname())
            ours, _ = listening.accept()
        theirs.setblocking(False)
        real: Any
        real, connection = await loop.connect_accepted_socket(Connection, ours)
        connection.transport = self.herald.take(connection, real)
        return connection, theirs

    def pid(self) -> int:
        assert self.herald.process is not None
        return self.herald.process.pid

    def sockets(self) -> tuple[int, int]:
        """How many this process has, and how many the herald."""
        return sockets_of(os.getpid()), sockets_of(self.pid())

    def has_no_more_than(self, before: tuple[int, int]) -> bool:
        return all(now <= then for now, then in zip(self.sockets(), before, strict=True))


def sockets_of(pid: int) -> int:
    return sum(file.is_socket() for file in Path(f"/proc/{pid}/fd").iterdir())


@asynccontextmanager
async def heralded() -> AsyncIterator[Heralded]:
    herald = Herald()
    await herald.open()
    try:
        yield Heralded(herald)
    finally:
        await herald.close()


@pytest.fixture(params=["asyncio", "quick"])
def told(request: pytest.FixtureRequest) -> Callable[[Callable[[Heralded], Awaitable[None]]], None]:
    """Tells a story with each kind of loop."""

    async def run(story: Callable[[Heralded], Awaitable[None]]) -> None:
        async with asyncio.timeout(30), heralded() as there:
            await story(there)

    def tell(story: Callable[[Heralded], Awaitable[None]]) -> None:
        with asyncio.Runner(loop_factory=quick_loop() if request.param == "quick" else None) as runner:
            runner.run(run(story))

    return tell


Tell = Callable[[Callable[[Heralded], Awaitable[None]]], None]


async def all_of(theirs: socket.socket, size: int = 1 << 16) -> bytes:
    """What arrives until the connection is closed, read in pieces of this size."""
    read, loop = b"", asyncio.get_running_loop()
    while data := await loop.sock_recv(theirs, size):
        read += data
    theirs.close()
    return read


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.002)


def test_who_reads_slowly_gets_every_byte_in_order_and_the_goodbye_last(told: Tell) -> None:
    async def story(there: Heralded) -> None:
        chance = random.Random(5)
        connection, theirs = await there.viewer()
        other, quick = await there.viewer()
        written = b""
        for size in (*(chance.randrange(40_000) for _ in range(300)), 3 * LARGEST + 7, 0, 1):
            data = chance.randbytes(size)
            written += data
            connection.transport.write(data)
            if chance.random() < 0.1:
                await asyncio.sleep(0)
        await until(lambda: connection.pauses == [True])
        other.transport.write(b"nobody waits for others")
        connection.transport.write(b"goodbye")
        connection.transport.close()
        connection.transport.write(b"too late")
        assert not connection.lost.is_set()
        other.transport.close()
        assert await all_of(quick) == b"nobody waits for others"
        assert await all_of(theirs, 20_000) == written + b"goodbye"
        await connection.lost.wait()
        assert connection.pauses == [True, False]

    told(story)


def test_viewers_come_and_go_and_each_hears_what_is_for_all_and_their_own(told: Tell) -> None:
    async def story(there: Heralded) -> None:
        chance, before = random.Random(3), there.sockets()
        here: list[tuple[Connection, socket.socket, bytearray]] = []
        for turn in range(300):
            if not here or chance.random() < 0.5:
                here.append((*await there.viewer(), bytearray()))
            for_all = chance.randbytes(chance.randrange(5_000))
            for connection, _, written in here:
                own = b"%d of %d " % (turn, id(connection)) * chance.randrange(3)
                said = for_all if chance.random() < 0.7 else own
                connection.transport.write(said)
                written += said
            if chance.random() < 0.4:
                connection, theirs, written = here.pop(chance.randrange(len(here)))
                how = chance.choice(("close", "abort", "they go", "they go while it is closed"))
                if how in ("close", "they go while it is closed"):
                    connection.transport.close()
                if how == "abort":
                    connection.transport.abort()
                if how == "close":
                    assert await all_of(theirs) == bytes(written)
                theirs.close()
                await connection.lost.wait()
        for connection, theirs, written in here:
            connection.transport.close()
            assert await all_of(theirs) == bytes(written)
        await until(lambda: not there.herald.viewers and there.has_no_more_than(before))

    told(story)


def test_who_never_reads_need_not_be_waited_for(told: Tell) -> None:
    async def story(there: Heralded) -> None:
        before = there.sockets()
        connection, theirs = await there.viewer()
        connection.transport.write(bytes(1 << 23))
        await until(lambda: connection.pauses == [True])
        connection.transport.close()
        connection.transport.abort()
        await connection.lost.wait()
        theirs.close()
        await until(lambda: there.has_no_more_than(before))

    told(story)


def test_one_that_may_have_no_more_files_loses_who_comes_and_nobody_else(told: Tell) -> None:
    async def story(there: Heralded) -> None:
        first, theirs = await there.viewer()
        first.transport.write(b"first")
        assert await asyncio.get_running_loop().sock_recv(theirs, 100) == b"first"
        files = set(map(int, os.listdir(f"/proc/{there.pid()}/fd")))
        free = min(set(range(len(files) + 1)) - files)
        resource.prlimit(there.pid(), resource.RLIMIT_NOFILE, (free, free))
        second, end = await there.viewer()
        second.transport.write(b"second")
        assert await all_of(end) == b""
        await second.lost.wait()
        first.transport.close()
        assert await all_of(theirs) == b""
        await first.lost.wait()

    told(story)


def test_one_that_is_handed_no_connection_loses_that_viewer_and_nobody_else(told: Tell) -> None:
    async def story(there: Heralded) -> None:
        first, theirs = await there.viewer()
        second, end = await there.viewer()
        before = there.pid()
        with Path(os.devnull).open() as file:
            real = second.transport._real
            second.transport.abort()
            nothing: Any = SimpleNamespace(
                get_write_buffer_size=lambda: 0,
                get_extra_info=lambda name: file if name == "socket" else None,
                abort=real.abort,
                is_closing=lambda: False,
            )
            third: Any = there.herald.take(second, nothing)
            await until(third.is_closing)
        first.transport.write(b"first")
        first.transport.close()
        assert await all_of(theirs) == b"first"
        assert there.pid() == before
        await second.lost.wait()
        end.close()

    told(story)


def test_one_that_does_not_keep_up_is_replaced(
    told: Tell, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(heralds, "MOST_WAITING", 1 << 20)

    async def story(there: Heralded) -> None:
        connection, theirs = await there.viewer()
        stopped = there.pid()
        os.kill(stopped, signal.SIGSTOP)
        others = [await there.viewer()]
        while isinstance(others[-1][0].transport, HeraldedTransport):
            others.append(await there.viewer())
        others[-1][0].transport.write(b"the house writes where no more can be handed over")
        assert await asyncio.get_running_loop().sock_recv(others[-1][1], 100)
        while not connection.transport.is_closing():
            connection.transport.write(bytes(1 << 16))
            await asyncio.sleep(0)
        assert await all_of(theirs) == b""
        assert there.pid() != stopped
        for other, end in others:
            other.transport.abort()
            end.close()
            await other.lost.wait()
        await until(lambda: there.herald._ready.is_set())
        connection, theirs = await there.viewer()
        connection.transport.write(b"again")
        connection.transport.close()
        assert await all_of(theirs) == b"again"

    with caplog.at_level(logging.ERROR):
        told(story)
    assert [record.message for record in caplog.records] == ["the herald has ended, and another one begins"]


def test_one_that_cannot_start_leaves_the_house_to_write(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setattr(heralding, "__file__", str(tmp_path / "none"))
    monkeypatch.setattr(heralds, "STOP_SECONDS", 0.2)

    async def story() -> None:
        async with heralded() as there:
            connection, theirs = await there.viewer()
            assert not isinstance(connection.transport, HeraldedTransport)
            connection.transport.abort()
            theirs.close()
            await until(lambda: bool(caplog.records))

    asyncio.run(story())


def test_one_that_dies_where_no_file_is_left_is_not_missed(
    told: Tell, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def no_more() -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    async def story(there: Heralded) -> None:
        connection, theirs = await there.viewer()
        monkeypatch.setattr(socket, "socketpair", no_more)
        os.kill(there.pid(), signal.SIGKILL)
        await connection.lost.wait()
        theirs.close()
        connection, theirs = await there.viewer()
        assert not isinstance(connection.transport, HeraldedTransport)
        connection.transport.abort()
        theirs.close()
        assert there.herald._again is not None

    told(story)
    assert caplog.records[-1].message == "there is no herald: the house writes by itself"


# --- in a house -------------------------------------------------------------------------------------------------------


def served(directory: Path, story: Callable[[Served, Herald], Awaitable[None]]) -> None:
    async def run() -> None:
        async with serving(directory, herald=True) as there, asyncio.timeout(60):
            assert there.house.herald is not None
            await story(there, there.house.herald)

    asyncio.run(run())


def test_when_it_is_killed_viewers_come_back_and_resume(tmp_path: Path) -> None:
    async def story(there: Served, herald: Herald) -> None:
        guest = await there.guest("Ann")
        name = await guest.open_table("nj-criss-cross", pace="instant", bots=1)
        table = await guest.table(name).connect()
        assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
        await play_round(table, 1)
        assert len(herald.viewers) == 1
        killed = herald.process
        assert killed is not None
        killed.kill()
        with pytest.raises(Gone):
            await table.until(lambda _: False)
        await until(lambda: herald.process is not killed and herald._ready.is_set())
        heard: list[dict[str, Any]] = []
        table.heard = heard.append
        await table.connect()
        assert heard[-1]["type"] == "resumed"
        assert len(herald.viewers) == 1
        assert "crossfelt_heralded 1" in there.house.metrics.text()
        await play_round(table, 1)
        await table.close()

    served(tmp_path, story)


def test_who_does_not_read_is_cut_off_and_told_so_when_they_do(tmp_path: Path) -> None:
    async def story(there: Served, herald: Herald) -> None:
        place = f"ws{there.address.removeprefix('http')}/api/tables/{TABLE}/live?as=spectator"
        asked: Any = {"max_queue": 1, "subprotocols": [Subprotocol(SUBPROTOCOL)], "compression": None}
        async with connect(place, **asked) as viewer:
            await viewer.send('{"type":"hello"}')
            await viewer.recv()
            (watcher,) = there.house.pit.find(TABLE).audience.watchers
            said = 0
            while not watcher.lost:
                watcher.send(b'{"n":%d,"more":"%b"}' % (said, 50_000 * b"."))
                said += 1
                await asyncio.sleep(0.002)  # the herald has to keep up: it is the viewer who does not read
            heard = [message async for message in viewer]
            assert [int(it[5 : it.index(",")]) for it in map(str, heard[:-1])] == list(range(len(heard) - 1))
            assert len(heard) < said
            assert heard[-1] == '{"type":"bye","why":"too slow: connect again and resume"}'
        await until(lambda: not herald.viewers)

    served(tmp_path, story)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_it_ends_with_the_house_and_not_before(how: signal.Signals, tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        (herald,) = server.heralds
        async with HouseClient(server.address).table(TABLE, "spectator") as table:
            assert table.connection is not None
            if how == signal.SIGINT:  # which a terminal sends to both
                os.kill(int(herald.name), how)
            await asyncio.to_thread(server.end, how)
            with pytest.raises(ConnectionClosed):
                await table.connection.recv()
            assert table.connection.close_code == (1012 if how == signal.SIGINT else 1006)
        await until(lambda: not herald.exists())

    server = Server(tmp_path / "data", herald="true")
    server.start()
    try:
        server.wait()
        asyncio.run(story(server))
    finally:
        server.end()


def test_where_it_cannot_be_it_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("crossfelt.house.opening.POSSIBLE", False)
    with pytest.raises(BadInput, match="herald: this system cannot hand a connection to another process"):
        open_house(Config(data=str(tmp_path), herald=True), 8000)
