"""A house with a long history, to see how it starts again: rounds are played as in any house, only without viewers."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Collection
from pathlib import Path

from crossfelt.house.audit.journal import Journal
from crossfelt.house.audit.keys import house_key
from crossfelt.house.audit.signing import EVERY_SECONDS, Signer
from crossfelt.house.metrics import Metrics
from crossfelt.house.recurring import again_and_again
from crossfelt.house.store.opening import open_store
from crossfelt.house.store.port import Transaction
from crossfelt.house.tables.actor import TableActor
from crossfelt.house.tables.asked import Asked
from crossfelt.house.tables.chance import HouseChance
from crossfelt.house.tables.pit import Pit
from crossfelt.house.tables.rows import Row
from crossfelt.house.tables.settings import TableSettings
from crossfelt.rulebooks.script import Decide, OpenBets
from crossfelt.table.state import step_of

PERSON = "Guest"
CHIPS_CENTS = 10**9
WAGERS = {"ante_across": 5_00, "ante_down": 5_00}
STYLE = "simple"


class FreeChips:
    """A cashier who asks nobody, these players have no accounts, and counts what is written."""

    def __init__(self) -> None:
        self.events = 0

    def streams(self, rows: Collection[Row]) -> Collection[str]:
        return ()

    def move(self, tx: Transaction, settings: TableSettings, row: Row) -> None:
        self.events += len(row.events)


async def grow(directory: Path, events: int, tables: int) -> int:
    """Plays in the house of a directory until there are so many events; returns how many there are."""
    store, written = open_store(directory), FreeChips()
    pit = Pit(store, Journal(store), written, now=_now, holder="bench", metrics=Metrics(), chance=HouseChance)
    await pit.open()
    signer = Signer(store, house_key(directory), None, "bench")
    signing = asyncio.create_task(again_and_again(signer.sign, EVERY_SECONDS, Metrics()))
    actors = [await _table(pit, f"long-{number}") for number in range(tables)]
    await asyncio.gather(*(_play(actor, written, events) for actor in actors))
    # As after a loss of power: nobody parks the tables, signs what came last, or keeps anything for the next start.
    signing.cancel()
    await asyncio.gather(signing, return_exceptions=True)
    await store.close()
    return written.events


def _now() -> int:
    return time.time_ns() // 1_000_000


async def _table(pit: Pit, name: str) -> TableActor:
    settings = TableSettings(id=name, rulebook="nj-criss-cross", pace="instant")
    actor = await pit.create(settings, who="bench", bots=dict.fromkeys(range(2, 7), STYLE))
    actor.presence.arrive(PERSON)
    await _ask(actor, "sit", {"command": "take_seat", "seat": 1, "chips_cents": CHIPS_CENTS})
    return actor


async def _play(actor: TableActor, written: FreeChips, events: int) -> None:
    """One person among bots bets the least there is, round after round."""
    numbers = itertools.count()
    while written.events < events:
        table, step = actor.table, step_of(actor.table)
        if isinstance(step, OpenBets) and not table.seat(1).wagers:
            await _ask(actor, f"wagers-{next(numbers)}", {"command": "place_wagers", "seat": 1, "wagers": WAGERS})
            actor.ready(PERSON, None)
        elif isinstance(step, Decide) and table.turn[:1] == (1,):
            await _ask(actor, f"bet-{next(numbers)}", {"command": "bet", "seat": 1, "cents": WAGERS["ante_across"]})
        else:
            await asyncio.sleep(0.001)


async def _ask(actor: TableActor, name: str, fields: dict[str, object]) -> None:
    answer = await actor.ask(Asked(id=name, who=PERSON, role="player", fields=fields))
    assert answer.problem is None, answer.problem
