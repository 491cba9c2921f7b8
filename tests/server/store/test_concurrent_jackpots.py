"""Jackpots won at several tables at once: each is paid from the current meter, to the millionth of a cent."""

from __future__ import annotations

import asyncio
from functools import reduce
from pathlib import Path

import pytest

from crossfelt.progressive import events as e
from crossfelt.progressive.meter import MICROS, Meter, evolve
from crossfelt.server.store.interface import Stored
from crossfelt.server.store.sql_store import Store
from server.databases import Database, PostgresqlDatabase, run
from server.jackpot_tables import METER, meters, open_meter, play, win
from server.postgres import Postgres
from server.store_writers import Worker
from soak_length import Recorded, scaled


def check(rows: list[Stored], won: list[e.AwardGranted]) -> None:
    """Check that the stream has the order of the awards, and that every millionth is paid or still in the meter."""
    folded = meters()
    events = [event for row in rows[1:] for event in folded.events(row)]
    meter = reduce(evolve, events, Meter())
    granted = [event for event in events if isinstance(event, e.AwardGranted)]
    assert [award.number for award in granted] == [*range(1, len(granted) + 1)]
    assert sorted(won, key=lambda award: award.number) == granted, "each winner got the amount on the meter"
    paid = sum(award.paid_cents for award in granted) * MICROS
    put_in = sum(event.micros for event in events if isinstance(event, e.Contributed)) + 5_000_00 * MICROS
    seeded = sum(award.seeded_micros for award in granted)
    assert paid + meter.pool_micros == put_in + seeded


async def winners_at_once(stores: list[Store], tables: int, rounds: int, seed: int) -> None:
    names = [f"t{number}" for number in range(tables)]
    await open_meter(stores[0], names)
    servers = [(store, meters()) for store in stores]
    tasks = [play(*servers[number % len(servers)], name, rounds, seed + number) for number, name in enumerate(names)]
    won = [award for awards in await asyncio.gather(*tasks) for award in awards]
    assert won
    check([*await stores[0].rows(METER)], won)


def test_simultaneous_winners_are_paid_in_order(database: Database) -> None:
    async def story(store: Store) -> None:
        # On PostgreSQL two stores that know nothing of each other; on SQLite there is one.
        stores = [store, database.open()] if isinstance(database, PostgresqlDatabase) else [store]
        await winners_at_once(stores, tables=10, rounds=50, seed=1)
        for other in stores[1:]:
            await other.close()

    run(database, story)


def won_over_processes(database: PostgresqlDatabase, processes: int, tables: int, rounds: int, seed: int) -> None:
    names = [[f"p{process}t{table}" for table in range(tables)] for process in range(processes)]
    run(database, lambda store: open_meter(store, [name for each in names for name in each]))
    workers = [Worker(win, database, each, rounds, seed + 100 * place) for place, each in enumerate(names)]
    won = [award for worker in workers for award in worker.said()]
    assert [worker.end() for worker in workers] == [0] * processes

    async def rows(store: Store) -> list[Stored]:
        return [*await store.rows(METER)]

    check(run(database, rows), won)


def test_winners_in_several_processes_are_paid_in_order(postgres: Postgres, tmp_path: Path) -> None:
    won_over_processes(PostgresqlDatabase(postgres.new_database(), tmp_path), 2, tables=5, rounds=30, seed=3)


@pytest.mark.soak
def test_winners_in_four_processes(postgres: Postgres, tmp_path: Path, record_property: Recorded) -> None:
    database, rounds = PostgresqlDatabase(postgres.new_database(), tmp_path), scaled(1000)
    won_over_processes(database, 4, tables=25, rounds=rounds, seed=4)
    record_property("figure", f"{rounds:,} rounds at 100 tables in 4 processes: paid and carried make the pool")


@pytest.mark.soak
def test_simultaneous_winners_in_the_long_run(database: Database, record_property: Recorded) -> None:
    rounds = scaled(1000)

    async def story(store: Store) -> None:
        stores = [store]
        if isinstance(database, PostgresqlDatabase):
            stores += [database.open() for _ in range(3)]
        await winners_at_once(stores, tables=40, rounds=rounds, seed=2)
        for other in stores[1:]:
            await other.close()

    run(database, story)
    record_property("figure", f"{rounds:,} rounds at 40 tables at once: paid and carried make the pool")
