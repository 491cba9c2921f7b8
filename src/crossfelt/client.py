"""A Python client of the server: REST for the lobby, one WebSocket for each table."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from crossfelt.cards.player_seeds import seed_hash
from crossfelt.errors import BadInput, Problem
from crossfelt.wire import SUBPROTOCOL

ANSWER_SECONDS: Final = 120.0
"""The time-out of a request: twice as long as the server works on any."""
OPEN_SECONDS: Final = 60.0
"""The time-out of a handshake with a busy server."""
LARGEST: Final = 1 << 20
"""Most bytes of a message; a larger one ends the connection."""
EVENTS_KEPT: Final = 2_000
SEEDS_KEPT: Final = 1_000
WELCOME_SECONDS: Final = 30.0
RATE_LIMITED: Final = ("rate", "message.rate")
"""The codes of refusals by the rate limits, of requests and of messages."""
RATE_LIMIT_SECONDS: Final = 1.0
"""The pause after such a refusal of a message; the server then accepts twenty more."""
MAX_TRIES: Final = 10
STATUS: Final = ("allowed", "meters", "deadline", "held", "waiting", "commitment")
"""The fields of updates that replace the attributes of these names."""


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
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.address + path, data=body, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            refused = refusal(error.code, error.read())
            if refused.problems[0].code not in RATE_LIMITED or tries <= 1:
                raise refused from None
            time.sleep(float(error.headers.get("Retry-After", "1")))
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


class Answer(NamedTuple):
    """The answer to a command."""

    seq: int | None
    problem: dict[str, Any] | None

    @property
    def accepted(self) -> bool:
        return self.problem is None


class Disconnected(Exception):
    """The connection ended before the answer. Connect again and send the command again with the same id."""


class TableClient:
    """One viewer of one table. Patches keep `view` up to date."""

    def __init__(self, address: str, token: str) -> None:
        self._address = address
        self._token = token
        self._waiting: dict[str, list[asyncio.Future[Answer]]] = {}
        """The futures of each id; a caller may send the same id twice at once."""
        self._reader: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._welcomed = False
        self.connection: ClientConnection | None = None
        self.receive: Callable[[bytes], None] = self._receive
        """Called with every message, encoded; the load rig sets its own."""
        self.seq = -1
        self.you: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] = {}
        self.allowed: list[dict[str, Any]] = []
        self.meters: dict[str, Any] = {}
        self._paused_until = 0.0
        self.deadline: int | None = None
        self.waiting: list[dict[str, Any]] = []
        self.held = False
        self.commitment: dict[str, Any] | None = None
        self.opened: deque[dict[str, Any]] = deque(maxlen=100)
        self.events: deque[dict[str, Any]] = deque(maxlen=EVENTS_KEPT)
        self.takes_part = True
        """Send a seed for the shuffle with the first wager of each round."""
        self.receipts: deque[dict[str, Any]] = deque(maxlen=100)
        """The house's receipts for wagers with a seed."""
        self.seeds: dict[str, str] = {}
        """This client's seeds by their hash."""
        self.sent_hashes: dict[str, str] = {}
        """The hash that each wager was sent with, by its id, empty for none: the same id is the same command.

        A client that takes over from another, and sends its commands again, needs these two and `noted`."""
        self.noted: dict[str, dict[str, Any]] = {}
        """By the hash of each seed that was sent: ``root`` of the commitment, ``hashes`` of all due seats and
        ``deal_order``, as they were before it was sent first."""
        self._revealed: set[tuple[int, int]] = set()
        """The rounds and seats whose seeds this connection has sent."""
        self._sending: set[asyncio.Task[None]] = set()
        self.goodbye = ""
        self.successor = ""
        """The table to join instead, after a change of rules."""
        self.on_message: Callable[[dict[str, Any]], None] | None = None
        """Called with every message, decoded; for measurements."""

    # --- the connection ---------------------------------------------------------------------------------------------

    async def connect(self) -> Self:
        """Connect, or reconnect and resume after the last update."""
        await self._disconnect()
        self.goodbye, self._welcomed = "", False
        self._revealed.clear()
        self.connection = await connect(
            self._address,
            additional_headers={"Authorization": f"Bearer {self._token}"} if self._token else {},
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            max_size=LARGEST,
            max_queue=None,
            ping_interval=None,
            open_timeout=OPEN_SECONDS,
        )
        self._reader = asyncio.create_task(self._read(self.connection))
        await self._send(self.connection, {"type": "hello", **({"after": self.seq} if self.table else {})})
        await self.until(lambda _: self._welcomed, WELCOME_SECONDS)
        return self

    async def close(self) -> None:
        """Disconnect; the server keeps the seat for some time. Raise the error of a message that could not be read."""
        if self.connection is not None and self._reader is not None:
            await self.connection.close()
            await self._reader

    async def _disconnect(self) -> None:
        """End the last connection: after a goodbye it stays open until both sides have closed it."""
        last, self.connection = self.connection, None
        if last is not None and self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
            await last.close()

    async def __aenter__(self) -> Self:
        return await self.connect()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # --- sending ----------------------------------------------------------------------------------------------------

    async def give(self, command: str, /, *, command_id: str | None = None, **fields: Any) -> Answer:
        """Give a command and wait for its answer. The same id again gets the same answer and has no second effect."""
        return await self.ask({"command": command, **fields}, command_id=command_id)

    async def ask(
        self,
        command: dict[str, Any],
        *,
        command_id: str | None = None,
        round_number: int | None = None,
        step: str | None = None,
        ready: bool = False,
    ) -> Answer:
        """Give a command as data, perhaps with the round and step that it answers.

        `ready` says that the player places no more wagers.
        """
        command_id = command_id or secrets.token_hex(8)
        message: dict[str, Any] = {"type": "command", "id": command_id, "command": self._with_seed(command, command_id)}
        if round_number is not None:
            message["round"] = round_number
        if step is not None:
            message["step"] = step
        if ready:
            message["ready"] = True
        return await self._ask(message)

    def _with_seed(self, command: dict[str, Any], command_id: str) -> dict[str, Any]:
        """Add the hash of a fresh seed to the first wager of a player in a round."""
        first = command.get("command") == "place_wagers" and command.get("wagers") and "seed_hash" not in command
        if not (first and self.takes_part and self.you["role"] == "player" and self.table["dealt_by"] != "physical"):
            return command
        if command_id not in self.sent_hashes:
            placed = {seat["seed_hash"] for seat in self.view["seats"] if seat["number"] == command.get("seat")}
            still_secret = any(hashed in self.seeds and hashed not in self.noted for hashed in placed)
            seed = "" if still_secret else secrets.token_hex(32)
            self.sent_hashes[command_id] = hashed = seed_hash(seed) if seed else ""
            self.seeds |= {hashed: seed} if seed else {}
            for kept in (self.seeds, self.sent_hashes, self.noted):
                if len(kept) > SEEDS_KEPT:
                    del kept[next(iter(kept))]
        sent = self.sent_hashes[command_id]
        return {**command, "seed_hash": sent} if sent else command

    def _reveal_seeds(self) -> None:
        """Send the seeds that the deal waits for, and note what the house has fixed first: a later change shows."""
        number, connection = self.view["round"], self.connection
        hashes = {seat: self.view["seats"][seat - 1]["seed_hash"] for seat in self.view["seeds_due"]}
        root = self.commitment["root"] if self.commitment is not None else ""
        note = {"root": root, "hashes": hashes, "deal_order": self.view["deal_order"]}
        for seat, hashed in hashes.items():
            seed = self.seeds.get(hashed)
            if seed is not None and connection is not None and (number, seat) not in self._revealed:
                self._revealed.add((number, seat))
                self.noted.setdefault(hashed, note)
                message = {"type": "seed", "id": secrets.token_hex(8), "round": number, "seat": seat, "seed": seed}
                task = asyncio.create_task(self._send(connection, message))
                self._sending.add(task)
                task.add_done_callback(self._sending.discard)

    async def ready(self) -> Answer:
        """Say that the player places no more wagers in this round."""
        return await self._ask({"type": "ready", "id": secrets.token_hex(8), "round": self.view["round"]})

    async def go_on_without(self, seat: int) -> Answer:
        """Stop waiting for the player of a seat, if the table may go on already."""
        return await self._ask({"type": "go_on", "id": secrets.token_hex(8), "seat": seat})

    async def set_pauses(self, *, on: bool) -> Answer:
        """Turn the dealer's pauses on or off, as a player who is alone with bots at a practice table."""
        return await self._ask({"type": "pauses", "id": secrets.token_hex(8), "on": on})

    def option(self, command: str) -> dict[str, Any] | None:
        """Return the first option of a command that is allowed now."""
        return next((option for option in self.allowed if option["command"] == command), None)

    async def until(self, condition: Callable[[Self], Any], timeout: float = 30.0) -> None:
        """Wait until a condition of this client holds."""
        async with asyncio.timeout(timeout):
            while not condition(self):
                if self.goodbye:
                    raise Disconnected(self.goodbye)
                self._changed.clear()
                await self._changed.wait()

    async def send_text(self, text: str) -> None:
        """Send any text, for tests."""
        assert self.connection is not None
        await self.connection.send(text)

    async def _ask(self, message: dict[str, Any]) -> Answer:
        """Send a message and wait for its answer. After a refusal by the rate limit all callers pause and retry."""
        for _ in range(MAX_TRIES):
            if (wait := self._paused_until - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            if self.connection is None or self._reader is None or self._reader.done():
                raise Disconnected(self.goodbye or "not connected")
            future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(message["id"], []).append(future)
            await self._send(self.connection, message)
            answer = await future
            if answer.problem is None or answer.problem["code"] not in RATE_LIMITED:
                break
            self._paused_until = time.monotonic() + RATE_LIMIT_SECONDS
        return answer

    async def _send(self, connection: ClientConnection, message: dict[str, Any]) -> None:
        with suppress(ConnectionClosed):  # the reader fails all waiting futures
            await connection.send(msgspec.json.encode(message), text=True)

    # --- receiving --------------------------------------------------------------------------------------------------

    async def _read(self, connection: ClientConnection) -> None:
        """Receive messages until the connection ends; a message that cannot be read ends it."""
        try:
            while True:
                self.receive(await connection.recv(decode=False))
        except ConnectionClosed:
            pass
        except Exception:
            connection.transport.abort()
            raise
        finally:
            self.goodbye = self.goodbye or "the connection was closed"
            for future in self._futures(*self._waiting):
                future.set_exception(Disconnected(self.goodbye))
            self._changed.set()

    def _futures(self, *ids: str) -> list[asyncio.Future[Answer]]:
        """Remove and return the futures that still wait for answers to these ids."""
        return [future for key in ids for future in self._waiting.pop(key, ()) if not future.done()]

    def _receive(self, data: bytes) -> None:
        message = msgspec.json.decode(data)
        match message["type"]:
            case "welcome":
                self._welcomed = True
                self.seq, self.you, self.table = message["seq"], message["you"], message["table"]
                self.view = message["view"]
                self._note_status(message)
            case "resumed":
                self._welcomed = True
            case "happened":
                self._update(message)
            case "opened":
                self.opened.append(message)
            case "accepted" | "refused":
                if "receipt" in message:
                    self._keep_receipt(message["id"], message["receipt"])
                for future in self._futures(message["id"]):
                    future.set_result(Answer(message.get("seq"), message.get("problem")))
            case "bye":
                self.goodbye, self.successor = message["why"], message.get("successor", "")
        if self.view and self._welcomed:
            self._reveal_seeds()
        if self.on_message is not None:
            self.on_message(message)
        self._changed.set()

    def _keep_receipt(self, command_id: str, receipt: dict[str, Any]) -> None:
        """Keep a receipt for the hash that was sent; the house may know the seed of another."""
        if receipt["seed_hash"] == self.sent_hashes.get(command_id, receipt["seed_hash"]):
            self.receipts.append(receipt)

    def _update(self, message: dict[str, Any]) -> None:
        self.seq = max(self.seq, message["seq"])
        self.events.extend(message["events"])
        changed = dict(message["patch"])
        for number, seat in changed.pop("seats", {}).items():
            self.view["seats"][int(number) - 1] = seat
        self.view |= changed
        self._note_status(message)

    def _note_status(self, message: dict[str, Any]) -> None:
        for name in STATUS:
            if name in message:
                setattr(self, name, message[name])
