"""A change of rules: the table closes after the round, chips go back to the accounts, and a new table opens."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from crossfelt.client import Client, Disconnected
from crossfelt.errors import BadInput
from crossfelt.server.core.errors import NEW_RULES
from crossfelt.server.core.planner import at_rest
from crossfelt.server.core.rulebooks import Rulebooks
from crossfelt.server.core.settings import require_id
from crossfelt.server.journal.stream import JournalState
from crossfelt.server.pit.pit import Pit
from limits import WAIT_SECONDS
from server.served import Served, owner_of, pit_of, play_round, refused_with, run, staff_of
from server.submission_drafts import change_rules, proposed

OLD, NEW = "ma-criss-cross-1", "ma-criss-cross-1-r2"
TEN_DOLLARS: dict[str, Any] = {"wagers": {"ante": {"min_cents": 1000}}}
ANTES = {"ante_across": 500, "ante_down": 500}


async def balance(client: Client) -> int:
    return int((await client.get("/api/me"))["balance_cents"])


async def open_in(pit: Pit, table: str) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while table not in pit.actors:
            await asyncio.sleep(0.01)


def test_a_round_is_finished_then_chips_go_back_and_players_join_the_new_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        pit, owner = served.server.pit, await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        paul = await served.guest("Paul")
        before = await balance(paul)
        async with paul.table(OLD) as table:
            assert (await table.give("take_seat", seat=2, chips_cents=500_00)).accepted
            assert (await table.give("place_wagers", seat=2, wagers=ANTES)).accepted
            await table.ready()
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            proposal = await proposed(ann, TEN_DOLLARS)
            [change] = json.loads(proposal["details"]["changes"])
            assert (change["before"], change["after"]) == ("$5", "$10")
            assert json.loads(proposal["details"]["returns"])[0]["wager"] == "whole_game"
            [entry] = (await owner.get("/api/audit/entries?kind=proposed"))["entries"]
            assert (entry["before"], entry["after"]) == ("Ante: Smallest ante: $5", "Ante: Smallest ante: $10")
            assert "returns" not in entry["what"]
            told = await owner.post(f"/api/proposals/{proposal['number']}/approval", {})
            assert told == {"table": NEW, "in_force": False}
            assert (await owner.get(f"/api/tables/{OLD}/submission"))["coming"] == "ann and owner"
            assert (pit.find(OLD).table.step, NEW in pit.actors) == ("decide_across", False)
            assert (await table.give("fold", seat=2)).accepted
            with pytest.raises(Disconnected, match=NEW_RULES):
                await table.until(lambda _: False)
            assert table.successor == NEW
        assert await balance(paul) == before - 10_00, "what the round cost, and nothing else"
        assert pit.find(NEW).table.game.limits("ante").min == 1000
        with pytest.raises(Disconnected, match=NEW_RULES):  # who was not connected when it closed
            await table.connect()
        assert table.successor == NEW
        with refused_with("table.replaced") as refused:
            await paul.get(f"/api/tables/{OLD}/game")
        assert refused.value.problems[0].allowed == NEW
        async with paul.table(table.successor) as joined:
            assert (await joined.give("take_seat", seat=2, chips_cents=490_00)).accepted
            await play_round(joined, 2)
        cases = [await owner.get(f"/api/tables/{it}/cases") for it in (OLD, NEW)]
        assert [[line["round"] for line in it["rounds"]] for it in cases] == [[1], [1]], "both have their histories"
        assert (await owner.post("/api/audit/verify", {}))["sound"]

    run(tmp_path, story)


@pytest.mark.parametrize("rulebook", ["nj-double-cross", "nj-pai-gow"])
def test_in_every_game_the_open_round_is_the_last(rulebook: str, tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        pit, name = served.server.pit, f"{rulebook}-1"
        paul = await served.guest("Paul")
        await pit.seat_bot(pit.find(name), 5, "careful")
        async with paul.table(name) as table:
            assert (await table.give("take_seat", seat=2, chips_cents=500_00)).accepted
            playing = asyncio.create_task(play_round(table, 2))
            while at_rest(pit.find(name).table):
                await asyncio.sleep(0.001)
            number = pit.find(name).table.round
            assert not await change_rules(pit, name, {"play": {"decision_seconds": 41}})
            await open_in(pit, f"{name}-r2")
            await asyncio.gather(playing, return_exceptions=True)
        rows = await served.server.store.rows(f"table/{name}")
        assert sum(b'"round_closed"' in row.body for row in rows) == number
        assert not any(seat.player for seat in pit.find(f"{name}-r2").table.seats)

    run(tmp_path, story)


def test_a_new_table_opens_at_once_while_no_player_has_bet_several_times(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        pit, name = served.server.pit, OLD
        paul = await served.guest("Paul")
        before = await balance(paul)
        for number in (2, 3, 4):
            async with paul.table(name) as table:
                assert (await table.give("take_seat", seat=2, chips_cents=500_00)).accepted
                assert await change_rules(pit, name, {"play": {"decision_seconds": 40 + number}})
                assert await balance(paul) == before
            name = f"{OLD}-r{number}"
        with refused_with("table.replaced") as refused:
            await paul.get(f"/api/tables/{OLD}/game")
        assert refused.value.problems[0].allowed == name, "the one that is open now"
        assert [table["id"] for table in await paul.lobby() if table["id"].startswith(OLD)] == [name]

    run(tmp_path, story)


def test_an_approved_change_outlives_the_server_process(tmp_path: Path) -> None:
    async def approve(served: Served) -> None:
        paul = await served.guest("Paul")
        async with paul.table(OLD) as table:
            await table.give("take_seat", seat=2, chips_cents=500_00)
            await table.give("place_wagers", seat=2, wagers=ANTES)
            assert not await change_rules(served.server.pit, OLD, TEN_DOLLARS)
        tokens.append(paul.token)

    async def later(served: Served) -> None:
        paul = Client(served.address, tokens[0])
        assert served.server.pit.find(OLD).table.game.limits("ante").min == 500, "the bets of a round are on the layout"
        async with paul.table(OLD) as table:
            assert (await table.give("place_wagers", seat=2, wagers={})).accepted
            await open_in(served.server.pit, NEW)

    tokens: list[str] = []
    run(tmp_path, approve)
    run(tmp_path, later)


def test_a_second_change_is_refused_while_one_waits_and_then_applies_to_the_new_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        paul = await served.guest("Paul")
        numbers = [(await proposed(ann, {"play": {"decision_seconds": it}}))["number"] for it in (41, 42)]
        async with paul.table(OLD) as table:
            await table.give("take_seat", seat=2, chips_cents=500_00)
            await table.give("place_wagers", seat=2, wagers=ANTES)
            asked = (owner.post(f"/api/proposals/{number}/approval", {}) for number in numbers)
            answers = await asyncio.gather(*asked, return_exceptions=True)
            [refused] = [answer for answer in answers if isinstance(answer, BadInput)]
            assert refused.problems[0].code == "submission.coming"
            assert {"table": NEW, "in_force": False} in answers
            [waits] = await owner.get("/api/proposals")
            assert waits["number"] in numbers, "what was refused is not taken off the list"
            assert (await table.give("place_wagers", seat=2, wagers={})).accepted
            await open_in(served.server.pit, NEW)
        assert await owner.get("/api/proposals") == [], "its table has closed"
        with refused_with("approval.unknown"):
            await owner.post(f"/api/proposals/{waits['number']}/approval", {})
        assert (await owner.get("/api/proposals/decided"))[0]["outcome"] == "expired"

    run(tmp_path, story)


def test_a_private_table_has_a_successor_for_its_owner_only(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        pit, paul, eve = served.server.pit, await served.guest("Paul"), await served.guest("Eve")
        name = await paul.open_table("nj-criss-cross", bots=2)
        assert await change_rules(pit, name, TEN_DOLLARS)
        meters = pit.find(f"{name}-r2").meters
        assert meters.streams == (f"meter/{name}/bonus_spin",), "the meter and its pool are the new table's"
        assert meters.amounts["bonus_spin"]["amount_cents"]
        with refused_with("table.replaced"):
            await paul.get(f"/api/tables/{name}/game")
        with refused_with("table.unknown"):
            await eve.get(f"/api/tables/{name}/game")

    run(tmp_path, story)


def test_public_tables_keep_their_shared_meters(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            await pit.open()
            shared = pit.find("nj-criss-cross-1").meters.streams
            assert await change_rules(pit, "nj-criss-cross-1", TEN_DOLLARS)
            assert pit.find("nj-criss-cross-1-r2").meters.streams == shared
            assert pit.meter_registry.fed()[shared[0]] == ["nj-criss-cross-1-r2"]

    asyncio.run(story())


def test_a_journal_read_before_the_approval_does_not_undo_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            await pit.open()
            now, reading, approved = pit._journal.now, asyncio.Event(), asyncio.Event()

            async def slow() -> JournalState:
                told = await now()
                reading.set()
                await approved.wait()
                return told

            monkeypatch.setattr(pit._journal, "now", slow)
            pit._shared = True
            looking = asyncio.create_task(pit._maintain_tables())
            await reading.wait()
            change = asyncio.create_task(change_rules(pit, OLD, {}))
            await asyncio.sleep(0.05)
            approved.set()
            assert await change
            await looking
            await pit.seat_bot(pit.find(NEW), 2, "careful")

    asyncio.run(story())


def test_ids_of_successors_are_refused_to_other_tables() -> None:
    for name in ("pit-3-r2", "x-r10"):
        with pytest.raises(BadInput, match="a change of rules"):
            require_id(name, Rulebooks())
    require_id("pit-r2d2", Rulebooks())


def test_another_process_sees_the_change_and_takes_the_new_table_over(tmp_path: Path, postgres: Any) -> None:
    address = postgres.new_database()

    async def story() -> None:
        how: dict[str, Any] = {"database": address, "shared": True}
        async with (
            pit_of(tmp_path, "Ann", holder="one http://one", **how) as one,
            pit_of(tmp_path, holder="two http://two", **how) as two,
        ):
            await one.open()
            await two.open()
            assert await change_rules(one, OLD, TEN_DOLLARS)
            async with asyncio.timeout(WAIT_SECONDS):
                while OLD in two.settings or NEW not in two.settings:
                    await asyncio.sleep(0.05)
            with refused_with("table.replaced"):
                two.find(OLD)
            assert await two.owner_elsewhere(NEW) == "http://one"
            await one.close()
            await open_in(two, NEW)
            assert two.find(NEW).table.game.limits("ante").min == 1000

    asyncio.run(story())
