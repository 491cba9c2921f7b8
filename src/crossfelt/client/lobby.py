"""The REST client."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.request
from typing import Any, Final, Self

from crossfelt.client.table import TableClient
from crossfelt.errors import BadInput, Problem

RATE_LIMITED: Final = "rate"
MAX_TRIES: Final = 10
ANSWER_SECONDS: Final = 120.0
"""The time-out of a request: twice as long as the server works on any."""


class Client:
    """A server at an address, and the user's log-in.

    client = await Client("http://127.0.0.1:8000").join_as_guest("Ann")
    async with client.table("nj-criss-cross-1") as table:
        await table.give("take_seat", seat=1, chips_cents=100_00)
    """

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address.rstrip("/")
        self.token = token
        self.name = ""

    async def join_as_guest(self, name: str | None = None) -> Self:
        """Log in as a guest, with play money."""
        return self._logged_in(await self.post("/api/guests", {"name": name} if name else {}))

    async def log_in(self, name: str, password: str) -> Self:
        """Log in with an account."""
        return self._logged_in(await self.post("/api/session", {"name": name, "password": password}))

    def _logged_in(self, session: dict[str, Any]) -> Self:
        self.token, self.name = session["token"], session["name"]
        return self

    async def lobby(self) -> list[dict[str, Any]]:
        """List the tables that the user may join."""
        tables: list[dict[str, Any]] = (await self.get("/api/lobby"))["tables"]
        return tables

    async def open_table(self, rulebook: str, **settings: Any) -> str:
        """Open a table and return its id."""
        return str((await self.post("/api/tables", {"rulebook": rulebook, **settings}))["id"])

    def table(self, table: str, role: str = "player") -> TableClient:
        """Return a connection to a table, to be used with ``async with``."""
        address = self.address.replace("http", "ws", 1)
        return TableClient(f"{address}/api/tables/{table}/live?as={role}", self.token)

    async def get(self, path: str) -> Any:
        return await asyncio.to_thread(self._request, "GET", path, None)

    async def post(self, path: str, data: Any) -> Any:
        return await asyncio.to_thread(self._request, "POST", path, data)

    async def put(self, path: str, data: Any) -> Any:
        return await asyncio.to_thread(self._request, "PUT", path, data)

    async def delete(self, path: str) -> Any:
        return await asyncio.to_thread(self._request, "DELETE", path, None)

    def _request(self, method: str, path: str, data: Any, tries: int = MAX_TRIES) -> Any:
        """Send a request, and retry it when the rate limit allows. Raise `OSError` if the server does not answer."""
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
            if refused.problems[0].code != RATE_LIMITED or tries <= 1:
                raise refused from None
            wait = float(error.headers.get("Retry-After", "1"))
        time.sleep(wait)
        return self._request(method, path, data, tries - 1)


def refusal(status: int, body: bytes) -> BadInput:
    """Return the problems of an error response.

    >>> refusal(404, b'{"problems": [{"code": "table.unknown", "what": "no such table"}]}')
    BadInput('no such table')
    """
    try:
        problems = [Problem(**problem) for problem in json.loads(body)["problems"]]
    except (ValueError, KeyError, TypeError):
        problems = [Problem(code=f"http.{status}", what=f"the server answered with status {status}")]
    return BadInput(*problems)
