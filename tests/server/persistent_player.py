"""A player who plays on through failures: unanswered commands are sent again with their ids, to any server."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.client import HTTPException
from itertools import count
from pathlib import Path

from websockets.exceptions import InvalidHandshake

from crossfelt.client import Client, Disconnected, TableClient
from crossfelt.errors import BadInput
from crossfelt.proof.verify import verify
from crossfelt.server.audit.export import export_stream
from crossfelt.server.server import Server
from server.served import Decided, decided

CUT_OFF = (Disconnected, OSError, TimeoutError, EOFError, HTTPException, InvalidHandshake)
"""The errors of a client whose server, or the way to it, is gone."""
SENT_AGAIN = ("table.moving", "table.stopping", "table.busy", "message.rate")
CHIPS_CENTS = 900_00


class Player:
    """A player at a private table, with the acknowledged commands."""

    def __init__(self, name: str = "Ann", rulebook: str = "nj-criss-cross", bots: int = 2) -> None:
        self.name = name
        self._rulebook = rulebook
        self._bots = bots
        self.token = ""
        self.table = ""
        self.rounds = 0
        self.answers: dict[str, int] = {}
        self._asked: dict[str, Decided] = {}
        """The commands by id."""
        self._rows: set[int] = set()
        self._unanswered: tuple[str, Decided] | None = None
        self._numbers = count()
        self._seeds: tuple[dict[str, str], dict[str, str]] = {}, {}

    async def arrive(self, address: str) -> TableClient:
        server = Client(address, self.token)
        if not self.token:
            await server.join_as_guest(self.name)
            self.token = server.token
        if not self.table:
            self.table = await server.open_table(self._rulebook, pace="instant", bots=self._bots)
        client = server.table(self.table)
        client.seeds, client.sent_hashes = self._seeds
        await client.connect()
        return client

    async def play(self, address: str, enough: Callable[[], bool] = lambda: False) -> None:
        """Play until `enough`, or until the connection is cut."""
        client = await self.arrive(address)
        try:
            await self._again(client)
            while not enough():
                if self._unanswered is not None:
                    await self._ask(client, self._unanswered[1], self._unanswered[0])
                await self._next(client, address)
        finally:
            with suppress(Exception):
                await client.close()

    async def _again(self, client: TableClient) -> None:
        """Repeat an acknowledged command, and check that it gets the same answer."""
        if self.answers:
            key = random.choice(list(self.answers))
            again = await client.ask(self._asked[key], command_id=key)
            assert again.seq in (None, self.answers[key]), "an acknowledged command has another answer"
            assert again.seq is not None or (again.problem or {}).get("code") in SENT_AGAIN, again.problem

    async def _next(self, client: TableClient, address: str) -> None:
        step, seats = client.view["step"], client.view["seats"]
        asked = decided(client.allowed, 1, open_bets=step == "open_bets")
        if all(seat["player"] != self.name for seat in seats):
            await self._fund(address)
            asked = {"command": "take_seat", "seat": 1, "chips_cents": CHIPS_CENTS}
        elif step == "open_bets" and seats[0]["wagers"]:
            seq = client.seq  # the table may be further when the answer arrives
            await client.ready()
            await client.until(partial(_past, seq))
            return
        elif asked is None and step == "open_bets":
            await self._fund(address)
            asked = {"command": "buy_chips", "seat": 1, "cents": CHIPS_CENTS}
        if asked is None:
            await client.until(partial(_past, client.seq))
        else:
            await self._ask(client, asked)

    async def _fund(self, address: str) -> None:
        with suppress(BadInput):  # the account is full
            await Client(address, self.token).post("/api/me/deposits", {"cents": CHIPS_CENTS})

    async def reaches(self, answers: int, playing: asyncio.Task[None]) -> None:
        """Wait until a number of commands have been answered."""
        while len(self.answers) < answers and not playing.done():
            await asyncio.sleep(0.001)

    async def _ask(self, client: TableClient, asked: Decided, key: str | None = None) -> None:
        key = key or f"c{next(self._numbers)}"
        self._unanswered = key, asked
        self._asked[key] = asked
        answer = await client.ask(asked, command_id=key)
        if answer.problem is not None and answer.problem["code"] in SENT_AGAIN:
            raise Disconnected(answer.problem["code"])
        self._unanswered = None
        if answer.problem is None:
            assert answer.seq is not None
            assert answer.seq not in self._rows, "two commands in one row"
            self.answers[key] = answer.seq
            self._rows.add(answer.seq)
            self.rounds += asked["command"] == "place_wagers"


def _past(seq: int, seen: TableClient) -> bool:
    return seen.seq > seq


async def check(server: Server, directory: Path, player: Player) -> None:
    """Check that every acknowledged command is stored once, under valid leases, and that the history verifies."""
    assert player.answers
    actor = server.pit.actors[player.table]
    rows = await server.store.rows(actor.settings.stream)
    stored = {row.command_id: row.seq for row in rows}
    for key, seq in player.answers.items():
        assert stored.get(f"{player.name}/{key}") == seq, f"an acknowledged command was lost: {key}"
    fences = [row.fence for row in rows if row.seq > 1]
    assert fences == sorted(fences), "a process wrote that had lost the table"
    assert sum(actor.table.balances.values()) == 0
    account = await server.accounts.account(player.name.lower())
    assert account.balance_cents >= 0
    file = directory / f"{player.table}.jsonl"
    with file.open("wb") as history:
        await export_stream(server.store, actor.settings.stream, history)
    assert verify(file).fault is None
