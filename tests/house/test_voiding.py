"""Nobody voids a round alone at which somebody sits, whatever for: who plays could take every bad one back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from crossfelt.client import HouseClient, TableClient
from crossfelt.problems import BadInput
from house.serving import Served, decided, owner_of, serving, staff_of
from house.test_dealing import next_act

Story = Callable[[Served], Awaitable[None]]
REPORT = "report_irregularity"
SHORT: dict[str, str | int] = {"command": REPORT, "kind": "wrong_card_count", "case": "player", "seat": 1}
EXPOSED = {"command": REPORT, "kind": "community_exposed", "place": "middle"}
BOOK = "nj-criss-cross"
HOUSE_TABLE = f"{BOOK}-1"


def told(directory: Path, story: Story) -> None:
    async def run() -> None:
        async with serving(directory) as served, asyncio.timeout(60):
            await story(served)

    asyncio.run(run())


async def sit(table: TableClient) -> None:
    assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted


async def bet(table: TableClient) -> None:
    await table.until(lambda seen: decided(seen.allowed, 1, open_bets=True))
    assert (await table.ask(decided(table.allowed, 1, open_bets=True) or {})).accepted
    await table.ready()


async def deal(table: TableClient, step: str) -> None:
    """A person deals as far as a step."""
    while table.view["step"] != step:
        asked = next_act(table)
        await (table.ask(asked) if asked else asyncio.sleep(0.005))


def chips(table: TableClient) -> int:
    cents: int = table.view["seats"][0]["chips_cents"]
    return cents


async def alone(table: TableClient, report: Mapping[str, Any]) -> None:
    """One person reports what would void the round, and is told what to do instead."""
    answer = await table.ask(dict(report))
    assert answer.problem is not None
    assert (answer.problem["code"], answer.problem["allowed"]) == ("floor.two_people", "POST /api/proposals")


async def propose(client: HouseClient, **details: str | int) -> int:
    asked = {"kind": "void", "subject": HOUSE_TABLE, "details": details, "reason": "a card is missing"}
    number: int = (await client.post("/api/proposals", asked))["number"]
    return number


def test_a_player_of_the_floor_takes_no_round_back(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        flo = await staff_of(served, owner, "flo", "player", "floor")
        async with flo.table(HOUSE_TABLE) as table, flo.table(HOUSE_TABLE, "floor") as floor:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            await alone(floor, SHORT)
            mishaps = {it["kind"]: it for it in await flo.get(f"/api/tables/{HOUSE_TABLE}/irregularities")}
            assert mishaps["wrong_card_count"]["two_people"]
            assert not mishaps["community_exposed"]["two_people"], "the floor is told of it by one person"
            number = await propose(flo, round=table.view["round"], **SHORT)
            with pytest.raises(BadInput, match="cannot agree"):
                await flo.post(f"/api/proposals/{number}/approval", {})
            assert chips(table) < 500_00, "one person alone has voided a round"
            await owner.post(f"/api/proposals/{number}/approval", {})
            await table.until(lambda _: chips(table) == 500_00)
            void = served.house.pit.find(HOUSE_TABLE).rounds[-1]
            assert void.outcome == "void"

    told(tmp_path, story)


def test_the_house_rules_no_round_void_that_one_person_has_told_it_of(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        flo = await staff_of(served, await owner_of(served), "flo", "player", "floor")
        async with flo.table(HOUSE_TABLE) as table, flo.table(HOUSE_TABLE, "floor") as floor:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            assert (await floor.ask(EXPOSED)).accepted
            await alone(floor, {"command": "decide_floor", "ruling": "void"})
            assert (await floor.give("decide_floor", ruling="continue")).accepted
            assert not served.house.pit.find(HOUSE_TABLE).table.voided

    told(tmp_path, story)


def test_a_dealer_of_the_house_calls_the_floor_for_a_wrong_count(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        await owner.post("/api/tables", {"rulebook": BOOK, "id": "dealt", "public": True, "dealt_by": "dealer"})
        dana = await staff_of(served, owner, "dana", "dealer")
        flo = await staff_of(served, owner, "flo", "floor")
        async with (await served.guest("Ann")).table("dealt") as table, dana.table("dealt", "dealer") as dealer:
            await sit(table)
            await deal(dealer, "open_bets")
            await bet(table)
            await deal(dealer, "stub")
            troubles = await dana.get("/api/tables/dealt/desk/troubles")
            voids = [one for one in troubles if "void" in one["follows"] and "floor decides" not in one["follows"]]
            assert voids
            assert all(one["two_people"] for one in voids)
            count = {"command": "count_stub", "count": dealer.view["stub_cards"] - 1, "finding": "not_misdealt"}
            await alone(dealer, count)
            await alone(dealer, SHORT)
            details = {"round": dealer.view["round"], **count}
            asked = {"kind": "void", "subject": "dealt", "details": details, "reason": "one is missing"}
            number = (await flo.post("/api/proposals", asked))["number"]
            await owner.post(f"/api/proposals/{number}/approval", {})
            assert served.house.pit.find("dealt").table.voided

    told(tmp_path, story)


def test_a_dealer_in_training_reports_what_they_like_to_bots(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Dana")
        name = await guest.open_table(BOOK, pace="instant", dealt_by="dealer", bots=2)
        async with guest.table(name, "dealer") as dealer:
            await deal(dealer, "stub")
            troubles = await guest.get(f"/api/tables/{name}/desk/troubles")
            assert not any(one["two_people"] for one in troubles)
            assert (await dealer.ask({**SHORT, "seat": 5})).accepted
            assert served.house.pit.find(name).table.voided

    told(tmp_path, story)


def test_only_what_voids_a_round_is_proposed_as_a_void(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        async with (await served.guest("Ann")).table(HOUSE_TABLE) as table:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            this = table.view["round"]
            for details, why in (
                ({"command": "close_table"}, "is not a report"),
                (EXPOSED, "does not void the round"),
                ({**SHORT, "seat": 5}, "say where"),
                ({**SHORT, "count": 5}, "not a command"),
            ):
                with pytest.raises(BadInput, match=why):
                    await propose(owner, round=this, **details)
            assert await owner.get("/api/proposals") == []

    told(tmp_path, story)
