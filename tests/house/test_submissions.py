"""A table's Rules Submission over the wire: its form, its check, its returns, and when another one is in force."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from crossfelt.analysis import solve
from crossfelt.client import HouseClient
from crossfelt.house.advising import Advisers
from crossfelt.house.audit.events import TableChanging
from crossfelt.house.audit.journal import House
from crossfelt.house.tables.renewing import at_rest
from crossfelt.money.ledger import chips_of
from crossfelt.problems import BadInput
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loading import rulebook_ids
from house.serving import Served, owner_of, pit_of, play_round, refused_with, run, staff_of
from house.submitting import changing_to, filed, proposed

TABLE = "/api/tables/ma-criss-cross-1/submission"


def test_a_form_states_what_is_in_force_and_a_draft_is_checked(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        for rulebook in rulebook_ids():
            table = f"/api/tables/{rulebook}-1/submission"
            form = await owner.get(table)
            assert {field["path"] for field in form["fields"]} >= set(compile_game(rulebook).choices)
            checked = await owner.post(f"{table}/check", {"submission": filed(form)})
            assert checked["changes"] == []
            assert {problem["code"] for _, problem in checked["problems"]} <= {"choice.unstated", "requirement"}
        draft = filed(await owner.get(TABLE))
        draft["wagers"]["ante"] |= {"min_cents": 900_00, "max_cents": "much"}
        checked = await owner.post(f"{TABLE}/check", {"submission": draft})
        assert not checked["ok"]
        wrong = dict(checked["problems"])
        assert wrong["wagers.ante.max_cents"]["clauses"]
        assert wrong["wagers.ante.min_cents"]["what"] == "above the largest wager"
        with pytest.raises(BadInput, match="not a whole number"):
            await owner.post(f"{TABLE}/figures", {"submission": draft})

    run(tmp_path, story)


def test_every_wager_is_worked_out_again_with_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def without_end(*_: Any) -> None:
        await asyncio.Event().wait()

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        begun = await owner.post(
            f"{TABLE}/figures", {"submission": {"wagers": {"five_card_bonus": {"offered": False}}}}
        )
        assert len(begun["steps"]) == 3
        assert not begun["finished"]
        study = f"/api/studies/{begun['study']}"
        async with asyncio.timeout(120):
            while not (told := await owner.get(study))["finished"]:
                await asyncio.sleep(0.1)
        assert told["done"] == 3
        wagers = {wager["wager"]: wager for wager in told["wagers"]}
        edge = solve("ma-criss-cross").house_edge.per_total_wagered
        exact = wagers["whole_game"]["after"]["returned"]
        assert (int(exact["numerator"]), int(exact["denominator"])) == (1 - edge).as_integer_ratio()
        assert wagers["five_card_bonus"]["after"] is None
        monkeypatch.setattr(Advisers, "ask", without_end)
        other = await owner.post(f"{TABLE}/figures", {"submission": {"play": {"decision_seconds": 44}}})
        stopped = await owner.delete(f"/api/studies/{other['study']}")
        assert stopped["cancelled"]

    run(tmp_path, story)


def test_other_rules_are_in_force_from_the_next_round(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        guest = await served.guest("Paul")
        async with guest.table("ma-criss-cross-1") as table:
            await table.give("take_seat", seat=2, chips_cents=500_00)
            placed = await table.give("place_wagers", seat=2, wagers={"ante_across": 500, "ante_down": 500})
            assert placed.accepted, placed
            await table.ready()
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            number = table.view["round"]
            proposal = await proposed(ann, {"wagers": {"ante": {"min_cents": 1000}}})
            [change] = json.loads(proposal["details"]["changes"])
            assert (change["before"], change["after"]) == ("$5", "$10")
            assert json.loads(proposal["details"]["returns"])[0]["wager"] == "whole_game"
            [entry] = (await owner.get("/api/audit/entries?kind=proposed"))["entries"]
            assert (entry["before"], entry["after"]) == ("Ante: Smallest ante: $5", "Ante: Smallest ante: $10")
            assert "returns" not in entry["what"]
            told = await owner.post(f"/api/proposals/{proposal['number']}/approval", {})
            assert told == {"opening": 2, "in_force": False}
            assert (await owner.get(TABLE))["coming"] == "ann and owner"
            assert served.house.pit.find("ma-criss-cross-1").table.round == number
            await table.give("fold", seat=2)
        async with asyncio.timeout(30):
            while served.house.pit.reopening.coming or "ma-criss-cross-1" not in served.house.pit.actors:
                await asyncio.sleep(0.01)
        actor = served.house.pit.find("ma-criss-cross-1")
        assert actor.table.game.limits("ante").min == 1000
        async with guest.table("ma-criss-cross-1") as table:
            await table.until(lambda seen: seen.view["seats"][1]["player"] == "Paul")
            assert table.view["seats"][1]["chips_cents"] == 490_00
            await play_round(table, 2)
            assert actor.memory.rounds[-1].players == {2: "Paul"}
        checked = await owner.post("/api/audit/verify", {})
        assert checked["sound"]

    run(tmp_path, story)


def test_what_two_people_agreed_to_outlives_the_house(tmp_path: Path) -> None:
    async def agreed(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        guest = await served.guest("Paul")
        async with guest.table("ma-criss-cross-1") as table:
            await table.give("take_seat", seat=2, chips_cents=500_00)
            await table.give("place_wagers", seat=2, wagers={"ante_across": 500, "ante_down": 500})
            proposal = await proposed(ann, {"wagers": {"ante": {"min_cents": 1000}}})
            await owner.post(f"/api/proposals/{proposal['number']}/approval", {})

    async def later(served: Served) -> None:
        assert served.house.pit.reopening.coming
        guest = await HouseClient(served.address).come_in("Other")
        assert guest
        actor = served.house.pit.find("ma-criss-cross-1")
        assert actor.table.game.limits("ante").min == 500, "the bets of a round are on the layout"

    run(tmp_path, agreed)
    run(tmp_path, later)


@pytest.mark.clause("DCP-30")
def test_a_payout_limit_that_falls_owes_a_notice(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        limit = {"amount_cents": 100_000_00, "approval": "2026-7", "on_layout": False}
        opened = {"id": "pit-3", "public": True, "submission": {"payout_limit": limit}}
        await owner.open_table("nj-double-cross", **opened)
        lower = {"payout_limit": {**limit, "amount_cents": 60_000_00}}
        checked = await owner.post("/api/tables/pit-3/submission/check", {"submission": lower})
        wrong = dict(checked["problems"])["payout_limit.notice_posted_at"]
        assert wrong["what"] == "the payout limit falls from $100,000 to $60,000 without a notice"
        assert "DCP-30" in wrong["clauses"]
        asked = {"kind": "submission", "subject": "pit-3", "reason": "less at risk"}
        with pytest.raises(BadInput, match="without a notice"):
            await owner.post("/api/proposals", {**asked, "details": {"submission": json.dumps(lower)}})
        posted = {"notice_posted_at": "2026-11-16 09:00", "notice_posted_by": "Ann"}
        told = {"payout_limit": {**lower["payout_limit"], **posted}}
        proposal = await owner.post("/api/proposals", {**asked, "details": {"submission": json.dumps(told)}})
        assert "Who posted the notice" in proposal["details"]["changes"]

    run(tmp_path, story)


def test_players_are_refused(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Paul")
        for asked in (
            guest.get(TABLE),
            guest.post(f"{TABLE}/check", {"submission": {}}),
            guest.get("/api/studies/x"),
            guest.get("/api/floor"),
        ):
            with pytest.raises(BadInput, match="not for this role"):
                await asked

    run(tmp_path, story)


@pytest.mark.parametrize("rulebook", ["nj-double-cross", "nj-pai-gow"])
def test_in_every_game_a_round_is_finished_first(rulebook: str, tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        pit, name = served.house.pit, f"{rulebook}-1"
        guest = await served.guest("Paul")
        await pit.seat_bot(pit.find(name), 5, "simple")
        async with guest.table(name) as table:
            await table.give("take_seat", seat=2, chips_cents=500_00)
            for opening, submission in enumerate(({"play": {"decision_seconds": 41}}, {}), start=2):
                settings = replace(pit.find(name).settings, submission=submission, opening=opening)
                changing = TableChanging(by="Ann and Bob", at=0, table=name, settings=msgspec.to_builtins(settings))
                if opening == 2:
                    assert await pit.reopening.change(changing), "nobody has bet: it is in force at once"
                    continue
                async with guest.table(name) as again:
                    await again.until(lambda seen: seen.view["seats"][1]["player"] == "Paul")
                    playing = asyncio.create_task(play_round(again, 2))
                    while at_rest(pit.find(name).table):
                        await asyncio.sleep(0.001)
                    number = pit.find(name).table.round
                    assert not await pit.reopening.change(changing)
                    async with asyncio.timeout(30):
                        while name in pit.reopening.coming or name not in pit.actors:
                            await asyncio.sleep(0.01)
                    playing.cancel()
                    await asyncio.gather(playing, return_exceptions=True)
        header = await served.house.store.rows(f"table/{name}/2", limit=1)
        assert header
        assert pit.find(name).settings.opening == 3
        rounds = [row for row in await served.house.store.rows(f"table/{name}/2") if b'"round_closed"' in row.body]
        assert len(rounds) == number, "the round that was being played was finished under its own rules"
        while not all(seat.player for seat in pit.find(name).table.seats if seat.number in (2, 5)):
            await asyncio.sleep(0.01)

    run(tmp_path, story)


def test_rules_change_again_and_again_with_the_same_people_at_the_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        pit, name = served.house.pit, "nj-double-cross-1"
        guest = await served.guest("Paul")
        async with guest.table(name) as table:
            await table.give("take_seat", seat=2, chips_cents=500_00)
        for opening in (2, 3, 4):
            settings = replace(pit.find(name).settings, submission={}, opening=opening)
            changing = TableChanging(by="Ann and Bob", at=0, table=name, settings=msgspec.to_builtins(settings))
            assert await pit.reopening.change(changing)
            async with asyncio.timeout(30):
                while pit.find(name).table.seat(2).player != "Paul":
                    await asyncio.sleep(0.01)
        chips = pit.find(name).table.balances[chips_of(2)]
        assert chips + (await guest.get("/api/me"))["balance_cents"] == 1_000_00

    run(tmp_path, story)


def test_a_journal_that_was_read_before_does_not_undo_what_is_coming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table got a task that was over, and nobody could ask it anything until the process was started again."""

    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            name = "nj-criss-cross-1"
            await pit.open()
            journal, now = pit._journal, pit._journal.now
            reading, agreed = asyncio.Event(), asyncio.Event()

            async def slow() -> House:
                told = await now()
                reading.set()
                await agreed.wait()
                return told

            monkeypatch.setattr(journal, "now", slow)
            pit._shared = True
            looking = asyncio.create_task(pit._look_after())
            await reading.wait()
            changing = changing_to(pit, name, 2)
            await journal.note(changing)
            change = asyncio.create_task(pit.reopening.change(changing))
            await asyncio.sleep(0)
            agreed.set()
            assert await change
            await looking
            assert pit.find(name).settings.opening == 2
            await pit.seat_bot(pit.find(name), 2, "simple")

    asyncio.run(story())


def test_an_opening_that_there_is_already_is_not_waited_for(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            name = "nj-criss-cross-1"
            await pit.open()
            one, two = changing_to(pit, name, 2), changing_to(pit, name, 2)
            await pit._journal.note(one)
            assert await pit.reopening.change(one)
            actor = pit.find(name)
            await pit._journal.note(two)
            assert await pit.reopening.change(two)
            await pit._read_tables()
            assert not pit.reopening.coming
            assert pit.find(name) is actor

    asyncio.run(story())


def test_of_two_submissions_that_are_agreed_to_at_once_one_is_refused(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        guest = await served.guest("Paul")
        numbers = [(await proposed(ann, {"play": {"decision_seconds": it}}))["number"] for it in (41, 42)]
        async with guest.table("ma-criss-cross-1") as table:
            await table.give("take_seat", seat=2, chips_cents=500_00)
            await table.give("place_wagers", seat=2, wagers={"ante_across": 500, "ante_down": 500})
            asked = (owner.post(f"/api/proposals/{number}/approval", {}) for number in numbers)
            answers = await asyncio.gather(*asked, return_exceptions=True)
        [refused] = [answer for answer in answers if isinstance(answer, BadInput)]
        assert refused.problems[0].code == "submission.coming"
        assert {"opening": 2, "in_force": False} in answers
        [waits] = await owner.get("/api/proposals")
        assert waits["number"] in numbers, "what was refused is not taken off the list"

    run(tmp_path, story)


def test_what_was_agreed_to_meanwhile_is_not_undone_by_a_proposal_that_does_not_say_so(tmp_path: Path) -> None:
    """A submission states everything anew: one that was made before another came into force would take it back."""

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        stated: list[dict[str, Any]] = [{"wagers": {"ante": {"min_cents": 1000}}}, {"play": {"decision_seconds": 42}}]
        first, second = [(await proposed(ann, it))["number"] for it in stated]
        assert (await owner.post(f"/api/proposals/{first}/approval", {}))["in_force"]
        with refused_with("late"):
            await owner.post(f"/api/proposals/{second}/approval", {})
        again = (await proposed(ann, {**stated[0], **stated[1]}))["number"]
        assert (await owner.post(f"/api/proposals/{again}/approval", {}))["in_force"]
        game = served.house.pit.find("ma-criss-cross-1").table.game
        assert (game.limits("ante").min, game.choices["play.decision_seconds"]) == (1000, 42)

    run(tmp_path, story)
