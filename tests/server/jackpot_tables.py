"""Tables in several processes that feed one meter and win from it."""

from __future__ import annotations

import asyncio
import random
from multiprocessing.connection import Connection

from crossfelt.errors import Problem
from crossfelt.progressive import commands as c
from crossfelt.progressive import events as e
from crossfelt.progressive.handler import handle as decide
from crossfelt.progressive.meter import Meter, evolve
from crossfelt.proof.history import StreamHeader
from crossfelt.server.store.projection import Projection
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
from server.databases import PostgresqlDatabase, Title

METER = "meter/bonus_spin"
PARAMETERS = e.Parameters(reset_cents=1_000_00, rate_per_million=70_000)


def meters() -> Projection[Meter]:
    return Projection(c.AnyMeterCommand, e.AnyMeterEvent, Meter(), evolve)


def ask(tx: Transaction, folded: Projection[Meter], command: c.MeterCommand) -> tuple[e.MeterEvent, ...]:
    """Give a command to the meter within this commit."""
    answer = decide(folded.at(tx, METER), command)
    assert not isinstance(answer, Problem), answer
    tx.append(METER, command, answer[0])
    return answer[0]


async def open_meter(store: Store, tables: list[str]) -> None:
    def work(tx: Transaction) -> None:
        tx.open(METER, StreamHeader(stream=METER), 0)
        opened = c.OpenMeter(
            id="open", who="Ann", at=0, meter="m", title="M", initial_cents=5_000_00, parameters=PARAMETERS
        )
        ask(tx, meters(), opened)
        for table in tables:
            tx.open(f"table/{table}", Title(table), 0)

    await store.commit([METER, *(f"table/{table}" for table in tables)], work)


async def play(store: Store, folded: Projection[Meter], table: str, rounds: int, seed: int) -> list[e.AwardGranted]:
    """Play rounds at one table: each feeds the meter, and some win from it, in the commit of the table's row."""
    chance, won = random.Random(seed), []
    stream = f"table/{table}"
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
            tx.append(stream, feeds, happened)
            return [event for event in happened if isinstance(event, e.AwardGranted)]

        won += await store.commit([METER, stream], work)
    return won


def win(told: Connection, database: PostgresqlDatabase, tables: list[str], rounds: int, seed: int) -> None:
    """Run some tables in this process, and send back every award that the meter granted."""

    async def whole() -> None:
        store, folded = database.open(), meters()
        playing = [play(store, folded, table, rounds, seed + place) for place, table in enumerate(tables)]
        won = await asyncio.gather(*playing)
        for award in (award for awards in won for award in awards):
            told.send(award)
        await store.close()

    asyncio.run(whole())
