"""A table's rounds, written to a store as the server writes them."""

from __future__ import annotations

from collections.abc import Sequence

from crossfelt.proof.history import header_of
from crossfelt.rulebooks.game import compile_game
from crossfelt.server.store.interface import Lease, new_row
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
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
            tx.append(stream, new_row(row.command, row.events), lease=lease)

    await store.commit([stream], work)
    return stream


def words(lines: Sequence[object]) -> list[str]:
    return [str(line) for line in lines]
