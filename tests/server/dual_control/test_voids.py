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
from crossfelt.server.http.routes import proposals
from crossfelt.server.journal.stream import Proposal
from limits import WAIT_SECONDS
from server.http.test_dealer import next_act
from server.served import Served, decided, owner_of, refused_with, serving, staff_of

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


def test_a_floor_person_who_plays_cannot_take_a_round_back(tmp_path: Path) -> None:
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
            assert not mishaps["player_leaves"]["two_people"], "one person may report it to the floor"
            number = await propose(flo, round=table.view["round"], **SHORT)
            with pytest.raises(BadInput, match="cannot approve"):
                await flo.post(f"/api/proposals/{number}/approval", {})
            assert chips(table) < 500_00, "one person alone has voided a round"
            await owner.post(f"/api/proposals/{number}/approval", {})
            await table.until(lambda _: chips(table) == 500_00)
            void = served.server.pit.find(HOUSE_TABLE).memory.rounds[-1]
            assert void.outcome == "void"

    told(tmp_path, story)


@pytest.mark.parametrize("name", ["nj-criss-cross", "md-criss-cross", "nj-double-cross"])
def test_a_floor_person_who_plays_sees_no_card_before_deciding(name: str, tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        flo = await staff_of(served, await owner_of(served), "flo", "player", "floor")
        async with flo.table(f"{name}-1") as table, flo.table(f"{name}-1", "floor") as floor:
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


async def play_out(table: TableClient) -> None:
    """Play until the next round is open."""
    number = table.view["round"]
    while table.view["round"] == number:
        asked = decided(table.allowed, 1, open_bets=False)
        await (table.ask(asked) if asked else asyncio.sleep(0.005))


def test_a_proposal_about_a_round_is_void_after_the_round_and_at_another_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        flo = await staff_of(served, owner, "flo", "floor")
        ann = await served.guest("Ann")
        async with ann.table(HOUSE_TABLE) as table:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            first = table.view["round"]
            number = await propose(flo, round=first, **SHORT)
            assert len(await owner.get("/api/proposals")) == 1
            await play_out(table)
            assert await owner.get("/api/proposals") == []
            with pytest.raises(BadInput, match="not being played"):
                await owner.post(f"/api/proposals/{number}/approval", {})
            assert (await table.give("leave_seat", seat=1)).accepted
        lower = json.dumps({"wagers": {"ante": {"max_cents": 400_00}}})
        asked = {"kind": "submission", "subject": HOUSE_TABLE, "details": {"submission": lower}, "reason": "lower"}
        changed = (await flo.post("/api/proposals", asked))["number"]
        told = await owner.post(f"/api/proposals/{changed}/approval", {})
        assert told["in_force"]
        async with ann.table(told["table"]) as table:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            assert table.view["round"] == first
            assert await owner.get("/api/proposals") == []
            with refused_with("table.replaced"):
                await owner.post(f"/api/proposals/{number}/approval", {})
            assert not served.server.pit.find(told["table"]).table.voided
        assert number in (await served.server.journal.now()).waiting, "the proposal stays on record"
        await flo.delete(f"/api/proposals/{number}")

    told(tmp_path, story)


def test_the_process_of_the_table_ends_proposals_with_the_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        correction = {"kind": "correction", "subject": "account/ann", "details": {"cents": 1}, "reason": "found"}
        async with (await served.guest("Ann")).table(HOUSE_TABLE) as table:
            await sit(table)
            await bet(table)
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            of_a_round = await propose(owner, round=table.view["round"], **SHORT)
            of_money = (await owner.post("/api/proposals", correction))["number"]

            async def listed(elsewhere: list[list[Proposal]], query: str = "") -> list[int]:
                async def ask_peers(*_: object) -> list[list[Proposal]]:
                    return elsewhere

                monkeypatch.setattr(proposals, "ask_peers", ask_peers)
                return [it["number"] for it in await owner.get(f"/api/proposals{query}")]

            both = [of_a_round, of_money]
            same = [*(await served.server.journal.now()).waiting.values()]
            assert await listed([]) == await listed([same]) == await listed([[]], "?here=true") == both
            assert await listed([same, same[1:]]) == await listed([[]]) == [of_money]

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
        await owner.open_table("nj-double-cross", id="double", public=True, submission=stated)
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
