"""Coach, review, recall, clauses and the fairness check."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

from browser.conftest import Shoot
from browser.table_page import TableDriver

Sit = Callable[..., TableDriver]
CHECK = """async ({commitment, openings}) => {
  const main = document.querySelector("script[type=module]").src;
  return (await import(main.replace("main.js", "table/fairness.js"))).checkOpenings(commitment, openings);
}"""


def _advise(*arguments: str) -> dict[str, object]:
    command = [sys.executable, "-c", "from crossfelt.cli.main import main; main()", "advise", *arguments, "--json"]
    advice: dict[str, object] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return advice


def test_the_coach_shows_the_values_of_the_command(private_table: Sit, shoot: Shoot) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    driver.key("1")
    driver.key("Enter")
    driver.page.keyboard.press("a")
    driver.page.wait_for_selector(".advice")
    shoot(driver.page, "coach-1280")
    advice = _advise("nj-criss-cross", "--hole", " ".join(driver.seat["cards"]))
    actions = advice["actions"]
    assert isinstance(actions, dict)
    shown = {
        row[0]: row[1]
        for row in (text.split("\t") for text in driver.page.locator(".advice tbody tr").all_inner_texts())
    }
    assert shown == {
        ("Fold" if name == "fold" else name.replace("x", "×")): f"{value['ev']:+.4f}".replace("-", "−")
        for name, value in actions.items()
    }
    best = str(advice["best"])
    assert driver.page.locator(".best strong").inner_text() == ("Fold" if best == "fold" else best.replace("x", "×"))
    assert driver.page.inner_text(".reason").endswith(".")


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
    assert page.locator(".fairness .fair").inner_text().startswith("Yes")
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


def test_a_changed_opening_fails_the_check(private_table: Sit) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    driver.key("1")
    driver.key("Enter")
    driver.key("f")
    record = driver.fetch(f"/tables/{driver.table}/rounds/1")
    assert record["openings"]
    check = """async ({commitment, openings, address}) => (await import(address)).checkOpenings(commitment, openings)"""
    address = driver.page.evaluate(
        "() => document.querySelector('script[type=module]').src.replace('main.js', 'table/fairness.js')"
    )
    right = driver.page.evaluate(check, {**record, "address": address})
    assert (len(right["right"]), right["wrong"]) == (len(record["openings"]), [])
    first, *others = record["openings"]
    changed = {**first, "value": "Ks" if first["value"] != "Ks" else "Kd"}
    found = driver.page.evaluate(CHECK, {**record, "openings": [changed, *others]})
    assert found["wrong"] == [f"{changed['label']} = {changed['value']}"]
    for beside in changed, first:
        found = driver.page.evaluate(CHECK, {**record, "openings": [beside, *record["openings"]]})
        assert found["wrong"] == [f"{it['label']} = {it['value']}" for it in (beside, first)], "opened twice"


def test_new_openings_of_a_round_need_a_new_check(private_table: Sit) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    driver.key("1")
    driver.key("Enter")
    driver.key("f")
    record = driver.fetch(f"/tables/{driver.table}/rounds/1")
    page = driver.page
    page.keyboard.press("h")
    page.locator(".recall .fairness button").click()
    page.wait_for_selector(".fairness .fair")
    empty = {"type": "opened", "round": 1, "commitment": record["commitment"], "openings": []}
    page.evaluate("message => document.querySelector('cf-table').dispatch(message)", empty)
    page.locator(".recall .fairness button").click()
    page.wait_for_selector(".fairness .notice")
    assert page.locator(".fairness .fair").count() == 0


def test_a_player_of_two_seats_can_review_each(private_table: Sit) -> None:
    driver = private_table("nj-criss-cross", bots=0)
    first = driver.seat["number"]
    for _ in range(2):
        for key in ("1", "Enter", "f"):
            driver.key(key)
        driver.page.get_by_text("Leave seat").click()
        driver.page.locator("button.pod.free").first.click()
        driver.page.wait_for_selector(".area.takes")
    driver.page.goto(f"{driver.address}/review/{driver.table}")
    driver.page.get_by_label("Seat").select_option(str(first))
    driver.page.wait_for_function("() => document.querySelector('.decisions tbody th')?.innerText === '1'")
    driver.page.locator(".decisions tbody tr").nth(0).wait_for()
