"""Two players at one table, a reload in the middle of a round, exported rounds, and a restarted server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from browser.axe import violations
from browser.conftest import NewPage, Served
from browser.table_page import TableDriver
from crossfelt.proof.verify import verify_file

SIT = "/table/ma-criss-cross-1?sit"


def _sit(page: NewPage, server: Served) -> TableDriver:
    driver = TableDriver(page(), server.address)
    driver.page.goto(f"{server.address}{SIT}")
    driver.table = "ma-criss-cross-1"
    driver.page.wait_for_selector(".area.takes")
    return driver


def test_two_browsers_play_together_and_one_reloads(new_page: NewPage, server: Served) -> None:
    ann, ben = _sit(new_page, server), _sit(new_page, server)
    seats = {ann.seat["number"], ben.seat["number"]}
    assert len(seats) == 2
    for driver in (ann, ben):
        driver.page.keyboard.press("1")
        driver.wait_for_turn()
        assert driver.seat["wagers"]["ante_across"] == 500
    for driver in (ann, ben):
        driver.page.keyboard.press("Enter")
    for driver in (ann, ben):
        driver.page.wait_for_function("() => document.querySelector('cf-table').state.view.step === 'decide_across'")
    first = ann if ann.view["turn"][0] == ann.seat["number"] else ben
    held, wagers = first.seat["cards"], first.seat["wagers"]
    first.page.reload()
    first.page.wait_for_selector("[data-action='bet-1']:not([disabled])")
    assert (first.seat["cards"], first.seat["wagers"]) == (held, wagers)
    other = ben if first is ann else ann
    cards_of_first = other.view["seats"][first.seat["number"] - 1]["cards"]
    assert cards_of_first == ["??", "??"]
    first.page.keyboard.press("1")
    other.page.wait_for_selector("[data-action='bet-1']:not([disabled])")
    placed = other.view["seats"][first.seat["number"] - 1]["wagers"]
    assert placed["across"] == 500
    other.page.keyboard.press("f")
    first.page.wait_for_function("() => document.querySelector('cf-table').state.view.layout.across_left !== '??'")
    assert first.view["layout"] == other.view["layout"]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), pytest.param(390, 844, marks=pytest.mark.soak)])
def test_the_page_reconnects_after_a_restart_of_the_server(
    new_page: NewPage, server: Served, width: int, height: int
) -> None:
    driver = TableDriver(new_page(width, height), server.address)
    driver.sit_privately("nj-criss-cross", bots=0, pace="instant")
    driver.key("1")
    driver.key("Enter")
    cards = driver.seat["cards"]
    server.stop()
    driver.page.wait_for_selector(".lost")
    assert "reconnects automatically" in driver.page.inner_text(".lost")
    server.start()
    driver.page.wait_for_selector(".connection-live")
    driver.wait_for_turn()
    assert driver.seat["cards"] == cards
    driver.key("1")
    assert driver.seat["wagers"]["across"] == 500
    new_page.errors.clear()  # type: ignore[attr-defined]  # the browser logs the failed requests


def _download(page: Page, link: str, to: Path) -> str:
    with page.expect_download() as saved:
        page.get_by_role("link", name=link).click()
    file = to / saved.value.suggested_filename
    saved.value.save_as(file)
    return file.read_text()


def _holds(text: str, card: str) -> bool:
    return re.search(rf"\b{card}\b", text) is not None


def test_a_phone_exports_rounds_without_the_cards_of_a_friend_who_folded(
    new_page: NewPage, server: Served, tmp_path: Path
) -> None:
    ann = TableDriver(new_page(390, 844, path="/healthz", touch=True), server.address)
    ann.sit_privately("nj-criss-cross", bots=0, pace="instant")
    link = ann.fetch(f"/tables/{ann.table}/invitation")["link"]
    ben = TableDriver(new_page(path=re.sub(r"^http://[^/]+", "", link)), server.address)
    ben.page.locator("dialog").get_by_label("Your name at the table").fill("Ben")
    ben.page.keyboard.press("Enter")
    ben.page.wait_for_selector(".area.takes")
    for driver in (ann, ben):
        driver.key("1")
        driver.page.keyboard.press("Enter")
    for driver in (ann, ben):
        driver.page.wait_for_function("() => document.querySelector('cf-table').state.view.step === 'decide_across'")
    hidden, own = ben.seat["cards"], ann.seat["cards"]
    plays = [(ann, "1"), (ben, "f")]
    for driver, decision in plays if ann.view["turn"][0] == ann.seat["number"] else reversed(plays):
        driver.page.wait_for_selector("[data-action='fold']:not([disabled])")
        driver.page.keyboard.press(decision)
    ann.wait_for_turn()
    ann.play_until_bets({"bet-1": "1"})
    ann.page.goto(f"{server.address}/history/{ann.table}")
    ann.page.wait_for_selector(".recall")
    assert list(violations(ann.page, "the rounds")) == []
    told = ann.page.inner_text(".round-list")
    assert "You " in told
    assert "Seat" not in told, "the other player is named"
    header, rounds = _download(ann.page, "for crossfelt verify", tmp_path).split("\n", 1)
    sheet = _download(ann.page, "as a spreadsheet", tmp_path)
    assert ann.table in header
    (played,) = map(json.loads, rounds.splitlines())
    events = json.dumps(played["events"])
    assert [card for card in own if not _holds(events, card)] == []
    assert [card for card in hidden if _holds(events, card) or _holds(sheet, card)] == []
    assert {*own, *hidden} < set(played["opened"]["values"]), "the deck is open to those who played"
    (file,) = tmp_path.glob("*.jsonl")
    assert verify_file(file).fault is None


BROKE = """() => {
  const page = document.querySelector("cf-table");
  const { view, allowed } = page.state;
  const seats = view.seats.map((seat) => (seat.yours ? { ...seat, chips_cents: 0 } : seat));
  const others = allowed.filter((one) => one.command !== "place_wagers");
  page.state = { ...page.state, view: { ...view, seats }, allowed: others };
  page.show();
}"""
"""The page of a player who has lost every chip: to lose $1,000 at the table takes too many rounds."""


@pytest.mark.parametrize(("width", "height"), [pytest.param(1280, 800, marks=pytest.mark.soak), (390, 844)])
def test_a_player_without_chips_takes_a_fresh_stake_at_one_press(
    new_page: NewPage, server: Served, width: int, height: int
) -> None:
    driver = TableDriver(new_page(width, height), server.address)
    driver.sit_privately("nj-criss-cross", bots=0, pace="instant")
    driver.page.evaluate(BROKE)
    driver.page.get_by_text("You are out of chips.").wait_for()
    driver.page.get_by_role("button", name="Take $1,000 more play money").click()
    driver.page.wait_for_selector(".situation", state="detached")
    assert (driver.seat["chips_cents"], driver.fetch("/me")["balance_cents"]) == (200_000, 0)
