"""The operator's console in a real browser: who comes in, and what two people do together."""

from __future__ import annotations

from browser.conftest import PASSWORD, NewPage


def test_staff_log_in_and_a_player_is_refused(new_page: NewPage, staff: dict[str, str]) -> None:
    assert staff
    page = new_page(path="/console")
    page.get_by_label("Name").fill("Fiona")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector(".stations")
    assert "nj-criss-cross-1" in page.inner_text("main")
    page.get_by_text("Log out").click()
    page.get_by_label("Name").fill("paula")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector(".refused")
    assert "You are here as paula, player" in page.inner_text("main")
    assert page.locator(".stations, .rows").count() == 0
