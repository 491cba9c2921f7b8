"""Interruptions, each with a sentence and a button: a late decision, a lost seat, the end of the session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.axe import violations
from browser.conftest import NewPage, Shoot
from browser.table_page import TableDriver

SIZES: Final[dict[str, dict[str, Any]]] = {
    "phone": {"width": 390, "height": 844, "touch": True, "color_scheme": "light"},
    "desktop": {},
}
QUICK: Final = {"play": {"decision_seconds": 5}}


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.soak)])
def test_a_late_decision_counts_as_a_fold(private_table: Callable[..., TableDriver], shoot: Shoot, size: str) -> None:
    driver = private_table("md-criss-cross", bots=0, submission=QUICK, **SIZES[size])
    page = driver.page
    for key in ("1", "Enter"):
        driver.key(key)
    late = page.get_by_text("You did not act in time. The rules count that as a fold.")
    late.wait_for()
    shoot(page, f"late-{size}")
    assert list(violations(page, "a late decision")) == []
    page.locator(".situation").get_by_role("button", name="OK").click()
    late.wait_for(state="detached")


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.soak)])
def test_a_lost_seat_and_an_ended_session_lead_back_to_a_seat(new_page: NewPage, shoot: Shoot, size: str) -> None:
    """Both happen while the player does nothing on the page."""
    page = new_page(path="/table/nj-double-cross-1?sit", **SIZES[size])
    page.wait_for_selector(".area.takes")
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".area.takes")
    other.evaluate("document.querySelector('cf-table').leave()")
    page.get_by_text("You have lost your seat: you were away too long, or left it in another window.").wait_for()
    assert "Your $1,000 went back to your account." in page.inner_text(".situation")
    assert list(violations(page, "a lost seat")) == []
    shoot(page, f"seat-lost-{size}")
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_selector(".area.takes")
    other.evaluate("fetch('/api/session', {method: 'DELETE'})")
    page.get_by_role("heading", name="Your session has ended").wait_for()
    assert list(violations(page, "an ended session")) == []
    shoot(page, f"session-ended-{size}")
    page.get_by_role("button", name="Play on").click()
    page.wait_for_selector(".area.takes")
    assert page.locator(".situation").count() == 0


def test_a_guest_without_a_session_opens_a_new_private_table(private_table: Callable[..., TableDriver]) -> None:
    page = private_table("nj-pai-gow", bots=0).page
    page.evaluate("fetch('/api/session', {method: 'DELETE'})")
    page.get_by_text("open a new private table in the lobby").wait_for()
    page.get_by_role("link", name="Back to the lobby", exact=True).click()
    page.get_by_role("heading", name="Take a seat").wait_for()
