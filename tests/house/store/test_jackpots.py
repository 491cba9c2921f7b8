"""Jackpots won at several tables at once: each is paid from the meter as it then stands, to the millionth of a cent."""

from __future__ import annotations

import asyncio
import random

import pytest

from crossfelt.house.store.folding import Folded, StreamHeader
from crossfelt.house.store.port import Stored, Transaction, new_row
from crossfelt.house.store.sql import SqlStore
from crossfelt.problems import Problem
from crossfelt.progressive import commands as c
from crossfelt.progressive import events as e
from crossfelt.progressive.deciding import run as decide
from crossfelt.progressive.meter import Meter, evolve, replay
from crossfelt.progressive.micros import MICROS
from house.databases import Database, PostgresqlDatabase, Title, run

METER = "meter/bonus_spin"
PARAMETERS = e.Parameters(reset_cents=1_000_00, rate_per_million=70_000)


def meters() -> Folded[Meter]:
    return Folded(c.AnyMeterCommand, e.AnyMeterEvent, Meter(), evolve)


def ask(tx: Transaction, folded: Folded[Meter], command: c.MeterCommand) -> tuple[e.MeterEvent, ...]:
    """A command to the meter, with the meter as it stands in this commit."""
    answer = decide(folded.at(tx, METER), command)
    assert not isinstance(answer, Problem), answer
    tx.append(METER, new_row(command, answer[0]))
    return answer[0]


async def open_meter(store: SqlStore, tables: list[str]) -> None:
    def work(tx: Transaction) -> None:
        tx.open(METER, StreamHeader(stream=METER), 0)
        opened = c.OpenMeter(
            id="open", who="Ann", at=0, meter="m", title="M", initial_cents=5_000_00, parameters=PARAMETERS
        )
        ask(tx, meters(), opened)
        for table in tables:
            tx.open(f"table/{table}/1", Title(table), 0)

    await store.commit([METER, *(f"table/{table}/1" for table in tables)], work)


async def play(store: SqlStore, table: str, rounds: int, seed: int) -> list[e.AwardGranted]:
    """Rounds at one table: each feeds the meter, and some win of it; the table's row is committed with the meter's."""
    chance, folded, won = random.Random(seed), meters(), []
    stream = f"table/{table}/1"
    for number in range(1, rounds + 1):
        stake = chance.randrange(1, 999)
        feeds = c.Contribute(
            id=f"{table}.f{number}", who=table, at=number, table=table, round=number, stake_cents=stake,
            micros=stake * PARAMETERS.rate_per_million,
        )  # fmt: skip
        claims = c.Claim(
            id=f"{table}.c{number}", who=table, at=number, table=table, round=number, claim=number,
            percent=chance.choice((100, 10, 5)), winners=((1, 500), (3, 1500))[: chance.choice((1, 2))],
            method="equally" if chance.random() < 0.5 else "by_credits",
        )  # fmt: skip
        wins = chance.random() < 0.5

        def work(
            tx: Transaction, feeds: c.Contribute = feeds, claims: c.Claim = claims, wins: bool = wins
        ) -> list[e.AwardGranted]:
            happened = [*ask(tx, folded, feeds), *(ask(tx, folded, claims) if wins else ())]
            tx.append(stream, new_row(feeds, happened))
            return [event for event in happened if isinstance(event, e.AwardGranted)]

        won += await store.commit([METER, stream], work)
    return won


def check(rows: list[Stored], won: list[e.AwardGranted]) -> None:
    """The stream says in which order, and every millionth is either paid or still there."""
    folded = meters()
    events = [event for row in rows[1:] for event in folded.events(row)]
    meter = replay(events)
    granted = [event for event in events if isinstance(event, e.AwardGranted)]
    assert [award.number for award in granted] == [*range(1, len(granted) + 1)]
    assert sorted(won, key=lambda award: award.number) == granted, "each winner was told what the meter says"
    paid = sum(award.paid_cents for award in granted) * MICROS
    put_in = sum(event.micros for event in events if isinstance(event, e.Contributed)) + 5_000_00 * MICROS
    seeded = sum(award.seeded_micros for award in granted)
    assert paid + meter.pool_micros == put_in + seeded


async def winners_at_once(stores: list[SqlStore], tables: int, rounds: int, seed: int) -> None:
    names = [f"t{number}" for number in range(tables)]
    await open_meter(stores[0], names)
    tasks = [play(stores[number % len(stores)], name, rounds, seed + number) for number, name in enumerate(names)]
    won = [award for awards in await asyncio.gather(*tasks) for award in awards]
    assert won
    check([*await stores[0].rows(METER)], won)


def test_simultaneous_winners_are_paid_in_order(database: Database) -> None:
    async def story(store: SqlStore) -> None:
        # Two houses on one PostgreSQL know nothing of one another; on SQLite there is one.
        stores = [store, database.open()] if isinstance(database, PostgresqlDatabase) else [store]
        await winners_at_once(stores, tables=10, rounds=50, seed=1)
        for other in stores[1:]:
            await other.close()

    run(database, story)


@pytest.mark.soak
def test_simultaneous_winners_in_the_long_run(database: Database) -> None:
    async def story(store: SqlStore) -> None:
        stores = [store]
        if isinstance(database, PostgresqlDatabase):
            stores += [database.open() for _ in range(3)]
        await winners_at_once(stores, tables=40, rounds=1000, seed=2)
        for other in stores[1:]:
            await other.close()

    run(database, story)
