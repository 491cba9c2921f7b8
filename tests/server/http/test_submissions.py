"""A table's Rules Submission over HTTP: its form, its check and its returns."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from crossfelt.analysis import solve
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.server.workers.advice import AdvicePool
from limits import WAIT_SECONDS
from server.served import Served, open_by_two, owner_of, run, staff_of
from server.submission_drafts import filed

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
        assert wrong["wagers.ante.min_cents"]["what"] == "the smallest wager is above the largest"
        with pytest.raises(BadInput, match="not a whole number"):
            await owner.post(f"{TABLE}/figures", {"submission": draft})

    run(tmp_path, story)


def test_a_study_computes_every_wager_and_reports_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        async with asyncio.timeout(WAIT_SECONDS):
            while not (reply := await owner.get(study))["finished"]:
                await asyncio.sleep(0.1)
        assert reply["done"] == 3
        wagers = {wager["wager"]: wager for wager in reply["wagers"]}
        edge = solve("ma-criss-cross").house_edge.per_total_wagered
        exact = wagers["whole_game"]["after"]["returned"]
        assert (int(exact["numerator"]), int(exact["denominator"])) == (1 - edge).as_integer_ratio()
        assert wagers["five_card_bonus"]["after"] is None
        monkeypatch.setattr(AdvicePool, "ask", without_end)
        other = await owner.post(f"{TABLE}/figures", {"submission": {"play": {"decision_seconds": 44}}})
        stopped = await owner.delete(f"/api/studies/{other['study']}")
        assert stopped["cancelled"]

    run(tmp_path, story)


@pytest.mark.clause("DCP-30")
def test_a_payout_limit_that_falls_owes_a_notice(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        limit = {"amount_cents": 100_000_00, "approval": "2026-7", "on_layout": False}
        fay = await staff_of(served, owner, "Fay", "floor")
        await open_by_two(owner, fay, "nj-double-cross", "pit-3", {"payout_limit": limit})
        lower = {"payout_limit": {**limit, "amount_cents": 60_000_00}}
        checked = await owner.post("/api/tables/pit-3/submission/check", {"submission": lower})
        wrong = dict(checked["problems"])["payout_limit.notice_posted_at"]
        assert wrong["what"] == "the payout limit falls from $100,000 to $60,000 without a notice"
        assert "DCP-30" in wrong["clauses"]
        asked = {"kind": "submission", "subject": "pit-3", "reason": "less at risk"}
        with pytest.raises(BadInput, match="without a notice"):
            await owner.post("/api/proposals", {**asked, "details": {"submission": json.dumps(lower)}})
        posted = {"notice_posted_at": "2026-11-16 09:00", "notice_posted_by": "Ann"}
        reply = {"payout_limit": {**lower["payout_limit"], **posted}}
        proposal = await owner.post("/api/proposals", {**asked, "details": {"submission": json.dumps(reply)}})
        assert "Person who posted the notice" in proposal["details"]["changes"]

    run(tmp_path, story)


@pytest.mark.clause("MAC-22")
def test_the_form_asks_for_approvals_and_a_filed_submission_must_name_them(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        form = await owner.get(TABLE)
        fields = {field["path"]: field for field in form["fields"]}
        assert [one["value"] for one in fields["status"]["permitted"]] == ["draft", "filed"]
        place = "approvals.manual_shoe_location"
        assert fields[place]["notes"] == ["a manual shoe must stand at an approved location"]
        draft = await owner.post(f"{TABLE}/check", {"submission": filed(form)})
        assert (dict(draft["warnings"])[place]["clauses"], place in dict(draft["problems"])) == (["MAC-22"], False)
        final = {**filed(form), "status": "filed"}
        refused = await owner.post(f"{TABLE}/check", {"submission": final})
        assert dict(refused["problems"])[place]["value"] == "illustrative"
        asked = {"kind": "submission", "subject": "ma-criss-cross-1", "reason": "filed today"}
        with pytest.raises(BadInput, match="approved location"):
            await owner.post("/api/proposals", {**asked, "details": {"submission": json.dumps(final)}})
        final["approvals"] = {"manual_shoe_location": "MGC 2026/17"}
        assert (await owner.post(f"{TABLE}/check", {"submission": final}))["ok"]

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
