"""Nobody alone: one person opens no rigged table, takes no jackpot, gives no money and no role."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from pathlib import Path
from typing import Any, Final

import pytest

from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.server.accounts.account import Corrected
from crossfelt.server.accounts.accounts import DAY_CENTS, START_CENTS
from crossfelt.server.audit.house import add_up
from crossfelt.server.dual_control.rule import FILL_CENTS
from server.core.test_physical_table import DealerAtDesk, live_table
from server.served import Served, open_by_two, owner_of, play_round, refused_with, run, staff_of

BOOK: Final = "nj-criss-cross"
METER: Final = f"{BOOK}/bonus_spin"
RIGGED: Final[dict[str, Any]] = {"wagers": {"bonus_spin": {"offered": True, "weights": [1, *[0] * 11]}}}
"""Every spin stops at the jackpot."""


async def propose(client: Client, kind: str, subject: str, **details: str | int) -> int:
    asked = {"kind": kind, "subject": subject, "details": details, "reason": "filed 12 May"}
    number: int = (await client.post("/api/proposals", asked))["number"]
    return number


async def approve(client: Client, number: int) -> Any:
    return await client.post(f"/api/proposals/{number}/approval", {})


async def meter_of(client: Client, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(it for it in await client.get("/api/floor/meters") if it["meter"] == name)
    return found


def test_one_person_opens_no_public_table_with_rules_of_their_own(tmp_path: Path) -> None:
    """By a new table, on the shared link, and by a change of rules: each is stopped, and the first raises an alarm."""

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        fay, finn = [await staff_of(served, owner, name, "floor") for name in ("Fay", "Finn")]
        with refused_with("floor.two_people"):
            await fay.open_table(BOOK, id="lucky-7", public=True, pace="instant", submission=RIGGED)
        with refused_with("floor.two_people"):
            await fay.open_table(BOOK, id="lucky-7", public=True, link=BOOK)
        assert "lucky-7" not in served.server.pit.settings
        assert any("fay tried alone" in alarm["what"] for alarm in await finn.get("/api/floor/alarms"))
        with pytest.raises(BadInput, match="same odds and contributions, and nj-criss-cross-1 has others"):
            await propose(fay, "opening", "lucky-7", rulebook=BOOK, submission=json.dumps(RIGGED), link=BOOK)
        number = await propose(fay, "opening", "lucky-7", rulebook=BOOK, submission=json.dumps(RIGGED))
        with refused_with("approval.same_person"):
            await approve(fay, number)
        assert "lucky-7" not in served.server.pit.settings
        told = [it["what"] for it in await finn.get("/api/floor/alarms") if it["kind"] == "proposal"]
        assert told == [
            f"fay tried to approve proposal {number}, and must not: the proposal or its subject is their own."
        ]
        [waits] = await finn.get("/api/proposals")
        assert "weights" in waits["details"]["changes"], "the second person reads what differs from the default"
        await approve(finn, number)
        assert served.server.pit.find("lucky-7").meters.streams == ("meter/lucky-7/bonus_spin",)
        await open_by_two(fay, finn, BOOK, "pit-2", link=BOOK)
        with pytest.raises(BadInput, match="same odds and contributions"):
            await propose(fay, "submission", "pit-2", submission=json.dumps(RIGGED))
        assert (await meter_of(finn, METER))["tables"] == ["nj-criss-cross-1", "pit-2"]

    run(tmp_path, story)


def test_a_private_table_with_rigged_rules_pays_nothing_into_an_account(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        name = await ann.open_table(BOOK, pace="instant", submission=RIGGED)
        async with ann.table(name) as table:
            assert (await table.give("take_seat", seat=1, chips_cents=50_000_00)).accepted
            while not served.server.pit.meters.seen[f"meter/{name}/bonus_spin"].hits:
                await play_round(table, 1, bonus_spin=500)
            assert (await table.give("leave_seat", seat=1)).accepted
        assert (await served.server.accounts.account("ann")).balance_cents == START_CENTS
        assert (await add_up(served.server.store)).findings == []

    run(tmp_path, story)


def test_a_lesson_pays_nothing_into_an_account(tmp_path: Path) -> None:
    """Its first hand is known before the bet."""

    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        name = (await ann.post("/api/tables", {"rulebook": BOOK, "lesson": True}))["id"]
        async with ann.table(name) as table:
            assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
            assert (await served.server.accounts.account("ann")).balance_cents == START_CENTS
            assert (await table.give("leave_seat", seat=1)).accepted
        assert (await served.server.accounts.account("ann")).balance_cents == START_CENTS
        assert (await add_up(served.server.store)).findings == []

    run(tmp_path, story)


def test_an_owner_who_takes_over_the_second_person_raises_an_alarm_that_only_others_remove(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        fay = await staff_of(served, owner, "Fay", "floor")
        await staff_of(served, owner, "Finn", "floor")
        await owner.post("/api/accounts/finn/password", {})
        with refused_with("floor.two_people"):
            await fay.open_table(BOOK, public=True, submission=RIGGED)

        async def left_by(client: Client) -> list[tuple[str, str]]:
            left = await client.post("/api/floor/alarms/acknowledgement", {"until": served.server.now()})
            return [(it["kind"], it["by"]) for it in left]

        assert await left_by(fay) == [("odds", "fay")]
        await owner.post("/api/accounts/finn/password", {})
        assert await left_by(owner) == [("log_in", "owner")]
        assert await left_by(fay) == []

    run(tmp_path, story)


def test_an_expired_proposal_is_announced_and_successors_keep_the_decisions(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        fay, finn = [await staff_of(served, owner, name, "floor") for name in ("Fay", "Finn")]
        await fay.open_table(BOOK, id="pit-2", public=True, pace="instant")
        first, second = [await propose(fay, "submission", "pit-2", link=BOOK) for _ in range(2)]
        await approve(finn, first)
        for person in (fay, finn):
            found = [it for it in await person.get("/api/floor/alarms") if it["kind"] == "proposal"]
            assert [it["what"] for it in found] == [
                f"Proposal {second} of fay expired before a second person decided it."
            ]
        for table in ("pit-2", "pit-2-r2"):
            decided = await finn.get(f"/api/proposals/decided?subject={table}")
            assert [(it["number"], it["outcome"]) for it in decided] == [(second, "expired"), (first, "approved")]

    run(tmp_path, story)


def test_tables_join_and_leave_a_link_and_a_meter_is_retired_by_two(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        fay, finn = [await staff_of(served, owner, name, "floor") for name in ("Fay", "Finn")]
        await fay.open_table(BOOK, id="pit-2", public=True, pace="instant")
        await fay.open_table(BOOK, id="live-2", public=True, dealt_by="physical")
        assert (await meter_of(finn, METER))["tables"] == ["nj-criss-cross-1"], "one person joined the link"
        with pytest.raises(BadInput, match="physical table has meters of its own"):
            await propose(fay, "submission", "live-2", link=BOOK)
        with pytest.raises(BadInput, match="tables feed this meter"):
            await propose(fay, "meter_retirement", METER)
        await approve(finn, await propose(fay, "submission", "pit-2", link=BOOK))
        assert (await meter_of(finn, METER))["tables"] == ["nj-criss-cross-1", "pit-2-r2"]
        with pytest.raises(BadInput, match="no such meter"):
            await propose(fay, "meter_retirement", "pit-2/bonus_spin", to="moon")
        await approve(finn, await propose(fay, "meter_retirement", "pit-2/bonus_spin", to=METER))
        assert (await meter_of(finn, METER))["amount_cents"] == 20_000_00
        assert all(it["meter"] != "pit-2/bonus_spin" for it in await finn.get("/api/floor/meters"))
        with pytest.raises(BadInput, match="retired"):
            await approve(finn, await propose(fay, "submission", "pit-2-r2", link=""))

    run(tmp_path, story)


def test_a_typed_jackpot_waits_for_the_floor_and_moves_no_other_meter(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        _, dealer, name = await live_table(served, BOOK)
        fay = served.floor[0]
        async with dealer.table(name, "dealer") as socket:
            desk = DealerAtDesk(dealer, socket, name, served)
            assert await desk.type("4 Ann 500") is None
            while not any(act["command"]["command"] == "spin_wheel" for act in (await desk.desk())["acts"]):
                if desk.actor.table.step == "open_bets" and not desk.actor.table.seat(4).wagers:
                    assert await desk.type("4 ante 10 spin 5") is None
                await desk.advance()
            act = next(it for it in (await desk.desk())["acts"] if it["command"]["command"] == "spin_wheel")
            cards = f"{desk.cards(2)} " if any(it["field"] == "cards" for it in act["needs"]) else ""
            refused = await desk.type(f"{cards}jackpot", act["id"])
            assert refused is not None
            assert refused["code"] == "floor.two_people", "the dealer alone has taken the jackpot"
            command = (await desk.line(f"{cards}jackpot", act["id"]))["command"]
            waits = await dealer.post(f"/api/tables/{name}/desk/award", {"command": command})
            assert (waits["kind"], waits["by"]) == ("award", "dana")
            assert "claims the Bonus Spin jackpot; the meter stands at $10,000" in waits["details"]["follows"]
            assert (await desk.type("4 buy 100") or {})["code"] == "table.stopped"
            await approve(fay, waits["number"])
            assert (await meter_of(fay, f"{name}/bonus_spin"))["hits"] == 1
            assert (await meter_of(fay, METER))["hits"] == 0

    run(tmp_path, story)


def test_money_above_a_limit_and_roles_take_two_people(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        fay, finn = [await staff_of(served, owner, name, "floor") for name in ("Fay", "Finn")]
        ann = await served.guest("Ann")
        await ann.post("/api/me/deposits", {"cents": DAY_CENTS - 1_00})
        with refused_with("account.day_limit"):
            await ann.post("/api/me/deposits", {"cents": 2_00})
        with refused_with("floor.two_people"):
            await fay.post("/api/accounts/Ann/deposits", {"cents": 2_00})
        with refused_with("approval.interest"):
            await fay.post("/api/accounts/fay/deposits", {"cents": 2_00})
        number = await propose(fay, "deposit", "account/ann", cents=5_000_00)
        await approve(finn, number)
        with refused_with("floor.two_people"):
            await hire(owner)
        async with fay.table("nj-criss-cross-1", "floor") as floor:
            over = {"command": "record_fill", "cents": FILL_CENTS + 1}
            answer = await floor.ask(over)
            assert answer.problem is not None
            assert answer.problem["code"] == "floor.two_people"
            number = await propose(fay, "fill", "nj-criss-cross-1", command=json.dumps(over))
            await approve(finn, number)
        number = await propose(fay, "correction", "account/ann", cents=-25_00, table="nj-criss-cross-1", round=4)
        await approve(finn, number)
        rows = await served.server.store.rows("account/ann")
        corrected = next(
            event
            for row in rows[1:]
            for event in served.server.accounts.projection.events(row)
            if isinstance(event, Corrected)
        )
        people = (corrected.proposed_by, corrected.approved_by, corrected.table, corrected.round)
        assert people == ("fay", "finn", "nj-criss-cross-1", 4)
        assert corrected.after_cents - corrected.before_cents == corrected.cents == -25_00
        assert (await add_up(served.server.store)).findings == []

    run(tmp_path, story)


async def hire(owner: Client) -> None:
    await owner.post("/api/staff", {"name": "Flo"})
    await owner.put("/api/accounts/Flo/roles", {"roles": ["floor"]})


@pytest.mark.parametrize("roles", [["auditor", "floor"], ["owner", "auditor"], ["owner", "player"]])
def test_roles_that_go_badly_together_are_refused(roles: list[str], tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        await owner.post("/api/staff", {"name": "Flo"})
        with refused_with("account.roles"):
            await owner.put("/api/accounts/Flo/roles", {"roles": roles})

    run(tmp_path, story)


def test_two_people_reverse_a_paid_round_at_the_seat_and_through_the_account(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        fay, finn = [await staff_of(served, owner, name, "floor") for name in ("Fay", "Finn")]
        await fay.open_table(BOOK, id="pit-2", public=True, pace="instant")
        ann = await served.guest("Ann")
        actor = served.server.pit.find("pit-2")
        async with ann.table("pit-2") as table:
            assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
            while len(nets := {it.round: it.nets[1] for it in actor.memory.rounds if it.nets[1]}) < 2:
                await play_round(table, 1)
            rounds = list(nets)
            held = actor.table.balances["chips:1"]
            number = await propose(fay, "reversal", "pit-2", round=rounds[0])
            assert actor.table.balances["chips:1"] == held, "one person has reversed a round"
            await approve(finn, number)
            assert actor.table.balances["chips:1"] == held - nets[rounds[0]]
            with pytest.raises(BadInput, match="has reversed this round"):
                await propose(fay, "reversal", "pit-2", round=rounds[0])
            assert (await table.give("leave_seat", seat=1)).accepted
        before = (await served.server.accounts.account("ann")).balance_cents
        await approve(finn, await propose(fay, "reversal", "pit-2", round=rounds[1]))
        assert (await served.server.accounts.account("ann")).balance_cents == before - nets[rounds[1]]
        assert (await add_up(served.server.store)).findings == []
        page = await ask_page(owner, f"/api/tables/pit-2/rounds/{rounds[1]}/dispute")
        assert "proposed by fay" in page
        assert "approved by finn" in page

    run(tmp_path, story)


async def ask_page(client: Client, path: str) -> str:
    request = urllib.request.Request(client.address + path, headers={"Authorization": f"Bearer {client.token}"})
    return await asyncio.to_thread(lambda: urllib.request.urlopen(request).read().decode())
