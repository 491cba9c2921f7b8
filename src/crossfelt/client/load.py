"""A load run: many tables of a house, every seat taken by a client that acts once a second; what it took is printed.

python -m crossfelt.client.load --tables 200 --seconds 60 --connections 6000 --plot load.svg
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import secrets
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any, Final

from crossfelt.client.house import HouseClient
from crossfelt.client.load_telling import plot, quantiles, table_of
from crossfelt.client.process import HouseProcess
from crossfelt.client.table import Gone, TableClient
from crossfelt.files import open_as_many_as_allowed

DECISIONS: Final = ("bet", "set_house_way", "choose", "fold", "decline_bank")
CHIPS_CENTS: Final = 1_000_00
DEPOSIT_CENTS: Final = 100_000_00
AT_ONCE: Final = 20
"""Onlookers that connect together."""


class Clock:
    """When the rows of one table were asked for, and when each seat heard of them."""

    def __init__(self) -> None:
        self.asked: dict[int, float] = {}
        self.heard: dict[int, list[float]] = {}

    def took(self) -> list[float]:
        """Seconds from each action to each seat that heard of it."""
        return [at - began for seq, began in self.asked.items() for at in self.heard.get(seq, ())]


class Seat:
    """One client in one seat. It acts as soon as it can, and no more than once in so many seconds."""

    def __init__(self, table: TableClient, number: int, clock: Clock) -> None:
        self.table = table
        self.number = number
        self.clock = clock
        self.answered: list[float] = []
        self.refused = 0
        self._news = asyncio.Event()
        table.heard = self._hear

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "happened":
            now = time.perf_counter()
            for seq in {event["seq"] for event in message["events"]}:
                self.clock.heard.setdefault(seq, []).append(now)
            self._news.set()

    async def play(self, until: float, every: float) -> None:
        """Acts until the time is over, or the house is gone."""
        await asyncio.sleep(random.random() * every)
        while (began := time.perf_counter()) < until:
            wanted = self._wanted()
            if wanted is None:
                await self._hear_more(until - began)
                continue
            try:
                await self._act(wanted)
            except Gone:
                return
            await asyncio.sleep(max(0.0, began + every - time.perf_counter()))

    async def _hear_more(self, seconds: float) -> None:
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()

    async def _act(self, wanted: dict[str, Any]) -> None:
        began = time.perf_counter()
        answer = await self.table.ask(wanted)
        self.answered.append(time.perf_counter() - began)
        if answer.seq is None:
            self.refused += 1
            return
        self.clock.asked[answer.seq] = began
        if wanted["command"] == "place_wagers":
            await self.table.ready()

    def _wanted(self) -> dict[str, Any] | None:
        open_bets = self.table.view["step"] == "open_bets"
        own = [option for option in self.table.allowed if option.get("seat") == self.number]
        if open_bets:
            if self.table.view["seats"][self.number - 1]["wagers"]:
                return None
            wagering = next((it for it in own if it["command"] == "place_wagers" and it.get("ranges")), None)
            return None if wagering is None else self._wagers(wagering)
        for name in DECISIONS:
            for option in own:
                if option["command"] == name:
                    amounts = {field: limits["min"] for field, limits in option.get("ranges", {}).items()}
                    return {"command": name, "seat": self.number, **option.get("fields", {}), **amounts}
        return None

    def _wagers(self, option: dict[str, Any]) -> dict[str, Any]:
        optional = option.get("optional", ())
        stakes = {name: amounts["min"] for name, amounts in option["ranges"].items() if name not in optional}
        return {"command": "place_wagers", "seat": self.number, "wagers": stakes}


class Load:
    """A run, and what it measured."""

    def __init__(self, address: str, rulebook: str, tables: int, seats: int) -> None:
        self._address = address
        self._rulebook = rulebook
        self._tables = tables
        self._seats = seats
        self._names: list[str] = []
        self.seats: list[Seat] = []
        self.onlookers: list[TableClient] = []
        self.clocks: list[Clock] = []

    async def arrive(self, floor: HouseClient) -> None:
        """Opens the tables, and takes every seat: as many guests as a table has seats, each at all tables."""
        guests = [await HouseClient(self._address).come_in() for _ in range(self._seats)]
        for guest in guests:
            for _ in range(-(-self._tables * CHIPS_CENTS // DEPOSIT_CENTS)):
                await guest.post("/api/me/deposits", {"cents": DEPOSIT_CENTS})
        run = secrets.token_hex(3)
        for number in range(self._tables):
            name = await floor.open_table(self._rulebook, pace="instant", public=True, id=f"load-{run}-{number}")
            clock = Clock()
            self.clocks.append(clock)
            self._names.append(name)
            sitting = (self._sit(guest, name, place, clock) for place, guest in enumerate(guests, start=1))
            self.seats += await asyncio.gather(*sitting)

    @staticmethod
    async def _sit(guest: HouseClient, table: str, number: int, clock: Clock) -> Seat:
        client = await guest.table(table).connect()
        answer = await client.give("take_seat", seat=number, chips_cents=CHIPS_CENTS)
        assert answer.accepted, answer
        return Seat(client, number, clock)

    async def run(self, seconds: float, every: float = 1.0) -> None:
        """Everybody acts once a second, as far as it is their turn."""
        until = time.perf_counter() + seconds
        await asyncio.gather(*(seat.play(until, every) for seat in self.seats))

    async def watch(self, connections: int) -> None:
        """Onlookers connect, as many at each table, until there are so many connections in all."""
        stranger = HouseClient(self._address)
        missing = connections - len(self.seats) - len(self.onlookers)
        tables = list(islice(cycle(self._names), missing))
        for first in range(0, missing, AT_ONCE):
            some = (stranger.table(name, "spectator") for name in tables[first : first + AT_ONCE])
            self.onlookers += await asyncio.gather(*(onlooker.connect() for onlooker in some))

    async def leave(self) -> None:
        connections = [*(seat.table for seat in self.seats), *self.onlookers]
        await asyncio.gather(*(connection.close() for connection in connections))

    def took(self) -> list[float]:
        """Seconds from each action to each seat that heard of it."""
        return list(chain.from_iterable(clock.took() for clock in self.clocks))

    def figures(self, seconds: float) -> dict[str, Any]:
        """What was measured, as data."""
        answered = sorted(chain.from_iterable(seat.answered for seat in self.seats))
        return {
            "rulebook": self._rulebook,
            "tables": self._tables,
            "seats": len(self.seats),
            "seconds": seconds,
            "actions": len(answered),
            "actions_per_second": round(len(answered) / seconds, 1),
            "refused": sum(seat.refused for seat in self.seats),
            "rounds": sum(seat.table.view["round"] - 1 for seat in self.seats[:: self._seats]),
            "answer_ms": quantiles(answered),
            "everyone_ms": quantiles(sorted(self.took())),
        }


async def measure(
    load: Load, seconds: float, house: HouseProcess | None = None, connections: int = 0
) -> dict[str, Any]:
    """Lets everybody play, then connects onlookers; what was measured, of the house too where it is one's own."""
    before = house.cpu_seconds if house is not None else 0.0, time.process_time()
    await load.run(seconds)
    rig = time.process_time() - before[1]
    figures = load.figures(seconds)
    if house is not None:
        figures["house_cpu_ms_per_action"] = _each(house.cpu_seconds - before[0], figures)
        figures["house_memory_mb"] = round(house.memory_mb, 1)
    figures["rig_cpu_ms_per_action"] = _each(rig, figures)
    if connections:
        await load.watch(connections)
        figures["connections"] = len(load.seats) + len(load.onlookers)
        if house is not None:
            figures["house_memory_connected_mb"] = round(house.memory_mb, 1)
    return figures


async def _main(asked: argparse.Namespace, house: HouseProcess | None) -> None:
    if house is None:
        address, floor = asked.address, await HouseClient(asked.address).log_in(asked.name, asked.password)
    else:
        address, floor = house.address, await house.owner()
    load = Load(address, asked.rulebook, asked.tables, asked.seats)
    await load.arrive(floor)
    figures = await measure(load, asked.seconds, house, asked.connections)
    print(json.dumps(figures) if asked.json else table_of(figures))
    if asked.plot is not None:
        title = f"{figures['seats']:,} seats at {figures['tables']} tables: from an action to everyone at the table"
        asked.plot.write_text(plot(load.took(), title))
    await load.leave()


def _each(cpu_seconds: float, figures: dict[str, Any]) -> float:
    actions: int = max(1, figures["actions"])
    return round(1000 * cpu_seconds / actions, 3)


def main() -> None:
    """Reads the command line, and runs."""
    parser = argparse.ArgumentParser(description="Load a house with clients, and print what it took.")
    parser.add_argument("address", nargs="?", help="where the house is; unless told, one is started and measured too")
    parser.add_argument("--name", default="owner", help="somebody who may open tables")
    parser.add_argument("--password", help="theirs, at a house that is running")
    parser.add_argument("--rulebook", default="nj-criss-cross")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--connections", type=int, default=0, help="then onlookers, until there are so many in all")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    if asked.address and not asked.password:
        parser.error("--password: of somebody who may open tables there")
    open_as_many_as_allowed()
    with tempfile.TemporaryDirectory(prefix="crossfelt-load-") as folder:
        house = None if asked.address else HouseProcess(Path(folder))
        try:
            with asyncio.Runner(loop_factory=quick_loop()) as runner:
                runner.run(_main(asked, house))
        finally:
            if house is not None:
                house.stop()


def quick_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The loop that the house uses too, where there is one for this system."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


if __name__ == "__main__":
    main()
