"""The layout of the felt follows the regulation."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from browser.table_page import TableDriver

SIX_AREAS = ["five_card_bonus", "ante_across", "ante_down", "across", "down", "middle"]


@pytest.mark.clause("NJC-3", "NJC-4")
def test_six_betting_areas_with_the_bonus_nearest_the_dealer(private_table: Callable[..., TableDriver]) -> None:
    page = private_table("nj-criss-cross", bots=0).page
    boxes = {name: page.locator(f"[data-wager='{name}']").bounding_box() for name in SIX_AREAS}
    tops = {name: round(box["y"]) for name, box in boxes.items() if box}
    tray = page.locator(".tray").bounding_box()
    assert tray is not None
    assert tray["y"] < tops["five_card_bonus"] < tops["ante_across"] < tops["across"] < tops["middle"]
    assert tops["ante_across"] == tops["ante_down"]
    assert tops["across"] == tops["down"]
    assert page.inner_text(".licensee") == "Crossfelt, for play money"
    prints = page.locator(".box-label").all_inner_texts()
    assert sorted(prints) == ["Across", "Across", "Down", "Down", "Middle"]
    near, far = (page.locator(f".box-{place}").bounding_box() for place in ("down_near", "down_far"))
    assert near is not None
    assert far is not None
    assert tray["y"] < near["y"] < far["y"]
    posted = page.inner_text(".panel-pays")
    for odds in ("500 to 1", "250 to 1", "Pair of sixes to tens"):
        assert odds in posted


@pytest.mark.clause("MDC-3", "MDC-4")
def test_maryland_has_five_areas_and_one_for_each_optional_wager_on_offer(
    private_table: Callable[..., TableDriver],
) -> None:
    page = private_table("md-criss-cross", bots=0).page
    tray = page.locator(".tray").bounding_box()
    tops = {}
    for name in ("ante_across", "ante_down", "across", "down", "middle"):
        box = page.locator(f"[data-wager='{name}']").bounding_box()
        assert box is not None
        tops[name] = round(box["y"])
    assert tops["ante_across"] == tops["ante_down"] < tops["across"] == tops["down"] < tops["middle"]
    assert page.locator("[data-wager='five_card_bonus']").count() == 1
    assert page.locator("[data-wager='bonus_spin']").count() == 1
    assert page.locator("[data-wager='bonus_spin_xtreme']").count() == 0
    assert page.inner_text(".licensee") == "Crossfelt, for play money"
    assert sorted(set(page.locator(".box-label").all_inner_texts())) == ["Across", "Down", "Middle"]
    near = page.locator(".box-down_near").bounding_box()
    assert tray is not None
    assert near is not None
    assert tray["y"] < near["y"]


@pytest.mark.clause("DCP-2a")
@pytest.mark.parametrize("width", [320, 1280])
def test_the_cross_lies_to_the_dealers_right_of_the_tray(private_table: Callable[..., TableDriver], width: int) -> None:
    driver = private_table("nj-double-cross", bots=0, width=width)
    for key in ("1", "Enter"):
        driver.key(key)
    tray = driver.page.locator(".tray").bounding_box()
    left = driver.page.locator(".box-across_left").bounding_box()
    assert tray is not None
    assert left is not None
    # Seen from the players' side, what is on the dealer's right is on our left.
    assert left["x"] + left["width"] <= tray["x"]


SPILLS = """() => [...document.querySelectorAll(".pod-cards.many")].filter((fan) => {
  const pod = fan.closest(".pod").getBoundingClientRect();
  const cards = [...fan.children].map((card) => card.getBoundingClientRect());
  return cards.some((card) => card.left < pod.left || card.right > pod.right);
}).length"""
TITLE_OVER_CREDITS = """() => [...document.querySelectorAll(".area:has(.credits)")].filter((area) => {
  const words = document.createRange();
  words.selectNodeContents(area.querySelector(".area-title"));
  const title = words.getBoundingClientRect();
  const box = area.getBoundingClientRect();
  return title.bottom > area.querySelector(".credits").getBoundingClientRect().top + 1
    || title.left < box.left || title.right > box.right;
}).length"""


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_seven_cards_and_credits_stay_in_their_places(private_table: Callable[..., TableDriver], width: int) -> None:
    driver = private_table("nj-pai-gow", bots=3, width=width)
    for key in "1b3":
        driver.key(key)
    assert driver.page.locator(".area .credits").count() == 2
    assert driver.page.evaluate(TITLE_OVER_CREDITS) == 0
    driver.key("Enter")
    assert driver.page.locator(".pod-cards.many").count() >= 3
    assert driver.page.evaluate(SPILLS) == 0
    assert driver.page.evaluate(TITLE_OVER_CREDITS) == 0


def test_an_open_panel_on_a_phone_leaves_the_actions_in_reach(private_table: Callable[..., TableDriver]) -> None:
    driver = private_table("nj-criss-cross", bots=0, width=360, height=740, touch=True)
    driver.tap_area("ante_across")
    driver.tap("deal")
    driver.page.get_by_role("button", name="Menu").tap()
    driver.page.get_by_label("Pay tables, coach, log, rounds and text").tap()
    driver.page.wait_for_selector(".side.open")
    driver.tap("bet-1")
    assert driver.seat["wagers"]["across"] == 500


OVERFLOWS = """() => {
  const within = (one, box) => !one.width || (one.left >= box.left - 1 && one.right <= box.right + 1);
  const out = (inside, around) => {
    const box = document.querySelector(around).getBoundingClientRect();
    return [...document.querySelectorAll(inside)].filter((one) => !within(one.getBoundingClientRect(), box));
  };
  return [
    ...out(".pod, .area, .tray, .box", "section.table"),
    ...out(".rail .button, .rail .control, .rail .figure, .rail .rack-chip", "section.rail"),
  ].map((one) => one.className);
}"""


def test_nothing_overflows_the_table_at_any_width(private_table: Callable[..., TableDriver]) -> None:
    driver = private_table("nj-criss-cross", bots=5)
    for key in ("1", "Enter"):
        driver.key(key)
        for width in (320, 600, 768, 900, 1024, 1239, 1240, 1280, 1500):
            driver.page.set_viewport_size({"width": width, "height": 800})
            assert driver.page.evaluate(OVERFLOWS) == [], width
