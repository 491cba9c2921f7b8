"""A real server on a port of its own, for tests that talk to it as anybody would."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn

from crossfelt.client import HouseClient, TableClient
from crossfelt.house.app import create_app
from crossfelt.house.house import House
from crossfelt.house.store.opening import open_store


class Served:
    """A house that is being served."""

    def __init__(self, house: House, address: str) -> None:
        self.house = house
        self.address = address

    async def guest(self, name: str | None = None) -> HouseClient:
        return await HouseClient(self.address).come_in(name)


@asynccontextmanager
async def serving(directory: Path) -> AsyncIterator[Served]:
    """Serves the house of a data directory until the block ends."""
    house = House(open_store(directory), directory)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config(create_app(lambda: house), log_level="error", ws="websockets-sansio", lifespan="on")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        assert not running.done(), running
        await asyncio.sleep(0.01)
    try:
        yield Served(house, f"http://127.0.0.1:{listening.getsockname()[1]}")
    finally:
        server.should_exit = True
        await running
        listening.close()


DECISIONS = ("bet", "set_house_way", "choose", "fold", "decline_bank")


async def play_round(table: TableClient, seat: int) -> int:
    """One round with the smallest wagers and the first choice there is; returns its number."""
    await table.until(lambda seen: _wagering(seen, seat) or _decision(seen, seat))
    while (decision := _decision(table, seat)) is not None:
        await table.ask(decision)
        await table.until(lambda seen: _wagering(seen, seat) or _decision(seen, seat))
    option = _wagering(table, seat)
    assert option is not None
    number: int = table.view["round"]
    wagers = {name: amounts["min"] for name, amounts in option["ranges"].items() if name not in option["optional"]}
    placed = await table.give("place_wagers", seat=seat, wagers=wagers)
    assert placed.accepted, placed
    await table.ready()
    while table.view["round"] == number:
        await table.until(lambda seen: seen.view["round"] != number or _decision(seen, seat))
        if table.view["round"] == number and (decision := _decision(table, seat)) is not None:
            await table.ask(decision, round_number=number, step=table.view["step"])
    return number


def _wagering(table: TableClient, seat: int) -> dict[str, Any] | None:
    for option in table.allowed:
        if option["command"] == "place_wagers" and option.get("seat") == seat and option.get("ranges"):
            return {"optional": (), **option}
    return None


def _decision(table: TableClient, seat: int) -> dict[str, Any] | None:
    if table.view["step"] == "open_bets":
        return None
    for name in DECISIONS:
        for option in table.allowed:
            if option["command"] == name and option.get("seat") == seat:
                amounts = {field: limits["min"] for field, limits in option.get("ranges", {}).items()}
                return {"command": name, "seat": seat, **option.get("fields", {}), **amounts}
    return None
