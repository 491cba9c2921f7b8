"""The laboratory: changed odds, the strategy chart, refused changes, downloads."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page

from browser.conftest import NewPage, Shoot
from crossfelt.analysis import solve
from crossfelt.analysis.solver.solve import ExactSolution
from crossfelt.money import dollars
from crossfelt.rulebooks.game import problems
from crossfelt.rulebooks.loader import read_submission

LOSING_PAIR = "odds-bets.pair_6s_through_10s"
SLOWLY = """() => {
    const quick = window.fetch;
    window.fetch = async (...asked) => (await new Promise((go) => setTimeout(go, 1000)), quick(...asked));
}"""
"""Make every request slower than the delay after which the page asks again."""
EDGE = "text => document.querySelector('.edge strong').innerText === text"


def _open(new_page: NewPage, book: str) -> Page:
    page = new_page(path=f"/laboratory/{book}")
    page.wait_for_selector(".edge strong")
    return page


def test_changed_odds_change_the_edge_and_the_strategy(new_page: NewPage, shoot: Shoot) -> None:
    page = _open(new_page, "nj-criss-cross")
    slider = page.locator(f"[id='{LOSING_PAIR}']")
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    now = solve("nj-criss-cross", pay={"bets.pair_6s_through_10s": 1})
    was = solve("nj-criss-cross")
    assert isinstance(now, ExactSolution)
    assert isinstance(was, ExactSolution)
    edge = f"{100 * float(now.house_edge.per_initial_wagers):.3f} %".replace("-", "−")
    page.wait_for_function(EDGE, arg=edge)
    assert f"up to an ante of {dollars(now.holds_to_cents or 0)}" in page.locator(".edge").inner_text()
    largest = page.get_by_role("row").filter(has_text=re.compile(r"House edge at an ante of \$500\b"))
    (at_largest,) = solve("nj-criss-cross", pay={"bets.pair_6s_through_10s": 1}, antes=[500_00]).at_antes
    assert f"{-50 * float(at_largest.same_play.mean):.4f} %".replace("-", "−") in largest.inner_text()
    shoot(page, "laboratory-changed-1280")
    best, printed = ({hand: decision.best for hand, decision in one.first_decision().items()} for one in (now, was))
    moved = {hand for hand in best if best[hand] != printed[hand]}
    assert moved
    cells = page.locator(".chart tbody td")
    shown = {str(cell.get_attribute("title")).partition(":")[0]: cell for cell in cells.all()}
    assert {hand for hand, cell in shown.items() if "moved" in str(cell.get_attribute("class"))} == moved
    assert all(f"mix-{best[hand]}" in str(shown[hand].get_attribute("class")) for hand in moved)
    assert all(hand in page.inner_text(".chart-changes") for hand in moved)
    page.locator(".refused .cite").first.click()
    assert "N.J.A.C." in page.locator(".proof-clause h4 .citation").first.inner_text()
    assert page.inner_text("#proof-title") == "NJC-51"


def test_two_settings_are_compared(new_page: NewPage) -> None:
    page = _open(new_page, "nj-double-cross")
    page.get_by_text("Keep for comparison").click()
    page.locator("[id='odds-raise.high_card']").press("ArrowRight")
    page.wait_for_selector(".chart td.moved")
    heads = page.locator(".lab-figures thead th").all_inner_texts()
    assert heads == ["Figure", "Now", "As printed", "Change"]
    first = page.locator(".lab-figures tbody tr").first.locator("td").all_inner_texts()
    page.get_by_text("Swap").click()
    page.wait_for_function(
        "was => document.querySelector('.lab-figures tbody td').innerText === was",
        arg=first[1],
    )
    assert page.locator(".lab-figures tbody tr").first.locator("td").all_inner_texts()[1] == first[0]


def test_weights_change_by_key_and_download_as_a_submission(new_page: NewPage, tmp_path: Path) -> None:
    page = _open(new_page, "md-criss-cross")
    page.locator("[id='option-wagers.bonus_spin.offered']").uncheck()
    page.locator("[id='option-wagers.bonus_spin_xtreme.offered']").check()
    ring = page.locator("[id='weight-bonus_spin_xtreme.hot_spot.A-0']")
    ring.press("ArrowUp")
    page.wait_for_selector("tr.changed")
    page.locator("[id='weight-bonus_spin_xtreme.community.D-1']").press("PageUp")
    page.wait_for_selector(".fair")
    page.evaluate(SLOWLY)
    ring.press("ArrowUp")
    with page.expect_download() as saved:
        page.get_by_text("Download as submission").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    book, stated = read_submission(file)
    assert list(problems(book, stated)) == []
    assert stated["wagers"]["bonus_spin_xtreme"]["hot_spot_weights"][0] == 3
    assert stated["wagers"]["bonus_spin_xtreme"]["community_weights"][1] == 400


def test_a_report_opens_in_a_sandbox(new_page: NewPage) -> None:
    page = _open(new_page, "nj-pai-gow")
    page.locator("[id='option-wagers.seven_card.offered']").uncheck()
    page.get_by_text("Write a report").click()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="open").click()
    report = opened.value
    report.wait_for_selector("h1")
    assert "seven_card.offered" in report.inner_text("body")
    policy = page.evaluate(
        "async (address) => (await fetch(address)).headers.get('content-security-policy')",
        report.url,
    )
    assert policy.startswith("sandbox")
    assert "script-src" not in policy
    assert "default-src 'none'" in policy
