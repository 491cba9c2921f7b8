"""Everybody can use it: axe finds nothing at five widths in light and dark, and play actions are large enough."""

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
  window.heard = [];
  const note = (changes) => changes.forEach((one) => one.addedNodes.forEach((node) => heard.push(node.textContent)));
  new MutationObserver(note).observe(document.getElementById("live"), {childList: true});
}"""
"""What is added to the live region: a screen reader reads no more than that, in this order."""
LEAST = 44
"""Pixels that a finger needs."""


@pytest.mark.parametrize("rulebook", ["nj-criss-cross", "nj-double-cross", "nj-pai-gow"])
def test_tables_are_clean(private_table: Callable[..., TableDriver], faults: Faults, rulebook: str) -> None:
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
        assert min(box["width"], box["height"]) >= LEAST


def test_a_screen_reader_hears_every_sentence_of_a_round(private_table: Callable[..., TableDriver]) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    driver.page.evaluate(LISTEN)
    for key in ("1", "Enter", "f"):
        driver.key(key)
    driver.page.wait_for_function("() => document.querySelector('cf-table').state.view.round === 2")
    heard = " ".join(driver.page.evaluate("() => window.heard"))
    told = driver.ask(f"/tables/{driver.table}/rounds/1")["events"]
    since = [event["event"] for event in told].index("wagers_placed")
    assert [event["tells"] for event in told[since:] if event["tells"] and event["tells"] not in heard] == []


def test_pages_are_clean(new_page: NewPage, faults: Faults) -> None:
    page = new_page()
    found: list[str] = []
    for path, ready in PAGES.items():
        page.goto(f"{_origin(page)}{path}")
        page.wait_for_selector(ready)
        found += faults(page, re.sub(r"[^a-z]+", "-", path).strip("-") or "lobby")
    assert found == []


def test_a_marked_answer_is_clean(new_page: NewPage, faults: Faults) -> None:
    page = new_page(path="/train?kind=read&rulebook=nj-criss-cross")
    page.wait_for_selector(".choices")
    tops = {round(float(box["y"])) for card in page.locator(".cross cf-card").all() if (box := card.bounding_box())}
    assert len(tops) == 3, "the cross is drawn as one"
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
"""Every page beside the table, and what is there once it is ready."""


def _origin(page: Page) -> str:
    origin: str = page.evaluate("() => location.origin")
    return origin
