"""Golden output of a served house: its OpenAPI document, and every message that a seat and a spectator receive.

The server is `crossfelt serve` in a process of its own, in which each shuffle has the same seed and the clock of the
tables stands still. One round of each game is played beside bots.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from golden.cli import RULEBOOKS, answered
from golden.text import normal, written

SERVE: Final = """
import runpy, secrets, time
draw = secrets.token_bytes
secrets.token_bytes = lambda size=None: b"golden" * 8 if size == 48 else draw(size)
now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
time.clock_gettime_ns = lambda clock: now
runpy.run_module("crossfelt", run_name="__main__", alter_sys=True)
"""
SETTINGS: Final = {
    "CROSSFELT_ADVICE": "false",
    "CROSSFELT_HEADS": "none",
    "CROSSFELT_REQUESTS_A_SECOND": "1000000",
    "CROSSFELT_LOG_LEVEL": "error",
}
ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+")
SECONDS: Final = 300.0
DECISIONS: Final = ("bet", "set_house_way", "choose", "fold", "decline_bank")
NAMED_AFTER_CODE: Final = frozenset({"title", "operationId", "summary"})
"""Fields of OpenAPI that are made from the names of classes and functions."""
EMPTY: Final = {"type", "seq", "events", "patch", "now"}
"""Fields of an update in which nothing may have changed: a periodic look at the meters sends such, at any time."""
FIRST_REFUSAL: Final = "400"


def server_files(scratch: Path) -> Iterator[tuple[str, str]]:
    with served(scratch / "house") as address:
        yield "openapi.json", written(_inlined(json.loads(_asked(address + "/api/openapi.json"))))
        token = json.loads(_asked(f"{address}/api/guests", {"name": "Ann"}))["token"]
        for book in RULEBOOKS:
            yield from _transcripts(address, token, book, scratch)


@contextmanager
def served(directory: Path) -> Iterator[str]:
    """Serve a new house until the block ends."""
    command = [sys.executable, "-c", SERVE, "serve", "--port", "0", "--data", str(directory)]
    environment = {**os.environ, **SETTINGS}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment)
    assert process.stderr is not None
    said: list[str] = []
    try:
        for line in process.stderr:
            said.append(line)
            if (found := ADDRESS.search(line)) is not None:
                break
        else:
            raise AssertionError("".join(said))
        drain = threading.Thread(target=process.stderr.read)
        drain.start()
        yield found[0]
    finally:
        process.terminate()
        process.wait()
    drain.join()
    process.stderr.close()


def _asked(url: str, data: Any = None, token: str = "") -> bytes:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=SECONDS) as answer:
        found: bytes = answer.read()
    return found


# --- OpenAPI ----------------------------------------------------------------------------------------------------------


def _inlined(document: dict[str, Any]) -> Any:
    """The document without names of classes: each schema stands where it is used, and each usual refusal once."""
    schemas = document.pop("components", {}).get("schemas", {})

    def replaced(value: Any, within: tuple[str, ...]) -> Any:
        match value:
            case {"$ref": str(ref)}:
                name = ref.rpartition("/")[2]
                return "<recursive>" if name in within else replaced(schemas[name], (*within, name))
            case dict():
                kept = {key: item for key, item in value.items() if not _made_of_names(key, item)}
                return {key: replaced(item, within) for key, item in kept.items()}
            case list():
                return [replaced(item, within) for item in value]
        return value

    document["info"].pop("version")
    paths = replaced(document["paths"], ())
    refusals: dict[str, Any] = {}
    for route in (route for path in paths.values() for route in path.values()):
        for status, response in route["responses"].items():
            if status >= FIRST_REFUSAL and refusals.setdefault(status, response) == response:
                route["responses"][status] = "<refusal>"
    return {**document, "paths": paths, "refusals": refusals}


def _made_of_names(key: str, item: Any) -> bool:
    return item is False or (key in NAMED_AFTER_CODE and isinstance(item, str))


# --- the wire ---------------------------------------------------------------------------------------------------------


class Viewer:
    """One connection to a table, and all it has received."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.messages: list[dict[str, Any]] = []
        self.allowed: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}

    def send(self, message: dict[str, Any]) -> None:
        self.connection.send(json.dumps(message))

    def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.connection.recv(SECONDS))
        if message.keys() == EMPTY and not message["events"] and not message["patch"]:
            return message
        self.messages.append(message)
        self.view |= message.get("view", {}) | message.get("patch", {})
        self.allowed = message.get("allowed", self.allowed)
        return message

    def received(self, kind: str) -> bool:
        return any(message["type"] == kind for message in self.messages)


@contextmanager
def _connected(address: str, table: str, token: str, role: str, **hello: int) -> Iterator[Viewer]:
    url = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/live?as={role}"
    headers, protocols = {"Authorization": f"Bearer {token}"}, [Subprotocol("crossfelt.1")]
    with connect(
        url, additional_headers=headers, subprotocols=protocols, compression=None, open_timeout=SECONDS
    ) as connection:
        viewer = Viewer(connection)
        viewer.send({"type": "hello", **hello})
        viewer.receive()
        yield viewer


def _transcripts(address: str, token: str, book: str, scratch: Path) -> Iterator[tuple[str, str]]:
    opened = {"rulebook": book, "pace": "instant", "bots": 2}
    table = json.loads(_asked(f"{address}/api/tables", opened, token))["id"]
    with _connected(address, table, token, "spectator") as early:
        while early.view["step"] != "open_bets":  # until the dealer has prepared the decks
            early.receive()
    with (
        _connected(address, table, token, "player") as seat,
        _connected(address, table, token, "spectator") as spectator,
    ):
        _play_round(seat)
        while not spectator.received("opened"):
            spectator.receive()
    first, last = seat.messages[0]["seq"], max(message.get("seq", 0) for message in seat.messages)
    with _connected(address, table, token, "player", after=first) as again:
        while not again.received("resumed"):
            again.receive()
    again.messages = [message for message in again.messages if message["seq"] <= last and message.get("events")]
    names = {table: "<table>"}
    for kind, viewer in (("seat", seat), ("spectator", spectator), ("seat_resumed", again)):
        yield f"wire/{book}.{kind}.json", "".join(written(normal(message, names)) for message in viewer.messages)
    round_file = scratch / f"round-{book}.json"
    round_file.write_bytes(_asked(f"{address}/api/tables/{table}/rounds/1", token=token))
    yield f"commands/fair_{book}.json", answered(("fair", str(round_file), "--json"), scratch)


def _play_round(viewer: Viewer) -> None:
    """Sit down and play until the proofs of the round have come, answering as soon as the table lets this seat act."""
    asked = answers = 0
    due: dict[str, Any] | None = {"command": "take_seat", "seat": 1, "chips_cents": 200_00}
    while not viewer.received("opened") or answers < asked:
        if due is not None and answers == asked:
            asked += 1
            bets = due["command"] == "place_wagers"
            viewer.send(
                {"type": "command", "id": f"command-{asked}", "command": due} | ({"ready": True} if bets else {})
            )
        message = viewer.receive()
        assert message["type"] not in ("refused", "bye"), message
        answers += message["type"] == "accepted"
        due = None if viewer.received("opened") else _decided(viewer)


def _decided(viewer: Viewer) -> dict[str, Any] | None:
    """The smallest wager of every kind, then the first choice there is."""
    seated = [option for option in viewer.allowed if option.get("seat") == 1]
    if viewer.view["step"] == "open_bets":
        for option in seated:
            if option["command"] == "place_wagers" and option.get("ranges"):
                wagers = {name: amounts["min"] for name, amounts in option["ranges"].items()}
                return {"command": "place_wagers", "seat": 1, "wagers": wagers}
        return None
    for name in DECISIONS:
        for option in seated:
            if option["command"] == name:
                amounts = {field: limits["min"] for field, limits in option.get("ranges", {}).items()}
                return {"command": name, "seat": 1, **option.get("fields", {}), **amounts}
    return None
