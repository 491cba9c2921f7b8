"""Bots bet only when a person sits at the table, sit out rounds that they cannot afford, and leave on request."""

from __future__ import annotations

import asyncio
from pathlib import Path

from crossfelt.client import Client
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
