"""A jackpot at a public table: claim, answer and grant are one commit, and linked tables show the new amount."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from crossfelt.cards.card import Card
from crossfelt.cards.deck import deck_of
from crossfelt.progressive import commands as m
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.broadcast.viewer_messages import Viewpoint, options_of
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.rng import TableRng
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.pit.pit import Pit
from crossfelt.server.store.transaction import Transaction
from crossfelt.table.state import TableState
from limits import WAIT_SECONDS
from server.served import decided, pit_of

CUT = 10
HOLE = (CUT + 5, CUT + 6)
"""The places of the only player's two cards before the cut: after five for the cross."""
METER = "meter/nj-criss-cross/bonus_spin"


class Lucky(TableRng, frozen=True):
    """A pair for the player, and a wheel that stops at a chosen slice."""

    stops_at = 0

    def order(self, table: TableState, deck: str) -> tuple[Card, ...]:
        pair = [Card("As"), Card("Ad")]
        rest = [card for card in deck_of(table.game.book.deck.cards) if card not in pair]
        for place, card in zip(HOLE, pair, strict=True):
            rest.insert(place, card)
        return tuple(rest)

    def cut(self, table: TableState, least: int, most: int) -> int:
        return CUT

    def stop(self, table: TableState, device: str, weights: Sequence[int]) -> int:
        return self.stops_at


async def one_round(actor: TableActor) -> None:
    number, commands = actor.table.round, 0
    while not actor.memory.rounds or actor.memory.rounds[-1].round < max(1, number):
        options = msgspec.to_builtins(options_of(actor.table, Viewpoint("player", "Ann")))
        open_bets = actor.table.step == "open_bets"
        asked = decided(options, 1, open_bets=open_bets)
        if open_bets and actor.table.seat(1).wagers:
            asked = None
            actor.ready("Ann", None)
        if asked is not None:
            commands += 1
            if open_bets:
                asked["wagers"]["bonus_spin"] = 500
            answer = await actor.ask(CommandRequest(id=f"{number}-{commands}", who="Ann", role="player", fields=asked))
            assert answer.problem is None, answer.problem
        await asyncio.sleep(0)


async def jackpot(pit: Pit) -> tuple[TableActor, list[dict[str, Any]]]:
    """Play rounds in which the wheel stops at one slice after the other, until it wins the meter."""
    actor = await pit.create(
        TableSettings(id="one", rulebook="nj-criss-cross", pace="instant", link="nj-criss-cross"), who="test"
    )
    actor.join(Subscriber("Ann", "player"))
    sits = {"command": "take_seat", "seat": 1, "chips_cents": 900_00}
    assert (await actor.ask(CommandRequest(id="sit", who="Ann", role="player", fields=sits))).problem is None
    for place in range(24):
        Lucky.stops_at = place
        await one_round(actor)
        rows = [msgspec.json.decode(row.body) for row in (await pit.store.rows(actor.settings.stream))[1:]]
        if any(event["event"] == "award_claimed" for row in rows for event in row["events"]):
            return actor, rows
    raise AssertionError("no slice of the wheel wins the meter")


def test_claim_answer_and_grant_are_one_commit_and_linked_tables_show_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann", rng=Lucky) as pit:
            linked = await pit.create(
                TableSettings(id="two", rulebook="nj-criss-cross", pace="instant", link="nj-criss-cross"), who="test"
            )
            watcher = Subscriber("Bob", "spectator")
            linked.join(watcher)
            actor, rows = await jackpot(pit)
            claimed = next(n for n, row in enumerate(rows) if _has(row, "award_claimed"))
            assert rows[claimed + 1]["command"]["command"] == "grant_award"
            granted = next(event for event in rows[claimed + 1]["events"] if event["event"] == "award_granted")
            meter = pit.meters.seen[METER]
            assert meter.hits == 1
            assert dict(granted["shares"])[1] > 10_000_00, "the whole meter was won"
            assert actor.meters.amounts == linked.meters.amounts
            assert actor.meters.amounts["bonus_spin"]["amount_cents"] == meter.amount_cents
            assert not actor.table.claims
            Lucky.stops_at = 1 if Lucky.stops_at == 0 else 0
            await one_round(actor)
            await pit._maintain_tables()
            told = [json.loads(watcher.messages.pop(0) or "{}") for _ in range(len(watcher.messages))]
            assert told[-1]["meters"] == linked.meters.amounts

    asyncio.run(story())


async def limit_contribution(pit: Pit, cents: int | None) -> None:
    """Set the most that the meter accepts of a round, without the check against its tables."""

    def work(tx: Transaction) -> None:
        meter = pit.meters.at(tx, METER)
        parameters = replace(meter.parameters, unreasonable_cents=cents)
        command = m.ChangeParameters(
            id=f"limit {cents}", who="Fay", approved_by="Flo", at=0, parameters=parameters, reason="filed"
        )
        pit.meters.carry_out(tx, METER, command)

    await pit.store.commit([METER], work)


def test_a_table_is_held_while_the_meter_refuses_its_contribution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("crossfelt.server.pit.actor.HELD_MS", 5)

    async def story() -> None:
        async with pit_of(tmp_path, "Ann", rng=Lucky) as pit:
            actor = await pit.create(
                TableSettings(id="one", rulebook="nj-criss-cross", pace="instant", link="nj-criss-cross"), who="test"
            )
            told: list[bytes] = []

            def write(text: bytes) -> bool:
                told.append(text)
                return True

            ann = Subscriber("Ann", "player")
            ann.attach(write, lambda: None)
            actor.join(ann)
            await limit_contribution(pit, 1)
            sits = {"command": "take_seat", "seat": 1, "chips_cents": 900_00}
            assert (await actor.ask(CommandRequest(id="sit", who="Ann", role="player", fields=sits))).problem is None
            Lucky.stops_at = 1
            async with asyncio.timeout(WAIT_SECONDS):
                playing = asyncio.create_task(one_round(actor))
                while not actor.held:
                    await asyncio.sleep(0.001)
                await asyncio.sleep(0.05)
                assert pit.find("one") is actor
                assert "the contribution is unreasonably large: " in actor.held, "what, how much and where"
                assert actor.table.step == "open_bets", "bets can be taken back"
                assert pit.meters.seen[METER].contributed_micros == 0
                await limit_contribution(pit, None)
                await playing
            assert not actor.held
            messages = map(json.loads, told)
            assert [message["held"] for message in messages if "held" in message] == [False, True, False]
            assert pit.meters.seen[METER].contributed_micros == 500 * 70_000

    asyncio.run(story())
    why = "the contribution is unreasonably large: 35000000 (allowed: at most 1,000,000)"
    assert [it.getMessage() for it in caplog.records] == [f"table held: meter/nj-criss-cross/bonus_spin, micros: {why}"]


def test_at_a_held_table_wagers_are_placed_and_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossfelt.server.pit.actor.HELD_MS", 5)
    ids = map(str, count())

    async def story() -> None:
        async with pit_of(tmp_path, "Ann", "Bob") as pit:
            actor = await pit.create(
                TableSettings(id="one", rulebook="nj-criss-cross", pace="instant", link="nj-criss-cross"), who="test"
            )
            await limit_contribution(pit, 1)

            async def give(who: str, command: str, *, ready: bool = False, **fields: object) -> None:
                asked = {"command": command, "seat": 1 if who == "Ann" else 2, **fields}
                answer = await actor.ask(
                    CommandRequest(id=next(ids), who=who, role="player", fields=asked, ready=ready)
                )
                assert answer.problem is None, answer.problem

            antes = {"ante_across": 500, "ante_down": 500}
            for name in ("Ann", "Bob"):
                actor.join(Subscriber(name, "player"))
                await give(name, "take_seat", chips_cents=900_00)
            await give("Ann", "place_wagers", wagers={**antes, "bonus_spin": 500}, ready=True)
            await give("Bob", "place_wagers", wagers=antes, ready=True)
            async with asyncio.timeout(WAIT_SECONDS):
                while not actor.held:
                    await asyncio.sleep(0.001)
            for name in ("Bob", "Ann"):
                await give(name, "place_wagers", wagers={})
                await give(name, "leave_seat")
            assert [seat.player for seat in actor.table.seats if seat.player] == []

    asyncio.run(story())


def _has(row: dict[str, Any], kind: str) -> bool:
    return any(event["event"] == kind for event in row["events"])
