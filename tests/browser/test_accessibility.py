"""axe finds no fault at five widths in light and dark, and the action buttons are large enough."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from browser.axe import Faults
from browser.conftest import NewPage
from browser.table_page import TableDriver

LONGEST_NAMES = """() => {
  const table = document.querySelector("cf-table");
  const {hands} = table.state.view.seats.find((seat) => seat.yours);
  for (const line of Object.keys(hands)) {
    hands[line] = {name: "seven-high straight flush", known: 4, complete: false, pays: "straight_flush"};
  }
  table.show();
}"""
LISTEN = """() => {
  window.announced = [];
  const add = (text) => window.announced.push(text);
  const note = (changes) => changes.forEach((one) => one.addedNodes.forEach((node) => add(node.textContent)));
  new MutationObserver(note).observe(document.getElementById("live"), {childList: true});
}"""
"""Record the texts added to the live region, which a screen reader reads in this order."""
SMALLEST_TARGET = 44
"""The smallest touch target in pixels."""


@pytest.mark.parametrize("rulebook", ["nj-criss-cross", "nj-double-cross", "nj-pai-gow"])
def test_tables_have_no_faults(private_table: Callable[..., TableDriver], faults: Faults, rulebook: str) -> None:
    driver = private_table(rulebook)
    driver.key("1")
    found = faults(driver.page, f"{rulebook}-bets", (1280,))
    driver.key("Enter")
    driver.page.evaluate(LONGEST_NAMES)
    found += faults(driver.page, f"{rulebook}-decides")
    assert found == []
    for button in driver.page.locator(".rail .buttons .button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= SMALLEST_TARGET


def test_every_event_of_a_round_is_announced(private_table: Callable[..., TableDriver]) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    driver.page.evaluate(LISTEN)
    for key in ("1", "Enter", "f"):
        driver.key(key)
    driver.page.wait_for_function("() => document.querySelector('cf-table').state.view.round === 2")
    announced = " ".join(driver.page.evaluate("() => window.announced"))
    events = driver.fetch(f"/tables/{driver.table}/rounds/1")["events"]
    since = [event["event"] for event in events].index("wagers_placed")
    heard = [driver.heard(event) for event in events[since:]]
    assert [words for words in heard if words not in announced] == []


def test_pages_have_no_faults(new_page: NewPage, faults: Faults) -> None:
    page = new_page()
    found: list[str] = []
    for path, ready in PAGES.items():
        page.goto(f"{_origin(page)}{path}")
        page.wait_for_selector(ready)
        found += faults(page, re.sub(r"[^a-z]+", "-", path).strip("-") or "lobby")
    assert found == []


def test_a_marked_answer_has_no_faults(new_page: NewPage, faults: Faults) -> None:
    page = new_page(path="/train?kind=read&rulebook=nj-criss-cross")
    page.wait_for_selector(".choices")
    tops = {round(float(box["y"])) for card in page.locator(".cross cf-card").all() if (box := card.bounding_box())}
    assert len(tops) == 3, "the cross has three rows"
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")
    assert faults(page, "train-marked") == []


PAGES = {
    "/": ".sit",
    "/rules": ".books a",
    "/rules/nj-criss-cross": ".book .pays",
    "/laboratory/nj-criss-cross": ".edge",
    "/train?kind=pay&rulebook=nj-pai-gow": ".stakes",
    "/train?kind=set": ".pick",
    "/settings": ".preference",
}
"""The pages beside the table, each with a selector that appears when it is ready."""


def _origin(page: Page) -> str:
    origin: str = page.evaluate("() => location.origin")
    return origin
