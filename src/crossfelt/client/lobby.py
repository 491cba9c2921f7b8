"""The lobby of a house, over REST."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.request
from typing import Any, Final, Self

from crossfelt.client.table import TableClient
from crossfelt.errors import BadInput, Problem

HASTE: Final = "rate"
"""The code of a refusal for having asked too much at once."""
TRIES: Final = 10
ANSWER_SECONDS: Final = 120.0
"""How long a house may say nothing: twice as long as it works at any question itself."""


class Client:
    """A house at an address, and who we are there.

    house = await ServerClient("http://127.0.0.1:8000").come_in("Ann")
    async with house.table("nj-criss-cross-1") as table:
        await table.give("take_seat", seat=1, chips_cents=100_00)
    """

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address.rstrip("/")
        self.token = token
        self.name = ""

    async def come_in(self, name: str | None = None) -> Self:
        """Comes in as a guest, with play money."""
        told = await self.post("/api/guests", {"name": name} if name else {})
        self.token, self.name = told["token"], told["name"]
        return self

    async def log_in(self, name: str, password: str) -> Self:
        """Comes in with an account."""
        told = await self.post("/api/session", {"name": name, "password": password})
        self.token, self.name = told["token"], told["name"]
        return self

    async def lobby(self) -> list[dict[str, Any]]:
        """The tables that are open to us."""
        tables: list[dict[str, Any]] = (await self.get("/api/lobby"))["tables"]
        return tables

    async def open_table(self, rulebook: str, **settings: Any) -> str:
        """Opens a table; returns its name."""
        return str((await self.post("/api/tables", {"rulebook": rulebook, **settings}))["id"])

    def table(self, table: str, role: str = "player") -> TableClient:
        """A connection to a table, to be entered with ``async with``."""
        address = self.address.replace("http", "ws", 1)
        return TableClient(f"{address}/api/tables/{table}/live?as={role}", self.token)

    async def get(self, path: str) -> Any:
        return await asyncio.to_thread(self._ask, "GET", path, None)

    async def post(self, path: str, data: Any) -> Any:
        return await asyncio.to_thread(self._ask, "POST", path, data)

    async def put(self, path: str, data: Any) -> Any:
        return await asyncio.to_thread(self._ask, "PUT", path, data)

    async def delete(self, path: str) -> Any:
        return await asyncio.to_thread(self._ask, "DELETE", path, None)

    def _ask(self, method: str, path: str, data: Any, tries: int = TRIES) -> Any:
        """Who is told to ask more slowly waits, and asks again; a house that does not answer is an `OSError`."""
        body = None if data is None else json.dumps(data).encode()
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {self.token}"} if self.token else {}
        )
        request = urllib.request.Request(self.address + path, data=body, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            refused = refusal(error.code, error.read())
            if refused.problems[0].code != HASTE or tries <= 1:
                raise refused from None
            wait = float(error.headers.get("Retry-After", "1"))
        time.sleep(wait)
        return self._ask(method, path, data, tries - 1)


def refusal(status: int, body: bytes) -> BadInput:
    """What the house found wrong, as it is told everywhere.

    >>> refusal(404, b'{"problems": [{"code": "table.unknown", "what": "no such table"}]}')
    BadInput('no such table')
    """
    try:
        problems = [Problem(**problem) for problem in json.loads(body)["problems"]]
    except (ValueError, KeyError, TypeError):
        problems = [Problem(code=f"http.{status}", what=f"the house answered with {status}")]
    return BadInput(*problems)
