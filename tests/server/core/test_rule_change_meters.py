"""A table's own meter, when another submission or two people change its parameters."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.progressive.events import ParametersChanged
from limits import WAIT_SECONDS
from server.served import Served, owner_of, pit_of, play_round, run, staff_of
from server.submission_drafts import change_rules

OWN = "nj-criss-cross-1"
"""A table, and the link of the meter that it shares with its successors."""


async def change_meter(ann: Client, owner: Client, table: str, link: str = "", **meter: int) -> str:
    """Approve a submission with other parameters of the meter; return the table that opens with it on a link."""
    details = {"submission": json.dumps({"meters": {"bonus_spin": meter}}), "link": link}
    asked = {"kind": "submission", "subject": table, "details": details, "reason": "filed 12 May"}
    number = (await ann.post("/api/proposals", asked))["number"]
    told = await owner.post(f"/api/proposals/{number}/approval", {})
    assert told["in_force"]
    return str(told["table"])


async def own_meter(owner: Client) -> dict[str, Any]:
    told = await owner.get("/api/floor/meters")
    return next(meter for meter in told if meter["meter"] == f"{OWN}/bonus_spin")


def test_a_tables_own_meter_follows_its_submission_and_keeps_its_pool(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        guest = await served.guest("Paul")
        name = OWN
        for rate in (80_000, 90_000):
            name = await change_meter(
                ann, owner, name, rate_per_million=rate, reset_cents=rate, initial_cents=20_000_00
            )
            async with guest.table(name) as table:
                await table.give("take_seat", seat=1, chips_cents=100_00)
                async with asyncio.timeout(WAIT_SECONDS):
                    await play_round(table, 1, bonus_spin=500)
            assert (await own_meter(owner))["parameters"]["reset_cents"] == rate
        assert served.faults == 0
        assert (await own_meter(owner))["pool"] == "$20,000.85", "the pool is what both submissions have made of it"
        changed = await served.server.pit.meters.events(served.server.store, f"meter/{OWN}/bonus_spin")
        [two] = [event for event in changed if isinstance(event, ParametersChanged)]
        assert (two.proposed_by, two.by, two.before.rate_per_million) == ("ann", "owner", 80_000)

    run(tmp_path, story)


def test_parameters_that_two_people_changed_outlive_another_submission(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        name = await change_meter(ann, owner, OWN, reset_cents=20_000_00)
        change = {"kind": "meter_change", "subject": f"{OWN}/bonus_spin", "reason": "filed 13 May"}
        number = (await ann.post("/api/proposals", {**change, "details": {"reset_cents": 25_000_00}}))["number"]
        await owner.post(f"/api/proposals/{number}/approval", {})
        name = await change_meter(ann, owner, name, reset_cents=20_000_00, limit_cents=90_000_00)
        parameters = (await own_meter(owner))["parameters"]
        assert (parameters["reset_cents"], parameters["limit_cents"]) == (25_000_00, 90_000_00)
        with pytest.raises(BadInput, match="the limit is below"):
            await change_meter(ann, owner, name, reset_cents=5_000_00, initial_cents=5_000_00, limit_cents=9_000_00)

    run(tmp_path, story)


def test_a_meter_without_tables_can_still_be_corrected(tmp_path: Path) -> None:
    async def left(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        name = await change_meter(ann, owner, OWN, reset_cents=5_000_00)
        await change_meter(ann, owner, name, "nj-criss-cross", reset_cents=10_000_00)
        assert (await own_meter(owner))["tables"] == []
        assert OWN not in str(await owner.get("/api/meters")), "nobody can win it"
        takes_out = {"kind": "correction", "subject": f"{OWN}/bonus_spin", "reason": "moved"}
        number = (await ann.post("/api/proposals", {**takes_out, "details": {"micros": -1_000_000}}))["number"]
        await owner.post(f"/api/proposals/{number}/approval", {})

    async def later(served: Served) -> None:
        owner = await Client(served.address).log_in("owner", "a long enough password")
        assert (await own_meter(owner))["pool"] == "$9,999.99"

    run(tmp_path, left)
    run(tmp_path, later)


def test_the_meter_of_a_closed_table_is_still_listed(tmp_path: Path) -> None:
    """It is listed at once and after the next start, because it may still hold money."""

    async def left(served: Served) -> None:
        owner = await owner_of(served)
        name = await change_meter(await staff_of(served, owner, "Ann", "floor"), owner, OWN, reset_cents=20_000_00)
        await owner.delete(f"/api/tables/{name}")
        assert (await own_meter(owner))["tables"] == []

    async def later(served: Served) -> None:
        owner = await Client(served.address).log_in("owner", "a long enough password")
        assert (await own_meter(owner))["pool"] == "$20,000.00"

    run(tmp_path, left)
    run(tmp_path, later)


def test_a_limit_that_the_last_round_has_passed_does_not_keep_a_table_closed(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            await pit.open()
            for table, cents in ((OWN, 20_000_00), (f"{OWN}-r2", 9_000_00)):
                meter = {"initial_cents": cents, "reset_cents": cents, "limit_cents": cents}
                assert await change_rules(pit, table, {"meters": {"bonus_spin": meter}}, link="")
            meter_now = pit.meters.seen[f"meter/{OWN}/bonus_spin"]
            assert (meter_now.parameters.reset_cents, meter_now.parameters.limit_cents) == (9_000_00, 20_000_00)

    asyncio.run(story())
