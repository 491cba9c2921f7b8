"""The felt is laid out as the regulation lays it out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from browser.driving import TableDriver

SIX_AREAS = ["five_card_bonus", "ante_across", "ante_down", "across", "down", "middle"]


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
    prints = page.locator(".box-print").all_inner_texts()
    assert sorted(prints) == ["Across", "Across", "Down", "Down", "Middle"]
    near, far = (page.locator(f".box-{place}").bounding_box() for place in ("down_near", "down_far"))
    assert near is not None
    assert far is not None
    assert tray["y"] < near["y"] < far["y"]
    posted = page.inner_text(".panel-pays")
    for odds in ("500 to 1", "250 to 1", "Pair 6s through 10s"):
        assert odds in posted


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
