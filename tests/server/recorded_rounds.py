"""A table's rounds as the server writes them to a store, or tells them to a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from crossfelt.cards.deck import deck_of
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.proof.commitment import Sealed, deck_leaves
from crossfelt.proof.fair_round import DEVICES
from crossfelt.proof.history import header_of
from crossfelt.rulebooks.game import compile_game
from crossfelt.server.core.rng import TableRng
from crossfelt.server.store.interface import Lease
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
from crossfelt.table.state import new_table
from unit.table.random_table import Driver


def played(rounds: int = 1, seed: int = 7, book: str = "md-criss-cross") -> Driver:
    driver = Driver(compile_game(book), seed, players=3)
    driver.play(rounds)
    return driver


async def write_table(store: Store, driver: Driver, table: str = "one", lease: Lease | None = None) -> str:
    """Write every row of a driven table; return the name of its stream."""
    stream = f"table/{table}"
    header = header_of(table, driver.table.game)

    def work(tx: Transaction) -> None:
        tx.open(stream, header, 0)
        for row in driver.lived:
            tx.append(stream, row.command, row.events, lease=lease)

    await store.commit([stream], work)
    return stream


WEIGHTS = (3, 1, 0, 4, 1, 5)


def spun() -> dict[str, Any]:
    """Return the record of a round in which seat 3 has spun a wheel twice, and all bettors the three of the event."""
    seed, table = repeatable_seed(7), new_table(compile_game("nj-criss-cross"))
    rng = TableRng(devices=seed)
    sealed = Sealed({**deck_leaves(deck_of(52)), DEVICES: seed.hex()}, repeatable_seed(8))
    stops = [rng.stop(table, "wheel seat3", WEIGHTS)]
    stops.append(replace(rng, given={"wheel/seat3": 1}).stop(table, "wheel seat3", WEIGHTS))
    wheels: list[dict[str, Any]] = [{"event": "wheel_spun", "seat": 3, "index": stop} for stop in stops]
    stop = {field: rng.stop(table, f"xtreme {field}", WEIGHTS) for field in ("community", "hot_spot", "prize")}
    events = [*wheels, {"event": "xtreme_spun", **stop, "hot_spot": 1 + stop["hot_spot"]}]
    numbered = [{**event, "seq": 40, "n": number} for number, event in enumerate(events, start=1)]
    fields = [(1, "index"), (2, "index"), *((3, field) for field in stop)]
    draws = [{"event": f"40.{number}", "field": field, "weights": WEIGHTS} for number, field in fields]
    whole = {"commitment": sealed.commitment, "opened": sealed.whole, "openings": (), "draws": draws}
    return {**msgspec.to_builtins(whole), "events": numbered}


def words(lines: Sequence[object]) -> list[str]:
    return [str(line) for line in lines]
