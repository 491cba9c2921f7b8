"""Bots bet only when a person sits at the table, sit out rounds that they cannot afford, and leave on request.

A careful bot decides in a thread of its own.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from pathlib import Path

import pytest

from crossfelt.client import Client, TableClient
from crossfelt.play.careful_player import Choice, Question, careful_answer
from crossfelt.server.core import bots
from limits import WAIT_SECONDS
from server.served import Served, owner_of, run

TABLE = "nj-criss-cross-1"


async def fill(served: Served, seats: int) -> Client:
    """Have the owner seat bots at the last seats of a table that is open for bets."""
    owner = await owner_of(served)
    await owner.post(f"/api/tables/{TABLE}/bots", {"count": seats})
    while served.server.pit.find(TABLE).table.step != "open_bets":
        await asyncio.sleep(0.005)
    return owner


def test_bots_bet_once_a_person_sits_down(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        await fill(served, 5)
        async with (await served.guest("Ann")).table(TABLE) as table:
            assert not any(seat["wagers"] for seat in table.view["seats"]), "bots have bet where nobody sits"
            assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
            await table.until(lambda seen: all(seat["wagers"] for seat in seen.view["seats"][1:]))

    run(tmp_path, story)


def test_bots_leave_with_their_wagers_after_the_only_player_has_left(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await fill(served, 5)
        async with (await served.guest("Ann")).table(TABLE) as table:
            assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
            await table.until(lambda seen: all(seat["wagers"] for seat in seen.view["seats"][1:]))
            assert (await table.give("leave_seat", seat=1)).accepted
        for seat in range(2, 7):
            await owner.delete(f"/api/tables/{TABLE}/bots/{seat}")
        assert not any(seat.player for seat in served.server.pit.find(TABLE).table.seats)

    run(tmp_path, story)


def test_a_bot_that_cannot_buy_enough_chips_sits_out(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        limits = {"ante": {"min_cents": 10**11, "max_cents": 10**11}}
        own = await guest.open_table("nj-criss-cross", bots=1, pace="instant", submission={"wagers": limits})
        async with guest.table(own) as table:
            assert (await table.give("take_seat", seat=1, chips_cents=1_00)).accepted
            await table.until(lambda seen: seen.view["step"] == "open_bets")
            assert (await table.give("buy_chips", seat=1, cents=1_00)).accepted
            assert (await table.give("buy_chips", seat=1, cents=1_00)).accepted
            assert table.seq < 30
            assert [seat["chips_cents"] for seat in table.view["seats"] if seat["player"]] == [3_00, 1_000_00]

    run(tmp_path, story)


async def round_with_a_careful_bot(table: TableClient) -> None:
    """Play a round up to the bot's first decision."""
    assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
    await table.until(lambda seen: any(seat["wagers"] for seat in seen.view["seats"]), WAIT_SECONDS)
    assert (await table.give("place_wagers", seat=1, wagers={"ante_across": 500, "ante_down": 500})).accepted
    await table.ready()
    await table.until(lambda seen: seen.option("fold"), WAIT_SECONDS)
    assert (await table.give("fold", seat=1)).accepted


def test_the_server_goes_on_while_a_careful_bot_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on = threading.Event()

    def slow(question: Question) -> Choice:
        assert goes_on.wait(WAIT_SECONDS)
        return careful_answer(question)

    monkeypatch.setattr(bots, "careful_answer", slow)

    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        async with ann.table(await ann.open_table("nj-criss-cross", pace="instant", bots=1)) as table:
            await round_with_a_careful_bot(table)
            number = table.view["round"]
            assert (await table.give("buy_chips", seat=1, cents=1_00)).accepted
            assert table.view["round"] == number, "the round has ended without the bot"
            goes_on.set()
            await table.until(lambda seen: seen.view["round"] > number, WAIT_SECONDS)

    run(tmp_path, story)


def test_a_fault_of_a_careful_bot_is_logged_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(question: Question) -> Choice:
        raise ArithmeticError("planted")

    monkeypatch.setattr(bots, "careful_answer", broken)

    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        async with ann.table(await ann.open_table("nj-criss-cross", pace="instant", bots=1)) as table:
            await round_with_a_careful_bot(table)
            await table.until(lambda seen: seen.goodbye, WAIT_SECONDS)
        assert served.faults == 1

    with caplog.at_level(logging.ERROR):
        run(tmp_path, story)
    assert "fault in a table's task" in caplog.text
