"""The operator's console: log-in, and the changes that need two people."""

from __future__ import annotations

import asyncio
import threading
import urllib.parse
from typing import Any

import httpx
from playwright.sync_api import Page, Route

from browser.axe import NARROW_AND_WIDE, Faults
from browser.conftest import PASSWORD, NewPage, Served, Shoot
from browser.table_page import TableDriver
from crossfelt.client import Client
from crossfelt.server.http.request import COOKIE
from limits import WAIT_SECONDS
from server.dual_control.test_voids import bet, deal, sit
from server.http.test_dealer import next_act

TABLE = "md-criss-cross-1"
PAGES = {
    "floor": ("/console", ".rows td"),
    "table": ("/console/table/nj-pai-gow-1", ".irregularities summary"),
    "submission": ("/console/submission/nj-pai-gow-1", ".permitted"),
    "proposals": ("/console/proposals", ".console .card"),
    "meters": ("/console/meters", ".meter"),
    "revenue": (f"/console/figures?table={TABLE}", ".console-figures .card"),
    "accounts": ("/console/accounts", ".roles"),
    "day": ("/console/day", ".day-figures .card"),
}
"""The pages of the console, each with its path and a selector that appears when it is ready."""


def approve(page: Page, label: str = "Approve") -> None:
    page.locator(".proposal").get_by_role("button", name=label).click()
    page.locator("dialog").get_by_role("button", name=label).click()


def test_staff_log_in_and_a_player_is_refused(new_page: NewPage, staff: dict[str, str]) -> None:
    assert staff
    page = new_page(path="/console")
    page.get_by_label("Name").fill("Fiona")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector(".stations")
    page.wait_for_selector("text=nj-criss-cross-1")
    page.get_by_text("Log out").click()
    page.wait_for_selector(".entrance")
    page.get_by_label("Name").fill("paula")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector(".refused")
    assert "You are logged in as paula (player)" in page.inner_text("main")
    assert page.locator(".stations, .rows").count() == 0


def test_a_submission_is_corrected_and_approved_and_players_join_the_new_table(
    server: Served, staff_page: NewPage, new_page: NewPage, shoot: Shoot
) -> None:
    page = staff_page("fiona", path=f"/console/submission/{TABLE}")
    page.wait_for_selector(".permitted")
    stated_at_first = page.locator(".jumps li").count()
    ante, reset = (
        page.get_by_role("textbox", name="Smallest ante"),
        page.locator("[data-path='meters.bonus_spin.limit_cents'] input"),
    )
    ante.fill("900")
    page.wait_for_selector("[data-path='wagers.ante.min_cents'] .wrong")
    problem = page.inner_text("[data-path='wagers.ante.min_cents'] .wrong")
    assert "The smallest wager is above the largest: $900. Allowed: at most $500." in problem
    assert "MDC-20" in problem
    page.locator("[data-path='wagers.ante.min_cents'] .wrong .cite").first.click()
    page.wait_for_selector(".proof-clause")
    shoot(page, "console-submission-refused-1280")
    page.keyboard.press("Escape")
    assert page.get_by_role("button", name="Compute returns").is_disabled()
    ante.fill("10")
    page.wait_for_function("count => document.querySelectorAll('.jumps li').length === count", arg=stated_at_first)
    assert reset.count() == 1
    for field in page.locator(".field:has(.wrong)").all():
        field.locator("input, textarea").first.fill("Crossfelt casino")
    page.wait_for_selector(".permitted .done")
    assert page.locator(".changes li").filter(has_text="Smallest ante").inner_text().split() == [
        *("Ante:", "Smallest", "ante", "$5", "$10"),
    ]
    assert page.get_by_role("button", name="Propose").is_disabled()
    page.get_by_role("button", name="Compute returns").click()
    page.wait_for_selector(".returns-table tbody tr")
    assert "98.524 %" in page.inner_text(".returns-table")
    shoot(page, "console-submission-1280")
    page.get_by_role("button", name="Propose").click()
    page.get_by_label("Reason").fill("a higher minimum for the evening")
    page.locator("dialog").get_by_role("button", name="Propose").click()
    page.get_by_text("Open proposals").click()
    page.wait_for_selector(".proposal")
    assert page.locator(".proposal").get_by_role("button", name="Approve").is_disabled()

    player = TableDriver(new_page(path=f"/table/{TABLE}?sit"), server.address)
    player.page.wait_for_selector(".place .area")
    player.wait_for_turn()
    chips = player.seat["chips_cents"]
    player.key("1")
    player.key("Enter")
    assert player.view["step"] == "decide_across"
    number = player.view["round"]

    second = staff_page("frank", path="/console/proposals")
    second.wait_for_selector(".proposal")
    shoot(second, "console-proposals-1280")
    approve(second)
    second.wait_for_selector(f"text={TABLE} closes after this round and {TABLE}-r2 opens")
    assert player.fetch(f"/tables/{TABLE}/game")["choices"]["wagers.ante.min_cents"] == 500
    assert (player.view["round"], player.view["step"]) == (number, "decide_across")
    player.page.keyboard.press("f")
    player.page.wait_for_selector("text=This table has closed; a table with the new rules is open")
    assert player.fetch("/me")["balance_cents"] == chips - 2 * 5_00, (
        "a fold costs two antes; the other chips are returned"
    )
    player.page.reload()
    player.page.get_by_role("link", name="Go to the new table").click()
    player.page.wait_for_selector(".place .area")
    player.wait_for_turn()
    new_page.errors.clear()  # type: ignore[attr-defined]  # the browser logs requests for a closed table
    assert player.page.url.endswith(f"/table/{TABLE}-r2")
    assert player.fetch(f"/tables/{TABLE}-r2/game")["choices"]["wagers.ante.min_cents"] == 1000
    player.key("1")
    player.key("Enter")
    player.play_until_bets({"1": "1", "fold": "f"})
    closed: dict[str, Any] = player.fetch(f"/tables/{TABLE}-r2/rounds?last=1")[0]
    assert set(closed["players"].values()) == {player.seat["player"]}


def deal_until_a_card_can_be_exposed(server: Served, token: str, table: str) -> None:
    """Deal by hand until a community card can be exposed too early."""

    async def deal() -> None:
        async with Client(server.address, token).table(table, "dealer") as seen, asyncio.timeout(WAIT_SECONDS):
            while not any(option.get("fields", {}).get("kind") == "community_exposed" for option in seen.allowed):
                asked = next_act(seen)
                await (seen.ask(asked) if asked else asyncio.sleep(0.01))

    # Playwright keeps an event loop in this thread.
    dealing = threading.Thread(target=lambda: asyncio.run(deal()))
    dealing.start()
    dealing.join()


def test_a_void_needs_two_people(server: Served, staff: dict[str, str], staff_page: NewPage, shoot: Shoot) -> None:
    bearer = {name: {"Authorization": f"Bearer {token}"} for name, token in staff.items()}
    wanted = {"rulebook": "nj-criss-cross", "id": "pit-7", "public": True, "dealt_by": "dealer", "pace": "instant"}
    with httpx.Client(base_url=server.address, timeout=WAIT_SECONDS) as client:
        client.post("/api/tables", json={**wanted, "bots": 2}, headers=bearer["fiona"]).raise_for_status()
        deal_until_a_card_can_be_exposed(server, staff["dan"], "pit-7")
        page = staff_page("fiona", path="/console/table/pit-7")
        page.wait_for_selector("cf-floor-felt .felt, cf-floor-felt .table")
        early = page.get_by_role("button", name="Report: A community card is exposed early")
        early.click()
        dialog = page.inner_text("dialog")
        assert "Consequence: The floor decides whether the round continues or the round is void" in dialog
        assert "AMB-8f" in dialog
        page.locator("dialog .cite").first.click()
        page.locator(".proof-clause").get_by_text("AMB-8f").wait_for()
        page.keyboard.press("Escape")
        page.locator("dialog").get_by_role("button", name="Report").click()
        page.get_by_role("button", name="Void (two people)").click()
        page.get_by_label("Reason").fill("the middle card lay open")
        shoot(page, "console-void-1280")
        page.locator("dialog").get_by_role("button", name="Propose").click()
        page.wait_for_selector("text=waits for a second person")
        hidden = page.evaluate(
            "() => document.querySelector('cf-floor-felt').state.view.seats.flatMap((seat) => seat.cards)"
        )
        assert set(hidden) == {"??"}
        [proposal] = client.get("/api/proposals", headers=bearer["frank"]).json()
        number, round_number = proposal["number"], proposal["details"]["round"]
        alone = client.post(f"/api/proposals/{number}/approval", json={}, headers=bearer["fiona"])
        assert alone.json()["problems"][0]["code"] == "approval.same_person"
        refused = client.post(f"/api/proposals/{number}/approval", json={}, headers=bearer["paula"])
        assert refused.status_code == 403
        second = staff_page("frank", path="/console/proposals")
        second.wait_for_selector(".proposal")
        approve(second)
        second.wait_for_selector("text=Approved. The round is void")
        page.wait_for_function("() => document.querySelector('cf-floor-felt').state.view.voided")
        left = page.evaluate("() => document.querySelector('cf-floor-felt').state.view")
        assert left["round"] == round_number
        assert not any(seat["wagers"] for seat in left["seats"]), "every wager is returned"
        page.wait_for_selector(".waits", state="detached")
        viewer = staff_page("olga", path="/console/table/pit-7")
        viewer.wait_for_selector("text=You are watching as spectator")
        assert viewer.locator("button.pod").count() == 0, "the console has no free seats to press"


def test_a_dealer_calls_the_floor_and_two_people_void_the_round(
    server: Served, staff: dict[str, str], staff_page: NewPage, shoot: Shoot
) -> None:
    bearer = {name: {"Authorization": f"Bearer {token}"} for name, token in staff.items()}
    wanted = {"rulebook": "nj-criss-cross", "id": "pit-8", "public": True, "dealt_by": "dealer", "pace": "instant"}
    with httpx.Client(base_url=server.address, timeout=WAIT_SECONDS) as client:
        client.post("/api/tables", json=wanted, headers=bearer["fiona"]).raise_for_status()
        play_and_deal(server, staff["dan"], "pit-8")
        desk = staff_page("dan", path="/console/deal/pit-8")
        desk.get_by_role("button", name="Report an irregularity").click()
        irregularity = desk.locator(".troubles li", has_text="A player has the wrong number of cards")
        assert (
            "A void round or an early exposed card needs two people. Stop dealing and call the floor"
            in irregularity.inner_text()
        )
        assert irregularity.locator(".buttons").count() == 0
        unconnected = staff_page("fiona", path="/healthz")
        unconnected.route_web_socket("**/*", lambda _: None)
        unconnected.goto(f"{server.address}/console/table/pit-8")
        unconnected.get_by_role("heading", name="State").wait_for()
        assert unconnected.get_by_role("button", name="Report: ").count() == 0, "the felt does not know the round yet"
        viewer = staff_page("ada", path="/console/table/pit-8")
        viewer.get_by_role("heading", name="Irregularities").wait_for()
        assert viewer.get_by_role("button", name="Report: ").count() == 0, "an auditor cannot propose"
        owns = staff_page("owner", path="/console/table/pit-8")
        owns.get_by_role("button", name="Report: A wrong number of cards (player)").wait_for()
        page = staff_page("fiona", path="/console/table/pit-8")
        page.get_by_role("button", name="Report: A wrong number of cards (player)").click()
        assert "The table stops until a second person decides" in page.inner_text("dialog")
        page.get_by_label("Reason").fill("three cards in seat 1")
        shoot(page, "console-report-1280")
        page.locator("dialog").get_by_role("button", name="Propose").click()
        page.wait_for_selector("text=waits for a second person")
        second = staff_page("frank", path="/console/proposals")
        second.wait_for_selector("text=wrong card count (seat 1). The round is void and every wager is returned")
        approve(second)
        second.wait_for_selector("text=Approved. The round is void")
        page.wait_for_function("() => document.querySelector('cf-floor-felt').state.view.voided")


def test_the_floor_proposes_a_wrong_stub_count(server: Served, staff: dict[str, str], staff_page: NewPage) -> None:
    bearer = {name: {"Authorization": f"Bearer {token}"} for name, token in staff.items()}
    wanted = {"rulebook": "nj-criss-cross", "id": "pit-9", "public": True, "dealt_by": "dealer", "pace": "instant"}
    with httpx.Client(base_url=server.address, timeout=WAIT_SECONDS) as client:
        client.post("/api/tables", json=wanted, headers=bearer["fiona"]).raise_for_status()
        page = staff_page("fiona", path="/console/table/pit-9")
        play_and_deal(server, staff["dan"], "pit-9", until="stub")
        page.get_by_role("button", name="Report: The stub count is wrong (not misdealt)").click()
        assert "Place: the stub" in page.inner_text("dialog")
        page.get_by_label("Cards counted").fill("30")
        page.get_by_label("Reason").fill("counted twice")
        page.locator("dialog").get_by_role("button", name="Propose").click()
        page.wait_for_selector("text=waits for a second person")
        proposals = client.get("/api/proposals", headers=bearer["frank"]).json()
        [waiting] = [proposal for proposal in proposals if proposal["subject"] == "pit-9"]
        agreed = client.post(f"/api/proposals/{waiting['number']}/approval", headers=bearer["frank"])
        assert agreed.is_success, agreed.text
        page.wait_for_function("() => document.querySelector('cf-floor-felt').state.view.voided")


def play_and_deal(server: Served, token: str, table: str, until: str = "decide_across") -> None:
    """Seat a guest who bets, and deal by hand until the first decision or another step."""

    async def play() -> None:
        guest = await Client(server.address).join_as_guest(f"Ann at {table}")
        async with (
            Client(server.address, token).table(table, "dealer") as dealer,
            guest.table(table) as seen,
            asyncio.timeout(WAIT_SECONDS),
        ):
            await sit(seen)
            await deal(dealer, "open_bets")
            await bet(seen)
            await deal(dealer, until)

    playing = threading.Thread(target=lambda: asyncio.run(play()))
    playing.start()
    playing.join()


def test_people_are_hired_suspended_and_take_a_break_and_two_people_link_a_table(
    server: Served, staff: dict[str, str], staff_page: NewPage, new_page: NewPage, shoot: Shoot
) -> None:
    owner = staff_page("owner", path="/console/accounts")
    owner.get_by_role("button", name="New staff account").click()
    owner.get_by_label("Name", exact=True).fill("Greta Stone")
    owner.locator("dialog").get_by_role("button", name="Create").click()
    once = owner.locator(".done code").inner_text()
    person = new_page(path="/console")
    person.get_by_label("Name").fill("Greta Stone")
    person.get_by_label("Password").fill(once)
    person.get_by_role("button", name="Log in").click()
    person.get_by_role("heading", name="Set your own password").wait_for()
    owner.get_by_role("button", name="Details of Greta Stone", exact=True).click()
    owner.get_by_role("button", name="End session", exact=True).click()
    owner.get_by_text("Not logged in.").wait_for()
    owner.get_by_role("button", name="New one-time password for Greta Stone").click()
    owner.locator("dialog").get_by_role("button", name="Make a one-time password").click()
    owner.wait_for_function(f"() => document.querySelector('.done code').textContent !== '{once}'")
    assert not owner.get_by_role("button", name="Suspend owner", exact=True).count()
    owner.get_by_role("button", name="Suspend Greta Stone").click()
    owner.get_by_label("Reason").fill("on leave")
    shoot(owner, "console-suspend-1280")
    owner.locator("dialog").get_by_role("button", name="Suspend").click()
    owner.get_by_text("suspended until").wait_for()
    shoot(owner, "console-people-1280")
    owner.get_by_label("Search by name").fill("frank")
    owner.get_by_role("button", name="Details of frank", exact=True).click()
    owner.get_by_role("cell", name="player → floor").wait_for()
    with httpx.Client(base_url=server.address, timeout=WAIT_SECONDS) as client:
        registered = client.post("/api/accounts", json={"name": "Bernd Rast", "password": PASSWORD}).json()
        opened = {"rulebook": "nj-criss-cross", "id": "pit-19", "public": True}
        bearer = {"Authorization": f"Bearer {staff['fiona']}"}
        client.post("/api/tables", json=opened, headers=bearer).raise_for_status()
    player = new_page(390, 844, path="/healthz", touch=True)
    player.context.add_cookies([{"name": COOKIE, "value": registered["token"], "url": server.address}])
    player.goto(f"{server.address}/settings")
    player.get_by_role("button", name="Close my account", exact=True).click()  # refused until it is confirmed
    player.get_by_role("heading", name="Close your account", exact=True).wait_for()
    player.get_by_label("Days").fill("30")
    player.get_by_role("button", name="Suspend my account").scroll_into_view_if_needed()
    shoot(player, "settings-break-390")
    player.get_by_role("button", name="Suspend my account").click()
    player.wait_for_url(f"{server.address}/")
    guest = new_page(390, 844, path="/settings", touch=True)
    with guest.expect_response("**/api/guests"):
        guest.evaluate("fetch('/api/guests', {method: 'POST'})")
    guest.reload()
    guest.get_by_role("checkbox", name="This cannot be undone", exact=True).check()
    shoot(guest, "settings-close-390", full_page=True)
    guest.get_by_role("button", name="Close my account", exact=True).click()
    guest.wait_for_url(f"{server.address}/")
    page = staff_page("fiona", path="/console/meters")
    page.get_by_label("Table", exact=True).select_option("pit-19")
    page.get_by_label("Link", exact=True).select_option("nj-criss-cross")
    page.get_by_label("Reason").fill("one jackpot for the pit")
    page.get_by_role("button", name="Propose", exact=True).click()
    page.locator(".done", has_text="Proposed. A second person must approve it.").wait_for()
    second = staff_page("frank", path="/console/proposals", width=390, height=844)
    second.get_by_text("Joins the meters of nj-criss-cross.").wait_for()
    shoot(second, "console-proposal-link-390", full_page=True)
    approve(second)
    second.locator(".done", has_text="pit-19-r2 is open with the new submission").wait_for()
    second.get_by_role("cell", name="fiona").first.wait_for()
    shoot(second, "console-decisions-390", full_page=True)
    page.reload()
    page.get_by_text("at nj-criss-cross-1, pit-19-r2").wait_for()
    shoot(page, "console-meters-1280", full_page=True)


def test_the_console_has_no_faults(staff_page: NewPage, faults: Faults) -> None:
    page = staff_page("owner", path="/console")
    origin = page.evaluate("() => location.origin")
    found: list[str] = []
    for name, (path, ready) in PAGES.items():
        page.goto(f"{origin}{path}")
        page.wait_for_selector(ready)
        assert page.locator("script:not([src])").count() == 0
        found += faults(page, f"console-{name}", NARROW_AND_WIDE)
    assert found == []


def test_accounts_are_read_page_by_page(staff_page: NewPage) -> None:
    """150 players, 150 guests and a last player: each page of accounts is read only when it is needed."""
    names = [f"A player {n:03}" for n in range(150)] + [f"Guest {n:03}" for n in range(150)] + ["Zoe"]
    asked: list[str] = []

    def answer(route: Route) -> None:
        wanted = urllib.parse.parse_qs(urllib.parse.urlsplit(route.request.url).query, keep_blank_values=True)
        [after], limit = wanted["after"], int(wanted["limit"][0])
        asked.append(after)
        page = [name for name in names if name.lower() > after][:limit]
        route.fulfill(json=[account_named(name) for name in page])

    page = staff_page("owner", path="/healthz")
    origin = page.evaluate("() => location.origin")
    page.route("**/api/accounts?*", answer)
    page.goto(f"{origin}/console/accounts")
    page.wait_for_selector("text=100 of the first 100 accounts match.")
    assert asked == [""], "the first page is shown before another is read"
    page.get_by_role("button", name="Show more").click()
    page.wait_for_selector("text=150 of the first 200 accounts match.")
    page.get_by_label("Search by name").fill("zo")
    page.wait_for_selector("text=1 of all 301 accounts match.")
    assert asked == ["", "a player 099", "guest 049", "guest 149"]
    assert page.locator(".rows tbody tr").all_inner_texts()[0].startswith("Zoe")
    assert page.get_by_role("button", name="Show more").count() == 0
    page.get_by_label("Search by name").fill("guest 14")
    page.get_by_label("Show guests").check()
    page.wait_for_selector("text=10 of all 301 accounts match.")


def test_nobody_approves_a_correction_of_their_own_account(staff_page: NewPage) -> None:
    page = staff_page("fiona", path="/console/accounts")
    page.get_by_role("button", name="Correct the balance of owner").wait_for()
    assert page.get_by_role("button", name="Deposit for Fiona").count() == 0
    assert page.get_by_role("button", name="Correct the balance of Fiona").count() == 0
    proposal = {"kind": "correction", "details": {"cents": 500}, "reason": "short paid", "by": "owner", "at": 0}
    subjects = enumerate(("account/fiona", "account/ann"), 1)
    waiting = [{**proposal, "number": number, "subject": subject} for number, subject in subjects]
    page.route("**/api/proposals", lambda route: route.fulfill(json=waiting))
    page.get_by_role("link", name="Proposals").click()
    page.wait_for_selector("text=This is your account. Another person must approve.")
    buttons = page.get_by_role("button", name="Approve").all()
    assert [button.is_enabled() for button in buttons] == [False, True]


def account_named(name: str) -> dict[str, Any]:
    """Return an account as the server sends it."""
    guest = name.startswith("Guest")
    account = {"account": name.lower(), "name": name, "guest": guest, "roles": ["player"]}
    return {**account, "balance_cents": 100_000, "at_tables": {}}


def test_revenue_is_drawn_and_a_player_cannot_read_it(
    server: Served, staff: dict[str, str], staff_page: NewPage, new_page: NewPage
) -> None:
    wanted = {"rulebook": "md-criss-cross", "id": "pit-10", "public": True, "pace": "instant"}
    with httpx.Client(
        base_url=server.address, headers={"Authorization": f"Bearer {staff['fiona']}"}, timeout=WAIT_SECONDS
    ) as client:
        client.post("/api/tables", json=wanted).raise_for_status()
    player = TableDriver(new_page(path="/table/pit-10?sit"), server.address)
    player.page.wait_for_selector(".place .area")
    player.wait_for_turn()
    player.key("1")
    player.key("Enter")
    player.play_until_bets({"1": "1", "fold": "f"})
    page = staff_page("ada", path="/console/figures?table=pit-10")
    page.wait_for_selector(".plot svg")
    figures = page.evaluate("async () => (await fetch('/api/tables/pit-10/figures')).json()")
    assert figures["rounds"] == 1
    with page.expect_download() as saved:
        page.get_by_text("All tables as CSV").click()
    assert saved.value.suggested_filename == "crossfelt-figures.csv"
    notice = page.get_by_text("By these rules the players win in the long run. Check the Rules Submission.")
    assert notice.count() == 0
    figures["whole"]["theory_cents"] = -1.0
    page.route("**/api/tables/pit-10/figures", lambda route: route.fulfill(json=figures))
    page.reload()
    notice.wait_for()
    bearer = {"Authorization": f"Bearer {staff['paula']}"}
    with httpx.Client(base_url=server.address, headers=bearer, timeout=WAIT_SECONDS) as client:
        for path in ("/api/floor", "/api/floor/meters", "/api/figures", "/api/accounts", "/api/proposals"):
            assert client.get(path).status_code == 403, path
