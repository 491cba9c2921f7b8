"""Proposals and their approval: meters, submissions, accounts, rounds."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.journal.events import Withheld
from server.served import Served, open_by_two, owner_of, refused_with, run, staff_of
from server.submission_drafts import change_rules


def test_a_meter_is_changed_by_two_people_and_never_by_one(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        bob = await staff_of(served, owner, "Bob", "floor")
        change = {"kind": "correction", "subject": "nj-criss-cross/bonus_spin", "details": {"micros": 5_000_000}}
        with refused_with("http.400"):
            await ann.post("/api/proposals", change)
        proposal = await ann.post("/api/proposals", {**change, "reason": "the sign was wrong"})
        with refused_with("approval.same_person"):
            await ann.post(f"/api/proposals/{proposal['number']}/approval", {})
        before = _amount(await bob.get("/api/meters"))
        await bob.post(f"/api/proposals/{proposal['number']}/approval", {})
        assert _amount(await bob.get("/api/meters")) == before + 5
        with refused_with("approval.unknown"):
            await bob.post(f"/api/proposals/{proposal['number']}/approval", {})
        noted = [note["event"]["event"] for note in await owner.get("/api/audit")]
        assert noted.count("proposed") == noted.count("approved") == 2, "Bob was hired by two people too"
        with refused_with("policy.role"):
            await (await served.guest("Eve")).post("/api/tables", {"rulebook": "nj-pai-gow", "public": True})
        withheld = [note["event"] for note in await owner.get("/api/audit") if note["event"]["event"] == "withheld"]
        assert {(note["by"], note["act"], note["why"]) for note in withheld} == {
            ("ann", f"approve proposal {proposal['number']}", "approval.same_person"),
            ("eve", "open a public table", "policy.role"),
        }

    run(tmp_path, story)


def test_two_meter_changes_approved_at_once_both_take_effect(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        change = {"kind": "meter_change", "subject": "nj-criss-cross/bonus_spin", "reason": "filed 12 May"}
        wanted = {"reset_cents": 12_000_00, "limit_cents": 9_000_000_00}
        waiting = [
            await ann.post("/api/proposals", {**change, "details": {name: cents}}) for name, cents in wanted.items()
        ]
        await asyncio.gather(*(owner.post(f"/api/proposals/{it['number']}/approval", {}) for it in waiting))
        told = await owner.get("/api/floor/meters")
        parameters = next(it["parameters"] for it in told if it["meter"] == change["subject"])
        assert {name: parameters[name] for name in wanted} == wanted

    run(tmp_path, story)


def test_the_limit_of_a_meter_allows_what_a_round_can_add(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        change = {"kind": "meter_change", "subject": "nj-criss-cross/bonus_spin", "reason": "filed 12 May"}
        for cents in (-5, 1, 209, 10**23):
            with refused_with("meter.unreasonable"):
                await owner.post("/api/proposals", {**change, "details": {"unreasonable_cents": cents}})
        believed = {"unreasonable_cents": 210}  # six seats with $5 each, of which 7 % go to the meter
        number = (await owner.post("/api/proposals", {**change, "details": believed}))["number"]
        ann = await staff_of(served, owner, "Ann", "floor")
        await ann.post(f"/api/proposals/{number}/approval", {})
        faster = {"meters": {"bonus_spin": {"rate_per_million": 80_000}}}
        asked = {"kind": "submission", "subject": "nj-criss-cross-1", "reason": "filed 13 May"}
        assert await owner.post(
            "/api/proposals", {**asked, "details": {"submission": json.dumps(faster), "link": ""}}
        ), "its own meter"

    run(tmp_path, story)


DOLLAR: Final = {"wagers": {"bonus_spin": {"paytable": "5"}}}
"""A submission under which six seats add 42 cents to the meter and not 210."""
SPIN: Final = {"kind": "meter_change", "subject": "nj-criss-cross/bonus_spin", "reason": "filed 12 May"}


def test_the_limit_of_a_meter_allows_what_a_round_can_add_under_approved_rules(tmp_path: Path) -> None:
    """Without this check the table would stop as soon as the new rules are in force."""

    async def story(served: Served) -> None:
        owner, paul = await owner_of(served), await served.guest("Paul")
        assert await change_rules(served.server.pit, "nj-criss-cross-1", DOLLAR)
        async with paul.table("nj-criss-cross-1-r2") as table:
            assert (await table.give("take_seat", seat=1, chips_cents=100_00)).accepted
            assert (await table.give("place_wagers", seat=1, wagers={"ante_across": 500, "ante_down": 500})).accepted
            assert not await change_rules(served.server.pit, "nj-criss-cross-1-r2", {}), "there is an open bet"
            with refused_with("meter.unreasonable"):
                await owner.post("/api/proposals", {**SPIN, "details": {"unreasonable_cents": 209}})
            assert await owner.post("/api/proposals", {**SPIN, "details": {"unreasonable_cents": 210}})

    run(tmp_path, story)


def test_a_table_whose_round_could_exceed_the_limit_of_a_meter_is_refused(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, paul = await owner_of(served), await served.guest("Paul")
        ann = await staff_of(served, owner, "Ann", "floor")
        assert await change_rules(served.server.pit, "nj-criss-cross-1", DOLLAR)
        number = (await owner.post("/api/proposals", {**SPIN, "details": {"unreasonable_cents": 42}}))["number"]
        await ann.post(f"/api/proposals/{number}/approval", {})
        why = r"bonus_spin: one round here can add more than the meter accepts: 210 \(allowed: at most 42\)"
        with pytest.raises(BadInput, match=why):
            await open_by_two(ann, owner, "nj-criss-cross", "second", link="nj-criss-cross")
        await open_by_two(ann, owner, "nj-criss-cross", "second", DOLLAR, link="nj-criss-cross")
        assert await paul.open_table("nj-criss-cross"), "a private table has its own meter"

    run(tmp_path, story)


def _amount(meters: list[dict[str, Any]]) -> int:
    return next(int(meter["amount_cents"]) for meter in meters if meter["meter"] == "nj-criss-cross/bonus_spin")


def test_another_submission_opens_a_new_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        submission = json.dumps({"wagers": {"ante": {"min_cents": 1000}}})
        proposal = await ann.post(
            "/api/proposals",
            {
                "kind": "submission",
                "subject": "ma-criss-cross-1",
                "details": {"submission": submission},
                "reason": "a higher minimum",
            },
        )
        told = await owner.post(f"/api/proposals/{proposal['number']}/approval", {})
        assert told == {"table": "ma-criss-cross-1-r2", "in_force": True}
        limits = {table["id"]: table["limits"] for table in await owner.lobby()}
        assert limits["ma-criss-cross-1-r2"]["ante"]["min"] == 1000
        assert "ma-criss-cross-1" not in limits

    run(tmp_path, story)


def test_a_person_who_loses_the_role_during_the_computation_cannot_propose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")

        async def dismissed(*_: object) -> tuple[()]:
            await owner.put("/api/accounts/ann/roles", {"roles": ["player"]})
            return ()

        monkeypatch.setattr(served.server.studies, "compare", dismissed)
        asked = {"kind": "submission", "subject": "ma-criss-cross-1", "reason": "a higher minimum"}
        with refused_with("policy.role"):
            changed = json.dumps({"wagers": {"ante": {"min_cents": 1000}}})
            await ann.post("/api/proposals", {**asked, "details": {"submission": changed}})
        assert await owner.get("/api/proposals") == []

    run(tmp_path, story)


def test_a_person_cannot_propose_or_approve_a_correction_of_their_own_account(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann, bob = [await staff_of(served, owner, name, "floor") for name in ("Ann", "Bob")]
        correction = {"kind": "correction", "subject": "account/ANN", "details": {"cents": 500}, "reason": "short paid"}
        with refused_with("approval.interest"):
            await ann.post("/api/proposals", correction)
        approval = f"/api/proposals/{(await owner.post('/api/proposals', correction))['number']}/approval"
        with refused_with("approval.interest"):
            await ann.post(approval, {})
        noted = [event for _, event in await served.server.journal.events() if isinstance(event, Withheld)]
        assert [(it.by, it.act) for it in noted] == [("ann", "propose a correction"), ("ann", "approve proposal 2")]
        assert await bob.post(approval, {}) == {"balance_cents": 500}

    run(tmp_path, story)


def test_proposals_about_a_private_table_are_visible_to_those_who_see_the_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "player", "floor")
        flo = await staff_of(served, owner, "Flo", "floor")
        ada = await staff_of(served, owner, "Ada", "auditor")
        private, open_to_all = await ann.open_table("nj-criss-cross", pace="instant"), "nj-criss-cross-1"
        owning = Identity(account="owner", name="owner", roles=("owner",))
        propose = partial(served.server.dual_control._record, owning, "submission", details={}, reason="a look")
        await propose(subject=private)
        await propose(subject=private)
        await propose(subject=open_to_all)

        async def listed(client: Client) -> list[int]:
            return [proposal["number"] for proposal in await client.get("/api/proposals")]

        assert [await listed(client) for client in (owner, ann, ada, flo)] == [[2, 3, 4], [2, 3, 4], [2, 3, 4], [4]]
        for asking in (flo.delete("/api/proposals/2"), flo.post("/api/proposals/2/approval", {})):
            with refused_with("approval.unknown"):
                await asking
        await ann.delete("/api/proposals/2")
        await flo.delete("/api/proposals/4")
        await served.server.pit.retire(private, who="server")
        assert [await listed(client) for client in (owner, ann, ada, flo)] == [[], [], [], []], "its table has closed"

    run(tmp_path, story)


def test_a_proposal_that_could_not_be_carried_out_is_refused(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        await served.guest("Ann")
        correction = {"kind": "correction", "subject": "account/ann", "details": {"cents": 500}, "reason": "short paid"}
        nested, half = {"submission": "[" * 100_000}, {"submission": r'{"operator": "\ud800"}'}
        for changed, why in (
            ({"subject": "account/nobody"}, "no such account"),
            ({"details": {"cents": 0}}, "not a valid amount"),
            ({"details": {"cents": -1_000_01}}, "more than the account holds"),
            ({"reason": "  "}, "reason: "),
            ({"kind": "submission", "subject": "ma-criss-cross-1", "details": nested}, "not JSON"),
            ({"kind": "submission", "subject": "ma-criss-cross-1", "details": half}, "not JSON"),
        ):
            with pytest.raises(BadInput, match=why):
                await owner.post("/api/proposals", {**correction, **changed})
        assert await owner.get("/api/proposals") == []
        assert (await owner.post("/api/proposals", correction))["number"] == 1

    run(tmp_path, story)


def test_the_floor_sees_the_consequences_at_this_point_of_the_round(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, guest = await owner_of(served), await served.guest("Paul")
        name = await guest.open_table("nj-criss-cross", pace="practice")

        async def follows() -> dict[str, str]:
            told = await owner.get(f"/api/tables/{name}/irregularities")
            return {f"{mishap['kind']}.{mishap['case']}": mishap["follows"] for mishap in told}

        before = await follows()
        async with guest.table(name) as table:
            await table.give("take_seat", seat=2, chips_cents=500_00)
            await table.give("place_wagers", seat=2, wagers={"ante_across": 500, "ante_down": 500})
            await table.ready()
            await table.until(lambda seen: seen.view["step"] == "decide_across")
            now = await follows()
        changed = {kind for kind, told in now.items() if told != before[kind]}
        assert now["community_exposed.any"] == "The floor decides whether the round continues or the round is void"
        assert now["player_leaves.any"] == "The floor is notified, and the round continues"
        assert {"community_exposed.any", "player_leaves.any"} <= changed < set(now)

    run(tmp_path, story)
