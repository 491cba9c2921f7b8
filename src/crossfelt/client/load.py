"""A load run: many tables of a house, every seat taken by a client that acts once a second; what it took is printed.

python -m crossfelt.client.load http://127.0.0.1:8000 --tables 200 --seats 6 --seconds 60 --plot load.svg
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import secrets
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

from crossfelt.client.house import HouseClient
from crossfelt.client.table import Gone, TableClient

DECISIONS: Final = ("bet", "set_house_way", "choose", "fold", "decline_bank")
CHIPS_CENTS: Final = 1_000_00
DEPOSIT_CENTS: Final = 100_000_00
BANDS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Upper bounds of the plot, in milliseconds."""


class Clock:
    """When the rows of one table were asked for, and when each seat heard of them."""

    def __init__(self) -> None:
        self.asked: dict[int, float] = {}
        self.heard: dict[int, list[float]] = {}

    def took(self) -> list[float]:
        """Seconds from each action to each seat that heard of it."""
        return [at - began for seq, began in self.asked.items() for at in self.heard.get(seq, ())]


class Seat:
    """One client in one seat."""

    def __init__(self, table: TableClient, number: int, clock: Clock) -> None:
        self.table = table
        self.number = number
        self.clock = clock
        self.answered: list[float] = []
        self.refused = 0
        table.heard = self._hear

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "happened":
            now = time.perf_counter()
            for seq in {event["seq"] for event in message["events"]}:
                self.clock.heard.setdefault(seq, []).append(now)

    async def act(self) -> bool:
        """One action, if there is any; whether there was."""
        wanted = self._wanted()
        if wanted is None:
            return False
        began = time.perf_counter()
        answer = await self.table.ask(wanted)
        self.answered.append(time.perf_counter() - began)
        if answer.seq is None:
            self.refused += 1
            return True
        self.clock.asked[answer.seq] = began
        if wanted["command"] == "place_wagers":
            await self.table.ready()
        return True

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
        self.seats: list[Seat] = []
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
            sitting = (self._sit(guest, name, place, clock) for place, guest in enumerate(guests, start=1))
            self.seats += await asyncio.gather(*sitting)

    @staticmethod
    async def _sit(guest: HouseClient, table: str, number: int, clock: Clock) -> Seat:
        client = await guest.table(table).connect()
        answer = await client.give("take_seat", seat=number, chips_cents=CHIPS_CENTS)
        assert answer.accepted, answer
        return Seat(client, number, clock)

    async def run(self, seconds: float) -> None:
        """Everybody acts once a second, as far as it is their turn."""
        until = time.perf_counter() + seconds
        await asyncio.gather(*(self._play(seat, until) for seat in self.seats))

    @staticmethod
    async def _play(seat: Seat, until: float) -> None:
        await asyncio.sleep(random.random())
        while time.perf_counter() < until:
            began = time.perf_counter()
            try:
                await seat.act()
            except Gone:
                return
            await asyncio.sleep(max(0.0, 1.0 - (time.perf_counter() - began)))

    async def leave(self) -> None:
        await asyncio.gather(*(seat.table.close() for seat in self.seats))

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


def quantiles(seconds: Sequence[float]) -> dict[str, float]:
    """Median and tails, in milliseconds.

    >>> quantiles([0.001] * 99 + [0.1])
    {'p50': 1.0, 'p90': 1.0, 'p99': 100.0, 'max': 100.0}
    """
    if not seconds:
        return {}
    at = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
    found = {name: seconds[min(len(seconds) - 1, int(share * len(seconds)))] for name, share in at.items()}
    return {name: round(1000 * value, 2) for name, value in {**found, "max": seconds[-1]}.items()}


def plot(seconds: Sequence[float], title: str) -> str:
    """A bar for each band of latencies, as a drawing in SVG.

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
    """The figures in lines."""
    lines = [(name.replace("_", " "), value) for name, value in figures.items() if not isinstance(value, dict)]
    for what in ("answer", "everyone"):
        lines += [(f"{what} {name} (ms)", value) for name, value in figures[f"{what}_ms"].items()]
    return "\n".join(
        f"{name:<24}{value if isinstance(value, str) else format(value, ','):>16}" for name, value in lines
    )


async def _main(asked: argparse.Namespace) -> None:
    floor = await HouseClient(asked.address).log_in(asked.name, asked.password)
    load = Load(asked.address, asked.rulebook, asked.tables, asked.seats)
    await load.arrive(floor)
    await load.run(asked.seconds)
    figures = load.figures(asked.seconds)
    print(json.dumps(figures) if asked.json else table_of(figures))
    if asked.plot is not None:
        title = f"{figures['seats']:,} seats at {figures['tables']} tables: from an action to everyone at the table"
        asked.plot.write_text(plot(load.took(), title))
    await load.leave()


def main() -> None:
    """Reads the command line, and runs."""
    parser = argparse.ArgumentParser(description="Load a house with clients, and print what it took.")
    parser.add_argument("address", help="where the house is: http://127.0.0.1:8000")
    parser.add_argument("--name", default="owner", help="somebody who may open tables")
    parser.add_argument("--password", required=True)
    parser.add_argument("--rulebook", default="nj-criss-cross")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plot", type=Path)
    asyncio.run(_main(parser.parse_args()))


if __name__ == "__main__":
    main()
