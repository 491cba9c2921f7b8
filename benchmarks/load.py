"""The load rig: a client in every seat of many tables acts once a second; the rig prints latencies and costs.

python -m benchmarks.load --tables 200 --seconds 60 --connections 6000 --plot load.svg
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
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any, Final, NoReturn

from benchmarks.load_seat import Seat
from benchmarks.server import MOST_SECONDS, UNLIMITED, ServerFailed, ServerProcess, new_server
from benchmarks.timing import Result, our_result, say
from crossfelt._util.atomic_files import raise_open_file_limit
from crossfelt.client import Client, Disconnected, TableClient
from crossfelt.errors import BadInput

CHIPS_CENTS: Final = 1_000_00
TABLES_A_GUEST: Final = 10
"""The tables at which one guest sits: an account takes no more chips in a day."""
EVERY: Final = 1.0
"""Seconds from one action of a seat to its next."""
ROUND_ACTIONS: Final = 4
"""A wager and three decisions: tables begin within as many seconds, so that they do not all settle at once."""
AT_ONCE: Final = 20
"""Spectators that connect together."""
EXIT_SIGNAL: Final = 128
"""Added to the number of the signal, as a shell does."""
EXIT_INTERRUPTED: Final = EXIT_SIGNAL + signal.SIGINT
BANDS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Upper bounds of the plot, in milliseconds."""
TABLES, SEATS, SECONDS, CONNECTIONS = 50, 6, 20.0, 1_000
"""The size of the benchmark, which is smaller than a load run."""
GOAL_P99_MS: Final = 100.0
GOAL_MEMORY_MB: Final = 300.0
GOAL_CONNECTIONS: Final = 6_000


class Load:
    """A load run and its measurements."""

    def __init__(self, address: str, rulebook: str, tables: int, seats: int) -> None:
        self._address = address
        self._rulebook = rulebook
        self._tables = tables
        self._seats = seats
        self._names: list[str] = []
        self.seats: list[Seat] = []
        self.spectators: list[TableClient] = []

    async def arrive(self, floor: Client) -> None:
        """Open the tables and take every seat: each guest sits at several tables."""
        run = secrets.token_hex(3)
        guests: list[Client] = []
        for number in range(self._tables):
            if number % TABLES_A_GUEST == 0:
                guests = [await Client(self._address).join_as_guest() for _ in range(self._seats)]
                for guest in guests:
                    await guest.post("/api/me/deposits", {"cents": TABLES_A_GUEST * CHIPS_CENTS})
            name = await floor.open_table(self._rulebook, pace="instant", public=True, id=f"load-{run}-{number}")
            self._names.append(name)
            sitting = (self._sit(guest, name, place) for place, guest in enumerate(guests, start=1))
            self.seats += await asyncio.gather(*sitting)

    @staticmethod
    async def _sit(guest: Client, table: str, number: int) -> Seat:
        client = await guest.table(table).connect()
        answer = await client.give("take_seat", seat=number, chips_cents=CHIPS_CENTS)
        assert answer.accepted, answer
        return Seat(client, number)

    async def begin(self) -> None:
        """Let every seat act once a second, as far as it is its turn; count from the moment when all tables play."""
        latest = EVERY * ROUND_ACTIONS
        for first in range(0, len(self.seats), self._seats):
            after = random.random() * latest
            for seat in self.seats[first : first + self._seats]:
                seat.play(EVERY, after)
        await asyncio.sleep(latest + EVERY)
        for seat in self.seats:
            seat.begin_to_count()

    async def end(self) -> None:
        """Stop the seats, and wait until each has received the last updates, for at most `MOST_SECONDS`."""
        for seat in self.seats:
            seat.stop()
        until = time.perf_counter() + MOST_SECONDS
        while any(seat.asks for seat in self.seats) or (self.undelivered and time.perf_counter() < until):
            await asyncio.sleep(EVERY)

    async def watch(self, connections: int) -> None:
        """Connect spectators, evenly over the tables, up to a number of connections in all."""
        guest = Client(self._address)
        missing = max(0, connections - len(self.seats) - len(self.spectators))
        tables = list(islice(cycle(self._names), missing))
        for first in range(0, missing, AT_ONCE):
            some = (guest.table(name, "spectator") for name in tables[first : first + AT_ONCE])
            self.spectators += await asyncio.gather(*(spectator.connect() for spectator in some))

    async def leave(self) -> None:
        connections = [*(seat.table for seat in self.seats), *self.spectators]
        await asyncio.gather(*(connection.close() for connection in connections))

    @property
    def actions(self) -> int:
        """The number of answered actions."""
        return sum(len(seat.answered) for seat in self.seats)

    @property
    def undelivered(self) -> int:
        """The number of actions that a seat at the table has not received, counted for each seat."""
        return sum(received is None for _, received in self._course())

    def took(self) -> list[float]:
        """Return the seconds from each action to each seat that received it."""
        return [received - began for began, received in self._course() if received is not None]

    def _course(self) -> Iterator[tuple[float, float | None]]:
        """Yield, for each action and each seat at its table, the time of the action and of its arrival at the seat."""
        for first in range(0, len(self.seats), self._seats):
            table = self.seats[first : first + self._seats]
            for seat in table:
                for seq, began in seat.acted.items():
                    yield from ((began, other.received_at.get(seq)) for other in table)

    def figures(self, seconds: float) -> dict[str, Any]:
        """Return the measurements as data."""
        answered = sorted(chain.from_iterable(seat.answered for seat in self.seats))
        return {
            "rulebook": self._rulebook,
            "tables": self._tables,
            "seats": len(self.seats),
            "seconds": round(seconds, 1),
            "actions": len(answered),
            "actions_per_second": round(len(answered) / seconds, 1),
            "refused": sum(seat.refused for seat in self.seats),
            "undelivered": self.undelivered,
            "rounds": sum(seat.round - 1 for seat in self.seats[:: self._seats]),
            "answer_ms": quantiles(answered),
            "everyone_ms": quantiles(sorted(self.took())),
        }


async def measure(
    load: Load, until: Awaitable[object], server: ServerProcess | None = None, connections: int = 0
) -> dict[str, Any]:
    """Let every seat play while `until` is awaited, then connect spectators; return the figures of load and server."""
    gc.collect()
    gc.freeze()  # as the server does: long-lived objects are not searched again and again
    await load.begin()
    started = time.perf_counter()
    before = server.cpu_seconds if server is not None else 0.0, time.process_time()
    await until
    after = server.cpu_seconds if server is not None else 0.0, time.process_time()
    seconds = time.perf_counter() - started
    await load.end()
    gc.unfreeze()
    figures = load.figures(seconds)
    actions = max(1, figures["actions"])
    if server is not None:
        figures["python"] = platform.python_version()
        figures["server_cpu_ms_per_action"] = round(1000 * (after[0] - before[0]) / actions, 3)
        figures["server_memory_mb"] = round(server.memory_mb, 1)
    figures["rig_cpu_ms_per_action"] = round(1000 * (after[1] - before[1]) / actions, 3)
    if connections:
        await load.watch(connections)
        figures["connections"] = len(load.seats) + len(load.spectators)
        if server is not None:
            figures["server_memory_connected_mb"] = round(server.memory_mb, 1)
    return figures


def load(repeats: int) -> Iterator[Result]:
    say(f"load: {TABLES * SEATS} seats act once a second for {SECONDS:.0f} seconds ...")
    raise_open_file_limit()
    with new_server(UNLIMITED) as server, asyncio.Runner(loop_factory=quick_loop()) as runner:
        found = runner.run(_loaded(server))
    seats = f"{found['seats']:,} seats at {found['tables']} tables, {found['actions_per_second']:,.0f} actions/s"
    note = "clients share the machine with the server"
    p99, cpu = found["everyone_ms"]["p99"], found["server_cpu_ms_per_action"]
    yield our_result(f"{seats}: from an action to everyone, p99", "ms", p99, goal=GOAL_P99_MS, note=note)
    yield our_result(f"{seats}: processor time of the server", "ms/action", cpu, note=note)
    each = 1024 * (found["server_memory_connected_mb"] - found["server_memory_mb"]) / (CONNECTIONS - found["seats"])
    yield our_result("memory of a connection", "KB", each, note="of a spectator")
    expected = found["server_memory_mb"] + each * (GOAL_CONNECTIONS - found["seats"]) / 1024
    name = f"memory with {GOAL_CONNECTIONS:,} connections, from these"
    yield our_result(name, "MB", expected, goal=GOAL_MEMORY_MB, note=note)


async def _loaded(server: ServerProcess) -> dict[str, Any]:
    run = Load(server.address, "nj-criss-cross", TABLES, SEATS)
    await run.arrive(await server.owner())
    found = await measure(run, asyncio.sleep(SECONDS), server, CONNECTIONS)
    await run.leave()
    return found


def quantiles(seconds: Sequence[float]) -> dict[str, float]:
    """Return median and tails, in milliseconds.

    >>> quantiles([0.001] * 99 + [0.1])
    {'p50': 1.0, 'p90': 1.0, 'p99': 100.0, 'max': 100.0}
    """
    if not seconds:
        return {}
    at = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
    found = {name: seconds[min(len(seconds) - 1, int(share * len(seconds)))] for name, share in at.items()}
    return {name: round(1000 * value, 2) for name, value in {**found, "max": seconds[-1]}.items()}


def plot(seconds: Sequence[float], title: str) -> str:
    """Draw a bar for each band of latencies, as SVG.

    >>> plot([0.001, 0.004], "two answers").count("<rect")
    13
    """
    counts = [0] * len(BANDS)
    for took in seconds:
        counts[next((place for place, bound in enumerate(BANDS) if 1000 * took <= bound), len(BANDS) - 1)] += 1
    most, width = max((*counts, 1)), 48
    bars = [
        f'<rect x="{20 + place * width}" y="{220 - 180 * count / most:.1f}" width="{width - 8}" '
        f'height="{180 * count / most:.1f}" fill="#2f6f4f"/>'
        f'<text x="{16 + (place + 0.5) * width}" y="236" font-size="11" text-anchor="middle">{BANDS[place]}</text>'
        f'<text x="{16 + (place + 0.5) * width}" y="{214 - 180 * count / most:.1f}" font-size="10" '
        f'text-anchor="middle">{count:,}</text>'
        for place, count in enumerate(counts)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {40 + width * len(BANDS)} 260" font-family="sans-serif">'
        f'<rect width="100%" height="100%" fill="white"/><text x="20" y="24" font-size="14">{title}</text>'
        f'{"".join(bars)}<text x="20" y="254" font-size="11">milliseconds, up to</text></svg>\n'
    )


def table_of(figures: dict[str, Any]) -> str:
    """Return the figures in lines."""
    lines: list[tuple[str, Any]] = []
    for name, value in figures.items():
        words = name.replace("_", " ")
        if isinstance(value, dict):
            lines += [(f"{words.removesuffix(' ms')} {quantile} (ms)", each) for quantile, each in value.items()]
        else:
            lines.append((words, value))
    width = 2 + max(len(name) for name, _ in lines)
    return "\n".join(
        f"{name:<{width}}{value if isinstance(value, str) else format(value, ','):>16}" for name, value in lines
    )


async def _main(asked: argparse.Namespace, server: ServerProcess | None) -> None:
    if server is None:
        address, floor = asked.address, await Client(asked.address).log_in(asked.name, asked.password)
    else:
        address, floor = server.address, await server.owner()
    run = Load(address, asked.rulebook, asked.tables, asked.seats)
    await run.arrive(floor)
    figures = await measure(run, asyncio.sleep(asked.seconds), server, asked.connections)
    print(json.dumps(figures) if asked.json else table_of(figures))
    if asked.plot is not None:
        title = f"{figures['seats']:,} seats at {figures['tables']} tables: from an action to everyone at the table"
        asked.plot.write_text(plot(run.took(), title))
    await run.leave()


def main() -> None:
    """Read the command line, and run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description="Load a server with clients.")
    parser.add_argument("address", nargs="?", help="a running server; default: one is started, and its cost measured")
    parser.add_argument("--name", default="owner", help="an account that may open tables at a running server")
    parser.add_argument("--password", help="the password of that account")
    parser.add_argument("--rulebook", default="nj-criss-cross")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--connections", type=int, default=0, help="then add spectators, up to N connections in all")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    if asked.address and not asked.password:
        parser.error("--password is missing: the password of an account that may open tables")
    raise_open_file_limit()
    try:
        with ExitStack() as opened:
            opened.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, _end))
            server = None if asked.address else opened.enter_context(new_server(UNLIMITED))
            with asyncio.Runner(loop_factory=quick_loop()) as runner:
                runner.run(_main(asked, server))
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    except (ServerFailed, BadInput, Disconnected, OSError) as error:
        sys.exit(f"{asked.address or 'the server that was started'}: {getattr(error, 'reason', error)}")


def _end(number: int, _: object) -> NoReturn:
    """Turn a signal into an exit, so that the rig's own server is stopped too."""
    sys.exit(EXIT_SIGNAL + number)


def quick_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the event loop that the server uses too, where this system has it."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


if __name__ == "__main__":
    main()
