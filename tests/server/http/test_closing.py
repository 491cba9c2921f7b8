"""The floor closes a table with people at it, and removes a player: both after the round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crossfelt.client import Client
from server.served import Served, owner_of, play_round, refused_with, run, staff_of

TABLE = "nj-double-cross-1"


async def balance_of(player: Client) -> int:
    return int((await player.get("/api/me"))["balance_cents"])


async def bet(table: Any) -> None:
    """Bet, so that a round is open that must be played to its end."""
    option = next(it for it in table.allowed if it["command"] == "place_wagers" and it.get("ranges"))
    wagers = {name: it["min"] for name, it in option["ranges"].items() if name not in option.get("optional", ())}
    assert (await table.give("place_wagers", seat=1, wagers=wagers)).accepted


def test_a_table_with_people_closes_after_the_round_and_chips_return(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, ann = await owner_of(served), await served.guest("Ann")
        floor = await staff_of(served, owner, "Fay", "floor")
        before = await balance_of(ann)
        async with ann.table(TABLE) as table:
            await table.give("take_seat", seat=1, chips_cents=100_00)
            await table.until(lambda seen: seen.view["step"] == "open_bets")
            await bet(table)
            await floor.delete(f"/api/tables/{TABLE}")
            listed = next(it for it in (await floor.get("/api/floor"))["tables"] if it["id"] == TABLE)
            assert listed["closing"] == "Fay"
            assert (await served.server.journal.now()).closing == {TABLE: "Fay"}, "a restart would close it too"
            await table.give("place_wagers", seat=1, wagers={})
            while TABLE in served.server.pit.settings:
                await served.server.store.head("journal")
        assert await balance_of(ann) == before
        assert (await served.server.journal.now()).closed[TABLE].table == TABLE
        assert (await served.server.journal.now()).closing == {}

    run(tmp_path, story)


def test_a_removed_player_leaves_after_the_round_and_cannot_come_back(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, ann = await owner_of(served), await served.guest("Ann")
        floor = await staff_of(served, owner, "Fay", "floor")
        with refused_with("policy.role"):
            await ann.post(f"/api/tables/{TABLE}/seats/1/removal", {"reason": "mine"})
        with refused_with("seat.empty"):
            await floor.post(f"/api/tables/{TABLE}/seats/1/removal", {"reason": "nobody"})
        async with ann.table(TABLE) as table:
            await table.give("take_seat", seat=1, chips_cents=100_00)
            await play_round(table, 1)
            reply = await floor.post(f"/api/tables/{TABLE}/seats/1/removal", {"reason": "abuse"})
            assert reply == {"player": "Ann"}
            await table.until(lambda seen: not seen.view["seats"][0]["player"])
            again = await table.give("take_seat", seat=2, chips_cents=50_00)
            assert again.problem is not None
            assert again.problem["code"] == "seat.removed"
        entries = await owner.get("/api/audit/entries?stream=*&text=abuse")
        assert [(it["who"], it["kind"]) for it in entries["entries"]] == [("fay", "player_removed")]

    run(tmp_path, story)
