"""A load run: many tables of a house, every seat taken by a client that acts once a second; what it took is printed.

python -m crossfelt.client.load --tables 200 --seconds 60 --connections 6000 --plot load.svg
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import platform
import random
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any, Final, NoReturn

from crossfelt.client.house import HouseClient
from crossfelt.client.load_seat import Seat
from crossfelt.client.load_telling import plot, quantiles, table_of
from crossfelt.client.process import ALONE, HERALDED, HouseProcess, NoHouse
from crossfelt.client.table import Gone, TableClient
from crossfelt.files import open_as_many_as_allowed
from crossfelt.problems import BadInput

CHIPS_CENTS: Final = 1_000_00
DEPOSIT_CENTS: Final = 100_000_00
EVERY: Final = 1.0
"""Seconds from one action of a seat to its next."""
ROUND_ACTIONS: Final = 4
"""A wager and three decisions: tables begin within as many seconds, so that not all of them are settled at once."""
AT_ONCE: Final = 20
"""Onlookers that connect together."""
EXIT_SIGNAL: Final = 128
"""And the number of the signal, as a shell says it."""
EXIT_INTERRUPTED: Final = EXIT_SIGNAL + signal.SIGINT
"""As of `crossfelt`."""


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

    async def arrive(self, floor: HouseClient) -> None:
        """Opens the tables, and takes every seat: as many guests as a table has seats, each at all tables."""
        guests = [await HouseClient(self._address).come_in() for _ in range(self._seats)]
        for guest in guests:
            for _ in range(-(-self._tables * CHIPS_CENTS // DEPOSIT_CENTS)):
                await guest.post("/api/me/deposits", {"cents": DEPOSIT_CENTS})
        run = secrets.token_hex(3)
        for number in range(self._tables):
            name = await floor.open_table(self._rulebook, pace="instant", public=True, id=f"load-{run}-{number}")
            self._names.append(name)
            sitting = (self._sit(guest, name, place) for place, guest in enumerate(guests, start=1))
            self.seats += await asyncio.gather(*sitting)

    @staticmethod
    async def _sit(guest: HouseClient, table: str, number: int) -> Seat:
        client = await guest.table(table).connect()
        answer = await client.give("take_seat", seat=number, chips_cents=CHIPS_CENTS)
        assert answer.accepted, answer
        return Seat(client, number)

    async def begin(self) -> None:
        """Everybody acts once a second from now on, as far as it is their turn; what they do is counted once all
        tables are at it."""
        latest = EVERY * ROUND_ACTIONS
        for first in range(0, len(self.seats), self._seats):
            after = random.random() * latest
            for seat in self.seats[first : first + self._seats]:
                seat.play(EVERY, after)
        await asyncio.sleep(latest + EVERY)
        for seat in self.seats:
            seat.begin_to_count()

    async def end(self) -> None:
        """Nobody does any more; waits until everybody has heard of what was done."""
        for seat in self.seats:
            seat.stop()
        while any(seat.asks for seat in self.seats):
            await asyncio.sleep(EVERY / 10)
        await asyncio.sleep(EVERY)

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
        return [heard - began for began, heard in self._course() if heard is not None]

    def _course(self) -> Iterator[tuple[float, float | None]]:
        """Of each action and each seat at its table, when it was asked for, and when the seat heard of it."""
        for first in range(0, len(self.seats), self._seats):
            table = self.seats[first : first + self._seats]
            for seat in table:
                for seq, began in seat.acted.items():
                    yield from ((began, other.heard.get(seq)) for other in table)

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
            "unheard": sum(heard is None for _, heard in self._course()),
            "rounds": sum(seat.round - 1 for seat in self.seats[:: self._seats]),
            "answer_ms": quantiles(answered),
            "everyone_ms": quantiles(sorted(self.took())),
        }


async def measure(
    load: Load, seconds: float, house: HouseProcess | None = None, connections: int = 0
) -> dict[str, Any]:
    """Lets everybody play, then connects onlookers; what was measured, of the house too where it is one's own."""
    gc.collect()
    gc.freeze()  # as the house does: what there is stays, and need not be looked through again and again
    await load.begin()
    before = house.cpu_seconds if house is not None else 0.0, time.process_time()
    await asyncio.sleep(seconds)
    after = house.cpu_seconds if house is not None else 0.0, time.process_time()
    rig = after[1] - before[1]
    await load.end()
    gc.unfreeze()
    figures = load.figures(seconds)
    if house is not None:
        figures["python"] = platform.python_version()
        figures["house_herald"] = "yes" if house.heralded else "no"
        figures["house_cpu_ms_per_action"] = _each(after[0] - before[0], figures)
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
    parser.add_argument("--no-herald", action="store_true", help="the house that is started writes to viewers itself")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    if asked.address and not asked.password:
        parser.error("--password: of somebody who may open tables there")
    open_as_many_as_allowed()
    try:
        with ExitStack() as opened:
            opened.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, _end))
            house = None if asked.address else opened.enter_context(_own_house(asked))
            with asyncio.Runner(loop_factory=quick_loop()) as runner:
                runner.run(_main(asked, house))
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    except (NoHouse, BadInput, Gone, OSError) as error:
        sys.exit(f"{asked.address or 'the house that was started'}: {getattr(error, 'reason', error)}")


def _end(number: int, _: object) -> NoReturn:
    """Who is told to end takes a house of its own along."""
    sys.exit(EXIT_SIGNAL + number)


@contextmanager
def _own_house(asked: argparse.Namespace) -> Iterator[HouseProcess]:
    settings = ALONE if asked.no_herald else HERALDED
    with tempfile.TemporaryDirectory(prefix="crossfelt-load-") as folder, HouseProcess(Path(folder), settings) as house:
        yield house


def quick_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The loop that the house uses too, where there is one for this system."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


if __name__ == "__main__":
    main()
