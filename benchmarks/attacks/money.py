"""Attacks on money: the same money twice, the same id twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from benchmarks.attacks.target import RULEBOOK, Headers, Reply, Target, Try
from crossfelt.client import Client

WRITERS: Final = 8


def double_spending(target: Target) -> Iterator[Try]:
    """All money of an account taken to every table at once, twice to each: one seat gets it, and no cent is made."""
    yield from asyncio.run(_spent_at_once(target))


async def _spent_at_once(target: Target) -> list[Try]:
    names = [it["id"] for it in target.get("/api/lobby").data["tables"]]
    tries: list[Try] = []
    for _ in range(len(target.some(range(25)))):
        token = target.guest()
        client, before = Client(target.server.address, token), target.money(token)
        tables = [await client.table(name).connect() for name in names for _ in range(2)]
        asked: dict[str, Any] = {"seat": target.chance.randint(1, 4), "chips_cents": before}
        answers = await asyncio.gather(*(table.give("take_seat", **asked) for table in tables))
        spent = sum(answer.accepted for answer in answers)
        tries += [(f"{spent} of {len(answers)} accepted", spent <= 1 and target.money(token) == before)] * len(answers)
        await asyncio.gather(*(table.close() for table in tables))
    return tries


def ids(target: Target) -> Iterator[Try]:
    """One id for several commands at a table, at once and later: one is carried out, another one is refused."""
    yield from asyncio.run(_repeated_ids(target))


async def _repeated_ids(target: Target) -> list[Try]:
    tries: list[Try] = []
    for number in range(len(target.some(range(20)))):
        token = target.guest()
        client, before = Client(target.server.address, token), target.money(token)
        name = await client.open_table(RULEBOOK, pace="instant")
        async with client.table(name) as table:
            sit: dict[str, Any] = {"seat": 1, "chips_cents": 500_00}
            answers = await asyncio.gather(*(table.give("take_seat", command_id="sit", **sit) for _ in range(10)))
            same = len({answer.seq for answer in answers}) == 1 and answers[0].accepted
            tries += [("the same command again", same)] * len(answers)
        async with client.table(name) as table:  # the first connection still gets answers to this id
            for command, fields in (
                ("take_seat", {**sit, "chips_cents": 400_00}),
                ("buy_chips", {"seat": 1, "cents": 1_00 + number}),
                ("leave_seat", {"seat": 1}),
            ):
                other = await table.give(command, command_id="sit", **fields)
                tries.append((f"{command} under a used id", not other.accepted))
        tries.append(("money", target.money(token) == before))
    return tries


def keys(target: Target) -> Iterator[Try]:
    """Deposits with one idempotency key: in parallel, again, and with another amount."""
    with ThreadPoolExecutor(WRITERS) as pool:
        for number in range(len(target.some(range(60)))):
            token, headers = target.guest(), [("Idempotency-Key", f"key {number}")]
            before = target.money(token)

            def deposit(cents: int, token: str = token, headers: Headers = headers) -> Reply:
                return target.send("POST", "/api/me/deposits", {"cents": cents}, token, headers)

            replies = list(pool.map(deposit, [100] * WRITERS))
            other = deposit(101)
            once = target.money(token) == before + 100
            yield from (("the same deposit", once and reply.status in (201, 409)) for reply in replies)
            yield f"another under its key: {other.status}", once and other.refused
