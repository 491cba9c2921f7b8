"""A whole day on the pages of the console: two shifts, a jackpot, a void, a dispute, closing, figures, evidence."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from typer.testing import CliRunner

from browser.conftest import Shoot
from browser.table_page import TableDriver
from browser.test_dealer import DeskDriver
from crossfelt.cli.main import app
from crossfelt.server.accounts import passwords
from limits import WAIT_SECONDS
from server.http.test_whole_day import PASSWORD, MovableClock
from server.served import Served, owner_of, serving, staff_of

PEOPLE: Final = {"Fay": "floor", "Fred": "floor", "Dan": "dealer", "Ada": "auditor"}
TIME: Final = re.compile(r"(?<![\d:])\d\d:\d\d(?::\d\d)?(?![\d:])(?! to |,? (?:UTC|GMT))")
"""A time of day without its zone; a shift has it at its end."""


class House:
    """A server in a thread of its own, whose clock can be set forward, and people with pages."""

    def __init__(self, directory: Path, browser: Browser) -> None:
        self._directory, self._browser = directory, browser
        self._ready, self._over = threading.Event(), threading.Event()
        self._contexts: list[BrowserContext] = []
        self.errors: list[str] = []
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(WAIT_SECONDS)

    async def _serve(self) -> None:
        async with serving(self._directory) as self.served:
            await self._hire(self.served)
            self._ready.set()
            await asyncio.to_thread(self._over.wait)

    async def _hire(self, served: Served) -> None:
        owner = await owner_of(served)
        for name, role in PEOPLE.items():
            await staff_of(served, owner, name, role)

    def page(self, path: str, width: int = 1280, height: int = 800) -> Page:
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, timezone_id="America/New_York", reduced_motion="reduce"
        )
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1_000 * WAIT_SECONDS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{self.served.address}{path}")
        return page

    def log_in(self, name: str, path: str, **size: int) -> Page:
        page = self.page(path, **size)
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Log in", exact=True).click()
        page.get_by_role("button", name="Log out", exact=True).wait_for()
        return page

    @property
    def today(self) -> datetime:
        """The day by the clock of the house."""
        return datetime.fromtimestamp(self.served.server.now() / 1000, UTC)

    def close(self) -> None:
        while self._contexts:
            self._contexts.pop().close()
        self._over.set()
        self._thread.join(WAIT_SECONDS)


@pytest.fixture
def house(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    MovableClock.at_seven()
    monkeypatch.setattr("crossfelt.server.server.SteadyClock", MovableClock)
    monkeypatch.setattr(passwords, "TIMES", 1)
    monkeypatch.setattr(passwords, "MEMORY_KIB", 8)
    opened = House(tmp_path / "data", browser)
    yield opened
    opened.close()


def goto(page: Page, path: str, heading: str) -> None:
    """Open another page of the console."""
    page.goto(re.sub(r"(//[^/]+).*", rf"\1{path}", page.url))
    page.get_by_role("heading", name=heading, exact=True).wait_for()


def done(page: Page, says: str) -> None:
    page.locator("#main .done", has_text=says).wait_for()


def open_table(page: Page, rulebook: str, name: str, dealt_by: str) -> None:
    goto(page, "/console", "Open a table")
    page.get_by_label("Rulebook", exact=True).select_option(rulebook)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Pace", exact=True).select_option("Instant")
    page.get_by_label("Dealt by", exact=True).select_option(dealt_by)
    page.get_by_role("button", name="Open the table", exact=True).click()
    done(page, "The table is open.")


def approve(page: Page, subject: str) -> None:
    goto(page, "/console/proposals", "Proposals")
    proposal = page.locator(".proposal", has_text=subject)
    proposal.get_by_role("button", name="Approve", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Approve", exact=True).click()
    done(page, "Approved")


class JackpotDesk(DeskDriver):
    """A dealer who reads the jackpot on the wheel."""

    def input_for(self, need: dict[str, Any]) -> str:
        if need["field"] == "cards" and need["places"][0].startswith("seat"):  # a pair, which spins the wheel
            ranks = [card[0] for card in self.unseen]
            pair = next(rank for rank in ranks if ranks.count(rank) > 1)
            self.unseen.sort(key=lambda card: card[0] == pair)
        return "jackpot" if need["field"] == "stop" else super().input_for(need)


def typed_jackpot(house: House, fay: Page, fred: Page, shoot: Shoot) -> None:
    """The dealer types the jackpot, the table stops, and a second person approves the reading."""
    open_table(fay, "nj-criss-cross", "live-1", "Dealer, physical cards")
    goto(fay, "/console/table/live-1", "Table live-1")
    desk = JackpotDesk(house.log_in("Dan", "/console/deal/live-1"), fay)
    desk.type("1 Ann 500")
    desk.until("open_bets")
    desk.type("1 ante 10 spin 5")
    ends = time.monotonic() + WAIT_SECONDS
    while not desk.page.locator("#main .done", has_text="The award waits for the floor.").count():
        assert time.monotonic() < ends, desk.page.inner_text(".desk-now")
        desk.advance()
    shoot(desk.page, "day-award-1280")
    approve(fred, "live-1")
    desk.until("discard")
    desk.until("shuffle")
    desk.type("1 leave")
    desk.page.get_by_role("button", name="Log out", exact=True).click()


def play(house: House, table: str) -> TableDriver:
    """A guest sits down."""
    player = TableDriver(house.page(f"/table/{table}?sit", 390, 844), house.served.address)
    player.page.wait_for_selector(".place .area")
    player.wait_for_turn()
    return player


def bet(player: TableDriver) -> None:
    player.key("1")
    player.key("Enter")


def void_a_round(house: House, fay: Page, fred: Page, shoot: Shoot) -> TableDriver:
    """A report stops the table at once, and two people void the round."""
    goto(fay, "/console/table/pit-1", "Table pit-1")
    player = play(house, "pit-1")
    bet(player)
    player.play_until_bets({"1": "1", "fold": "f"})
    bet(player)
    fay.get_by_role("button", name="Report: A wrong number of cards (player)", exact=True).click()
    dialog = fay.get_by_role("dialog")
    dialog.get_by_label("Reason", exact=True).fill("three cards in front of the player")
    dialog.get_by_role("button", name="Propose", exact=True).click()
    fay.get_by_text("waits for a second person").first.wait_for()
    shoot(player.page, "day-stopped-390")
    approve(fred, "pit-1")
    player.wait_for_turn()
    player.page.get_by_text("void").first.wait_for()
    return player


def assert_zones(page: Page) -> None:
    text = page.inner_text("main")
    assert [text[it.start() - 20 : it.end() + 20] for it in TIME.finditer(text)] == []


def figures_of_the_day(page: Page, shoot: Shoot) -> None:
    """Each shift has its rounds, fills and win; the whole day is their sum."""
    goto(page, "/console/day", "Day and shifts")
    first, second, whole = ("06:00 to 14:00, UTC", "14:00 to 22:00, UTC", "Whole day")

    def cells(period: str, table: str) -> list[str]:
        rows = page.get_by_role("table", name=period, exact=True).get_by_role("row")
        return rows.filter(has=page.get_by_role("cell", name=table, exact=True)).get_by_role("cell").all_inner_texts()

    page.get_by_role("table", name=whole, exact=True).wait_for()
    shoot(page, "day-figures-1280", full_page=True)
    assert cells(first, "pit-1")[1:2] + cells(first, "pit-1")[-2:] == ["0", "$500", "$0"]
    assert cells(first, "live-1")[1] == "1"
    assert cells(second, "pit-1")[1] == "1", "the void round is no round"
    page.get_by_text("Nothing happened.", exact=True).wait_for()
    assert cells(whole, "All tables")[1] == "2"
    assert_zones(page)


def dispute(page: Page, pack: Path, shoot: Shoot) -> None:
    """The auditor opens the void round again: its page names both people of the decision."""
    page.get_by_role("link", name="Round 2", exact=True).click()
    page.get_by_role("heading", name="Dispute report", exact=True).wait_for()
    shoot(page, "day-dispute-1280", full_page=True)
    assert_zones(page)
    download(page, "link", "Evidence pack", pack)
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open printable report", exact=True).click()
    report = opened.value.locator("body")
    for words in ("proposed by fay", "approved by fred", "three cards in front of the player"):
        report.get_by_text(words).first.wait_for()


def download(page: Page, role: Literal["button", "link"], name: str, to: Path) -> None:
    with page.expect_download() as begun:
        page.get_by_role(role, name=name, exact=True).click()
    begun.value.save_as(to)


def test_a_day_from_opening_to_verification_on_the_pages(house: House, tmp_path: Path, shoot: Shoot) -> None:
    fay, fred = house.log_in("Fay", "/console"), house.log_in("Fred", "/console", width=390, height=844)
    open_table(fay, "nj-criss-cross", "pit-1", "Automatic dealer")
    goto(fay, "/console/table/pit-1", "Table pit-1")
    fay.get_by_role("button", name="Record a fill (chips to the tray)", exact=True).click()
    fay.get_by_label("Amount in dollars").fill("500")
    fay.get_by_role("dialog").get_by_role("button", name="Record a fill (chips to the tray)", exact=True).click()
    done(fay, "Record a fill (chips to the tray): done.")
    typed_jackpot(house, fay, fred, shoot)

    MovableClock.ahead_ms += 8 * 3600 * 1000
    fay, fred = house.log_in("Fay", "/console"), house.log_in("Fred", "/console", width=390, height=844)
    alarms = fay.get_by_role("region", name="Alarms", exact=True)
    alarms.get_by_role("listitem").filter(has_text="Large award").filter(has_text="live-1").wait_for()
    player = void_a_round(house, fay, fred, shoot)
    fay.get_by_role("button", name="Close permanently", exact=True).click()
    fay.get_by_role("dialog").get_by_role("button", name="Close permanently", exact=True).click()
    fay.get_by_role("heading", name="Floor", exact=True).wait_for()
    player.page.wait_for_function("() => document.querySelector('cf-table').state.connection === 'gone'")

    ada = house.log_in("Ada", "/console/rounds/pit-1")
    figures_of_the_day(fay, shoot)
    dispute(ada, tmp_path / "dispute.zip", shoot)
    goto(ada, "/console/audit", "Evidence and samples")
    ada.get_by_role("button", name="Check now", exact=True).click()
    done(ada, "The check is complete.")
    for title, found in (("Hash chains", "Intact"), ("Money of the house", "Adds up")):
        ada.locator(".known > div", has_text=title).get_by_text(found, exact=True).wait_for()
    ada.get_by_label("Day", exact=True).fill(f"{house.today:%Y-%m-%d}")
    download(ada, "button", "Download evidence pack", tmp_path / "day.zip")
    assert_zones(ada)
    assert house.errors == []
    house.close()
    backup, aside = tmp_path / "backup", ThreadPoolExecutor()  # Playwright keeps an event loop in this thread
    for command in (
        ["backup", "--data", str(tmp_path / "data"), "--out", str(backup)],
        ["verify", str(tmp_path / "dispute.zip")],
        ["verify", str(tmp_path / "day.zip")],
        ["verify", "--house", str(backup)],
    ):
        answer = aside.submit(CliRunner().invoke, app, command).result()
        assert answer.exit_code == 0, answer.output
