"""One seat of a load run. It decodes only the fields that it needs to act, because more than a thousand seats share the
processor with the server that they measure."""

from __future__ import annotations

import asyncio
import random
import re
import secrets
import time
from contextlib import suppress
from itertools import count
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from websockets.exceptions import ConnectionClosed

from crossfelt.cards.player_seeds import seed_hash
from crossfelt.client import TableClient

DECISIONS: Final = ("bet", "set_house_way", "choose", "fold", "decline_bank")


class Range(msgspec.Struct, frozen=True, gc=False):
    """The least of the permitted amounts."""

    min: int


class Option(msgspec.Struct, frozen=True, gc=False):
    """A command that the seat may give now."""

    command: str
    seat: int | None = None
    fields: dict[str, Any] = {}
    ranges: dict[str, Range] = {}
    optional: tuple[str, ...] = ()


class Event(msgspec.Struct, frozen=True, gc=False):
    """The number of an event's stored row."""

    seq: int


class Patch(msgspec.Struct, frozen=True, gc=False):
    """The fields of the table's patch that a seat needs."""

    round: int | UnsetType = UNSET
    step: str | UnsetType = UNSET
    seeds_due: tuple[int, ...] | UnsetType = UNSET


class ServerMessage(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    """A message from the server, as far as a seat reads it."""


class Happened(ServerMessage, frozen=True, gc=False, tag="happened"):
    events: tuple[Event, ...]
    patch: Patch
    allowed: tuple[Option, ...] | UnsetType = UNSET


class Accepted(ServerMessage, frozen=True, gc=False, tag="accepted"):
    id: str
    seq: int


class Refused(ServerMessage, frozen=True, gc=False, tag="refused"):
    id: str


class Opened(ServerMessage, frozen=True, gc=False, tag="opened"):
    pass


class Bye(ServerMessage, frozen=True, gc=False, tag="bye"):
    pass


_read: Final = msgspec.json.Decoder(Happened | Accepted | Refused | Opened | Bye).decode
_NOTHING: Final = Patch()
_HAPPENED: Final = b'{"type":"happened"'
_SEED_DUE: Final = re.compile(rb'"seeds_due":\[\d')


class Asked(NamedTuple):
    """A command without an answer yet."""

    id: str
    command: str
    round: int
    at: float


class Seat:
    """One client in one seat. It acts as soon as it may, at most once in an interval.

    Every message is timed on arrival. A resting seat decodes it later, together with the others.
    """

    def __init__(self, table: TableClient, number: int) -> None:
        """Take over the messages of the table's client."""
        assert table.connection is not None
        self.table = table
        self.number = number
        self.acted: dict[int, float] = {}
        """The time of each command of this seat, by its row."""
        self.received_at: dict[int, float] = {}
        """The arrival time of each row."""
        self.answered: list[float] = []
        """Seconds from each command to its answer."""
        self.refused = 0
        self.round: int = table.view["round"]
        self._step: str = table.view["step"]
        self._allowed = self._own(msgspec.convert(table.allowed, tuple[Option, ...]))
        self._connection = table.connection
        table.receive = self._arrive
        self._sending: asyncio.Task[None] | None = None
        self._unread: list[tuple[float, bytes]] = []
        self._ids = map("load-{}".format, count(1))
        self._every = 0.0
        self._over = True
        self._rests = False
        """True from an action, or the start, to the end of the interval."""
        self._asked: Asked | None = None
        self._seed = ""
        self._wagered = 0
        """The last round with a wager of this seat."""

    # --- acting -----------------------------------------------------------------------------------------------------

    def play(self, every: float, after: float = 0.0) -> None:
        """Act after a delay, and on until it is stopped or the server is gone."""
        self._every, self._over, self._rests = every, False, True
        asyncio.get_running_loop().call_later(after + random.random() * every, self._turn)

    def begin_to_count(self) -> None:
        """Forget the measurements so far."""
        self.acted, self.answered, self.refused = {}, [], 0

    def stop(self) -> None:
        """Give no further command."""
        self._over = True

    @property
    def asks(self) -> bool:
        """True while a command has no answer."""
        return self._asked is not None and not self.table.goodbye

    @property
    def in_round(self) -> bool:
        """True between the first card and the last payment, as far as the seat knows."""
        return self._step != "open_bets"

    def _turn(self) -> None:
        self._read()
        self._act()

    def _act(self) -> None:
        wanted = None if self._over else self._wanted()
        self._rests = wanted is not None
        if wanted is not None:
            self._asked = Asked(next(self._ids), wanted["command"], self.round, time.perf_counter())
            message = {"type": "command", "id": self._asked.id, "command": wanted}
            wagers = self._asked.command == "place_wagers"
            self._write({**message, "ready": True} if wagers else message)

    def _write(self, message: dict[str, Any]) -> None:
        self._sending = asyncio.create_task(self._send(msgspec.json.encode(message)))

    async def _send(self, data: bytes) -> None:
        with suppress(ConnectionClosed):
            await self._connection.send(data, text=True)

    def _wanted(self) -> dict[str, Any] | None:
        if self._step == "open_bets":
            option = next((it for it in self._allowed if it.command == "place_wagers" and it.ranges), None)
            if option is None or self._wagered == self.round:
                return None
            stakes = {name: amounts.min for name, amounts in option.ranges.items() if name not in option.optional}
            self._seed = secrets.token_hex(32)
            wagers = {"seat": self.number, "wagers": stakes, "seed_hash": seed_hash(self._seed)}
            return {"command": "place_wagers", **wagers}
        for name in DECISIONS:
            for option in self._allowed:
                if option.command == name:
                    amounts = {field: limits.min for field, limits in option.ranges.items()}
                    return {"command": name, "seat": self.number, **option.fields, **amounts}
        return None

    # --- receiving --------------------------------------------------------------------------------------------------

    def _arrive(self, data: bytes) -> None:
        self._unread.append((time.perf_counter(), data))
        if not self._rests or not data.startswith(_HAPPENED) or _SEED_DUE.search(data):
            self._read()

    def _read(self) -> None:
        """Decode the messages that have arrived; act on them unless the seat rests."""
        unread, self._unread = self._unread, []
        news = False
        for at, data in unread:
            match _read(data):
                case Happened() as message:
                    news |= self._happened(message, at)
                case Accepted() | Refused() as message:
                    self._answer(message, at)
        if news and not self._rests:
            self._act()

    def _happened(self, message: Happened, at: float) -> bool:
        """Record an update; return whether the seat's options may have changed."""
        for event in message.events:
            self.received_at[event.seq] = at
        if message.patch.round is not UNSET:
            self.round = message.patch.round
        if message.patch.step is not UNSET:
            self._step = message.patch.step
        if message.patch.seeds_due is not UNSET and self.number in message.patch.seeds_due:
            reveal = {"round": self.round, "seat": self.number, "seed": self._seed}
            self._write({"type": "seed", "id": next(self._ids), **reveal})
        if message.allowed is not UNSET:
            self._allowed = self._own(message.allowed)
        return message.allowed is not UNSET or message.patch != _NOTHING

    def _own(self, options: tuple[Option, ...]) -> tuple[Option, ...]:
        return tuple(option for option in options if option.seat == self.number)

    def _answer(self, message: Accepted | Refused, at: float) -> None:
        asked = self._asked
        if asked is None or asked.id != message.id:
            return
        self._asked = None
        self.answered.append(at - asked.at)
        if isinstance(message, Refused):
            self.refused += 1
        else:
            self.acted[message.seq] = asked.at
            if asked.command == "place_wagers":
                self._wagered = asked.round
        again = max(0.0, asked.at + self._every - time.perf_counter())
        asyncio.get_running_loop().call_later(again, self._turn)
