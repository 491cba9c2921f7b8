"""The minima of a meter hold on every way to its parameters: a proposal, a new table, another submission."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from crossfelt.client import Client
from crossfelt.errors import BadInput
from server.served import Served, open_by_two, owner_of, run, staff_of

BOOK: Final = "md-criss-cross"
DOLLAR: Final[dict[str, Any]] = {"wagers": {"bonus_spin": {"paytable": "B"}}}
"""Pay table B: its meter must start and reset at $1,000; the default pay table D needs $5,000."""
XTREME: Final[dict[str, Any]] = {"wagers": {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True}}}
REQUIRED: Final = "reset_cents: the meter of pay table D must start and reset at $5,000 or more"


async def change(by: Client, approver: Client, subject: str, **details: int) -> None:
    asked = {"kind": "meter_change", "subject": subject, "details": details, "reason": "filed 12 May"}
    number = (await by.post("/api/proposals", asked))["number"]
    await approver.post(f"/api/proposals/{number}/approval", {})


async def reset_of(client: Client, subject: str) -> int:
    listed = await client.get("/api/floor/meters")
    cents: int = next(it["parameters"]["reset_cents"] for it in listed if it["meter"] == subject)
    return cents


@pytest.mark.clause("MDC-46")
@pytest.mark.parametrize("cents", [-1, 0, 499_999])
def test_two_people_cannot_take_the_reset_amount_below_what_the_document_demands(cents: int, tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, meter = await owner_of(served), f"{BOOK}/bonus_spin"
        ann = await staff_of(served, owner, "Ann", "floor")
        with pytest.raises(BadInput) as refused:
            await change(ann, owner, meter, reset_cents=cents)
        assert [str(problem) for problem in refused.value.problems] == [
            f"{REQUIRED}: {cents} (allowed: at least 500,000) [MDC-46]"
        ]
        assert (await owner.get("/api/proposals")) == []
        assert await reset_of(owner, meter) == 10_000_00
        await change(ann, owner, meter, reset_cents=5_000_00)
        assert await reset_of(owner, meter) == 5_000_00

    run(tmp_path, story)


@pytest.mark.clause("PGP-27")
def test_two_people_cannot_let_a_straight_flush_win_nothing(tmp_path: Path) -> None:
    """The pai gow meter keeps $1,000 or more; the house pays in what a higher reset amount lacks (AMB-23)."""

    async def story(served: Served) -> None:
        owner, meter = await owner_of(served), "nj-pai-gow/pai_gow"
        ann = await staff_of(served, owner, "Ann", "floor")
        for cents in (0, 999_99):
            with pytest.raises(BadInput, match=rf"reset at \$1,000 or more.*: {cents} .*100,000\) \[PGP-27, AMB-23\]"):
                await change(ann, owner, meter, reset_cents=cents)
        await change(ann, owner, meter, reset_cents=30_000_00)
        listed = await owner.get("/api/floor/meters")
        assert [it["pool"] for it in listed if it["meter"] == meter] == ["$30,000.00"]

    run(tmp_path, story)


@pytest.mark.clause("MDC-50")
def test_the_xtreme_meter_of_a_running_table_keeps_its_least_reset_amount(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        await owner.delete(f"/api/tables/{BOOK}-1")
        await open_by_two(ann, owner, BOOK, "wheels", XTREME, link=BOOK)
        with pytest.raises(BadInput, match=r"reset_cents: the Xtreme meter must reset .* 99999 .*MDC-50"):
            await change(ann, owner, f"{BOOK}/xtreme", reset_cents=999_99)
        await change(ann, owner, f"{BOOK}/xtreme", reset_cents=1_000_00)

    run(tmp_path, story)


@pytest.mark.clause("MDC-46")
def test_a_table_is_not_linked_to_a_meter_whose_reset_amount_its_pay_table_forbids(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        with pytest.raises(BadInput, match="pay table D"):
            await change(ann, owner, f"{BOOK}/bonus_spin", reset_cents=2_000_00)
        await owner.delete(f"/api/tables/{BOOK}-1")
        await open_by_two(ann, owner, BOOK, "dollar", DOLLAR, link=BOOK)
        await change(ann, owner, f"{BOOK}/bonus_spin", reset_cents=2_000_00)
        with pytest.raises(BadInput, match=rf"{REQUIRED[:40]}.*200000 \(allowed: at least 500,000\) \[MDC-46\]"):
            await open_by_two(ann, owner, BOOK, "second", link=BOOK)
        assert "second" not in served.server.pit.settings

    run(tmp_path, story)


@pytest.mark.clause("MDC-46")
def test_another_submission_does_not_keep_an_amount_that_its_pay_table_forbids(tmp_path: Path) -> None:
    """Two people have changed the meter under pay table B; pay table D would take the amount over."""

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")
        own = {"meters": {"bonus_spin": {"reset_cents": 6_000_00}}}
        await open_by_two(ann, owner, BOOK, "own", {**DOLLAR, **own})
        await change(ann, owner, "own/bonus_spin", reset_cents=2_000_00)
        asked = {"kind": "submission", "subject": "own", "reason": "filed 13 May"}
        with pytest.raises(BadInput, match="pay table D must start and reset"):
            await ann.post("/api/proposals", {**asked, "details": {"submission": json.dumps(own)}})
        raised = {"meters": {"bonus_spin": {"reset_cents": 7_000_00}}}
        assert await ann.post("/api/proposals", {**asked, "details": {"submission": json.dumps(raised)}})

    run(tmp_path, story)


WRONG: Final[list[tuple[str, str, dict[str, Any], str]]] = [
    ("meter_change", "bonus_spin", {"reset_cents": "x"}, "details.reset_cents: not a whole number: 'x' (allowed: an "),
    ("meter_change", "bonus_spin", {"rate_per_million": 0}, "the rate.*: 'rate_per_million' (allowed: reset_cents, "),
    ("meter_change", "bonus_spin", {"reset_cents": 10**30}, "(allowed: an amount in cents, at most 1,000,000,000,000)"),
    ("meter_change", "moon", {"reset_cents": 1}, "subject: no such meter: 'md-criss-cross/moon' (allowed: md-criss-"),
    ("correction", "bonus_spin", {"micros": "x"}, "details.micros: not a whole number: 'x' (allowed: millionths of a "),
    ("correction", "bonus_spin", {"micros": 10**40}, "(allowed: 1 to 99,999,000,000,000,000)"),
]


def test_a_wrong_change_of_a_meter_is_refused_with_field_value_and_what_is_allowed(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        before = await owner.get("/api/floor/meters")
        for kind, meter, details, said in WRONG:
            asked = {"kind": kind, "subject": f"{BOOK}/{meter}", "details": details, "reason": "filed 12 May"}
            with pytest.raises(BadInput, match=re.escape(said).replace(r"\.\*", ".*")):
                await owner.post("/api/proposals", asked)
        assert (await owner.get("/api/proposals"), await owner.get("/api/floor/meters")) == ([], before)

    run(tmp_path, story)
