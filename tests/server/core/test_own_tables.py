"""Private tables, and the bots at them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from crossfelt.errors import BadInput
from crossfelt.server.http.routes.tables import MOST_PRIVATE
from server.served import Served, owner_of, refused_with, run, staff_of


def test_an_owner_has_a_few_private_tables_that_others_cannot_join(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann, eve = await served.guest("Ann"), await served.guest("Eve")
        name = await ann.open_table("nj-criss-cross", pace="instant")
        with refused_with("table.unknown"):
            await eve.post(f"/api/tables/{name}/bots", {"count": 1})
        for _ in range(MOST_PRIVATE):
            await eve.open_table("nj-criss-cross", pace="instant")
        with refused_with("table.many"):
            await eve.open_table("nj-criss-cross", pace="instant")
        flo = await staff_of(served, await owner_of(served), "Flo", "floor")
        for kind, subject, code in (
            ("void", name, "table.unknown"),
            ("submission", name, "table.unknown"),
            ("meter_change", f"{name}/bonus_spin", "meter.unknown"),
        ):
            with refused_with(code):
                await flo.post("/api/proposals", {"kind": kind, "subject": subject, "reason": "curious"})

    run(tmp_path, story)


def test_private_tables_requested_at_once_count_together(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        asked = [ann.open_table("nj-criss-cross", pace="instant") for _ in range(MOST_PRIVATE + 8)]
        told = await asyncio.gather(*asked, return_exceptions=True)
        assert sum(isinstance(it, str) for it in told) == MOST_PRIVATE
        assert {it.problems[0].code for it in told if isinstance(it, BadInput)} == {"table.many"}

    run(tmp_path, story)


def test_a_seated_player_adds_and_removes_bots_and_a_seat_stays_free(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann, eve = await served.guest("Ann"), await served.guest("Eve")
        owner = await owner_of(served)
        flo = await staff_of(served, owner, "Flo", "floor")
        with refused_with("bots.whose"):  # only the owner seats bots at a private table
            await owner.post(f"/api/tables/{await ann.open_table('nj-criss-cross')}/bots", {"count": 1})
        bots = "/api/tables/nj-criss-cross-1/bots"
        assert await flo.post(bots, {"count": 1}) == {"seats": [6]}
        with refused_with("bots.whose"):
            await eve.post(bots, {"count": 1})
        with refused_with("bots.whose"):
            await eve.delete(f"{bots}/6")
        async with ann.table("nj-criss-cross-1") as table, eve.table("nj-criss-cross-1") as other:
            assert (await table.give("take_seat", seat=1, chips_cents=100_00)).accepted
            asked = [ann.post(bots, {"count": count}) for count in (1, 3, 6)]
            told = [it for it in await asyncio.gather(*asked, return_exceptions=True) if isinstance(it, dict)]
            assert sorted(seat for it in told for seat in it["seats"]) == [3, 4, 5]
            with refused_with("bots.count"):
                await ann.post(bots, {"seat": 2})
            with refused_with("bots.seat"):
                await ann.delete(f"{bots}/2")
            assert (await other.give("take_seat", seat=2, chips_cents=100_00)).accepted

    run(tmp_path, story)


def test_bots_fill_the_table_of_its_only_player(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        name = await ann.open_table("nj-criss-cross", pace="instant", bots=2)
        bots = f"/api/tables/{name}/bots"
        assert await ann.post(bots, {"count": 2}) == {"seats": [4, 3]}
        async with ann.table(name) as table:
            assert (await table.give("take_seat", seat=1, chips_cents=100_00)).accepted
            assert await ann.post(bots, {"count": 6}) == {"seats": [2]}
        other = await ann.open_table("nj-criss-cross", pace="instant")
        assert await ann.post(f"/api/tables/{other}/bots", {"count": 6}) == {"seats": [6, 5, 4, 3, 2]}

    run(tmp_path, story)
