"""Lobby and settings."""

from __future__ import annotations

import re

import pytest

from browser.axe import violations
from browser.conftest import NewPage, Shoot


def test_a_new_guest_bets_within_three_actions(new_page: NewPage) -> None:
    page = new_page()
    page.click("[aria-label='Sit down at Criss Cross Poker, New Jersey']")
    page.click("[data-wager='ante_across'].takes")
    page.wait_for_selector("[data-wager='ante_across'] cf-chips[cents='500']")
    page.wait_for_function("() => !document.querySelector('cf-table').ui.draft")
    assert page.inner_text(".purse .at-risk dd") == "$10"


def test_a_spectator_takes_a_seat_and_buys_chips(new_page: NewPage) -> None:
    page = new_page(path="/table/nj-double-cross-1")
    page.wait_for_selector(".watching")
    page.get_by_role("button", name=re.compile("^Take seat")).first.click()
    page.wait_for_selector(".area.takes")
    page.get_by_role("button", name="Buy chips").click()
    page.wait_for_function("() => document.querySelector('.purse .balance dd').innerText === '$1,500'")
    page.locator("button.pod.bot").first.click()
    page.wait_for_selector(".pod-name[title*=' bot ']")
    page.keyboard.press("?")
    assert "double" in page.inner_text(".panel-help")
    page.get_by_text("Leave seat").click()
    page.wait_for_selector(".watching")


@pytest.mark.parametrize(
    "size", [(390, 844), pytest.param((1280, 800), marks=pytest.mark.soak)], ids=["phone", "desktop"]
)
def test_a_guest_changes_the_name(new_page: NewPage, shoot: Shoot, size: tuple[int, int]) -> None:
    page = new_page(*size)
    page.evaluate("fetch('/api/guests', {method: 'POST'})")
    page.goto(page.url + "settings")
    page.get_by_role("button", name="Change name").click()
    page.get_by_label("New name").fill("dealer")
    page.keyboard.press("Enter")
    page.get_by_text("“dealer” is reserved. Choose another name.").wait_for()
    assert list(violations(page, "a new name")) == []
    shoot(page, f"new-name-{size[0]}")
    page.get_by_label("New name").fill(f"Cleo {size[0]}")
    page.keyboard.press("Enter")
    page.get_by_text(f"You play as Cleo {size[0]}.").wait_for()
    page.click("a.mark")
    page.get_by_text(f"You play as Cleo {size[0]}.").wait_for()
    page.get_by_text("Sit down", exact=True).first.click()
    page.wait_for_selector(".area.takes")
    assert page.evaluate("document.querySelector('cf-table').state.you.name") == f"Cleo {size[0]}"
    new_page.errors.clear()  # type: ignore[attr-defined]  # the browser logs the refused name


def test_settings_survive_a_reload(new_page: NewPage) -> None:
    page = new_page(path="/settings")
    page.get_by_text("Four colours", exact=True).click()
    page.locator("input[name=shortcuts][value=false]").check()
    page.reload()
    assert page.evaluate("() => document.documentElement.dataset.deck") == "four"
    assert page.locator("input[name=shortcuts][value=false]").is_checked()


def test_the_content_security_policy_allows_no_inline_code(new_page: NewPage) -> None:
    page = new_page()
    policy = page.evaluate("async () => (await fetch('/')).headers.get('content-security-policy')")
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert page.locator("[style], script:not([src])").count() == 0
