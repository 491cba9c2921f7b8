"""A server under attack: people of every role, and requests as they are."""

from __future__ import annotations

import asyncio
import base64
import json
import random
import re
import socket
import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from benchmarks.server import PASSWORD, UNLIMITED, ServerProcess
from crossfelt.server.accounts.policy import ROUTES

T = TypeVar("T")
TABLE: Final = "nj-criss-cross-1"
RULEBOOK: Final = "nj-criss-cross"
STRANGER: Final = "stranger"
REFUSED: Final = range(400, 500)
ANSWER_SECONDS: Final = 60.0
JSON: Final = ("Content-Type", "application/json")
UPGRADE: Final = (
    ("Upgrade", "websocket"),
    ("Connection", "Upgrade"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", base64.b64encode(bytes(16)).decode()),
)
Try = tuple[str, bool]
"""What was tried, and whether the server held."""
Headers = Sequence[tuple[str, str]]


class Reply(NamedTuple):
    """A response; the status is 0 if the server closed the connection without one."""

    status: int
    head: str
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)

    @property
    def refused(self) -> bool:
        """True for a refusal with a sentence."""
        return self.status in REFUSED and bool(self.data["problems"][0]["what"])


class Target:
    """A server under attack, with a person of each role."""

    def __init__(self, directory: Path, share: float) -> None:
        self.share = share
        self.chance = random.Random(7)
        self.directory = directory
        self.server = ServerProcess(directory, UNLIMITED)
        self.tokens = {STRANGER: ""}

    def hire(self) -> None:
        """Create a person of each role."""
        self.tokens["owner"] = asyncio.run(self.server.owner()).token
        # The floor comes last: from then on roles take two people.
        for role in ("dealer", "auditor", "floor"):
            self.tokens[role] = self._staff(role)
        self.tokens["player"] = self.guest()

    def _staff(self, role: str) -> str:
        made = self.post("/api/staff", {"name": f"Person {role[::-1]}"}, "owner").data
        token = self.post("/api/session", {"name": made["account"], "password": made["password"]}).data["token"]
        told = self.send("PUT", "/api/me/password", {"old": made["password"], "new": PASSWORD}, token).data
        place = f"/api/accounts/{urllib.parse.quote(made['account'])}/roles"
        assert self.send("PUT", place, {"roles": [role]}, self.tokens["owner"]).status == 200
        return str(told["token"])

    def some(self, items: Iterable[T]) -> list[T]:
        """Return a share of the items, at least three."""
        found = list(items)
        return self.chance.sample(found, min(len(found), max(3, round(len(found) * self.share))))

    def guest(self) -> str:
        return str(self.post("/api/guests", {}).data["token"])

    def post(self, path: str, data: Any, who: str = STRANGER, headers: Headers = ()) -> Reply:
        return self.send("POST", path, data, self.tokens[who] if who != STRANGER else "", headers)

    def get(self, path: str, who: str = STRANGER) -> Reply:
        return self.send("GET", path, None, self.tokens[who])

    def send(self, method: str, path: str, data: Any, token: str = "", headers: Headers = ()) -> Reply:
        body = b"" if data is None else json.dumps(data).encode()
        return self.raw(method, path, body, [JSON, *headers], token)

    def raw(self, method: str, path: str, body: bytes = b"", headers: Headers = (), token: str = "") -> Reply:
        """Send a request as it is, and return its response."""
        named = {name.lower() for name, _ in headers}
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers]
        lines += [] if "host" in named else [f"Host: {self.host}"]
        lines += [] if "connection" in named else ["Connection: close"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        lines += [f"Content-Length: {len(body)}"] if body or method in ("POST", "PUT") else []
        received = b""
        with self.connection() as peer, suppress(ConnectionError):
            with suppress(ConnectionError):  # a refusal may come before the whole request is sent
                peer.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
            while part := peer.recv(1 << 16):
                received += part
                if received.startswith(b"HTTP/1.1 101"):
                    break
        head, _, rest = received.partition(b"\r\n\r\n")
        status = re.match(rb"HTTP/1\.1 (\d{3})", head)
        return Reply(int(status[1]) if status else 0, head.decode("latin-1").lower(), rest)

    @property
    def host(self) -> str:
        return self.server.address.removeprefix("http://")

    def connection(self) -> socket.socket:
        name, _, port = self.host.rpartition(":")
        return socket.create_connection((name, int(port)), timeout=ANSWER_SECONDS)

    def money(self, token: str) -> int:
        """Return an account's balance and its chips at tables."""
        name = self.send("GET", "/api/me", None, token).data["account"]
        [line] = [it for it in self.get("/api/accounts", "owner").data if it["account"] == name]
        return int(line["balance_cents"] + sum(line["at_tables"].values()))

    @property
    def faults(self) -> int:
        found = re.search(rb"^crossfelt_faults_total (\d+)", self.get("/metrics").body, re.MULTILINE)
        assert found is not None
        return int(found[1])

    def written_routes(self) -> list[tuple[str, str, str, Mapping[str, Any]]]:
        """Return each route that takes JSON: method, path, who may use it, and the schema of its body."""
        described = self.get("/api/openapi.json").data
        found = []
        for template, methods in described["paths"].items():
            for method, stated in methods.items():
                if "requestBody" in stated and f"{method.upper()} {template}" != "PUT /api/me/password":
                    policy = ROUTES[f"{method.upper()} {template}"]
                    who = next((it for it in self.tokens if it in policy.roles), STRANGER)
                    schema = stated["requestBody"]["content"]["application/json"]["schema"]
                    named = json.dumps(schema).partition("#/components/schemas/")[2].partition('"')[0]
                    shape = described["components"]["schemas"].get(named, schema)
                    found.append((method.upper(), path_of(template), who, shape))
        return found


def path_of(template: str, table: str = TABLE) -> str:
    numbered = re.sub(r"\{(number|seat)\}", "1", template.replace("{table}", table))
    return re.sub(r"\{\w+\}", "x", numbered)
