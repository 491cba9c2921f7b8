"""Disputes: the replay of a round as several viewers saw it, and the printed report."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page

from browser.axe import NARROW_AND_WIDE, Faults
from browser.conftest import NewPage, Served, Shoot
from browser.table_page import TableDriver
from crossfelt.client import Client
from limits import WAIT_SECONDS
from server.served import play_round

BY_KEY = {"bet-1": "1", "fold": "f"}


@pytest.fixture(scope="module")
def bearer(staff: dict[str, str]) -> dict[str, str]:
    return {"Authorization": f"Bearer {staff['ada']}"}


@pytest.fixture
def finished_round(private_table: Callable[..., TableDriver]) -> tuple[str, int, dict[str, Any]]:
    """A finished round: the table, the player's seat, and the summary of the round."""
    driver = private_table("nj-criss-cross", bots=2)
    for key in ("1", "b", "Enter"):
        driver.key(key)
    driver.play_until_bets(BY_KEY)
    summary: dict[str, Any] = driver.fetch(f"/tables/{driver.table}/rounds?last=1")[0]
    return driver.table, driver.seat["number"], summary


@pytest.fixture
def public_round(server: Served, staff: dict[str, str]) -> str:
    """A public table at which a player has finished a round."""
    asked = {"rulebook": "nj-double-cross", "public": True, "id": "recall-1", "pace": "instant"}
    bearer = {"Authorization": f"Bearer {staff['fiona']}"}
    httpx.post(f"{server.address}/api/tables", json=asked, headers=bearer, timeout=WAIT_SECONDS).raise_for_status()

    async def play() -> None:
        guest = await Client(server.address).join_as_guest()
        async with guest.table("recall-1") as table:
            await table.give("take_seat", seat=1, chips_cents=100_00)
            await play_round(table, 1)
            await table.give("leave_seat", seat=1)

    # Playwright's own loop runs in this thread.
    thread = threading.Thread(target=lambda: asyncio.run(play()))
    thread.start()
    thread.join()
    return "recall-1"


def visible_cards(page: Page, which: str = ".scene cf-card") -> set[str]:
    """Return the face-up cards on the screen."""
    return {str(card.get_attribute("card")) for card in page.locator(which).all()} - {"??"}


def go_to_step(page: Page, words: str) -> None:
    """Step forward to the step with this text."""
    page.keyboard.press("Home")
    while words not in page.inner_text(".explained"):
        before = page.inner_text(".step-number")
        page.keyboard.press("j")
        assert page.inner_text(".step-number") != before, words


def assert_records_are_shown(page: Page) -> None:
    """The page has the check of the fittings, the shoe and its place, and the life of the deck of the round."""
    page.locator(".records summary").click()
    records = page.inner_text(".records")
    assert re.search(r"drop box, tip box.*shoe .+; checked by floor, ", records), records
    assert "red backs, yellow cover card" in records
    for act in ("Received", "Inspected", "Verified", "First used", "Shuffled by hand", "Put into the shoe"):
        assert re.search(rf"^{act}.*: .+, ", records, re.MULTILINE), (act, records)


def test_a_round_is_replayed_for_each_viewer_and_its_report_matches_the_record(
    finished_round: tuple[str, int, dict[str, Any]],
    staff_page: NewPage,
    server: Served,
    browser: Browser,
    shoot: Shoot,
    bearer: dict[str, str],
) -> None:
    table, seat, summary = finished_round
    page = staff_page("ada", path="/console/audit")
    page.wait_for_selector(".rows tbody tr")
    page.keyboard.press("/")
    page.keyboard.type("table created")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.rows tbody tr')].every((row) => /Table created/.test(row.innerText))"
    )
    page.get_by_role("link", name=table, exact=True).click()
    page.get_by_role("link", name=f"Round {summary['round']}", exact=True).click()
    page.wait_for_selector(".replay .felt")
    assert page.locator(".known .tag.good").all_inner_texts()[:2] == ["Intact", "Equal"]
    assert_records_are_shown(page)

    own = next(event for event in events_of(server, bearer, table, summary["round"]) if event["event"] == "cards_dealt")
    hole = {card for number, _, card in own["cards"] if number == seat}
    others = {card for number, _, card in own["cards"] if number not in (0, seat)}
    page.keyboard.press(str(seat))
    page.wait_for_selector(f".viewers [aria-checked=true] >> text=Seat {seat}")
    go_to_step(page, "Dealer deals the cross")
    assert visible_cards(page) == hole
    page.get_by_role("radio", name="A spectator").click()
    page.wait_for_selector(".viewers [aria-checked=true] >> text=A spectator")
    assert visible_cards(page) == set()
    page.keyboard.press("v")
    page.wait_for_selector(".viewers [aria-checked=true] >> text=The dealer")
    assert visible_cards(page) == set()
    page.get_by_role("radio", name="The auditor").click()
    page.wait_for_selector(".viewers [aria-checked=true] >> text=The auditor")
    assert hole | others <= visible_cards(page)

    page.keyboard.press("End")
    page.keyboard.press("k")
    last = int(page.inner_text(".step-number").rpartition(" ")[2])
    assert page.inner_text(".step-number") == f"Step {last - 1} of {last}"
    go_to_step(page, f"Seat {seat} places")
    page.locator(".explained .cite").first.click()
    assert "N.J.A.C." in page.locator(".proof-clause h4 .citation").first.inner_text()
    page.get_by_label("Close the proof").click()
    shoot(page, "dispute-1280", full_page=True)

    page.get_by_label("About").select_option(str(seat))
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open printable report").click()
    report = opened.value
    report.wait_for_selector("h1")
    assert f"seat {seat}" in report.inner_text("h1")
    _check_figures(report, server, bearer, table, seat, summary)
    printed = report.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    assert not others & set(re.findall(r"\b(?:10|[2-9JQKA])[♠♥♦♣]", report.inner_text("#happened + ol")))


def events_of(server: Served, bearer: dict[str, str], table: str, number: int) -> list[dict[str, Any]]:
    answer = httpx.get(f"{server.address}/api/tables/{table}/rounds/{number}", headers=bearer, timeout=WAIT_SECONDS)
    found: list[dict[str, Any]] = answer.json()["events"]
    return found


def _check_figures(
    report: Page, server: Served, bearer: dict[str, str], table: str, seat: int, summary: dict[str, Any]
) -> None:
    """Compare each wager of the seat, and the net result, with the record."""
    events = events_of(server, bearer, table, summary["round"])
    settled = [event for event in events if event["event"] == "wager_settled" and event["seat"] == seat]
    folded = [event for event in events if event["event"] == "fold_collected" and event["seat"] == seat]
    lines = report.locator("#payments ~ table tbody tr").all()
    figures = sorted(_figures(line.locator("th, td").all_inner_texts()) for line in lines)
    wanted = [(event["stake"], event.get("returned", 0), event.get("paid", 0)) for event in settled]
    wanted += [(sum(event["wagers"].values()), 0, 0) for event in folded]
    assert figures == sorted(wanted)
    assert all(line.locator("td").last.inner_text() == "equal" for line in lines)
    assert _cents(report.locator("#payments ~ table tfoot td").nth(3).inner_text()) == summary["net_cents"][str(seat)]


def _figures(cells: list[str]) -> tuple[int, int, int]:
    stake, returned, paid = (_cents(cell) for cell in cells[3:6])
    return stake, returned, paid


def _cents(text: str) -> int:
    sign = -1 if text.startswith("−") else 1
    return sign * round(100 * float(re.sub(r"[^\d.]", "", text)))


@contextmanager
def altered(server: Served, table: str) -> Iterator[None]:
    """Alter a row in the database file, and restore it afterwards."""
    with closing(sqlite3.connect(server.data / "crossfelt.sqlite", timeout=WAIT_SECONDS)) as database:
        position, body = database.execute(
            "SELECT position, body FROM lines JOIN streams ON streams.id = lines.stream"
            " WHERE name LIKE ? AND instr(body, ?) > 0 ORDER BY lines.seq LIMIT 1",
            (f"table/{table}", b'"event":"fold_collected"'),
        ).fetchone()
        forged = re.sub(rb'("wagers":\{"ante_across":)(\d+)', rb"\g<1>1\g<2>", body, count=1)
        change = "UPDATE lines SET body = ? WHERE position = ?"
        with database:
            database.execute(change, (forged, position))
        try:
            yield
        finally:
            with database:
                database.execute(change, (body, position))


def test_an_altered_record_shows_as_broken(
    private_table: Callable[..., TableDriver], staff_page: NewPage, server: Served
) -> None:
    driver = private_table("md-criss-cross", bots=1)
    for key in ("1", "Enter", "f"):
        driver.key(key)
    page = staff_page("ada", path=f"/console/rounds/{driver.table}/1")
    page.wait_for_selector(".known .tag.good")
    with altered(server, driver.table):
        page.reload()
        page.wait_for_selector(".known .tag.bad")
        assert "was changed: its hash differs" in page.inner_text(".known")
        page.goto(f"{server.address}/console/audit")
        page.get_by_role("button", name="Check now").click()
        page.wait_for_selector(".findings")
        assert driver.table in page.inner_text(".findings")
    page.get_by_role("button", name="Check now").click()
    page.wait_for_selector(".known .tag.good")


def test_the_audit_pages_have_no_faults(
    finished_round: tuple[str, int, dict[str, Any]], staff_page: NewPage, faults: Faults, server: Served
) -> None:
    table, seat, summary = finished_round
    page = staff_page("ada", path="/console/audit")
    page.wait_for_selector(".rows tbody tr")
    found = faults(page, "audit", NARROW_AND_WIDE)
    page.goto(f"{server.address}/console/rounds/{table}")
    page.wait_for_selector(".rows tbody tr")
    found += faults(page, "round-list", NARROW_AND_WIDE)
    page.goto(f"{server.address}/console/rounds/{table}/{summary['round']}?as=seat{seat}")
    page.wait_for_selector(".replay .felt")
    page.keyboard.press("End")
    found += faults(page, "dispute", NARROW_AND_WIDE)
    assert found == []


def test_the_floor_sees_alarms_and_recalls_a_round_on_the_felt(
    public_round: str, server: Served, staff_page: NewPage, faults: Faults
) -> None:
    lena = {"name": "lena", "password": "her own, not guessed"}
    httpx.post(f"{server.address}/api/accounts", json=lena, timeout=WAIT_SECONDS).raise_for_status()
    for _ in range(12):
        httpx.post(f"{server.address}/api/session", json={**lena, "password": "guessed"}, timeout=WAIT_SECONDS)
    page = staff_page("fiona", path="/console")
    alarms = page.get_by_role("region", name="Alarms")
    alarms.get_by_text("Too many wrong passwords").first.wait_for()
    assert faults(page, "floor-alarms", NARROW_AND_WIDE) == []
    page.set_viewport_size({"width": 390, "height": 844})
    alarms.get_by_role("button", name="Mark as seen", exact=True).click()
    page.locator("p.done", has_text="The alarms are noted as seen.").wait_for()
    assert alarms.get_by_text("Too many wrong passwords").count() == 0
    page.goto(f"{server.address}/console/rounds/{public_round}")
    page.get_by_role("link", name="Round 1", exact=True).click()
    page.locator(".scene cf-card").first.wait_for()
    assert page.get_by_role("heading", name="Dispute report").count() == 0, "the report is the auditor's"


def test_a_player_cannot_open_the_audit_pages(staff_page: NewPage, server: Served, staff: dict[str, str]) -> None:
    for path in ("/console/audit", "/console/rounds/nj-criss-cross-1", "/console/rounds/nj-criss-cross-1/1"):
        page = staff_page("paula", path=path)
        page.wait_for_selector(".refused")
        assert page.locator(".rows, .known, .felt").count() == 0
    for path in ("cases", "rounds/1/replay", "rounds/1/dispute", "history"):
        asked = httpx.get(
            f"{server.address}/api/tables/nj-criss-cross-1/{path}",
            headers={"Authorization": f"Bearer {staff['paula']}"},
            timeout=WAIT_SECONDS,
        )
        assert asked.status_code == 403, path
