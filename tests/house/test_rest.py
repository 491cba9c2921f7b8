"""REST of a served house, as a client of the page would use it."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from crossfelt.client import HouseClient
from crossfelt.house.accounts.accounts import START_CENTS
from crossfelt.house.accounts.policy import ROUTES
from crossfelt.house.accounts.sessions import Identity
from crossfelt.house.accounts.throttle import PER_ADDRESS, PER_NAME_AND_ADDRESS
from crossfelt.house.audit.events import TableChanging, Withheld
from crossfelt.house.http.tables import MOST_PRIVATE
from crossfelt.problems import BadInput
from crossfelt.proof.commitment import Commitment, Opening
from crossfelt.proof.commitment import verify as proves
from crossfelt.proof.verify import verify
from crossfelt.rulebooks.loading import rulebook_ids
from house.people import PASSWORD
from house.serving import Served, owner_of, play_round, serving, staff_of


def run(directory: Path, story: Callable[[Served], Awaitable[None]]) -> None:
    async def told() -> None:
        async with serving(directory) as served:
            await story(served)

    asyncio.run(told())


def refused_with(code: str) -> Any:
    return pytest.raises(BadInput, check=lambda bad: bad.problems[0].code == code)


def test_every_rulebook_has_a_table_in_the_lobby(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        stranger = HouseClient(served.address)
        tables = await stranger.lobby()
        assert {table["rulebook"] for table in tables} == {
            "nj-criss-cross",
            "ma-criss-cross",
            "md-criss-cross",
            "nj-double-cross",
            "nj-pai-gow",
        }
        assert (await stranger.get("/api/me"))["name"] is None
        assert {game["rulebook"] for game in await stranger.get("/api/games")} == set(rulebook_ids())
        assert (await stranger.get("/api/games/nj-pai-gow"))["rulebook"] == "nj-pai-gow"
        assert (await stranger.get("/api/clauses/NJC-22"))["citation"] == "N.J.A.C. 13:69F-40.5(c)"
        with refused_with("clause.unknown"):
            await stranger.get("/api/clauses/NJC-999")
        with refused_with("policy.log_in"):
            await stranger.open_table("nj-criss-cross")

    run(tmp_path, story)


def test_what_is_not_there_is_refused_as_everything_else_and_pages_say_so(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        paths = {re.sub(r"\{\w+\}", "1", route.partition(" ")[2]) for route in ROUTES}
        api = {path for path in paths if path.startswith("/api/")}
        nothing = {f"{path}/no/such" for path in api - {"/api/streams/1"}} | {"/api/no-such"}
        wrong = [*(("GET", path, 404) for path in nothing), *(("PATCH", path, 405) for path in api)]
        async with httpx.AsyncClient(base_url=served.address) as client:
            for method, path, status in wrong:
                answer = await client.request(method, path, headers={"Accept": "text/html"})
                assert answer.status_code == status, (method, path)
                assert answer.json()["problems"][0]["code"] == f"http.{status}", (method, path)
            missing = await client.get("/no/such/page")
            assert (missing.status_code, missing.content) == (404, (await client.get("/")).content)
            assert missing.headers["content-type"].startswith("text/html")

    run(tmp_path, story)


def test_the_code_of_a_network_cannot_be_guessed_at_will(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        served.house.code = "c0de"
        assert await HouseClient(served.address).post("/api/guests", {"code": "C0DE"})
        for _ in range(PER_ADDRESS.free):
            with refused_with("door.code"):
                await HouseClient(served.address).post("/api/guests", {"code": "0000"})
        with refused_with("account.throttled"):
            await HouseClient(served.address).post("/api/guests", {"code": "c0de"})

    run(tmp_path, story)


def test_who_is_logged_in_changes_the_password_whoever_guesses(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        names = {"name": "Ann", "password": PASSWORD}
        ann, left_open = HouseClient(served.address), HouseClient(served.address)
        ann.token = (await ann.post("/api/accounts", names))["token"]
        left_open.token = (await left_open.post("/api/session", names))["token"]
        for _ in range(PER_NAME_AND_ADDRESS.free):
            with refused_with("account.credentials"):
                await HouseClient(served.address).post("/api/session", {**names, "password": "a wrong password"})
            with refused_with("account.credentials"):
                await left_open.put("/api/me/password", {"old": "a wrong password", "new": "another password"})
        for asked in (
            HouseClient(served.address).post("/api/session", names),
            left_open.put("/api/me/password", {"old": PASSWORD, "new": "another password"}),
        ):
            with refused_with("account.throttled"):
                await asked
        ann.token = (await ann.put("/api/me/password", {"old": PASSWORD, "new": "another password"}))["token"]
        assert (await ann.get("/api/me"))["name"] == "Ann"

    run(tmp_path, story)


def test_private_tables_are_few_and_nobody_elses(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann, eve = await served.guest("Ann"), await served.guest("Eve")
        name = await ann.open_table("nj-criss-cross", pace="instant")
        with refused_with("table.unknown"):
            await eve.post(f"/api/tables/{name}/bots", {"count": 1})
        for _ in range(MOST_PRIVATE):
            await eve.open_table("nj-criss-cross", pace="instant")
        with refused_with("table.many"):
            await eve.open_table("nj-criss-cross", pace="instant")
        flo = await staff_of(served, await owner_of(served), "Flo", "floor")
        for kind, subject, code in (
            ("void", name, "table.unknown"),
            ("submission", name, "table.unknown"),
            ("meter_change", f"{name}/bonus_spin", "meter.unknown"),
        ):
            with refused_with(code):
                await flo.post("/api/proposals", {"kind": kind, "subject": subject, "reason": "curious"})

    run(tmp_path, story)


def test_bots_come_and_go_for_who_sits_there_and_leave_a_seat(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann, eve = await served.guest("Ann"), await served.guest("Eve")
        owner = await owner_of(served)
        flo = await staff_of(served, owner, "Flo", "floor")
        with refused_with("bots.whose"):  # to a table of one's own nobody else brings anybody
            await owner.post(f"/api/tables/{await ann.open_table('nj-criss-cross')}/bots", {"count": 1})
        bots = "/api/tables/nj-criss-cross-1/bots"
        assert await flo.post(bots, {"count": 1}) == {"seats": [6]}
        with refused_with("bots.whose"):
            await eve.post(bots, {"count": 1})
        with refused_with("bots.whose"):
            await eve.delete(f"{bots}/6")
        async with ann.table("nj-criss-cross-1") as table, eve.table("nj-criss-cross-1") as other:
            assert (await table.give("take_seat", seat=1, chips_cents=100_00)).accepted
            asked = [ann.post(bots, {"count": count}) for count in (1, 3, 6)]
            told = [it for it in await asyncio.gather(*asked, return_exceptions=True) if isinstance(it, dict)]
            assert sorted(seat for it in told for seat in it["seats"]) == [3, 4, 5]
            with refused_with("bots.count"):
                await ann.post(bots, {"seat": 2})
            with refused_with("bots.seat"):
                await ann.delete(f"{bots}/2")
            assert (await other.give("take_seat", seat=2, chips_cents=100_00)).accepted

    run(tmp_path, story)


def test_bots_fill_the_table_of_who_sits_at_it_alone(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        name = await ann.open_table("nj-criss-cross", pace="instant", bots=2)
        bots = f"/api/tables/{name}/bots"
        assert await ann.post(bots, {"count": 2}) == {"seats": [4, 3]}
        async with ann.table(name) as table:
            assert (await table.give("take_seat", seat=1, chips_cents=100_00)).accepted
            assert await ann.post(bots, {"count": 6}) == {"seats": [2]}
        other = await ann.open_table("nj-criss-cross", pace="instant")
        assert await ann.post(f"/api/tables/{other}/bots", {"count": 6}) == {"seats": [6, 5, 4, 3, 2]}

    run(tmp_path, story)


def test_private_tables_that_are_asked_for_at_once_are_no_more(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        asked = [ann.open_table("nj-criss-cross", pace="instant") for _ in range(MOST_PRIVATE + 8)]
        told = await asyncio.gather(*asked, return_exceptions=True)
        assert sum(isinstance(it, str) for it in told) == MOST_PRIVATE
        assert {it.problems[0].code for it in told if isinstance(it, BadInput)} == {"table.many"}

    run(tmp_path, story)


def test_proposals_about_a_private_table_are_seen_and_withdrawn_by_those_who_see_the_table(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "player", "floor")
        flo = await staff_of(served, owner, "Flo", "floor")
        ada = await staff_of(served, owner, "Ada", "auditor")
        private, open_to_all = await ann.open_table("nj-criss-cross", pace="instant"), "nj-criss-cross-1"
        owning = Identity(account="owner", name="owner", roles=("owner",))
        propose = partial(served.house.approvals.propose, owning, "submission", details={}, reason="a look")
        await propose(subject=private)
        await propose(subject=private)
        await propose(subject=open_to_all)

        async def listed(client: HouseClient) -> list[int]:
            return [proposal["number"] for proposal in await client.get("/api/proposals")]

        assert [await listed(client) for client in (owner, ann, ada, flo)] == [[1, 2, 3], [1, 2, 3], [1, 2, 3], [3]]
        for asking in (flo.delete("/api/proposals/1"), flo.post("/api/proposals/1/approval", {})):
            with refused_with("approval.unknown"):
                await asking
        await ann.delete("/api/proposals/1")
        await flo.delete("/api/proposals/3")
        await served.house.pit.retire(private, who="house")
        assert [await listed(client) for client in (owner, ann, ada, flo)] == [[2], [], [2], []]

    run(tmp_path, story)


def test_accounts_are_told_page_by_page(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        for name in ("Cy", "Ann", "Bob Lee"):
            await served.guest(name)
        pages = [await owner.get("/api/accounts?limit=3")]
        pages.append(await owner.get(f"/api/accounts?limit=3&after={pages[0][-1]['account']}"))
        told = [[line["account"] for line in page] for page in pages]
        assert told == [["ann", "bob lee", "cy"], ["owner"]]
        assert await owner.get("/api/accounts?after=owner") == []
        assert await owner.get("/api/accounts") == [*pages[0], *pages[1]]

    run(tmp_path, story)


def test_names_of_rulebooks_reach_no_file_of_the_machine(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("id = 'own'")

    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        for path in ("/api/laboratory", "/api/tables", "/api/advice"):
            with refused_with("rulebook.unknown"):
                await guest.post(path, {"rulebook": str(own)})
        with refused_with("rulebook.unknown"):
            await guest.get("/api/games/own.toml")

    run(tmp_path / "house", story)


def test_chips_come_from_the_account_and_go_back_to_it(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        name = await guest.open_table("md-criss-cross", pace="instant")
        async with guest.table(name) as table:
            answer = await table.give("take_seat", seat=1, chips_cents=1_000_01)
            assert answer.problem is not None
            assert answer.problem["code"] == "account.amount"
            assert (await table.give("take_seat", seat=1, chips_cents=600_00)).accepted
            assert (await guest.get("/api/me"))["balance_cents"] == 400_00
            assert (await table.give("buy_chips", seat=1, cents=400_00)).accepted
            await play_round(table, 1)
            await table.until(lambda seen: seen.option("leave_seat"))
            chips = table.view["seats"][0]["chips_cents"]
            assert (await table.give("leave_seat", seat=1)).accepted
            assert (await guest.get("/api/me"))["balance_cents"] == chips

    run(tmp_path, story)


def test_a_typed_line_is_read_as_in_the_terminal(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        name = await guest.open_table("nj-criss-cross", pace="instant")
        async with guest.table(name) as table:
            await table.give("take_seat", seat=2, chips_cents=500_00)
            await table.until(lambda seen: seen.option("place_wagers"))
            meant = await guest.post("/api/type", {"table": name, "text": "ante 10 bonus 5"})
            wagers = {"ante_across": 1000, "ante_down": 1000, "five_card_bonus": 500}
            assert meant == {"command": {"command": "place_wagers", "seat": 2, "wagers": wagers}}
            assert (await guest.post("/api/type", {"table": name, "text": "pays"})) == {"ask": "pays"}
            assert (await guest.post("/api/type", {"table": name, "text": "bet 99x"}))["problem"]["code"]
            stranger = await served.guest("Bob")
            with refused_with("table.unknown"):
                await stranger.post("/api/type", {"table": name, "text": "fold"})
            with refused_with("seat.other"):
                await stranger.post("/api/type", {"table": "nj-criss-cross-1", "text": "fold"})

    run(tmp_path, story)


def test_rounds_are_told_to_each_as_they_saw_them_and_histories_can_be_verified(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        owner = await owner_of(served)
        async with guest.table("nj-pai-gow-1") as table, owner.table("nj-pai-gow-1", "auditor"):
            await table.give("take_seat", seat=1, chips_cents=500_00)
            await play_round(table, 1)
        lines = await guest.get("/api/tables/nj-pai-gow-1/rounds?last=5")
        assert [line["round"] for line in lines] == [1]
        told = await guest.get("/api/tables/nj-pai-gow-1/rounds/1")
        dealt = next(event for event in told["events"] if event["event"] == "cards_dealt")
        assert {seat for seat, _, card in dealt["cards"] if card != "??"} == {1}
        commitment = Commitment(root=told["commitment"]["root"], labels=tuple(told["commitment"]["labels"]))
        openings = [Opening(**{**it, "path": tuple(it["path"])}) for it in told["openings"]]
        assert len(openings) == 15  # seven cards of the player, seven of the dealer, the dice
        assert all(proves(commitment, opening) for opening in openings)
        whole = await owner.get("/api/tables/nj-pai-gow-1/rounds/1")
        dealt = next(event for event in whole["events"] if event["event"] == "cards_dealt")
        assert all(card != "??" for _, _, card in dealt["cards"])
        with refused_with("policy.role"):
            await guest.get("/api/tables/nj-pai-gow-1/history")
        request = urllib.request.Request(
            f"{served.address}/api/tables/nj-pai-gow-1/history", headers={"Authorization": f"Bearer {owner.token}"}
        )
        file = tmp_path / "exported.jsonl"
        file.write_bytes(await asyncio.to_thread(lambda: urllib.request.urlopen(request).read()))
        report = verify(file)
        assert report.fault is None
        assert report.rounds == 1
        assert (await owner.post("/api/audit/verify", {}))["sound"]

    run(tmp_path, story)


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
        assert noted.count("proposed") == 1
        assert noted.count("approved") == 1
        with refused_with("policy.role"):
            await (await served.guest("Eve")).post("/api/tables", {"rulebook": "nj-pai-gow", "public": True})
        withheld = [note["event"] for note in await owner.get("/api/audit") if note["event"]["event"] == "withheld"]
        assert {(note["by"], note["act"], note["why"]) for note in withheld} == {
            ("ann", f"agree to proposal {proposal['number']}", "approval.same_person"),
            ("eve", "open a table of the house", "policy.role"),
        }

    run(tmp_path, story)


def test_no_table_is_called_as_a_rulebook_is(tmp_path: Path) -> None:
    """The meters that tables of the house share are called so: it would feed them, and win of them."""

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        with refused_with("table.id"):
            await owner.open_table("nj-criss-cross", id="nj-criss-cross")
        with refused_with("table.id"):
            await owner.open_table("nj-pai-gow", id="nj-criss-cross", public=True)

    run(tmp_path, story)


def test_two_changes_of_a_meter_that_are_agreed_to_at_once_are_both_in_force(tmp_path: Path) -> None:
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


def test_a_meter_believes_whatever_a_round_can_add(tmp_path: Path) -> None:
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
        assert await owner.post("/api/proposals", {**asked, "details": {"submission": json.dumps(faster)}}), "its own"

    run(tmp_path, story)


DOLLAR: Final = {"wagers": {"bonus_spin": {"paytable": "5"}}}
"""A submission under which six seats add 42 cents to the meter and not 210."""
SPIN: Final = {"kind": "meter_change", "subject": "nj-criss-cross/bonus_spin", "reason": "filed 12 May"}


async def opens_with(served: Served, submission: dict[str, Any]) -> bool:
    """Two people agree to another submission; whether it is in force."""
    pit, name = served.house.pit, "nj-criss-cross-1"
    settings = to_builtins(replace(pit.settings[name], submission=submission, opening=pit.settings[name].opening + 1))
    return await pit.reopening.change(TableChanging(by="Ann and Bob", at=0, table=name, settings=settings))


def test_a_meter_believes_what_a_round_can_add_under_rules_that_wait(tmp_path: Path) -> None:
    """The table stood still as soon as they were in force, though nobody there had done anything wrong."""

    async def story(served: Served) -> None:
        owner, paul = await owner_of(served), await served.guest("Paul")
        assert await opens_with(served, DOLLAR)
        async with paul.table("nj-criss-cross-1") as table:
            assert (await table.give("take_seat", seat=1, chips_cents=100_00)).accepted
            assert (await table.give("place_wagers", seat=1, wagers={"ante_across": 500, "ante_down": 500})).accepted
            assert not await opens_with(served, {}), "a bet lies there"
            with refused_with("meter.unreasonable"):
                await owner.post("/api/proposals", {**SPIN, "details": {"unreasonable_cents": 209}})
            assert await owner.post("/api/proposals", {**SPIN, "details": {"unreasonable_cents": 210}})

    run(tmp_path, story)


def test_no_table_is_opened_whose_round_could_add_more_than_a_meter_believes(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, paul = await owner_of(served), await served.guest("Paul")
        ann = await staff_of(served, owner, "Ann", "floor")
        assert await opens_with(served, DOLLAR)
        number = (await owner.post("/api/proposals", {**SPIN, "details": {"unreasonable_cents": 42}}))["number"]
        await ann.post(f"/api/proposals/{number}/approval", {})
        why = r"bonus_spin: one round here can add more than the meter believes: 210 \(allowed: at most 42\)"
        with pytest.raises(BadInput, match=why):
            await ann.open_table("nj-criss-cross", id="second", public=True)
        assert await ann.open_table("nj-criss-cross", id="second", public=True, submission=DOLLAR)
        assert await paul.open_table("nj-criss-cross"), "its meter is its own"

    run(tmp_path, story)


def _amount(meters: list[dict[str, Any]]) -> int:
    return next(int(meter["amount_cents"]) for meter in meters if meter["meter"] == "nj-criss-cross/bonus_spin")


def test_another_submission_opens_the_table_again(tmp_path: Path) -> None:
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
        assert told == {"opening": 2, "in_force": True}
        listed = next(table for table in await owner.lobby() if table["id"] == "ma-criss-cross-1")
        assert listed["limits"]["ante"]["min"] == 1000

    run(tmp_path, story)


def test_nothing_is_proposed_by_who_loses_the_role_while_its_figures_are_worked_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann = await staff_of(served, owner, "Ann", "floor")

        async def dismissed(*_: object) -> tuple[()]:
            await owner.put("/api/accounts/ann/roles", {"roles": ["player"]})
            return ()

        monkeypatch.setattr(served.house.studies, "compare", dismissed)
        asked = {"kind": "submission", "subject": "ma-criss-cross-1", "reason": "a higher minimum"}
        with refused_with("policy.role"):
            await ann.post("/api/proposals", {**asked, "details": {"submission": "{}"}})
        assert await owner.get("/api/proposals") == []

    run(tmp_path, story)


def test_nobody_has_a_part_in_a_correction_of_their_own_account(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ann, bob = [await staff_of(served, owner, name, "floor") for name in ("Ann", "Bob")]
        correction = {"kind": "correction", "subject": "account/ANN", "details": {"cents": 500}, "reason": "short paid"}
        with refused_with("approval.own_account"):
            await ann.post("/api/proposals", correction)
        approval = f"/api/proposals/{(await owner.post('/api/proposals', correction))['number']}/approval"
        with refused_with("approval.own_account"):
            await ann.post(approval, {})
        noted = [event for _, event in await served.house.journal.events() if isinstance(event, Withheld)]
        assert [(it.by, it.act) for it in noted] == [("ann", "propose a correction"), ("ann", "agree to proposal 1")]
        assert await bob.post(approval, {}) == {"balance_cents": START_CENTS + 500}
        # What somebody could still propose before that was refused.
        ann_herself = await served.house.accounts.who(ann.token)
        assert ann_herself is not None
        old = await served.house.approvals.propose(
            ann_herself, "correction", "account/ann", {"cents": 500}, reason="short paid"
        )
        with refused_with("late"):
            await bob.post(f"/api/proposals/{old.number}/approval", {})
        noted = [event for _, event in await served.house.journal.events() if isinstance(event, Withheld)]
        assert {it.by for it in noted} == {"ann"}, "who would have agreed has done nothing that is not theirs"

    run(tmp_path, story)


def test_nothing_waits_for_a_second_person_that_could_not_be_done(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        await served.guest("Ann")
        correction = {"kind": "correction", "subject": "account/ann", "details": {"cents": 500}, "reason": "short paid"}
        nested, half = {"submission": "[" * 100_000}, {"submission": r'{"operator": "\ud800"}'}
        for changed, why in (
            ({"subject": "account/nobody"}, "no such account"),
            ({"details": {"cents": 0}}, "not an amount"),
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


def test_the_floor_is_told_what_follows_at_this_point_of_the_round(tmp_path: Path) -> None:
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
        assert now["community_exposed.any"] == "The floor decides: the round goes on or the round is void"
        assert now["player_leaves.any"] == "The floor is told, and the round goes on"
        assert {"community_exposed.any", "player_leaves.any"} <= changed < set(now)

    run(tmp_path, story)


def test_a_table_that_was_closed_for_good_keeps_its_name(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        asked = {"rulebook": "ma-criss-cross", "id": "pit-7", "public": True}
        await owner.post("/api/tables", asked)
        await owner.delete("/api/tables/pit-7")
        with pytest.raises(BadInput, match="its history keeps the name"):
            await owner.post("/api/tables", asked)

    run(tmp_path, story)


def test_who_comes_back_to_a_table_that_opened_again_sees_the_new_one(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        pit = served.house.pit
        settings = replace(pit.find("ma-criss-cross-1").settings, opening=2, submission={})
        ann = await served.guest("Ann")
        async with ann.table("ma-criss-cross-1") as table:
            await table.close()
            changing = TableChanging(by="a", at=served.house.now(), table=settings.id, settings=to_builtins(settings))
            await served.house.journal.note(changing)
            assert await pit.reopening.change(changing)
            await table.connect()
            assert table.table["opening"] == 2, "rows of another opening have the same numbers"

    run(tmp_path, story)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Whatever turns a request away, it says why in the same words; an Origin that is none is another site's."""

    async def story(served: Served) -> None:
        def refused(body: bytes, **headers: str) -> tuple[int, dict[str, Any]]:
            request = urllib.request.Request(f"{served.address}/api/guests", body, {"Content-Type": "application/json"})
            for name, value in headers.items():
                request.add_header(name, value)
            with pytest.raises(urllib.error.HTTPError) as error:
                urllib.request.urlopen(request)
            problem: dict[str, Any] = json.loads(error.value.read())["problems"][0]
            return error.value.code, problem

        assert await asyncio.to_thread(refused, b'{"name": 5}') == (
            400,
            {"code": "http.400", "what": "Expected `str | null`, got `int`", "where": "name"},
        )
        for origin in ("http://evil.example", "null", "http://["):
            status, problem = await asyncio.to_thread(partial(refused, b"{}", Origin=origin))
            assert (status, problem["code"]) == (403, "door")
        deep: list[Any] = []
        for _ in range(900):
            deep = [deep]
        guest = await served.guest("Ann")
        for path, asked in (("/api/tables", {"submission": {"a": deep}}), ("/api/advice", {"position": {"a": deep}})):
            with pytest.raises(BadInput, match="nested too deeply"):
                await guest.post(path, {"rulebook": "nj-criss-cross", **asked})
        with pytest.raises(BadInput, match="length <= 64"):
            await (await owner_of(served)).put(f"/api/accounts/{65 * 'a'}/roles", {"roles": ["player"]})
        for address in ("/api/games/%00", "/api/lobby?here=%00"):
            with pytest.raises(BadInput, match="sign of nothing"):
                await HouseClient(served.address).get(address)

    run(tmp_path, story)


SAYS: Final = {
    "host": (b"localhost", b"evil.example"),
    "origin": (b"http://localhost", b"http://evil.example"),
    "authorization": (b"Bearer a", b"Bearer b"),
}
UPGRADE: Final = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
)


@pytest.mark.parametrize("name", SAYS)
def test_a_request_that_says_two_things_at_once_is_not_answered(name: str, tmp_path: Path) -> None:
    """Whichever of them comes first."""

    async def story(served: Served) -> None:
        at = urllib.parse.urlsplit(served.address)

        async def asked(words: bytes, *said: bytes) -> bytes:
            reader, writer = await asyncio.open_connection(at.hostname, at.port)
            others = b"" if name == "host" else b"Host: localhost\r\n"
            said_so = b"".join(b"%b: %b\r\n" % (name.title().encode(), value) for value in said)
            writer.write(words[: (line := words.index(b"\n") + 1)] + others + said_so + words[line:] + b"\r\n")
            answer = await reader.readuntil(b"\r\n\r\n")
            if b"application/json" in answer:
                answer += await reader.readuntil(b"}")
            writer.close()
            return answer

        plain, live = b"GET /api/lobby HTTP/1.1\r\n", b"GET /api/tables/nj-criss-cross-1/live?as=spectator HTTP/1.1\r\n"
        right, other = SAYS[name]
        for both in (right, other), (other, right), (right, right):
            answer = await asked(plain, *both)
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert f"{name} is said more than once" in answer.decode()
            assert b" 101 " not in await asked(live + UPGRADE, *both)
        assert (await asked(plain, right)).startswith(b"HTTP/1.1 200 ")
        assert b" 101 " in await asked(live + UPGRADE, right)

    run(tmp_path, story)


def test_advice_is_worked_out_in_another_process(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        asked = {"rulebook": "nj-criss-cross", "position": {"hole": "As Ah"}}
        assert (await guest.post("/api/advice", asked))["best"] == "3x"
        with pytest.raises(BadInput, match="nonsense"):
            await guest.post("/api/advice", {"rulebook": "nj-criss-cross", "position": {"nonsense": "As"}})

    run(tmp_path, story)
