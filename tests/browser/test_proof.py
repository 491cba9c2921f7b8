"""The proof panel: from a payment, a line of the log, a refusal and a settled wager, and as a page of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from browser.axe import violations
from browser.conftest import NewPage, Shoot
from browser.table_page import TableDriver

Sit = Callable[..., TableDriver]
DARK_INK = "rgb(36, 28, 18)"


def proof_of(driver: TableDriver, link: str) -> dict[str, Any]:
    """Return the server's proof of the event that a permalink names."""
    _, _, table, event = link.split("/")
    proof: dict[str, Any] = driver.fetch(f"/tables/{table}/proof/{event}")
    return proof


def require_whole(page: Page, proof: dict[str, Any]) -> None:
    """Require every part of a payment's proof on the screen."""
    shown = page.inner_text(".proof-body")
    assert proof["says"] in page.inner_text("#proof-title")
    assert all(step.removesuffix(".") in shown for step in proof["payment"]["steps"])
    assert proof["lines"][0]["path"] in shown
    assert " ".join(proof["lines"][0]["text"].split()) in " ".join(shown.split())
    clause = proof["clauses"][0]
    assert clause["citation"] in shown
    assert clause["says"] in shown
    assert f"Proved by {len(clause['tests'])} test" in shown
    assert "✓ Equal" in shown
    assert proof["second"]["says"] in shown
    page.wait_for_selector(".proof-figure")
    assert "%" in page.inner_text(".proof-edge")


def test_a_payment_is_proved_by_keyboard_and_sent_to_the_auditor(
    private_table: Sit, staff_page: NewPage, shoot: Shoot
) -> None:
    driver = private_table("nj-criss-cross", bots=1)
    page = driver.page
    driver.key("1")
    driver.key("b")
    driver.key("Enter")
    driver.play_until_bets({"bet-3": "3"})
    page.keyboard.press("l")
    settled = page.locator(".proof-row", has_text="5 Card Bonus $").first
    settled.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".proof-figure")
    link = str(page.locator(".proof-tools a").get_attribute("href"))
    proof = proof_of(driver, link)
    require_whole(page, proof)
    shoot(page, "proof-1280")
    assert list(violations(page, "proof")) == []
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("document.activeElement.className") == "proof-row"
    assert page.locator(".panel-log").is_visible()  # the key closed the proof only

    page.keyboard.press("t")
    page.get_by_label("Type a command").fill("why")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog.proof .proof-body")
    page.get_by_label("Close the proof").click()
    page.wait_for_selector("dialog", state="detached")

    page.goto(driver.address + link)
    require_whole(page, proof)
    assert list(violations(page, "page of a proof")) == []
    page.emulate_media(media="print")
    assert not page.locator(".bar").is_visible()
    assert not page.locator(".proof-tools").is_visible()
    assert page.inner_text(".proof-printed").endswith(driver.address + link)
    assert page.evaluate("getComputedStyle(document.body).color") == DARK_INK, "also of a page in dark colours"
    shoot(page, "proof-print-1280", full_page=True)
    page.emulate_media(media="screen")
    auditor = staff_page("ada", path=link)
    auditor.wait_for_selector(".proof-figure")
    told = auditor.inner_text("#proof-title")
    assert told.startswith(f"Seat {proof['seat']}")
    for path in (f"/console/rounds/{driver.table}/1", f"/console/audit?stream=table/{driver.table}&kind=wager_settled"):
        auditor.goto(driver.address + path)
        auditor.locator("table .proof-link", has_text="5 Card Bonus").first.click()
        auditor.wait_for_selector(".proof-figure")
        assert auditor.inner_text("#proof-title") == told
        shoot(auditor, f"proof-over{path[:14].replace('/', '-')}-1280")
    page.goto(f"{driver.address}/history/{driver.table}")
    page.locator(".steps .proof-row", has_text="5 Card Bonus $").last.click()
    page.wait_for_selector("dialog.proof .proof-figure")
    shoot(page, "proof-history-1280")


def test_a_settled_wager_and_a_refusal_are_a_tap_from_their_proof(private_table: Sit, shoot: Shoot) -> None:
    driver = private_table("nj-criss-cross", bots=0, pace="practice", width=390, height=844, touch=True)
    page = driver.page
    driver.tap_area("ante_across")
    driver.tap("deal")
    page.evaluate(
        """async () => {
          const table = document.querySelector("cf-table");
          await table.command({command: "bet", seat: table.state.you.seats[0], cents: 1});
        }"""
    )
    page.get_by_role("button", name="Why?").tap()
    page.wait_for_selector("dialog.proof .proof-clause")
    assert page.locator(".proof-kind").inner_text() == "REFUSED"
    assert page.locator(".proof-line").count() >= 1
    shoot(page, "proof-refused-390")
    assert list(violations(page, "proof of a refusal")) == []
    page.get_by_label("Close the proof").tap()
    for _ in range(3):  # two taps within half a second are a double click, which answers one decision
        page.locator("[data-action=bet-1]:not([disabled])").dispatch_event("click")
        driver.wait_for_turn()
    page.locator(".area[class*='result-']").first.tap()
    page.wait_for_selector("dialog.proof .proof-arithmetic")
    require_whole(page, proof_of(driver, str(page.locator(".proof-tools a").get_attribute("href"))))
    shoot(page, "proof-390")
