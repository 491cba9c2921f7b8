"""A real server on its own port, for tests that use it as clients do."""

from __future__ import annotations

import asyncio
import json
import socket
import urllib.parse
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest
import uvicorn
from litestar import Litestar
from msgspec.structs import replace

from crossfelt.client import Client, TableClient
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.usernames import account_key
from crossfelt.server.app import create_app
from crossfelt.server.config import Config
from crossfelt.server.core.bots import BestPlay
from crossfelt.server.core.rng import TableRng
from crossfelt.server.core.rulebooks import Rulebooks, read_rulebooks
from crossfelt.server.dual_control.rule import SECOND_PERSON
from crossfelt.server.http.timeouts import TimeoutHttpProtocol
from crossfelt.server.journal.stream import Journal
from crossfelt.server.pit.pit import LEASE_SECONDS, Pit
from crossfelt.server.runtime.clock import SteadyClock
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.server import DEFAULTS, Server
from crossfelt.server.store.factory import open_store
from crossfelt.server.ws.protocol import WsProtocol


class Served:
    """A running server."""

    def __init__(self, server: Server, address: str) -> None:
        self.server = server
        self.address = address
        self.floor: list[Client] = []
        """The floor people, of whom the first approves the roles of the others."""

    @property
    def faults(self) -> int:
        """The number of faults of the program."""
        return int(self.server.metrics.registry.get_sample_value("crossfelt_faults_total") or 0)

    async def guest(self, name: str | None = None) -> Client:
        return await Client(self.address).join_as_guest(name)


class App:
    """An application that serves one server after another: creating it takes as long as many a test."""

    _idle: ClassVar[list[App]] = []

    def __init__(self) -> None:
        self._servers: list[Server] = []
        self.asgi = create_app(lambda: self._servers[-1])

    @classmethod
    @contextmanager
    def of(cls, server: Server) -> Iterator[Litestar]:
        app = cls._idle.pop() if cls._idle else cls()
        app._servers.append(server)
        yield app.asgi
        app._servers.clear()
        app.asgi.state.clear()
        cls._idle.append(app)


@asynccontextmanager
async def serving(
    directory: Path,
    *,
    shared: bool = False,
    config: Config = DEFAULTS,
    rulebooks: Path | None = None,
    rng: Callable[[], TableRng] = TableRng,
) -> AsyncIterator[Served]:
    """Serve a data directory until the block ends, without a practical rate limit."""
    server = Server(
        open_store(directory),
        directory,
        replace(config, requests_a_second=1_000_000),
        shared=shared,
        rulebooks=read_rulebooks(rulebooks),
        rng=rng,
    )
    # The protocol is named, since asyncio sends small messages at once only on a socket that it knows to be TCP.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    with App.of(server) as app:
        options = uvicorn.Config(
            app,
            log_level="error",
            http=TimeoutHttpProtocol,
            ws=WsProtocol,
            lifespan="on",
            timeout_graceful_shutdown=10,
        )
        http = uvicorn.Server(options)
        running = asyncio.create_task(http.serve(sockets=[listening]))
        while not http.started:
            assert not running.done(), running
            await asyncio.sleep(0.01)
        try:
            yield Served(server, f"http://127.0.0.1:{listening.getsockname()[1]}")
        finally:
            http.should_exit = True
            await running
            listening.close()


async def no_best_play(person: str, game: Game, position: Mapping[str, Any], may_surrender: bool) -> Mapping[str, Any]:
    """Stand in for the worker process."""
    raise BadInput.at(game.book.id, "advice.none", "this server computes no best play")


@asynccontextmanager
async def pit_of(
    directory: Path,
    *guests: str,
    rng: Callable[[], TableRng] = TableRng,
    now: Callable[[], int] | None = None,
    best: BestPlay = no_best_play,
    lease_seconds: float = LEASE_SECONDS,
    database: str | None = None,
    holder: str = "test",
    shared: bool = False,
) -> AsyncIterator[Pit]:
    """Open tables without a server, and accounts of guests."""
    directory.mkdir(exist_ok=True)
    now, store = now or SteadyClock(), open_store(directory, database)
    journal = Journal(store)
    accounts = Accounts(store, journal, clock=now)
    pit = Pit(
        *(store, journal, accounts),
        rulebooks=Rulebooks(),
        now=now,
        holder=holder,
        metrics=Metrics(),
        shared=shared,
        rng=rng,
        best=best,
        lease_seconds=lease_seconds,
    )
    for name in guests:
        await accounts.guest(name)
    try:
        yield pit
    finally:
        await pit.close()
        await store.close()


def run(directory: Path, story: Callable[[Served], Awaitable[None]]) -> None:
    """Run a test against a server."""

    async def served() -> None:
        async with serving(directory) as server:
            await story(server)

    asyncio.run(served())


def refused_with(code: str) -> Any:
    """Expect a refusal with this code."""
    return pytest.raises(BadInput, check=lambda bad: bad.problems[0].code == code)


async def owner_of(served: Served) -> Client:
    """Log in as the owner, and set the owner's password."""
    password = served.server.owner_password
    assert password is not None
    owner = await Client(served.address).log_in("owner", password)
    told = await owner.put("/api/me/password", {"old": password, "new": "a long enough password"})
    return Client(served.address, told["token"])


async def staff_of(served: Served, owner: Client, name: str, *roles: str) -> Client:
    """Have the owner create an account with roles; its person sets a password."""
    once = (await owner.post("/api/staff", {"name": name}))["password"]
    await change_roles(served, owner, name, *roles)
    client = await Client(served.address).log_in(name, once)
    told = await client.put("/api/me/password", {"old": once, "new": "correct horse battery"})
    if "floor" in roles:
        served.floor.append(Client(served.address, told["token"]))
    return Client(served.address, told["token"])


async def change_roles(served: Served, owner: Client, name: str, *roles: str) -> None:
    """Have the owner set roles, with the approval of the first floor person where two people must."""
    try:
        await owner.put(f"/api/accounts/{urllib.parse.quote(name)}/roles", {"roles": list(roles)})
    except BadInput as refused:
        if refused.problems[0].code != SECOND_PERSON:
            raise
        details, subject = {"roles": ", ".join(roles)}, f"account/{account_key(name)}"
        asked = {"kind": "roles", "subject": subject, "details": details, "reason": f"{name} is hired"}
        number = (await owner.post("/api/proposals", asked))["number"]
        await served.floor[0].post(f"/api/proposals/{number}/approval", {})


async def open_by_two(
    proposer: Client,
    approver: Client,
    rulebook: str,
    table: str,
    submission: dict[str, Any] | None = None,
    **details: str,
) -> None:
    """Open a public table with a submission, or on a link of meters."""
    stated = {"rulebook": rulebook, "submission": json.dumps(submission or {}), **details}
    asked = {"kind": "opening", "subject": table, "details": stated, "reason": "filed 12 May"}
    number = (await proposer.post("/api/proposals", asked))["number"]
    await approver.post(f"/api/proposals/{number}/approval", {})


DECISIONS = ("bet", "set_house_way", "choose", "fold", "decline_bank")
Decided = dict[str, Any]
"""Return a command as data."""


async def play_round(table: TableClient, seat: int, **also: int) -> int:
    """Play a round with the smallest wagers, those in `also`, and the first choices; return its number."""

    def due() -> Decided | None:
        asked = decided(table.allowed, seat, open_bets=table.view["step"] == "open_bets")
        return {**asked, "wagers": {**asked["wagers"], **also}} if asked and "wagers" in asked else asked

    await table.until(lambda _: due())
    while table.view["step"] != "open_bets":
        await table.ask(due() or {})
        await table.until(lambda _: due())
    number: int = table.view["round"]
    placed = await table.ask(due() or {})
    assert placed.accepted, placed
    await table.ready()
    while table.view["round"] == number:
        await table.until(lambda seen: seen.view["round"] != number or (seen.view["step"] != "open_bets" and due()))
        if table.view["round"] == number and (asked := due()) is not None:
            await table.ask(asked, round_number=number, step=table.view["step"])
    return number


def decided(options: list[dict[str, Any]], seat: int, *, open_bets: bool) -> Decided | None:
    """Return a simple player's next command: the smallest wagers, then the first choice."""
    for option in options:
        if open_bets and option["command"] == "place_wagers" and option.get("seat") == seat and option.get("ranges"):
            optional = option.get("optional", ())
            wagers = {name: amounts["min"] for name, amounts in option["ranges"].items() if name not in optional}
            return {"command": "place_wagers", "seat": seat, "wagers": wagers}
    if open_bets:
        return None
    for name in DECISIONS:
        for option in options:
            if option["command"] == name and option.get("seat") == seat:
                amounts = {field: limits["min"] for field, limits in option.get("ranges", {}).items()}
                return {"command": name, "seat": seat, **option.get("fields", {}), **amounts}
    return None
