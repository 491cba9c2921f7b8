"""Coach, review, recall, clauses and the fairness check."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import pytest
from playwright.sync_api import Route

from browser.axe import Faults
from browser.conftest import Shoot
from browser.table_page import TableDriver
from crossfelt.cli.main import run

Sit = Callable[..., TableDriver]


def _advise(*arguments: str) -> dict[str, Any]:
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert run(["advise", *arguments, "--json"]) == 0
    advice: dict[str, Any] = json.loads(printed.getvalue())
    return advice


def _switch_on(driver: TableDriver) -> None:
    if not driver.page.locator(".coach-switch").is_visible():
        driver.page.locator(".controls-menu").click()
    driver.page.locator(".coach-switch").click()
    driver.page.wait_for_selector(".coach-switch[aria-checked=true]", state="attached")


def _label(choice: str) -> str:
    return choice.replace("x", "×") if choice[0].isdecimal() else choice.capitalize()


def _money(value: float) -> str:
    cents = int(abs(value) * 500 + 0.5)
    amount = f"${cents // 100}" if cents % 100 == 0 else f"${cents / 100:.2f}"
    return ("+" if value > 0 else "−") + amount


@pytest.mark.parametrize(("width", "height"), [(1280, 800), pytest.param(390, 844, marks=pytest.mark.soak)])
def test_values_before_each_choice_and_a_verdict_after_it(
    private_table: Sit, shoot: Shoot, faults: Faults, width: int, height: int
) -> None:
    driver = private_table("nj-criss-cross", bots=0, width=width, height=height)
    page = driver.page
    assert page.locator(".coach-switch[aria-checked=true]").count() == 0
    _switch_on(driver)
    driver.key("1")
    driver.key("Enter")
    page.wait_for_selector(".coach-values .coach-best")
    told = _advise("nj-criss-cross", "--hole", " ".join(driver.seat["cards"]), "--stake", "5")
    strip = page.inner_text(".coach-values").replace("\n", " ")
    assert all(f"{_label(name)} {_money(value['ev'])}" in strip for name, value in told["actions"].items())
    assert _label(told["best"]) in page.inner_text(".coach-best")
    assert page.locator(".button.advised").count() == 1
    if width < 1240:
        page.locator(".coach-strip").click()
    assert page.locator(".coach-reasons p").all_inner_texts() == [*told["cards"], *told["reasons"]]
    shown = {row[0]: row[1:3] for row in (it.split("\t") for it in page.locator(".advice tbody tr").all_inner_texts())}
    assert shown == {
        _label(name): [f"{value['ev']:+.4f}".replace("-", "−"), _money(value["ev"])]
        for name, value in told["actions"].items()
    }
    page.locator(".coach-grid summary").click()
    page.wait_for_selector(".chart .own")
    assert "your hand" in page.inner_text(".cell-says")
    page.locator("[data-hand='32o']").click()
    assert page.inner_text(".cell-says").startswith("32 offsuit: Best: Fold. Folding gives up $10.")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.activeElement.dataset.hand === '42o'")
    page.keyboard.press("ArrowLeft")
    page.locator(".cell-says strong", has_text="52 offsuit").wait_for()
    shoot(page, f"coach-{width}")
    assert faults(page, "coach", widths=(width,)) == []
    page.keyboard.press("Escape")
    worst = min(told["actions"], key=lambda name: told["actions"][name]["ev"] if name != "fold" else 1e9)
    driver.key(worst[0])
    verdict = told["verdicts"][worst]
    page.locator(".coach-strip .verdict", has_text=verdict).wait_for()
    assert verdict.startswith("Cost $")
    assert f"Coach: {verdict}." in page.locator("#live p").all_inner_texts()
    page.wait_for_selector(".coach-values .coach-best")
    page.locator(".button.advised").click()
    page.locator(".coach-strip .verdict", has_text="Best").wait_for()
    page.reload()
    page.wait_for_selector(".coach-strip")
    assert page.locator(".coach-switch[aria-checked=true]").count() == 1


def test_late_advice_is_no_error_and_a_fold_without_chips_no_mistake(private_table: Sit) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    page = driver.page
    _switch_on(driver)
    late: list[Route] = []
    page.route("**/api/advice", lambda route: late.append(route))
    for key in ("1", "Enter", "1", "1", "1"):
        driver.key(key)
    for route in late:
        with page.expect_response("**/api/advice") as answer:
            route.continue_()
        assert (answer.value.status, answer.value.json()) == (200, None)
    assert late
    page.unroute("**/api/advice")
    page.locator(".coach-strip .verdict", has_text="No verdict: the table has gone on").wait_for()
    page.evaluate("document.querySelector('cf-table').placeWagers({ante_across: 40000, ante_down: 40000})")
    page.locator(".notice", has_text="To stay in to the end you need $1,200. Bet less, or buy chips.").wait_for()
    driver.key("Enter")
    page.locator(".situation", has_text="You have too few chips for this bet.").wait_for()
    page.wait_for_function("() => document.querySelector('cf-table').ui.advice.best")
    best = page.evaluate("document.querySelector('cf-table').ui.advice.best")
    driver.key("f")
    fold = "Best" if best == "fold" else f"for a bet of ${400 * int(best[0]):,}. Buy chips before you choose"
    page.locator(".coach-strip .verdict", has_text=fold).wait_for()


def test_a_line_and_a_setting_get_a_verdict(private_table: Sit) -> None:
    driver = private_table("nj-double-cross", bots=0)
    _switch_on(driver)
    for key in ("1", "Enter"):
        driver.key(key)
    layout = driver.view["layout"]
    shown = [f"--see={place}={layout[place]}" for place in ("down_far", "across_right")]
    told = _advise("nj-double-cross", "--hole", " ".join(driver.seat["cards"]), *shown, "--stake", "5")
    driver.page.wait_for_selector(".coach-values .coach-best")
    driver.key("v")
    driver.page.locator(".verdict", has_text=told["verdicts"]["vertical"]).wait_for()
    driver = private_table("nj-pai-gow", bots=0)
    _switch_on(driver)
    for key in ("1", "Enter"):
        driver.key(key)
    while "pass" in driver.actions:
        driver.key("Enter")
    driver.page.wait_for_selector(".coach-values .coach-best")
    told = _advise("nj-pai-gow", "--cards", " ".join(driver.seat["cards"]), "--stake", "10")
    house = next(name for name, value in told["actions"].items() if value["house_way"])
    driver.page.keyboard.press("w")
    driver.page.keyboard.press("w")
    driver.page.locator(".verdict", has_text=told["verdicts"][house]).first.wait_for()


def test_the_coach_is_on_at_practice_pace_until_it_is_turned_off(private_table: Sit) -> None:
    driver = private_table("nj-criss-cross", bots=0, pace="practice")
    page = driver.page
    page.locator(".coach-switch[aria-checked=true]").click()
    page.wait_for_selector(".coach-switch[aria-checked=false]")
    page.reload()
    page.wait_for_selector(".coach-switch[aria-checked=false]")


def test_review_recall_clauses_and_fairness(private_table: Sit, shoot: Shoot) -> None:
    driver = private_table("nj-criss-cross", bots=1)
    page = driver.page
    for _ in range(2):
        driver.key("1")
        driver.key("Enter")
        driver.play_until_bets({"bet-3": "3"})
    page.keyboard.press("l")
    page.keyboard.press("h")
    page.wait_for_selector(".recall")
    assert "RECALL" in page.inner_text(".recall")
    page.locator(".recall .fairness button").click()
    page.wait_for_selector(".fairness .fair")
    shoot(page, "recall-1280")
    page.goto(f"{driver.address}/history/{driver.table}")
    page.wait_for_selector(".steps .here")
    page.keyboard.press("k")
    page.locator(".fairness button").click()
    assert page.locator(".fairness .fair").inner_text().startswith("No")
    shoot(page, "history-1280")
    page.goto(f"{driver.address}/review/{driver.table}")
    page.wait_for_selector(".graph")
    shoot(page, "review-1280")
    decisions = driver.fetch(f"/tables/{driver.table}/review")["decisions"]
    assert [decision["chosen"] for decision in decisions] == ["3x"] * 6
    assert page.locator(".decisions tbody tr").count() == 6
    page.keyboard.press("End")
    assert page.locator(".decisions tr.here").inner_text().startswith("2")


def test_coach_and_review_without_a_decision(private_table: Sit) -> None:
    driver = private_table("nj-double-cross", bots=0)
    for key in ("1", "b", "Enter"):
        driver.key(key)
    assert "choose-expose" in driver.actions
    driver.page.keyboard.press("a")
    driver.page.wait_for_selector(".panel-coach .quiet")
    assert driver.page.locator(".panel .notice").count() == 0
    driver.page.goto(f"{driver.address}/review/nj-criss-cross-1")
    driver.page.get_by_text("You have made no decisions at this table yet").wait_for()


def test_a_player_of_two_seats_can_review_each(private_table: Sit) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    first = driver.seat["number"]
    for _ in range(2):
        for key in ("1", "Enter", "f"):
            driver.key(key)
        driver.page.get_by_role("button", name="Leave seat", exact=True).click()
        driver.page.get_by_role("button", name=re.compile("^Take seat")).first.click()  # until then it adds a bot
        driver.page.locator(".area.takes").first.wait_for()
        driver.wait_for_turn()
    driver.page.goto(f"{driver.address}/review/{driver.table}")
    driver.page.get_by_label("Seat").select_option(str(first))
    driver.page.wait_for_function("() => document.querySelector('.decisions tbody th')?.innerText === '1'")
    driver.page.locator(".decisions tbody tr").nth(0).wait_for()
