"""Attacks on the machine: sockets, slow peers, kills, a full disk."""

from __future__ import annotations

import asyncio
import resource
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from benchmarks.attacks.target import ANSWER_SECONDS, TABLE, UPGRADE, Target, Try
from benchmarks.server import UNLIMITED, ServerProcess
from crossfelt.client import Client, TableClient

RELEASED_SECONDS: Final = 45.0
"""An unfinished request or handshake is let go after 20 seconds; a busy machine may take longer."""
SLOW_PEERS: Final = 300
KILLS: Final = 10
WRITERS: Final = 8


def connections(target: Target) -> Iterator[Try]:
    """More WebSockets of one account than its share, while another player connects."""
    yield from asyncio.run(_many_sockets(target))


async def _many_sockets(target: Target) -> list[Try]:
    greedy, other = (Client(target.server.address, target.guest()) for _ in range(2))
    opened: list[TableClient] = []
    tries: list[Try] = []
    for number in range(60):
        table = greedy.table(TABLE)
        try:
            opened.append(await table.connect())
        except Exception:
            tries.append((f"socket {number} refused", number >= 32))
        else:
            tries.append((f"socket {number}", number < 32))
    async with other.table(TABLE) as table:
        tries.append(("another player", bool(table.view)))
    await asyncio.gather(*(table.close() for table in opened))
    return tries


def slow_peers(target: Target) -> Iterator[Try]:
    """Connections that send half a request, an upgrade with a body, or nothing; others are served meanwhile."""
    upgrade = "".join(f"{name}: {value}\r\n" for name, value in UPGRADE)
    begun = f"GET /api/tables/{TABLE}/live?as=spectator HTTP/1.1\r\nHost: {target.host}\r\n"
    sent = ["", "GET / HT", begun, f"{begun}{upgrade}Content-Length: 1\r\n\r\n"]
    sent += [f"{begun}{upgrade}Transfer-Encoding: chunked\r\n\r\n", f"{begun}Content-Length: 9\r\n\r\nabc"]
    peers = [target.connection() for _ in range(SLOW_PEERS)]
    for number, peer in enumerate(peers):
        peer.sendall(sent[number % len(sent)].encode())
    ends = time.monotonic() + RELEASED_SECONDS
    while time.monotonic() < ends - RELEASED_SECONDS / 2:
        reply = target.get("/api/lobby")
        yield f"another client: {reply.status}", reply.status == 200
        time.sleep(0.5)
    for number, peer in enumerate(peers):
        with peer, suppress(ConnectionError):
            peer.settimeout(max(0.01, ends - time.monotonic()))
            try:
                while peer.recv(1 << 16):
                    pass
            except TimeoutError:
                yield f"still open after {RELEASED_SECONDS:.0f} s: {sent[number % len(sent)]!r}", False
                continue
        yield "let go", True


class Deposits:
    """Threads that deposit a cent again and again, each with a key of its own, and remember every answer."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.token = target.guest()
        self.before = target.money(self.token)
        self.acknowledged: set[str] = set()
        self.unknown: set[str] = set()
        """Sent, and answered by an error or not at all."""
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._run) for _ in range(WRITERS)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set() and self.send(secrets.token_hex(8)):
            pass

    def send(self, key: str) -> int:
        """Send a deposit, perhaps again; return the status of the answer."""
        status = 0
        with suppress(OSError):
            sent = [("Idempotency-Key", key)]
            status = self._target.send("POST", "/api/me/deposits", {"cents": 1}, self.token, sent).status
        (self.acknowledged if status in (201, 409) else self.unknown).add(key)
        return status

    def settle(self) -> Iterator[Try]:
        """Send everything again whose answer is not known; then each deposit must count once."""
        for key in sorted(self.unknown):
            yield "a deposit without an answer, sent again", self.send(key) in (201, 409)
        right = self._target.money(self.token) == self.before + len(self.acknowledged)
        yield from (("an acknowledged deposit, counted once", right) for _ in self.acknowledged)


def kills(target: Target) -> Iterator[Try]:
    """The server killed under deposits, and started again: each acknowledged one is stored, each counts once."""
    for _ in range(KILLS if target.share >= 1 else 1):
        deposits = Deposits(target)
        deposits.start()
        time.sleep(target.chance.uniform(0.2, 1.0))
        target.server.kill()
        deposits.stop()
        target.server = ServerProcess(target.directory, UNLIMITED)
        yield from deposits.settle()


def full_disk(target: Target) -> Iterator[Try]:
    """Files that cannot grow, as on a full disk: writes are refused, the server lives, and nothing is lost."""
    deposits, refused = Deposits(target), 0
    for _ in range(50):
        deposits.send(secrets.token_hex(8))
    before = resource.prlimit(target.server.pid, resource.RLIMIT_FSIZE, (64 * 1024, resource.RLIM_INFINITY))
    try:
        for _ in range(4_000):
            refused += deposits.send(secrets.token_hex(8)) == 503
            if refused > 20:
                break
        yield "writes are refused with 503", refused > 20
        yield "pages are served", target.get("/api/lobby").status == 200
        yield "it is not ready", target.get("/readyz").status == 503
    finally:
        resource.prlimit(target.server.pid, resource.RLIMIT_FSIZE, before)
    ends = time.monotonic() + ANSWER_SECONDS
    while target.get("/readyz").status != 200 and time.monotonic() < ends:
        time.sleep(0.2)
    yield "it is ready again", target.get("/readyz").status == 200
    yield from deposits.settle()
