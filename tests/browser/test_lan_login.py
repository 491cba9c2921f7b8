"""Friends on a local network: a link or a code, a name, a seat at a private table, and nobody waits for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.axe import violations
from browser.conftest import NewPage, Served, Shoot
from browser.table_page import TableDriver

OTHER_MACHINE = {"X-Forwarded-For": "192.0.2.9"}
"""A request that a proxy forwards is not of the host, who needs no code."""
AT_DECISION = "() => document.querySelector('cf-table').state.view.step === 'decide_across'"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("network") / "data", "--lan")
    yield served
    served.stop()


def _code(server: Served) -> str:
    found = re.search(r"with the code (\w+)", server.log.read_text())
    assert found is not None
    return found[1]


def _friend(new_page: NewPage, server: Served, link: str, **how: Any) -> tuple[Page, list[str]]:
    """Open a link on another machine; also return the addresses of its requests."""
    page = new_page(path="/healthz", extra_http_headers=OTHER_MACHINE, **how)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.goto(re.sub(r"^http://[^/]+", server.address, link))
    return page, sent


def test_a_friend_types_the_code_and_a_name(new_page: NewPage, server: Served, shoot: Shoot) -> None:
    page, _ = _friend(new_page, server, server.address, width=360, height=740, color_scheme="light")
    page.get_by_label("Sit down at Double Cross Poker, New Jersey").click()
    page.locator("dialog").get_by_label("Your name at the table").fill("Cleo")
    page.get_by_label("Access code").fill("not this one")
    page.keyboard.press("Enter")
    page.get_by_text("This access code is wrong").wait_for()
    shoot(page, "login-360")
    page.get_by_label("Access code").fill(_code(server))
    page.keyboard.press("Enter")
    page.wait_for_selector(".area.takes")
    new_page.errors.clear()  # type: ignore[attr-defined]  # the browser logs the refused code


def test_a_link_needs_only_a_name_and_the_host_needs_no_code(new_page: NewPage, server: Served) -> None:
    (link,) = re.findall(r"by this link: (\S+)", server.log.read_text())
    page, sent = _friend(new_page, server, link, width=390, height=844, touch=True)
    name = page.locator("dialog").get_by_label("Your name at the table")
    name.fill("dealer")
    page.get_by_role("button", name="Play", exact=True).tap()
    page.get_by_text("“dealer” is reserved").wait_for()
    assert page.get_by_label("Access code").count() == 0
    assert list(violations(page, "the dialog of names")) == []
    name.fill("Ann")
    page.get_by_role("button", name="Play", exact=True).tap()
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("location.href") == f"{server.address}/"
    assert not [url for url in sent if _code(server) in url]
    page.reload()
    page.get_by_text("You play as Ann").wait_for()
    host = new_page()
    host.get_by_label("Your name at the table").fill("Hugo")
    host.get_by_label("Sit down at Double Cross Poker, New Jersey").click()
    host.wait_for_selector(".area.takes")
    assert host.evaluate("document.querySelector('cf-table').state.you.name") == "Hugo"
    new_page.errors.clear()  # type: ignore[attr-defined]  # the browser logs the refused name


@pytest.mark.parametrize("phone", [pytest.param(False, marks=pytest.mark.soak), True], ids=["desktop", "phone"])
def test_a_friend_sits_at_a_private_table_and_closes_the_page(
    new_page: NewPage, server: Served, shoot: Shoot, phone: bool
) -> None:
    small: dict[str, Any] = {"width": 390, "height": 844, "touch": True} if phone else {}
    host = TableDriver(new_page(path="/healthz", **small), server.address)
    host.sit_privately("nj-criss-cross", bots=0, pace="practice")
    if phone:
        host.page.get_by_role("button", name="Menu").click()
    host.page.get_by_role("button", name="Invite").click()
    link = host.page.get_by_label("Invitation link").input_value()
    assert host.page.locator(".invite .qr path").get_attribute("d")
    assert list(violations(host.page, "the invitation")) == []
    shoot(host.page, f"invite-{'phone' if phone else 'desktop'}")
    host.page.get_by_role("button", name="Close").click()
    called = f"Bea{' P' if phone else ''}"
    page, sent = _friend(new_page, server, link, **small)
    page.locator("dialog").get_by_label("Your name at the table").fill(called)
    page.keyboard.press("Enter")
    page.wait_for_selector(".area.takes")
    assert "#" not in page.evaluate("location.href")
    assert not [url for url in sent if "invite=" in url or _code(server) in url]
    friend = TableDriver(page, server.address)
    for driver in (host, friend):
        driver.page.keyboard.press("1")
        driver.wait_for_turn()
        driver.page.locator("[data-action='deal']").click()
    for driver in (host, friend):
        driver.page.wait_for_function(AT_DECISION)
    if host.view["turn"][0] == host.seat["number"]:
        expect(host.page).to_have_title(re.compile("^Your turn – "))
        host.page.keyboard.press("1")
    expect(page).to_have_title(re.compile("^Your turn – "))
    now = host.page.locator(".now")
    expect(now).to_have_text(re.compile(rf"Waiting for {called}\s*\d+ s"))
    page.close()
    expect(now).to_have_text(re.compile(rf"Waiting for {called}, who is offline\s*\d+ s"))
    assert "offline" in host.page.inner_text(f".pod:has([title='{called}'])")
    shoot(host.page, f"waiting-{'phone' if phone else 'desktop'}")
    host.page.get_by_role("button", name=f"Go on without {called}").click()
    expect(host.page).to_have_title(re.compile("^Your turn – "))
    said = host.page.locator("#live")
    expect(said).to_contain_text(f"{called} does not answer: the hand folds")
    expect(said).to_contain_text("Your turn: ")
    host.page.keyboard.press("f")
    expect(said).to_contain_text("You fold and give up")
    expect(said).to_contain_text(re.compile(r"Round 1 is over: you lose \$\d+"))
    assert not re.search(rf"[Ss]eat {host.seat['number']}\b", said.inner_text().replace("You take seat", ""))


def test_a_private_table_is_closed_to_players_without_its_link(new_page: NewPage, server: Served) -> None:
    host = TableDriver(new_page(path="/healthz"), server.address)
    host.sit_privately("nj-criss-cross", bots=0, pace="practice")
    page = new_page(path=f"/table/{host.table}")
    page.get_by_text("This table does not exist or has closed").wait_for()
    page.goto(f"{server.address}/table/{host.table}#invite=0123456789abcdef")
    page.get_by_text("ask your friend for a new link").wait_for()
    new_page.errors.clear()  # type: ignore[attr-defined]  # the browser logs the refusals
