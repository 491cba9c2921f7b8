"""One person cannot void a round with players, or show its cards early.

A player with a role could otherwise take back every bad round, or see the cards before deciding.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from crossfelt.client import Client, TableClient
from crossfelt.errors import BadInput
from limits import WAIT_SECONDS
from server.http.test_dealer import next_act
from server.served import Served, decided, open_by_two, owner_of, refused_with, serving, staff_of

Story = Callable[[Served], Awaitable[None]]
REPORT = "report_irregularity"
SHORT: dict[str, str | int] = {"command": REPORT, "kind": "wrong_card_count", "case": "player", "seat": 1}
EXPOSED = {"command": REPORT, "kind": "community_exposed", "place": "middle"}
BOOK = "nj-criss-cross"
HOUSE_TABLE = f"{BOOK}-1"


def told(directory: Path, story: Story) -> None:
    async def run() -> None:
        async with serving(directory) as served, asyncio.timeout(WAIT_SECONDS):
            await story(served)

    asyncio.run(run())


async def sit(table: TableClient, seat: int = 1) -> None:
    assert (await table.give("take_seat", seat=seat, chips_cents=500_00)).accepted


async def bet(table: TableClient, seat: int = 1) -> None:
    await table.until(lambda seen: decided(seen.allowed, seat, open_bets=True))
    assert (await table.ask(decided(table.allowed, seat, open_bets=True) or {})).accepted
    await table.ready()


async def deal(table: TableClient, step: str) -> None:
    """Deal by hand up to a step."""
    while table.view["step"] != step:
        asked = next_act(table)
        await (table.ask(asked) if asked else asyncio.sleep(0.005))


def chips(table: TableClient) -> int:
    cents: int = table.view["seats"][0]["chips_cents"]
    return cents


async def alone(table: TableClient, report: Mapping[str, Any]) -> None:
    """Report an irregularity that would void the round, alone; the refusal names the way to propose it."""
    answer = await table.ask(dict(report))
    assert answer.problem is not None
    assert (answer.problem["code"], answer.problem["allowed"]) == ("floor.two_people", "POST /api/proposals")


async def propose(client: Client, **details: str | int) -> int:
    asked = {"kind": "void", "subject": HOUSE_TABLE, "details": details, "reason": "a card is missing"}
    number: int = (await client.post("/api/proposals", asked))["number"]
    return number


def test_the_floor_does_not_play_and_one_person_takes_no_round_back(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        flo = await staff_of(served, owner, "flo", "player", "floor")
        async with flo.table(HOUSE_TABLE) as table:
            seated = await table.give("take_seat", seat=1, chips_cents=500_00)
            assert seated.problem is not None
            assert seated.problem["code"] == "account.staff", "the floor plays at its own table"
        async with (await served.guest("Ann")).table(HOUSE_TABLE) as table, flo.table(HOUSE_TABLE, "floor") as floor:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            await alone(floor, SHORT)
            mishaps = {it["kind"]: it for it in await flo.get(f"/api/tables/{HOUSE_TABLE}/irregularities")}
            assert mishaps["wrong_card_count"]["two_people"]
            assert not mishaps["player_leaves"]["two_people"], "one person may report it to the floor"
            number = await propose(flo, round=table.view["round"], **SHORT)
            with pytest.raises(BadInput, match="cannot approve"):
                await flo.post(f"/api/proposals/{number}/approval", {})
            assert chips(table) < 500_00, "one person alone has voided a round"
            await owner.post(f"/api/proposals/{number}/approval", {})
            await table.until(lambda _: chips(table) == 500_00)
            await table.until(lambda seen: seen.view["step"] == "open_bets")
            assert served.server.pit.find(HOUSE_TABLE).memory.rounds[-1].outcome == "void"

    told(tmp_path, story)


@pytest.mark.parametrize("name", ["nj-criss-cross", "md-criss-cross", "nj-double-cross"])
def test_one_person_shows_no_card_before_the_players_decide(name: str, tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        flo = await staff_of(served, await owner_of(served), "flo", "floor")
        async with (await served.guest("Ann")).table(f"{name}-1") as table, flo.table(f"{name}-1", "floor") as floor:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"].startswith("decide"))
            lies = dict(table.view["layout"])
            hidden = [place for place, card in lies.items() if card == "??"]
            assert len(hidden) >= 5
            for place in hidden:
                await alone(floor, {**EXPOSED, "place": place})
            mishaps = {it["kind"]: it for it in await flo.get(f"/api/tables/{name}-1/irregularities")}
            assert mishaps["community_exposed"]["two_people"]
            assert served.server.pit.find(f"{name}-1").table.pending is None, "one person alone has stopped the round"
            assert table.view["layout"] == lies

    told(tmp_path, story)


def test_two_people_report_an_exposed_card_and_the_floor_rules(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        flo = await staff_of(served, owner, "flo", "floor")
        async with (await served.guest("Ann")).table(HOUSE_TABLE) as table, flo.table(HOUSE_TABLE, "floor") as floor:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            number = await propose(flo, round=table.view["round"], follows="nothing", **EXPOSED)
            [waits] = await owner.get("/api/proposals")
            assert waits["details"]["follows"] == "The floor decides whether the round continues or the round is void"
            with pytest.raises(BadInput, match="cannot approve"):
                await flo.post(f"/api/proposals/{number}/approval", {})
            assert table.view["pending"] is None
            await owner.post(f"/api/proposals/{number}/approval", {})
            await table.until(lambda seen: seen.view["pending"])
            assert table.view["layout"]["middle"] == "??", "the server makes no ruling that may be a void"
            await alone(floor, {"command": "decide_floor", "ruling": "void"})
            assert (await floor.give("decide_floor", ruling="continue")).accepted
            await table.until(lambda seen: seen.view["layout"]["middle"] != "??")
            assert not served.server.pit.find(HOUSE_TABLE).table.voided

    told(tmp_path, story)


def test_a_dealer_calls_the_floor_for_a_wrong_count(tmp_path: Path) -> None:
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
            voids = [one for one in troubles if "void" in one["follows"]]
            assert "community_exposed.any" in {one["id"] for one in voids}
            assert all(one["two_people"] for one in voids)
            count = {"command": "count_stub", "count": dealer.view["stub_cards"] - 1, "finding": "not_misdealt"}
            await alone(dealer, count)
            await alone(dealer, SHORT)
            details = {"round": dealer.view["round"], **count}
            asked = {"kind": "void", "subject": "dealt", "details": details, "reason": "one is missing"}
            number = (await flo.post("/api/proposals", asked))["number"]
            await owner.post(f"/api/proposals/{number}/approval", {})
            assert served.server.pit.find("dealt").table.voided

    told(tmp_path, story)


def test_one_person_cannot_discard_a_card_or_change_a_line(tmp_path: Path) -> None:
    """A card found face up is seen by all players, and chips moved to another line are another bet."""

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        await owner.post(
            "/api/tables", {"rulebook": "nj-double-cross", "id": "dealt", "public": True, "dealt_by": "dealer"}
        )
        dana = await staff_of(served, owner, "dana", "dealer")
        async with (
            (await served.guest("Ann")).table("dealt") as table,
            (await served.guest("Bob")).table("dealt") as other,
            dana.table("dealt", "dealer") as dealer,
        ):
            await sit(table)
            await sit(other, 2)
            await deal(dealer, "open_bets")
            await bet(table)
            await bet(other, 2)
            await deal(dealer, "deal")
            await alone(dealer, {"command": REPORT, "kind": "face_up_card", "case": "one"})
            await deal(dealer, "decide_play")
            first = table if dealer.view["turn"][0] == 1 else other
            seat = dealer.view["turn"][0]
            assert (await first.give("choose", seat=seat, choice="vertical")).accepted
            await alone(dealer, {"command": REPORT, "kind": "axis_disagreement", "seat": seat})

    told(tmp_path, story)


def test_a_dealer_in_training_may_report_anything_to_bots(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Dana")
        name = await guest.open_table(BOOK, pace="instant", dealt_by="dealer", bots=2)
        async with guest.table(name, "dealer") as dealer:
            await deal(dealer, "stub")
            troubles = await guest.get(f"/api/tables/{name}/desk/troubles")
            assert not any(one["two_people"] for one in troubles)
            assert (await dealer.ask({**SHORT, "seat": 5})).accepted
            assert served.server.pit.find(name).table.voided

    told(tmp_path, story)


def test_only_an_act_that_voids_a_round_is_proposed_as_a_void(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        async with (await served.guest("Ann")).table(HOUSE_TABLE) as table:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            this = table.view["round"]
            for details, why in (
                ({"command": "close_table"}, "is not a report"),
                ({"command": REPORT, "kind": "player_leaves", "seat": 1}, "voids no round and shows no card"),
                ({**SHORT, "seat": 5}, "name the seat or place"),
                ({**SHORT, "count": 5}, "report_irregularity.count: no such field"),
            ):
                with pytest.raises(BadInput, match=why):
                    await propose(owner, round=this, **details)
            assert await owner.get("/api/proposals") == []

    told(tmp_path, story)


def test_a_second_person_approves_only_the_consequences_they_have_read(tmp_path: Path) -> None:
    """One exposed card is discarded, and a second one voids the round."""

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        name = "ma-dealt"
        wanted = {"rulebook": "ma-criss-cross", "id": name, "public": True, "dealt_by": "dealer"}
        await owner.post("/api/tables", wanted)
        dana = await staff_of(served, owner, "dana", "dealer")
        flo = await staff_of(served, owner, "flo", "floor")
        async with (
            (await served.guest("Ann")).table(name) as table,
            dana.table(name, "dealer") as dealer,
        ):
            await sit(table)
            await deal(dealer, "open_bets")
            await bet(table)
            await deal(dealer, "deal")
            report = {"command": REPORT, "kind": "face_up_card", "case": "one", "round": dealer.view["round"]}
            asked = {"kind": "void", "subject": name, "details": report, "reason": "it lay open"}
            first, second = [(await flo.post("/api/proposals", asked))["number"] for _ in range(2)]
            await owner.post(f"/api/proposals/{first}/approval", {})
            with pytest.raises(BadInput, match="the consequence has changed"):
                await owner.post(f"/api/proposals/{second}/approval", {})
            assert not served.server.pit.find(name).table.voided

    told(tmp_path, story)


def test_a_proposal_stops_the_round_until_it_is_decided(tmp_path: Path) -> None:
    """No player acts and no clock runs while two people decide, however long they take, over a restart too."""

    async def propose_and_wait(served: Served) -> None:
        owner = await owner_of(served)
        flo = await staff_of(served, owner, "flo", "floor")
        await staff_of(served, owner, "fay", "floor")
        async with (await served.guest("Ann")).table(HOUSE_TABLE) as table:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            number = await propose(flo, round=table.view["round"], **SHORT)
            await table.until(lambda seen: seen.held)
            refused = await table.ask(decided(table.allowed, 1, open_bets=False) or {})
            assert refused.problem is not None
            assert refused.problem["code"] == "table.stopped"
            await flo.delete(f"/api/proposals/{number}")
            await table.until(lambda seen: not seen.held)
            number = await propose(flo, round=table.view["round"], **SHORT)
            refused = await table.ask(decided(table.allowed, 1, open_bets=False) or {})
            assert refused.problem is not None

    async def approve(served: Served) -> None:
        fay = await Client(served.address).log_in("fay", "correct horse battery")
        [proposal] = await fay.get("/api/proposals")
        await fay.post(f"/api/proposals/{proposal['number']}/approval", {})
        assert served.server.pit.find(HOUSE_TABLE).table.voided
        decisions = await fay.get(f"/api/proposals/decided?subject={HOUSE_TABLE}")
        said = [(it["outcome"], it["by"], it["decided_by"], it["address"], it["decided_from"]) for it in decisions]
        assert said == [
            ("approved", "flo", "fay", "127.0.0.1", "127.0.0.1"),
            ("declined", "flo", "flo", "127.0.0.1", "127.0.0.1"),
        ]

    told(tmp_path, propose_and_wait)
    told(tmp_path, approve)


def test_a_proposal_about_a_closed_table_expires_and_is_announced(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        flo = await staff_of(served, owner, "flo", "floor")
        lower = json.dumps({"wagers": {"ante": {"max_cents": 400_00}}})
        asked = {"kind": "submission", "subject": HOUSE_TABLE, "details": {"submission": lower}, "reason": "lower"}
        await flo.post("/api/proposals", asked)
        await owner.delete(f"/api/tables/{HOUSE_TABLE}")
        assert await owner.get("/api/proposals") == []
        assert [it["outcome"] for it in await flo.get("/api/proposals/decided")] == ["expired"]

    told(tmp_path, story)


def test_whoever_plays_at_a_private_table_is_neither_of_the_two(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        flo = await staff_of(served, await owner_of(served), "flo", "player", "floor")
        private = await flo.open_table("nj-criss-cross", pace="instant")
        await flo.post("/api/me/deposits", {"cents": 1_000_00})
        async with flo.table(private) as table:
            await sit(table)
            asked = {"kind": "void", "subject": private, "details": {"round": 1}, "reason": "a bad hand"}
            with refused_with("approval.interest"):
                await flo.post("/api/proposals", asked)

    told(tmp_path, story)


def waits(served: Served, name: str) -> bool:
    return served.server.pit.find(name).table.pending is not None


@pytest.mark.parametrize("rulebook", ["nj-criss-cross", "ma-criss-cross", "nj-double-cross"])
def test_a_private_table_does_not_wait_for_the_floor(rulebook: str, tmp_path: Path) -> None:
    """A person who deals to bots may report anything, and the round continues to its end."""

    async def story(served: Served) -> None:
        guest = await served.guest("Dana")
        name = await guest.open_table(rulebook, pace="instant", dealt_by="dealer", bots=2)
        async with guest.table(name, "dealer") as dealer:
            await deal(dealer, "stub")
            seats = [seat["number"] for seat in dealer.view["seats"] if seat["wagers"]]
            assert (await dealer.give(REPORT, kind="player_leaves", seat=seats[0])).accepted
            assert not waits(served, name)
            assert served.server.pit.find(name).table.seat(seats[0]).away
            if rulebook != "ma-criss-cross":  # where the round is void
                assert (await dealer.ask(EXPOSED)).accepted
                await dealer.until(lambda seen: seen.view["layout"]["middle"] != "??")
            number = dealer.view["round"]
            while not served.server.pit.find(name).memory.rounds:
                asked = next_act(dealer)
                await (dealer.ask(asked) if asked else asyncio.sleep(0.005))
            last = served.server.pit.find(name).memory.rounds[-1]
            assert (last.round, last.outcome) == (number, "settled")

    told(tmp_path, story)


def test_a_player_who_deals_to_themselves_sees_no_card_early_and_can_leave(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Dana")
        name = await guest.open_table(BOOK, pace="instant", dealt_by="dealer")
        async with guest.table(name) as table, guest.table(name, "dealer") as dealer:
            await sit(table)
            await deal(dealer, "open_bets")
            await bet(table)
            await deal(dealer, "decide_across")
            await alone(dealer, EXPOSED)
            assert (await dealer.give(REPORT, kind="player_leaves", seat=1)).accepted
            assert not waits(served, name)
            while not served.server.pit.find(name).memory.rounds:
                gone = any(it["command"] == "time_out" for it in dealer.allowed)
                asked = {"command": "time_out", "seat": 1} if gone else next_act(dealer)
                await (dealer.ask(asked) if asked else asyncio.sleep(0.005))
            await table.until(lambda seen: any(it["command"] == "leave_seat" for it in seen.allowed))
            assert (await table.give("leave_seat", seat=1)).accepted

    told(tmp_path, story)


def test_a_private_round_with_a_reported_card_is_void_and_shows_no_card(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        other = await staff_of(served, owner, "olga", "owner")
        guest = await served.guest("Dana")
        name = await guest.open_table(BOOK, pace="practice")
        async with guest.table(name) as table:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            asked = {"kind": "void", "subject": name, "details": {"round": 1, **EXPOSED}, "reason": "it lay open"}
            number = (await owner.post("/api/proposals", asked))["number"]
            await other.post(f"/api/proposals/{number}/approval", {})
            await table.until(lambda _: chips(table) == 500_00)
            assert served.server.pit.find(name).memory.rounds[-1].outcome == "void"

    told(tmp_path, story)


@pytest.mark.parametrize(
    ("keeps", "said", "three_card_is_back"),
    [
        (False, "The round is void and every wager is returned; wagers already settled are undone", True),
        (True, "The round is void and every open wager is returned; wagers already settled stand", False),
    ],
)
def test_a_proposal_says_what_becomes_of_wagers_that_are_settled_already(
    keeps: bool, said: str, three_card_is_back: bool, tmp_path: Path
) -> None:
    """The player does not show the hand, so that the three-card wager is lost before the round is void (AMB-8c)."""

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        floor = await staff_of(served, owner, "Fay", "floor")
        stated = {"settings": {"void_keeps_settled": keeps}}
        await open_by_two(owner, floor, "nj-double-cross", "double", stated)
        ann = await served.guest("Ann")
        async with ann.table("double") as table:
            await sit(table)
            before = chips(table)
            await table.until(lambda seen: decided(seen.allowed, 1, open_bets=True))
            wagers = {"ante": 10_00, "three_card": 5_00}
            assert (await table.give("place_wagers", seat=1, wagers=wagers)).accepted
            await table.ready()
            await table.until(lambda seen: seen.view["step"] == "decide_three_card")
            assert (await table.give("choose", seat=1, choice="decline")).accepted
            await table.until(lambda seen: seen.view["step"] == "decide_play")
            details = {**SHORT, "round": table.view["round"]}
            asked = {"kind": "void", "subject": "double", "details": details, "reason": "a card is missing"}
            proposal = await floor.post("/api/proposals", asked)
            assert proposal["details"]["follows"].startswith(said)
            await owner.post(f"/api/proposals/{proposal['number']}/approval", {})
            await table.until(lambda seen: seen.view["step"] == "open_bets")
            assert chips(table) == before - (0 if three_card_is_back else 5_00)

    told(tmp_path, story)
