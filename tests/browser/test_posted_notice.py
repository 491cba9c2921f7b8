"""The payout limit and every payout are posted at the table and on the rules page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from browser.conftest import NewPage, Shoot
from browser.table_page import TableDriver

PHONE: Final = {"width": 390, "height": 844, "touch": True}
DESKTOP: Final = {"width": 1280, "height": 800}
SIZES: Final = pytest.mark.parametrize(
    "size", [pytest.param(PHONE, marks=pytest.mark.soak), DESKTOP], ids=["390", "1280"]
)
LIMIT: Final = {"amount_cents": 60_000_00, "approval": "2026-7"}
SUBMISSIONS: Final[dict[str, dict[str, Any]]] = {
    "nj-criss-cross": {},
    "md-criss-cross": {},
    "nj-double-cross": {"payout_limit": LIMIT},
    "nj-pai-gow": {"payout_limit": {"amount_cents": 40_000_00}},
}
POSTED: Final = {
    "nj-criss-cross": [
        "Payout limit $50,000. Posted at the table. One player's winnings in one whole round are limited to $50,000.",
        "5 Card Bonus and Bonus Spin. The Bonus Spin jackpot is paid in full.",
        "A pair in the player's two cards spins the wheel.",
        "the spinner keeps $500; each other Bonus Spin bettor gets $100",
        "the spinner keeps $25; each other Bonus Spin bettor gets $15",
        "The chances are illustrative.",
    ],
    "md-criss-cross": [
        "Payout limit $50,000.",
        "It does not cover Five Card Bonus and Bonus Spin.",
        "the spinner keeps $600; each other Bonus Spin bettor gets $100",
    ],
    "nj-double-cross": [
        "Payout limit $60,000.",
        "The limit covers raise. It does not cover ante and three-card wager.",
    ],
    "nj-pai-gow": [
        "Payout limit $40,000.",
        "The limit covers imperial pai gow bonus.",
        "Seven-card bonus, envy (illustrative, house rule",
        "Magic card: awarded in 1,000,000 of a million rounds (illustrative).",
        "Pai gow poker wager: a win pays 1 to 1, less 5 % commission",
    ],
}
PLACES: Final = "() => [...document.querySelectorAll('.posted-wheel tbody th')].map((one) => Number(one.textContent))"
Sit = Callable[..., TableDriver]


def open_pays(page: Page) -> str:
    """Open the panel of pays where it is closed, and return its text."""
    if not page.locator(".panel-pays").is_visible():
        page.keyboard.press("p")
    page.wait_for_selector(".panel-pays >> visible=true")
    return page.inner_text(".panel-pays")


@pytest.mark.clause("NJC-5", "NJC-56", "MDC-5", "MDC-39", "DCP-30")
@SIZES
@pytest.mark.parametrize("rulebook", POSTED)
def test_the_limit_and_every_payout_are_posted_at_the_table(
    private_table: Sit, shoot: Shoot, rulebook: str, size: dict[str, Any]
) -> None:
    page = private_table(rulebook, bots=2, submission=SUBMISSIONS[rulebook], **size).page
    plate = page.locator(".limit-plate")
    assert plate.is_visible()
    assert plate.inner_text().split() == ["Payout", "limit", POSTED[rulebook][0].split()[2].rstrip(".")]
    shoot(page, f"posted-table-{rulebook}-{size['width']}")
    panel = open_pays(page)
    for text in POSTED[rulebook]:
        assert text in panel, text
    assert "shared" not in panel
    places = page.evaluate(PLACES)
    assert places == sorted(places)
    shoot(page, f"posted-panel-{rulebook}-{size['width']}")


@pytest.mark.clause("NJC-5", "NJC-56", "MDC-5", "MDC-39")
@SIZES
@pytest.mark.parametrize("rulebook", ["nj-criss-cross", "md-criss-cross"])
def test_the_rules_page_posts_them_too(new_page: NewPage, shoot: Shoot, rulebook: str, size: dict[str, Any]) -> None:
    page = new_page(path=f"/rules/{rulebook}", **size)
    page.wait_for_selector(".posted-limit")
    shown = page.inner_text(".book")
    for text in POSTED[rulebook]:
        assert text in shown, text
    assert "shared" not in shown
    shoot(page, f"posted-rules-{rulebook}-{size['width']}", full_page=True)


@pytest.mark.clause("DCP-30")
def test_a_game_without_a_limit_says_so(private_table: Sit, new_page: NewPage) -> None:
    assert private_table("nj-double-cross").page.locator(".limit-plate").count() == 0
    page = new_page(path="/rules/nj-double-cross")
    page.wait_for_selector("text=No payout limit is in force by default")


@pytest.mark.clause("NJC-5", "MDC-5", "DCP-30")
@SIZES
def test_the_submission_puts_odds_and_limit_on_the_felt_or_on_a_sign(private_table: Sit, size: dict[str, Any]) -> None:
    on_felt = {"payout_limit": {**LIMIT, "on_layout": True}, "layout": {"odds_on": "layout"}}
    page = private_table("nj-double-cross", submission=on_felt, **size).page
    printed = page.locator(".felt .felt-print").inner_text().replace("\n", " ")
    assert "royal flush 300 to 1; straight flush 50 to 1" in printed
    assert "straight flush 40 to 1; three of a kind 30 to 1" in printed
    assert page.locator(".felt .limit-plate.on-layout").is_visible()
    assert "Printed on the layout." in open_pays(page)
    on_sign = {"payout_limit": LIMIT, "layout": {"odds_on": "sign"}}
    page = private_table("nj-double-cross", submission=on_sign, **size).page
    assert page.locator(".felt-print").count() == 0
    assert page.locator(".limit-plate.on-sign").is_visible()
    assert "Sign at the table" in open_pays(page)
    assert "300 to 1" in page.inner_text(".posted-sign")
    assert "Posted at the table." in page.inner_text(".posted-sign")


SHOW_CUT: Final = """async () => {
  const table = document.querySelector("cf-table");
  const { roundFromEvents } = await import("/web/table/state.js");
  const seat = table.state.view.seats.find((one) => one.yours).number;
  const settled = { event: "wager_settled", seat, wager: "raise", stake: 100000, result: "win" };
  const cut = { ...settled, returned: 100000, paid: 6000000, limited: 24000000 };
  const round = roundFromEvents(table.state.game, 1, [cut]);
  table.state = { ...table.state, round, last: round };
  table.show();
}"""


@pytest.mark.clause("DCP-30")
@SIZES
def test_a_payment_that_the_limit_has_cut_says_so(private_table: Sit, size: dict[str, Any]) -> None:
    page = private_table("nj-double-cross", submission={"payout_limit": LIMIT}, **size).page
    page.evaluate(SHOW_CUT)
    area = page.locator("[data-wager='raise']")
    assert area.locator(".area-result").inner_text().split() == ["+$60,000", "limited"]
    told = "limited to $60,000 by the payout limit; $240,000 is not paid"
    assert told in str(area.get_attribute("aria-label"))
    assert f"Raise {told}" in page.inner_text(".last")
