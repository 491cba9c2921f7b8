"""Two players at one table, a reload in the middle of a round, and a restarted server."""

from __future__ import annotations

from browser.conftest import NewPage, Served
from browser.table_page import TableDriver

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


def test_the_page_reconnects_after_a_restart_of_the_server(new_page: NewPage, server: Served) -> None:
    driver = TableDriver(new_page(), server.address)
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


BROKE = """() => {
  const page = document.querySelector("cf-table");
  const { view, allowed } = page.state;
  const seats = view.seats.map((seat) => (seat.yours ? { ...seat, chips_cents: 0 } : seat));
  const others = allowed.filter((one) => one.command !== "place_wagers");
  page.state = { ...page.state, view: { ...view, seats }, allowed: others };
  page.show();
}"""
"""The page of a player who has lost every chip: to lose $1,000 at the table takes too many rounds."""


def test_a_player_without_chips_takes_a_fresh_stake_at_one_press(new_page: NewPage, server: Served) -> None:
    driver = TableDriver(new_page(390, 844, touch=True), server.address)
    driver.sit_privately("nj-criss-cross", bots=0, pace="instant")
    driver.page.evaluate(BROKE)
    driver.page.get_by_text("You are out of chips.").wait_for()
    driver.page.get_by_role("button", name="Take $1,000 more play money").tap()
    driver.page.wait_for_selector(".situation", state="detached")
    assert (driver.seat["chips_cents"], driver.fetch("/me")["balance_cents"]) == (200_000, 0)
